"""The film's voices: eSpeak NG as a process, its silence trimmed, at the film's sample rate."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass

import numpy as np

from adstudio.core.errors import OutsideFailureError
from adstudio.speech.sound import Samples, decoded
from adstudio.system.environment import without_keys
from sample_film.source import Voice

SAMPLE_RATE = 48_000
"""Samples a second of the film's sound."""

_PATIENCE_S = 20
_FLOOR = 10 ** (-46 / 20)
"""What lies this far below a line's peak counts as the silence before and after it."""


@dataclass(frozen=True)
class Espeak:
    """The speech program that was found on this machine."""

    program: str

    def say(self, text: str, voice: Voice) -> Samples:
        """The line as spoken, one channel, peak at 1, without silence before or after.

        Raises:
            OutsideFailureError: when the program fails or says nothing.
        """
        command = [self.program, "--stdout", "--stdin", "-b", "1", "-v", voice.espeak]
        command += ["-s", str(voice.words_per_minute), "-p", str(voice.pitch)]
        try:
            done = subprocess.run(
                command,
                input=text.encode(),
                capture_output=True,
                timeout=_PATIENCE_S,
                check=False,
                env=without_keys(),
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise OutsideFailureError(f"espeak-ng could not speak “{text}”: {error}") from error
        if done.returncode or not done.stdout:
            reason = done.stderr.decode(errors="replace").strip().splitlines()
            raise OutsideFailureError(
                f"espeak-ng could not speak with the voice {voice.espeak} ({reason[-1] if reason else 'no sound'}): "
                "install the package espeak-ng-data of the same version"
            )
        # A WAV on standard output has no true length in its header: everything after the header is sound.
        return _trimmed(decoded(done.stdout, streamed=True).at_rate(SAMPLE_RATE).samples)


def find_espeak() -> Espeak:
    """The speech program on the PATH.

    Raises:
        OutsideFailureError: when it is not installed; the sentence says how to mend that.
    """
    program = shutil.which("espeak-ng")
    if program is None:
        raise OutsideFailureError(
            "the sample film's voices need espeak-ng, which is not installed: "
            "run “sudo apt-get install espeak-ng” (Fedora: “sudo dnf install espeak-ng”) and try again"
        )
    return Espeak(program)


def _trimmed(samples: Samples) -> Samples:
    peak = float(np.max(np.abs(samples), initial=0.0))
    if peak <= 0:
        raise OutsideFailureError("espeak-ng made a silent line: install espeak-ng again")
    loud = np.flatnonzero(np.abs(samples) > peak * _FLOOR)
    cut = samples[loud[0] : loud[-1] + 1] / peak
    edge = min(240, len(cut) // 2)
    ramp = np.linspace(0, 1, edge, dtype=np.float32)
    cut[:edge] *= ramp
    cut[-edge:] *= ramp[::-1]
    return cut

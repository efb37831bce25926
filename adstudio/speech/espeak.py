"""eSpeak NG as a process: text by its input, sound by `-w` (with `--stdout` the header's length is false)."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from adstudio.speech.engine import (
    Capabilities,
    EngineMissingError,
    Notation,
    SpeechRequestError,
    Style,
    Voice,
    language_tag,
    voices_for,
)
from adstudio.speech.engine_process import Command, run

NAME = "espeak-ng"
SLOWEST = 80
"""Words a minute; it speaks no slower, whatever it is asked for."""
_SETTINGS = (0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 99)
_PERCENT = (-30, -25, -21, -15, -8, 0, 10, 21, 34, 49, 64)
"""By how many per cent the pitch of eSpeak NG 1.51 differs at each of the settings.

Measured from the fundamental frequency of five voices of four languages, which agree to 2 %. The setting scales a
voice's lowest pitch only, not its intonation (`SetPitch2` in its wavegen.c).
"""
_TIMEOUT_S = 10.0
_VOICE = re.compile(r"[A-Za-z0-9!][A-Za-z0-9_/!+.-]{0,80}\Z")
_VERSION = re.compile(r"\d+(?:\.\d+)+(?:-\w+)?")
# Priority, language, age and gender, name, file, and in brackets the other languages it is offered for.
_LISTED = re.compile(r"\s*(?P<priority>\d+)\s+(?P<language>\S+)\s+\S+\s+(?P<name>\S+)\s+(?P<file>\S+)(?P<others>.*)\Z")
_OTHER = re.compile(r"\(([\w-]+) (\d+)\)")


@dataclass(frozen=True)
class Espeak:
    """The eSpeak NG that was found on this machine; `program` is its path."""

    program: str
    version: str

    name = NAME
    capabilities = Capabilities(Notation.ESPEAK, slowest=SLOWEST, lowest=_PERCENT[0])

    def fingerprint(self, voice: str) -> str:  # noqa: ARG002 - its voices come with it
        """As `Engine.fingerprint`: its version."""
        return self.version

    def voices(self, language: str) -> tuple[Voice, ...]:
        """As `Engine.voices`: the tag's own, its main language's, the others of that language."""
        wanted = language_tag(language)
        main = wanted.split("-", 1)[0]
        option = f"--voices={main}" if re.fullmatch(r"[a-z]{2,8}", main) else "--voices"
        said = run(Command(self.program, (option,)), _TIMEOUT_S, NAME)
        return voices_for(listed(said.decode(errors="replace"), main), wanted)

    def synthesise(self, text: str, style: Style, target: Path, limit: float) -> None:
        """As `Engine.synthesise`."""
        run(self.command(text, style, target), limit, NAME)

    def command(self, text: str, style: Style, target: Path) -> Command:
        """The process that speaks a text into a file.

        Raises:
            SpeechRequestError: for what cannot be a voice's name.
        """
        if not _VOICE.match(style.voice):
            raise SpeechRequestError(
                f"“{style.voice[:40]}” is not a voice of {NAME}: choose one from the list of voices"
            )
        manner = ("-v", style.voice, "-s", str(style.rate), "-p", str(espeak_pitch(style.pitch)))
        return Command(self.program, (*manner, "-b", "1", "-w", str(target), "--stdin"), text.encode())

    def close(self) -> None:
        """As `Engine.close`: nothing stays between lines."""


def espeak_pitch(percent: int) -> int:
    """ESpeak's pitch, 0 to 99, for so many per cent above the voice's own."""
    return round(float(np.interp(percent, _PERCENT, _SETTINGS)))


def listed(table: str, main: str = "") -> tuple[Voice, ...]:
    """The voices in what `espeak-ng --voices` prints, without those that need MBROLA's data as well.

    A voice that is offered for the language `main` beside its own (Mandarin, `cmn`, for `zh`) is given as that one's.
    """
    found: list[tuple[int, Voice]] = []
    for line in table.splitlines()[1:]:
        match = _LISTED.match(line)
        if match is None or match["file"].startswith("mb/"):
            continue
        priority, language = int(match["priority"]), match["language"].lower()
        others = {tag.lower(): int(rank) for tag, rank in _OTHER.findall(match["others"])}
        if main in others:
            priority = others[main]
            if language.split("-", 1)[0] != main:
                language = main
        name = match["name"].replace("_", " ").strip()
        found.append((priority, Voice(match["file"], name, language)))
    return tuple(voice for _, voice in sorted(found, key=lambda entry: entry[0]))


def find_espeak() -> Espeak:
    """The eSpeak NG on the PATH.

    Raises:
        SpeechError: when it is not installed or does not start; the sentence says how to mend that.
    """
    program = shutil.which(NAME)
    if program is None:
        raise EngineMissingError(
            "the speech engine espeak-ng is not installed: "
            "run “sudo apt-get install espeak-ng” (Fedora: “sudo dnf install espeak-ng”) and try again"
        )
    said = run(Command(program, ("--version",)), _TIMEOUT_S, NAME)
    version = _VERSION.search(said.decode(errors="replace"))
    return Espeak(program, version[0] if version else "unknown")

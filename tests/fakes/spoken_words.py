"""When each word of a text is spoken, as libespeak-ng itself reports it while it speaks: the truth for word times.

Each text is spoken by a process of its own: a voice that was set before would colour the next.
"""

from __future__ import annotations

import ctypes
import io
import json
import subprocess
import sys
from dataclasses import dataclass

import numpy as np

LIBRARY = "libespeak-ng.so.1"
_RETRIEVE = 1  # AUDIO_OUTPUT_RETRIEVAL
_WORD = 1  # espeakEVENT_WORD
_UTF8 = 1
_CHARACTERS = 1


class _Event(ctypes.Structure):
    _fields_ = (
        ("type", ctypes.c_int),
        ("unique_identifier", ctypes.c_uint),
        ("text_position", ctypes.c_int),
        ("length", ctypes.c_int),
        ("audio_position", ctypes.c_int),
        ("sample", ctypes.c_int),
        ("user_data", ctypes.c_void_p),
        ("id", ctypes.c_char * 8),
    )


_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(_Event))


@dataclass(frozen=True)
class Spoken:
    """Sound (±1) at `rate`, and the start of each word: its place in the text (characters) and its sample."""

    samples: np.ndarray
    rate: int
    words: tuple[tuple[int, int], ...]

    def trimmed(self) -> Spoken:
        """Without the silence before and after, by the sample film's own rule (46 dB below the peak)."""
        loud = np.flatnonzero(np.abs(self.samples) > np.max(np.abs(self.samples)) * 10 ** (-46 / 20))
        first, last = int(loud[0]), int(loud[-1]) + 1
        words = tuple((at, max(sample - first, 0)) for at, sample in self.words)
        return Spoken(self.samples[first:last], self.rate, words)


class _Library:
    """The library in this process."""

    def __init__(self) -> None:
        self.library = ctypes.CDLL(LIBRARY)
        self.rate = self.library.espeak_Initialize(_RETRIEVE, 0, None, 0)
        self.pieces: list[np.ndarray] = []
        self.words: list[tuple[int, int]] = []
        self._callback = _CALLBACK(self._take)
        self.library.espeak_SetSynthCallback(self._callback)

    def _take(self, sound, count, events) -> int:
        if sound and count:
            self.pieces.append(np.ctypeslib.as_array(sound, (count,)).astype(np.float32) / 32768)
        k = 0
        while events[k].type:
            if events[k].type == _WORD:
                self.words.append((events[k].text_position - 1, events[k].sample))
            k += 1
        return 0

    def say(self, text: str, voice: str, rate: int, pitch: int) -> Spoken:
        self.library.espeak_SetVoiceByName(voice.encode())
        self.library.espeak_SetParameter(1, rate, 0)
        self.library.espeak_SetParameter(3, pitch, 0)
        raw = text.encode()
        self.library.espeak_Synth(raw, len(raw) + 1, 0, _CHARACTERS, 0, _UTF8, None, None)
        self.library.espeak_Synchronize()
        return Spoken(np.concatenate(self.pieces), self.rate, tuple(self.words))


def spoken(text: str, voice: str, rate: int = 175, pitch: int = 50) -> Spoken:
    """The text as it is spoken."""
    request = json.dumps([text, voice, rate, pitch]).encode()
    done = subprocess.run([sys.executable, __file__], input=request, capture_output=True, timeout=300, check=True)
    with np.load(io.BytesIO(done.stdout)) as found:
        return Spoken(found["samples"], int(found["rate"]), tuple((int(a), int(b)) for a, b in found["words"]))


def is_installed() -> bool:
    """Whether the library is on this machine."""
    try:
        ctypes.CDLL(LIBRARY)
    except OSError:
        return False
    return True


if __name__ == "__main__":
    said = _Library().say(*json.loads(sys.stdin.buffer.read()))
    content = io.BytesIO()
    np.savez(content, samples=said.samples, rate=said.rate, words=np.array(said.words).reshape(-1, 2))
    sys.stdout.buffer.write(content.getvalue())

"""Sound of a text with the start of each word, by the library of eSpeak NG, which reports words while it speaks.

Its command does not report them. The library keeps the manner of a voice that was set before, so a process uses one.
"""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adstudio.core.errors import OutsideFailureError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MISSING = (
    "finding the words of dialogue that is not English needs espeak-ng, which is not installed: run"
    " “sudo apt-get install espeak-ng” (Fedora: “sudo dnf install espeak-ng”) and try again"
)
NO_VOICE = "espeak-ng has no voice for the language “{}”, so words of its dialogue cannot be found in the sound"
_NAMES = ("libespeak-ng.so.1", "libespeak-ng.dylib", "libespeak-ng.dll", "espeak-ng.dll")
_RETRIEVE, _WORD, _UTF8, _BY_CHARACTER = 1, 1, 1, 1
_RATE = 1
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,3}\Z")


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


_Callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(_Event))


@dataclass(frozen=True, eq=False)
class SpokenText:
    """Sound (±1) at `rate` samples a second; of each word its place in the text (characters) and its first sample."""

    samples: NDArray[np.float32]
    rate: int
    words: tuple[tuple[int, int], ...]


class EspeakWords:
    """The library with the voice of one language; one in a process.

    Raises:
        OutsideFailureError: where the library is not installed, or has no voice for the language.
    """

    def __init__(self, language: str, words_per_minute: int) -> None:
        self._library = _loaded()
        self._rate = self._library.espeak_Initialize(_RETRIEVE, 0, None, 0)
        if self._rate <= 0:
            raise OutsideFailureError(MISSING)
        self._pieces: list[NDArray[np.float32]] = []
        self._words: list[tuple[int, int]] = []
        self._callback = _Callback(self._take)
        self._library.espeak_SetSynthCallback(self._callback)
        main = language.split("-", 1)[0]
        names = [name for name in (language, main) if _LANGUAGE.match(name)]
        if all(self._library.espeak_SetVoiceByName(name.lower().encode()) for name in names):
            raise OutsideFailureError(NO_VOICE.format(language[:20]))
        self._library.espeak_SetParameter(_RATE, words_per_minute, 0)

    def say(self, text: str) -> SpokenText:
        """The text as it is spoken; null characters in it are spaces."""
        import numpy as np

        self._pieces, self._words = [], []
        raw = text.replace("\0", " ").encode("utf-8", "replace")
        self._library.espeak_Synth(raw, len(raw) + 1, 0, _BY_CHARACTER, 0, _UTF8, None, None)
        self._library.espeak_Synchronize()
        samples = np.concatenate(self._pieces) if self._pieces else np.zeros(0, np.float32)
        return SpokenText(samples, self._rate, tuple(self._words))

    def _take(self, sound: Any, count: int, events: Any) -> int:  # noqa: ANN401 - pointers of ctypes
        import numpy as np

        if sound and count:
            self._pieces.append(np.ctypeslib.as_array(sound, (count,)).astype(np.float32) / np.float32(32_768))
        place = 0
        while events[place].type:
            if events[place].type == _WORD:
                self._words.append((events[place].text_position - 1, events[place].sample))
            place += 1
        return 0


def _loaded() -> Any:  # noqa: ANN401 - functions of a C library
    for name in _NAMES:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise OutsideFailureError(MISSING)

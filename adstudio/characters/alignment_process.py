"""The asking side of the process that finds words in sound; it is started again where it crashes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from adstudio.characters.alignment import Alignment
from adstudio.characters.alignment_messages import PROTOCOL, FindWords, PrepareWords, WordsFound
from adstudio.characters.pronunciation import CueWord
from adstudio.characters.restarted_process import RestartedProcess

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class AlignmentProcess(RestartedProcess[FindWords | PrepareWords, WordsFound]):
    """An `Aligner` of a language that works in a process of its own; used as a context manager, which ends it."""

    def __init__(self, language: str) -> None:
        super().__init__(PROTOCOL, "finding words in the sound")
        self._language = language

    def prepare(self, words: Sequence[CueWord]) -> None:
        """As `Aligner.prepare`; raises as `ask`, also where the engine of the language is not installed."""
        self.ask(PrepareWords(self._language, tuple(words)))

    def align(self, sound: NDArray[np.float32], words: Sequence[CueWord]) -> Alignment | None:
        """As `Aligner.align`; None too where the process crashed at it. Raises as `prepare`."""
        found = self.ask(FindWords(self._language, tuple(words), pcm(sound)))
        return None if found is None else found.alignment


def pcm(sound: NDArray[np.float32]) -> bytes:
    """A sound (±1) as 16-bit samples, little-endian."""
    import numpy as np

    return (np.clip(sound, -1, 1) * np.float32(32_767)).astype("<i2").tobytes()

"""The asking side of the process that finds words in sound; it is started again where it crashes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from adstudio.characters.alignment import Alignment
from adstudio.characters.alignment_messages import PROTOCOL, FindWords, PrepareWords
from adstudio.characters.pronunciation import CueWord
from adstudio.core.errors import OutsideFailureError
from adstudio.system.child_process import LineProcess, NotStartedError, ProcessError
from adstudio.system.worker import Failed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LIMIT_S = 60.0
"""Seconds for a stretch of sound; it takes about one."""
_START_S = 60.0
MOST_CRASHES = 5
"""A process that crashes as often is not started again."""
CRASHED = "finding words in the sound crashed again and again: install the program again, or report it with its log"


class AlignmentProcess:
    """An `Aligner` of a language that works in a process of its own; used as a context manager, which ends it."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._process = LineProcess(PROTOCOL.command(), _START_S)
        self._crashes = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.close()

    def prepare(self, words: Sequence[CueWord]) -> None:
        """As `Aligner.prepare`.

        Raises:
            OutsideFailureError: where the engine of the language is not installed, or cannot be started.
        """
        self._ask(PrepareWords(self._language, tuple(words)))

    def align(self, sound: NDArray[np.float32], words: Sequence[CueWord]) -> Alignment | None:
        """As `Aligner.align`; None too where the process crashed at it.

        Raises:
            OutsideFailureError: as `prepare`, or where it crashes again and again.
        """
        import numpy as np

        raw = (np.clip(sound, -1, 1) * np.float32(32_767)).astype("<i2").tobytes()
        return self._ask(FindWords(self._language, tuple(words), raw))

    def _ask(self, request: FindWords | PrepareWords) -> Alignment | None:
        try:
            (line,) = self._process.ask(PROTOCOL.request_line(request), _LIMIT_S)
        except NotStartedError as error:
            raise OutsideFailureError(f"words cannot be looked for in the sound: {error}") from error
        except ProcessError as error:
            self._crashes += 1
            if self._crashes >= MOST_CRASHES:
                raise OutsideFailureError(CRASHED) from error
            return None
        event = PROTOCOL.read_event(line)
        if isinstance(event, Failed):
            raise OutsideFailureError(event.message)
        return event.alignment

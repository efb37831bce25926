"""Has a picture made in a process of its own: of a file, or of the film at the present time."""

from __future__ import annotations

from pathlib import Path
from typing import Never

from PySide6.QtCore import QObject, Signal

from adstudio.media.still_image import MODULE, Failed, Still, of_film, of_picture, read_said
from adstudio.ui.background.jobs import Jobs, python_command
from adstudio.ui.background.process_client import Speech
from adstudio.ui.background.timed_query import OneJob

LONGEST_MS = 30_000
DIED = "This picture brought the program down that was reading it; the editor works on. Give another one."
STOPPED = "No picture was taken: it was stopped."
LATE = "The picture did not come within 30 seconds, so it was given up: give a smaller one."
SPEECH = Speech[Never, Still | Failed](read_said, (Still, Failed), died=Failed(DIED), gone_wrong=Failed(DIED))


class Stills(OneJob[Still | Failed]):
    """One at a time; asking for another one forgets the one before."""

    came = Signal(bytes)
    failed = Signal(str)

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(jobs, parent, SPEECH, LONGEST_MS)
        self.module = MODULE

    def of_picture(self, path: Path) -> None:
        """A picture's file."""
        self._make(f"Reading {path.name}", of_picture(path))

    def of_film(self, path: Path, at: int) -> None:
        """What a film shows at a time (ms)."""
        self._make(f"Taking a picture from {path.name}", of_film(path, at))

    def _make(self, title: str, arguments: list[str]) -> None:
        self._start(title, python_command(self.module, *arguments))

    def _answered(self, answer: Still | Failed | None) -> None:
        match answer:
            case Still(data):
                self.came.emit(data)
            case Failed(sentence):
                self.failed.emit(sentence)
            case None:
                self.failed.emit(STOPPED)

    def _too_late(self) -> None:
        self.failed.emit(LATE)

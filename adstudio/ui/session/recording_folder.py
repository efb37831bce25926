"""The recordings of takes as files, for processes that cannot read the project file while it is open."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QTemporaryDir

from adstudio.core.errors import BadInputError
from adstudio.core.narration import Take
from adstudio.system.files import write_atomically
from adstudio.ui.session.session import Session


class RecordingFolder:
    """A temporary folder that lasts as long as this; each recording lies in it under its key."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._folder: QTemporaryDir | None = None

    def with_recordings(self, takes: Iterable[Take | None]) -> Path | None:
        """The folder with the recordings of some takes; None where there are no takes.

        Raises:
            AdstudioError: where one cannot be had, or the folder cannot be written.
        """
        keys = {take.sound for take in takes if take is not None}
        if not keys:
            return None
        project = self._session.project
        if project is None:
            raise BadInputError("the recording of a take is missing: open its project")
        if self._folder is None:
            self._folder = QTemporaryDir()
        folder = Path(self._folder.path())
        for key in keys:
            if not (folder / key).exists():
                write_atomically(folder / key, project.sound(key), flush=False)
        return folder

    def clear(self) -> None:
        """Delete the files; the next use makes another folder."""
        self._folder = None

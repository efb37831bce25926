"""What the disk has of the open project, and what is said where it does not take something."""

from __future__ import annotations

import logging
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from adstudio.core.document import Document
from adstudio.core.errors import AdstudioError
from adstudio.core.policy import Policy
from adstudio.store.content import RestorePoint
from adstudio.store.project import ProjectFile
from adstudio.ui.session.unwritten_steps import Unwritten

log = logging.getLogger(__name__)


class OnDisk(QObject):
    """Holds the file of the open project, and knows which steps are not in it.

    Attributes:
        project: the open file, None where there is none.
        unwritten: the steps that it does not have.
    """

    unwritten_changed = Signal()
    """Steps are not on the disk, more or fewer of them, or all are again."""
    saved = Signal()
    """The mark was moved, or the document is kept in another file."""
    policy_changed = Signal()
    """What may be sent of the project is another."""
    said = Signal(str)
    """A sentence for the describer."""
    failed = Signal(object)
    """AdstudioError: something was not done, and why."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.project: ProjectFile | None = None
        self.unwritten = Unwritten()

    def document_of(self, project: ProjectFile, at: RestorePoint) -> Document:
        """The document of a file that is about to be held, taken up from its last step or its last save."""
        return project.document(at, on_failure=self._not_written)

    def hold(self, project: ProjectFile | None) -> None:
        """From now on this is the file of the open project, or there is none."""
        self.project = project
        self.look()

    def go_on_in(self, project: ProjectFile, document: Document) -> None:
        """Keep the same document in another file from now on, that was just written from it."""
        project.attach(document, on_failure=self._not_written)
        previous, self.project = self.project, project
        document.mark_saved()
        if previous is not None:
            try:
                # Opened to read it holds nothing of ours; where it cannot be written, its steps stay in it.
                if not previous.read_only:
                    previous.discard()
            except AdstudioError as error:
                self.failed.emit(error)
            finally:
                previous.close()
        self.look()
        self.saved.emit()

    def let_go(self) -> bool:
        """Close the file; unsaved steps stay in it. Tells whether there was one."""
        project, self.project = self.project, None
        if project is None:
            return False
        try:
            project.close()
        except AdstudioError as error:
            self.failed.emit(error)
        return True

    def save(self) -> bool:
        """Move the mark; False, and said, where it could not be written."""
        project = self.project
        if project is None or not self._wrote(project.save):
            return False
        self.saved.emit()
        self.said.emit(f"Saved {project.path.name}")
        return True

    def write_again(self) -> bool:
        """Try once more to bring the steps to the disk that it refused; tells whether it has them all."""
        if self.project is None or not self._wrote(self.project.write_again):
            return False
        self.said.emit("Everything is on the disk.")
        return True

    def set_policy(self, policy: Policy) -> bool:
        """Change what may be sent of the project; False, and said, where it could not be written."""
        if self.project is None:
            return False
        try:
            self.project.set_policy(policy)
        except AdstudioError as error:
            self.failed.emit(error)
            return False
        self.policy_changed.emit()
        return True

    def tidy(self) -> bool:
        """A bite of what keeps the file quick to open; tells whether there is another."""
        return self.project is not None and self.project.tidy()

    def look(self, reason: str = "") -> None:
        """See which steps are not in the file; `reason` is why, where something new is known of that."""
        steps = 0 if self.project is None else self.project.unwritten
        now = Unwritten(steps, reason or self.unwritten.reason) if steps else Unwritten()
        if now != self.unwritten:
            self.unwritten = now
            self.unwritten_changed.emit()

    def _wrote(self, write: Callable[[], None]) -> bool:
        try:
            write()
        except AdstudioError as error:
            self.look(str(error))
            self.failed.emit(error)
            return False
        self.look()
        return True

    def _not_written(self, error: AdstudioError) -> None:
        """The journal could not take a step: that is said once, and stands in `unwritten` until it can."""
        before = self.unwritten
        self.look(str(error))
        if not self.unwritten.steps:
            self.failed.emit(error)
            return
        log.warning("%s", error)
        if before.reason != self.unwritten.reason:
            self.said.emit(f"{self.unwritten.sentence}.")

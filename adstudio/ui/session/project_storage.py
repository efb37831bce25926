"""The file of the open project: saving it, and knowing which steps it does not have yet."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from adstudio.core.document import Document
from adstudio.core.errors import AdstudioError
from adstudio.core.policy import Policy
from adstudio.store.content import RestorePoint
from adstudio.store.project import ProjectFile
from adstudio.ui.session.messages import Messages


@dataclass(frozen=True)
class UnwrittenSteps:
    """How many steps are in memory only, and why: one sentence without its full stop."""

    steps: int = 0
    reason: str = ""

    @property
    def sentence(self) -> str:
        """The message for the describer; empty where everything has been written."""
        if not self.steps:
            return ""
        return f"{self.steps} {'step is' if self.steps == 1 else 'steps are'} not on the disk: {self.reason}"


log = logging.getLogger(__name__)


class ProjectStorage(QObject):
    """Holds the file of the open project.

    Attributes:
        project: the open file; None where there is none.
        unwritten: the steps that it does not have.
    """

    unwritten_changed = Signal()
    """More, fewer or no steps are unwritten."""
    saved_changed = Signal()
    """The star in the title may have come or gone, or the file has another name."""
    models_changed = Signal()
    """The project's sharing policy has changed, or the language models known here have; no step of the script."""

    def __init__(self, messages: Messages, parent: QObject) -> None:
        super().__init__(parent)
        self._messages = messages
        self.project: ProjectFile | None = None
        self.unwritten = UnwrittenSteps()

    def document_of(self, project: ProjectFile, at: RestorePoint) -> Document:
        """The document of a file that is about to be held, taken up from its last step or its last save."""
        return project.document(at, on_failure=self._not_written)

    def hold(self, project: ProjectFile | None) -> None:
        """This is the file of the open project from now on, or there is none."""
        self.project = project
        self.check_written()

    def go_on_in(self, project: ProjectFile, document: Document) -> None:
        """Store the same document in another file from now on, which was just written from it."""
        project.attach(document, on_failure=self._not_written)
        previous, self.project = self.project, project
        document.mark_saved()
        if previous is not None:
            try:
                # Opened read-only it holds nothing of ours; where it cannot be written, its steps stay in it.
                if not previous.read_only:
                    previous.discard()
            except AdstudioError as error:
                self._messages.report(error)
            finally:
                previous.close()
        self.check_written()
        self.saved_changed.emit()

    def close(self) -> bool:
        """Close the file; unsaved steps stay in it. True where there was one."""
        project, self.project = self.project, None
        if project is None:
            return False
        try:
            project.close()
        except AdstudioError as error:
            self._messages.report(error)
        return True

    def save(self) -> bool:
        """Mark the present state as saved; False, and said, where it could not be written."""
        project = self.project
        if project is None or not self._wrote(project.save):
            return False
        self.saved_changed.emit()
        self._messages.say(f"Saved {project.path.name}")
        return True

    def write_again(self) -> bool:
        """Try again to write the steps that the disk refused; True once it has them all."""
        if self.project is None or not self._wrote(self.project.write_again):
            return False
        self._messages.say("Everything is on the disk.")
        return True

    def set_policy(self, policy: Policy) -> bool:
        """Change the sharing policy, at once and beyond undo; False, and said, where it could not be written."""
        if self.project is None:
            return False
        try:
            self.project.set_policy(policy)
        except AdstudioError as error:
            self._messages.report(error)
            return False
        self.models_changed.emit()
        return True

    def tidy(self) -> bool:
        """Do a little of what keeps the file quick to open; True where there is more to do."""
        return self.project is not None and self.project.tidy()

    def check_written(self, reason: str = "") -> None:
        """Check which steps are not in the file; `reason` is why, where something new is known of that."""
        steps = 0 if self.project is None else self.project.unwritten
        now = UnwrittenSteps(steps, reason or self.unwritten.reason) if steps else UnwrittenSteps()
        if now != self.unwritten:
            self.unwritten = now
            self.unwritten_changed.emit()

    def _wrote(self, write: Callable[[], None]) -> bool:
        try:
            write()
        except AdstudioError as error:
            self.check_written(str(error))
            self._messages.report(error)
            return False
        self.check_written()
        return True

    def _not_written(self, error: AdstudioError) -> None:
        """The journal could not take a step: say so once, and keep it in `unwritten` until it can."""
        before = self.unwritten
        self.check_written(str(error))
        if not self.unwritten.steps:
            self._messages.report(error)
            return
        log.warning("%s", error)
        if before.reason != self.unwritten.reason:
            self._messages.say(f"{self.unwritten.sentence}.")

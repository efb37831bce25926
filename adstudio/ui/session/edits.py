"""The open document and the ways to change it: taking steps, typing, undo and redo."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from adstudio.core.document import Change, Document
from adstudio.core.errors import BadInputError
from adstudio.core.film import Film
from adstudio.core.script import Script
from adstudio.core.steps import Step
from adstudio.editing.ids import Ids
from adstudio.editing.revert import revert
from adstudio.ui.session.messages import Messages

MOST_RUNS = 16
"""How many runs can still be cancelled: one for each field that somebody may come back to from another window."""


class TypingRuns:
    """Knows which steps each run has in the document; they need not be the last ones there."""

    def __init__(self) -> None:
        self._steps: dict[str, list[Step]] = {}

    def took(self, run: str, step: Step, *, instead: bool) -> None:
        """A step of that run was taken, `instead` of its last one or after it; ignored where the run has no name."""
        if not run:
            return
        steps = self._steps.pop(run, [])
        if instead:
            del steps[-1:]
        self._steps[run] = [*steps, step]
        while len(self._steps) > MOST_RUNS:
            del self._steps[next(iter(self._steps))]

    def withdrew(self, run: str) -> None:
        """Its last step was removed from the document."""
        del self._steps.get(run, [])[-1:]

    def end(self, run: str) -> Sequence[Step]:
        """Its steps, the first one first; the run is forgotten."""
        return self._steps.pop(run, [])


class Edits(QObject):
    """Changes the open document, one step at a time.

    Attributes:
        document: the open document; an empty one on the welcome page.
        ids: gives new elements their ids.
        typing: whether the step that is being taken is one of a run that somebody types (see `attempt`).
    """

    text_given_up = Signal(str)
    """Escape was pressed in the text of a line that had no words when its field got the focus."""

    def __init__(self, messages: Messages, on_change: Callable[[Change], None], parent: QObject) -> None:
        super().__init__(parent)
        self._messages, self._on_change = messages, on_change
        self._quiet = False
        self.typing = False
        self.open(Document(Script(Film("", 0))))

    def open(self, document: Document) -> None:
        """Change this document from now on. Its changes are reported once `follow` is called."""
        self.document = document
        self.ids = Ids(document.script, (*document.past, *document.future))
        self._amendable: tuple[str, int] | None = None
        self._runs = TypingRuns()

    def follow(self) -> None:
        """Report the document's changes."""
        self.document.subscribe(self._changed)

    @property
    def script(self) -> Script:
        """The script at present."""
        return self.document.script

    @property
    def revision(self) -> int:
        """The number of the present state."""
        return self.document.revision

    def do(self, step: Step | None) -> bool:
        """Take a step and plan again; nothing happens for None."""
        if step is None:
            return False
        self._amendable = None
        self.document.apply(step)
        return True

    def attempt(self, make: Callable[[Script], Step | None], *, amends: str = "", unchanged: str = "") -> bool:
        """Make a step from the script and apply it; a refusal is reported, not raised. True if it changed anything.

        `unchanged` is what a key that changes nothing says; a run with it is pressed, not typed.

        Consecutive steps with the same `amends` (typing in one field) are one in the undo list, unless the project was
        saved in between: the last one is taken back first, and `make` gets the script without it.
        """
        went_back = self.goes_on(amends) and self._quietly(Document.undo)
        refused = False
        try:
            step = make(self.script)
        except BadInputError as error:
            step, refused = None, True
            self._messages.say(str(error))
        if step is None:
            if unchanged and not refused:
                self._messages.say(unchanged)
            return went_back and self._quietly(Document.redo) and not refused and self._withdraw(amends)
        self.typing = bool(amends) and not unchanged
        self.document.apply(step)
        self.typing = False
        self._amendable = (amends, self.revision) if amends else None
        self._runs.took(amends, step, instead=went_back)
        return True

    def give_up(self, amends: str) -> bool:
        """Cancel typing in one field: what its steps changed is as it was before the first of them.

        Whatever else was done since stays. The last step leaves no trace where it is also the document's last; the rest
        is restored by a new step, which empties the redo list. True where anything changed.
        """
        withdrawn = self.goes_on(amends) and self._withdraw(amends)
        return self.do(revert(self.script, self._runs.end(amends))) or withdrawn

    def goes_on(self, amends: str) -> bool:
        """Whether a step of that name would be merged with the last: same typing run, and not saved since."""
        return bool(amends) and self._amendable == (amends, self.revision) and self.document.changed

    def _changed(self, change: Change) -> None:
        if not self._quiet:
            self._on_change(change)

    def _withdraw(self, amends: str) -> bool:
        """Take the last step of a typing run back for good: it cannot be redone."""
        self._runs.withdrew(amends)
        return self.document.withdraw()

    def _quietly(self, travel: Callable[[Document], bool]) -> bool:
        """Undo or redo without planning, since more follows at once."""
        self._quiet = True
        try:
            return travel(self.document)
        finally:
            self._quiet = False

"""What has become of the selected line since the describer's last act, or since it was approved, and what to do."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from adstudio.core.document import Act
from adstudio.core.script import Eventuality
from adstudio.editing.departures import Departure
from adstudio.editing.pins import set_accepted
from adstudio.planning.film.plan_changes import PlanChanges
from adstudio.ui.session.context import Context
from adstudio.ui.session.restoring import became, restore_lines
from adstudio.ui.widgets.controls import Button
from adstudio.ui.widgets.flow_layout import FlowLayout
from adstudio.ui.widgets.form import column
from adstudio.ui.widgets.formatting import duration, timecode
from adstudio.ui.widgets.text import tone, words
from adstudio.ui.widgets.theme import UNIT


class LineChange(QWidget):
    """A sentence, and buttons to undo the act, put the line back or keep it as it is now; hidden if it is as it was."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._session = context.session
        self._line = ""
        self.sentence = words(wrap=True)
        self.sentence.setAccessibleName("What has changed")
        self.undo = Button("Undo", self._undo)
        self.back = Button("Put back", self._put_back, "Speak it as you accepted it, and lock it there")
        self.keep = Button("Keep", self._keep, "Accept it as it is spoken now", "Keep it as it is now")
        buttons = FlowLayout()
        for button in (self.undo, self.back, self.keep):
            buttons.addWidget(button)
        self.setLayout(column(self.sentence, buttons, spacing=UNIT))
        self.hide()

    def show_line(self, line: Eventuality) -> None:
        """Show what has become of a line."""
        plan = self._session.current_plan
        self._line = line.id
        departure = next((each for each in plan.departures if each.line == line.id), None)
        is_changed = line.id in plan.changes.elements
        self.setVisible(is_changed or departure is not None)
        if departure is not None:
            self.sentence.setText(self._departed(departure, line))
        elif is_changed:
            label = plan.last_act.label(self._session.script, plan.plan)
            since = f"the last action ({label})" if label else "opening"
            self.sentence.setText(f"{_changed(plan.changes, line.id)} since {since}.")
        tone(self.sentence, warning=departure is not None)
        back = self._way_back() if is_changed else ""
        self.undo.setVisible(bool(back))
        self.undo.setText(back)
        self.undo.setToolTip(f"{back} the whole action")
        self.back.setVisible(departure is not None)
        self.keep.setVisible(departure is not None or not line.accepted)

    def _departed(self, departure: Departure, line: Eventuality) -> str:
        done = "Accepted" if departure.accepted else "Reviewed"
        at = timecode(self._session.script.film, departure.approval.start)
        return f"{done} at {at}; it {became(departure, line)}."

    def _way_back(self) -> str:
        """What takes the last act back: “Undo”, “Redo”, or nothing if something else came after it."""
        document, last = self._session.edits.document, self._session.current_plan.last_act
        if last.change is None:
            return ""
        if last.change.act is Act.UNDO:
            at = document.future[0].inverse() if document.future else None
            return "Redo" if at == last.change.step else ""
        return "Undo" if document.past and document.past[-1] is last.change.step else ""

    def _undo(self) -> None:
        (self._session.redo if self._way_back() == "Redo" else self._session.undo)()

    def _put_back(self) -> None:
        departed = self._session.current_plan.departures
        restore_lines(self._session, {each.line: each.approval for each in departed if each.line == self._line})

    def _keep(self) -> None:
        line, plan = self._line, self._session.plan
        if self._session.edits.attempt(lambda script: set_accepted(script, (line,), on=True, plan=plan)):
            self._session.messages.say("Accepted as it is now.")


def _changed(changes: PlanChanges, line: str) -> str:
    if line in changes.added:
        return "Added"
    if line in changes.dropped:
        return "Left out"
    if line in changes.reworded:
        return "Reworded"
    by = next(shift.by for shift in changes.moved if shift.element == line)
    return f"{duration(abs(by))} {'later' if by > 0 else 'earlier'}"

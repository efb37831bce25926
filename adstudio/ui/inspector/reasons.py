"""Why a line is in or out of the plan, what the opposite would cost, and the buttons that do it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from adstudio.core.fusions import wording_of
from adstudio.core.plan import Delivery
from adstudio.core.script import Eventuality, Script
from adstudio.core.steps import Step
from adstudio.editing.pins import pin_in, pin_out, unpin_placement
from adstudio.planning.live.explain import LineChange, Reason
from adstudio.ui.background.timers import single_shot
from adstudio.ui.session.context import Context
from adstudio.ui.session.reason_texts import NOT_IN_TIME, WORKING, ReasonText, gap_texts, reason_text
from adstudio.ui.table.line_facts import Line, State, lines_of
from adstudio.ui.widgets.controls import Button, Link
from adstudio.ui.widgets.form import beside, column
from adstudio.ui.widgets.formatting import WORTH_TIP, duration, quoted_line, timecode, worth
from adstudio.ui.widgets.text import TabStopLabel, heading, words

MOST_LINKED = 6
WHY = "Why it is in or out of the plan"
PATIENCE_MS = 300
"""Without a reason for this long, it is said that one is being worked out."""


class PlanReasons(QWidget):
    """The section of the inspector. It is empty until the user is idle, and never shows the reason of another state."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._session = context.session
        self._line: Eventuality | None = None
        self._names: tuple[str, ...] = ()
        self.explained: ReasonText | None = None
        self._title = heading("Why")
        self.why = TabStopLabel(WHY)
        self.would_change = words("What it would do to other lines:", quiet=True)
        self.links = [Link(lambda place=place: self._go_to(place)) for place in range(MOST_LINKED)]
        self.more = words(quiet=True)
        self.gap = words(quiet=True, wrap=True)
        self.gap.setAccessibleName("What more time in its gap would bring")
        self.force = Button("Lock in", lambda: self._do(pin_in), "The plan must include it")
        self.leave = Button("Lock out", lambda: self._do(pin_out), "The plan must leave it out")
        self.release = Button("Unlock", lambda: self._do(unpin_placement), "Let the planner decide")
        self._reasons = QWidget()
        self._inside = column(self.why, self.gap, self.would_change, *self.links, self.more)
        self._reasons.setLayout(self._inside)
        layout = column(self._title, self._reasons)
        layout.addLayout(beside(self.force, self.leave, self.release))
        self.setLayout(layout)
        self._gap_due = single_shot(self, 0, self._fill_gap)
        self._waiting = single_shot(self, PATIENCE_MS, self._say_working)
        context.session.current_plan.explained.connect(self._show_later_reason)
        context.session.current_plan.unexplained.connect(self._show_no_reason)
        self.why.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        for label in (self.why, self.gap):
            label.setMinimumHeight(label.fontMetrics().lineSpacing())  # so that little moves when they are filled

    def clear(self, line: Eventuality) -> None:
        """Another state: the reason no longer holds. The buttons are right at once.

        For the same line the height stays, so that nothing jumps for somebody who writes below.
        """
        same = self._line is not None and self._line.id == line.id
        self.setMinimumHeight(self.height() if same and self.isVisible() else 0)
        # Laying the whole inspector out takes a quarter of an edit's time: it can wait until there are words again.
        self._inside.setEnabled(not same)
        self._line = line
        self.explained = None
        self._gap_due.stop()
        self._waiting.start()
        spoken = line.id in self._session.plan.by_line
        held = line.holds_picture and not spoken
        self._title.setText("Why it is in" if spoken else "Why it is in no gap" if held else "Why it is out")
        self.why.setAccessibleName(f"{self._row(line).state.value}. {self._title.text()}")
        _say(self.why, "")
        _say(self.gap, "")
        if not same:
            self.gap.show()
        self._names = ()
        for widget in (self.would_change, self.more, *self.links):
            widget.hide()
        pin = line.pin
        # Where the picture is held for it, the planner has no say.
        self.force.setVisible(not held and not (pin.selected or pin.start is not None))
        self.leave.setVisible(not held and pin.selected is not False)
        self.release.setVisible(not held and (pin.selected is not None or pin.start is not None))

    def fill(self) -> None:
        """Show the reason in the present state, and its gap's a turn later, unless that has been done."""
        line, session = self._line, self._session
        if line is None or self.explained is not None or line.id not in session.script.eventuality_index:
            return
        self._show(reason_text(session, line.id))
        self._gap_due.start()

    def _show_later_reason(self, reason: Reason) -> None:
        """The worker has found why the line is in or out of the present plan."""
        line = self._line
        if line is not None and line.id == reason.element and self.explained is not None:
            self._show(reason_text(self._session, line.id, reason))

    def _show_no_reason(self, identity: str) -> None:
        """It was not found in time."""
        if self._line is not None and self._line.id == identity and self.explained is not None:
            self._show(ReasonText(NOT_IN_TIME, NOT_IN_TIME))

    def _say_working(self) -> None:
        if self._line is not None and self.explained is None:
            _say(self.why, WORKING)

    def _show(self, text: ReasonText) -> None:
        self._waiting.stop()
        self.explained = text
        _say(self.why, text.short, text.full, "" if text.loss is None else worth_tip(text.loss))
        costs = text.full if text.lines.changes else ""
        for button in (self.force, self.leave):
            button.setAccessibleDescription(costs)
        changes = text.lines.changes
        fusions = self._session.script.fusion_by_id
        names = (change.element for change in changes[:MOST_LINKED])
        self._names = tuple(fusions[name].members[0] if name in fusions else name for name in names)
        self.would_change.setVisible(bool(changes))
        for change, link in zip_longest(changes[:MOST_LINKED], self.links):
            link.setVisible(change is not None)
            if change is not None:
                self._name(link, change)
        self.setMinimumHeight(0)
        self._inside.setEnabled(True)
        left = len(changes) - len(self._names)
        self.more.setText(f"and {left} more")
        self.more.setToolTip(text.full)
        self.more.setAccessibleDescription(text.full)
        self.more.setVisible(left > 0)
        # Disabled, the layout missed all changes, and would not ask for room by itself now.
        self._inside.invalidate()
        self._inside.activate()

    def _fill_gap(self) -> None:
        """What one more second of the line's gap would bring: in a turn of its own, so that none is long."""
        line, session = self._line, self._session
        if line is None or self.explained is None or line.id not in session.script.eventuality_index:
            return
        row = self._row(line)
        shown = row.gap is not None and not (row.state is State.CONFLICT and not row.spoken)
        if row.gap is not None and shown:
            _say(self.gap, *gap_texts(session, row.gap, "of its gap"))
        self.gap.setVisible(shown)

    def _row(self, line: Eventuality) -> Line:
        return lines_of(self._session).of(line.id)

    def _name(self, link: Link, change: LineChange) -> None:
        session = self._session
        delivery = session.plan.by_element.get(change.element)
        spoken = delivery or Delivery(change.element, 0, 0, 0)
        wording = wording_of(session.script, spoken)
        text = "" if wording is None else wording.text
        at = "" if delivery is None else f" at {timecode(session.script.film, delivery.start)}"
        fate = fate_words(change)
        link.show_text(f"{fate}: {quoted_line(text)}", f"Go to {quoted_line(text)}{at}: {fate}")

    def _go_to(self, place: int) -> None:
        if place < len(self._names):
            self._session.cursor.select_line(self._names[place])

    def _do(self, hold: Callable[[Script, tuple[str, ...]], Step | None]) -> None:
        if self._line is not None:
            identity = self._line.id
            self._session.edits.attempt(lambda script: hold(script, (identity,)))


def fate_words(change: LineChange) -> str:
    """What would become of a line."""
    by = duration(abs(change.longer))
    if change.after is None:
        return f"{by} goes"
    if change.before is None:
        return f"{by} comes in"
    if change.longer:
        return f"{by} {'longer' if change.longer > 0 else 'shorter'}"
    return "far from its action" if change.far else "near its action"


def worth_tip(loss: int) -> str:
    """The cost as a number, and its unit."""
    return f"{worth(-loss)}. {WORTH_TIP}"


def _say(label: QLabel, short: str, full: str = "", tip: str = "") -> None:
    """Show words; a screen reader, and the tool tip of words that are cut, have all of them."""
    label.setText(short)
    label.setAccessibleDescription(full or short)
    label.setToolTip("\n".join(filter(None, (full if full != short else "", tip))))

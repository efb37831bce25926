"""Why a line is in or out of the plan, what the opposite would cost, and the buttons that do it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from adstudio.core.script import Eventuality, Script
from adstudio.core.steps import Step
from adstudio.editing.pins import pin_in, pin_out, unpin_placement
from adstudio.planning.film.film_problem import scene_finder
from adstudio.planning.live.explain import GapValue, Reason
from adstudio.planning.problem import NO_SHARE_LIMIT
from adstudio.ui.background.timers import single_shot
from adstudio.ui.session.context import Context
from adstudio.ui.table.line_facts import Line, Lines, State
from adstudio.ui.widgets.controls import Button, Link
from adstudio.ui.widgets.form import beside, column
from adstudio.ui.widgets.formatting import WORTH_TIP, duration, quoted, timecode, worth
from adstudio.ui.widgets.text import heading, words

LEAST_SHOWN = 10**9 // 200
"""Below this, in billionths, a value would round to zero."""
MOST_NAMED = 6
APART = "It is shown where you put it, outside the plan, because locks conflict."
AS_A_WHOLE = "Its scene has rules, so CP-SAT works out what the line is worth in it."


@dataclass(frozen=True)
class Explanation:
    """Why a line is in or out, in a sentence, and which lines would be left out for it."""

    why: str
    displaces: tuple[str, ...] = ()


def amount(value: int) -> str:
    """A value without its sign; never shown as zero unless it is."""
    return "next to nothing" if 0 < abs(value) < LEAST_SHOWN else worth(abs(value)).lstrip("+−")


def explanation(line: Line, reason: Reason | None, *, ruled: bool = False) -> Explanation:
    """Sentences for a reason; `ruled` where the line's scene has rules, and is planned as a whole."""
    if reason is None:
        return Explanation("")
    if _is_apart(line):
        return Explanation(APART)
    if reason.loss is None and ruled:
        return Explanation(AS_A_WHOLE)
    if reason.spoken:
        return Explanation(_why_in(line, reason.loss))
    return Explanation(_why_out(line, reason), reason.displaces)


def gap_explanation(gap_value: GapValue, where: str = "of its gap") -> str:
    """A sentence for what one more second of a gap would bring."""
    value = gap_value.value
    if value is None:
        return f"With one more second {where}, the locked lines could not all be placed."
    if value == 0:
        return f"One more second {where} would bring nothing."
    return f"One more second {where} would {'bring' if value > 0 else 'cost'} {amount(value)}."


def _is_apart(line: Line) -> bool:
    return line.state is State.CONFLICT and not line.spoken


def _why_in(line: Line, loss: int | None) -> str:
    held = "You locked it in. " if line.pin.selected or line.pin.start is not None else ""
    if loss is None:
        return f"{held}No plan is possible without it."
    if loss == 0:
        return f"{held}Leaving it out would cost nothing."
    return f"{held}Without it the plan would {'gain' if loss < 0 else 'lose'} {amount(loss)}."


def _why_out(line: Line, reason: Reason) -> str:
    held = "You locked it out. " if line.pin.selected is False else ""
    if reason.loss is None:
        return held + _why_never(line)
    if reason.loss < 0:
        return f"{held}With it the plan would gain {amount(reason.loss)}."
    return f"{held}Locking it in would cost {amount(reason.loss) if reason.loss else 'nothing'}."


def _why_never(line: Line) -> str:
    if line.eventuality.occurrence is None:
        return "It has no action on screen: set the action in and out, or lock its start."
    if line.gap is None:
        return "No gap is close enough to the action."
    if line.needs > line.gap.length:
        has = duration(line.gap.length)
        return f"Its shortest wording takes {duration(line.needs)}; the nearest gap has {has}."
    return "Locked lines around it leave no room."


class PlanReasons(QWidget):
    """The section of the inspector. It is empty until the user is idle, and never shows the reason of another state."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._session = context.session
        self._line: Eventuality | None = None
        self._names: tuple[str, ...] = ()
        self.explained: Explanation | None = None
        self._title = heading("Why")
        self.why = words(wrap=True)
        self.why.setAccessibleName("Why it is in or out of the plan")
        self.would_go = words("These would be left out:", quiet=True)
        self.links = [Link(lambda place=place: self._go_to(place)) for place in range(MOST_NAMED)]
        self.more = words(quiet=True)
        self.gap = words(quiet=True, wrap=True)
        self.gap.setAccessibleName("What more time in its gap would bring")
        self.force = Button("Lock in", lambda: self._do(pin_in), "The plan must include it")
        self.leave = Button("Lock out", lambda: self._do(pin_out), "The plan must leave it out")
        self.release = Button("Unlock", lambda: self._do(unpin_placement), "Let the planner decide")
        self._reasons = QWidget()
        self._inside = column(self.why, self.gap, self.would_go, *self.links, self.more)
        self._reasons.setLayout(self._inside)
        layout = column(self._title, self._reasons)
        layout.addLayout(beside(self.force, self.leave, self.release))
        self.setLayout(layout)
        self._gap_due = single_shot(self, 0, self._fill_gap)
        context.session.current_plan.explained.connect(self._show_cpsat_reason)
        self.why.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        for label in (self.why, self.gap):
            label.setToolTip(WORTH_TIP)
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
        spoken = line.id in self._session.plan.by_element
        self._title.setText("Why it is in" if spoken else "Why it is out")
        self.why.setText("")
        self.gap.setText("")
        if not same:
            self.gap.show()
        self._names = ()
        for widget in (self.would_go, self.more, *self.links):
            widget.hide()
        pin = line.pin
        self.force.setVisible(not (pin.selected or pin.start is not None))
        self.leave.setVisible(pin.selected is not False)
        self.release.setVisible(pin.selected is not None or pin.start is not None)

    def fill(self) -> None:
        """Show the reason in the present state, and its gap's a turn later, unless that has been done."""
        line, session = self._line, self._session
        if line is None or self.explained is not None or line.id not in session.script.eventuality_index:
            return
        ruled = _is_ruled(session.script, line)
        self._show(line, session.current_plan.planner.reason(line.id), ruled=ruled)
        self._gap_due.start()

    def _show_cpsat_reason(self, reason: Reason) -> None:
        """CP-SAT has worked out why the line is in or out of the present plan."""
        line = self._line
        if line is not None and line.id == reason.element and self.explained is not None:
            self._show(line, reason, ruled=False)

    def _show(self, line: Eventuality, reason: Reason | None, *, ruled: bool) -> None:
        self.explained = explanation(self._row(line), reason, ruled=ruled)
        self.why.setText(self.explained.why)
        self._names = self.explained.displaces[:MOST_NAMED]
        self.would_go.setVisible(bool(self._names))
        for name, link in zip_longest(self._names, self.links):
            link.setVisible(name is not None)
            if name is not None:
                self._name(link, name)
        self.setMinimumHeight(0)
        self._inside.setEnabled(True)
        left = len(self.explained.displaces) - len(self._names)
        self.more.setText(f"and {left} more")
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
        found = None if row.gap is None or _is_apart(row) else session.current_plan.planner.gap_value(row.gap)
        self.gap.setText("" if found is None else gap_explanation(found))
        self.gap.setVisible(found is not None)

    def _row(self, line: Eventuality) -> Line:
        return Lines(self._session.script, self._session.current_plan.outcome, self._session.gaps).of(line.id)

    def _name(self, link: Link, identity: str) -> None:
        session = self._session
        delivery = session.plan.by_element.get(identity)
        text = session.script.eventuality(identity).variants[0 if delivery is None else delivery.variant].text
        time = "" if delivery is None else f"{timecode(session.script.film, delivery.start)}  "
        link.show_text(f"{time}{quoted(text, 12)}", f"Go to {quoted(text)}")

    def _go_to(self, place: int) -> None:
        if place < len(self._names):
            self._session.cursor.select_line(self._names[place])

    def _do(self, hold: Callable[[Script, tuple[str, ...]], Step | None]) -> None:
        if self._line is not None:
            identity = self._line.id
            self._session.edits.attempt(lambda script: hold(script, (identity,)))


def _is_ruled(script: Script, line: Eventuality) -> bool:
    """Whether a rule, or a share of each gap, ties the scene of a line."""
    if script.settings.max_share < NO_SHARE_LIMIT or not script.rules:
        return script.settings.max_share < NO_SHARE_LIMIT
    scene_of, index = scene_finder(script), script.eventuality_index
    tied = {scene_of(script.eventuality(each)) for each in script.rules.mentioned if each in index}
    return scene_of(line) in tied

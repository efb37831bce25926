"""What the describer holds of a line: in or out, start, override; salience; when it happens."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt

from adstudio.core.plan import RuleConflict
from adstudio.core.script import SALIENCE_UNIT, Eventuality, Script
from adstudio.core.steps import Step
from adstudio.core.timebase import Span
from adstudio.editing.lines import set_salience
from adstudio.editing.occurrences import (
    confirm_occurrences,
    is_spoiler_free,
    set_occurrence,
    set_occurrence_end,
    set_occurrence_start,
    set_spoiler_free,
)
from adstudio.editing.pins import pin_in, pin_out, pin_start, set_override, unpin_placement, unpin_start
from adstudio.planning.film.conflict_messages import conflict_message
from adstudio.ui.inspector.page_base import Page
from adstudio.ui.session.context import Context
from adstudio.ui.session.timing_confidence import drafted_words
from adstudio.ui.widgets.controls import Button, Check, Choice, Slider
from adstudio.ui.widgets.flow_layout import FlowLayout
from adstudio.ui.widgets.form import Form, beside, column
from adstudio.ui.widgets.formatting import MANNER, timecode
from adstudio.ui.widgets.text import tone, words
from adstudio.ui.widgets.text_field import TypingRun
from adstudio.ui.widgets.theme import UNIT
from adstudio.ui.widgets.value_field import salience_field

HOLDS = (
    ("Auto", "The planner decides"),
    ("In", "The plan must include it"),
    ("Out", "The plan must leave it out"),
)
TICKS = 100
SALIENCE_WIDTH = 16 * UNIT
_DO = (unpin_placement, pin_in, pin_out)


class PinControls(Page):
    """Part of the page of a line."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.hold = Choice("Lock", HOLDS)
        self.start = self.time("Locked start", optional=True)
        self.start.setPlaceholderText("free")
        self.now = Button(
            "As spoken", self._start_as_now, "Lock the start where it is spoken now", "Lock the start as it is now"
        )
        self.override = Check("Allow overlap", self._override, "Speak it at its locked start, even over dialogue")
        self.conflict = words(wrap=True)
        tone(self.conflict, warning=True)
        self.conflict.setAccessibleName("Conflict")
        self.slider = Slider("Salience", TICKS, "How much the story would lose without it")
        self.pull = TypingRun()
        self.salience = salience_field("Salience as a number")
        self.salience.setFixedWidth(SALIENCE_WIDTH)
        self.salience.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.happens_from = self.time("Action in", optional=True)
        self.happens_to = self.time("Action out", optional=True)
        self.happens_from.setPlaceholderText("none")
        self.sure = words(quiet=True, wrap=True)
        self.sure.setAccessibleName("Time confidence")
        self.confirm = Button(
            "Confirm time",
            self._confirm,
            "The time is right, not a guess",
            "Confirm the time of the action",
        )
        self.not_before = Check("No spoilers", self._not_before, "Never speak it before the action")
        self.within = words(quiet=True, figures=True, wrap=True)

        form = Form()
        form.add("Lock", self.hold, stretch=True)
        start = FlowLayout()
        for widget in (self.start, self.here(self.start), self.now):
            start.addWidget(widget)
        form.add_layout("Start", start).setBuddy(self.start)
        form.add_layout("", column(self.override, self.conflict))
        form.add("Salience", self.slider, self.salience, stretch=True)
        form.add("Happens", self.happens_from, self.here(self.happens_from))
        form.add("until", self.happens_to, self.here(self.happens_to))
        form.add_layout("", column(self.sure, beside(self.confirm)))
        form.add_layout("", column(self.not_before, self.within))
        self.setLayout(form)

        self.hold.chosen.connect(self._hold)
        self.start.entered.connect(self._start)
        self.salience.entered.connect(self._salience)
        self.salience.refused.connect(self.session.messages.say)
        self.slider.sliderPressed.connect(self.pull.begin)
        self.slider.sliderReleased.connect(self.pull.begin)
        self.slider.valueChanged.connect(self._slid)
        self.happens_from.entered.connect(self._from)
        self.happens_to.entered.connect(self._to)

    def show_now(self) -> None:
        """The line that is shown, as it stands."""
        if self._identity in self.session.script.eventuality_index:
            self.show_line(self.session.script.eventuality(self._identity))

    def show_line(self, line: Eventuality) -> None:
        """Bring the fields up to date."""
        other = line.id != self._identity
        self._identity = line.id
        pin, occurrence = line.pin, line.occurrence
        self.hold.show_choice(2 if pin.selected is False else 1 if pin.selected or pin.start is not None else 0)
        for field, value in (
            (self.start, pin.start),
            (self.salience, line.salience),
            (self.happens_from, None if occurrence is None else occurrence.start),
            (self.happens_to, None if occurrence is None else occurrence.end),
        ):
            if other:
                field.show_other(value)
            else:
                field.show_value(value)
        delivery = self.session.plan.by_element.get(line.id)
        self.now.setEnabled(delivery is not None and pin.start != delivery.start)
        self.override.setChecked(pin.override)
        self.override.setEnabled(pin.start is not None)
        with QSignalBlocker(self.slider):
            self.slider.setValue(max(0, min(TICKS, (line.salience or 0) * TICKS // SALIENCE_UNIT)))
        self.not_before.setChecked(is_spoiler_free(line))
        self.not_before.setEnabled(occurrence is not None)
        self._show_sureness(line)
        self._show_within(line)
        causes = self._conflict(line)
        self.conflict.setText(causes)
        self.conflict.setVisible(bool(causes))

    def _show_sureness(self, line: Eventuality) -> None:
        said = drafted_words(line)
        self.sure.setText(said)
        self.sure.setVisible(bool(said))
        self.confirm.setVisible(line.occurrence is not None and line.confidence is not None)

    def _show_within(self, line: Eventuality) -> None:
        film, within = self.session.script.film, line.within
        shown = within is not None and not (is_spoiler_free(line) and within.end >= film.end)
        if within is not None:
            self.within.setText(f"Only between {timecode(film, within.start)} and {timecode(film, within.end)}")
        self.within.setVisible(shown)

    def _conflict(self, line: Eventuality) -> str:
        session = self.session
        for conflict in session.current_plan.outcome.conflicts:
            if any(
                line.id in (cause.of if isinstance(cause, RuleConflict) else (cause.element,)) for cause in conflict
            ):
                return conflict_message(session.script, session.gaps, conflict, MANNER)
        return ""

    # What is done

    def _hold(self, place: int) -> None:
        identity = self._identity
        self.attempt(lambda script: _DO[place](script, (identity,)))

    def _start(self, start: int | None) -> None:
        identity = self._identity

        def make(script: Script) -> Step | None:
            return unpin_start(script, (identity,)) if start is None else pin_start(script, identity, start)

        self.attempt(make, amends=f"{self.start.bout.key} {identity}")

    def _start_as_now(self) -> None:
        delivery = self.session.plan.by_element.get(self._identity)
        if delivery is not None:
            self.attempt(lambda script: pin_start(script, delivery.element, delivery.start))

    def _override(self, on: bool) -> None:
        identity = self._identity
        self.attempt(lambda script: set_override(script, (identity,), on=on))

    def _salience(self, value: int | None) -> None:
        identity = self._identity
        if value is not None:
            self.attempt(
                lambda script: set_salience(script, (identity,), value), amends=f"{self.salience.bout.key} {identity}"
            )

    def _slid(self, tick: int) -> None:
        identity, value = self._identity, tick * SALIENCE_UNIT // TICKS
        self.attempt(lambda script: set_salience(script, (identity,), value), amends=f"{self.pull.key} {identity}")

    def _from(self, t: int | None) -> None:
        identity, film_end = self._identity, self.session.script.film.end

        def make(script: Script) -> Step | None:
            if t is None:
                return set_occurrence(script, identity, None)
            happens = script.eventuality(identity).occurrence
            if happens is None or t > happens.end:
                length = 0 if happens is None else happens.length
                return set_occurrence(script, identity, Span(t, max(t, min(t + length, film_end))))
            return set_occurrence_start(script, identity, t)

        self.attempt(make, amends=f"{self.happens_from.bout.key} {identity}")

    def _to(self, t: int | None) -> None:
        identity = self._identity

        def make(script: Script) -> Step | None:
            if t is None:
                return set_occurrence(script, identity, None)
            if script.eventuality(identity).occurrence is None:
                return set_occurrence(script, identity, Span(t, t))
            return set_occurrence_end(script, identity, t)

        self.attempt(make, amends=f"{self.happens_to.bout.key} {identity}")

    def _confirm(self) -> None:
        identity = self._identity
        self.attempt(lambda script: confirm_occurrences(script, (identity,)))

    def _not_before(self, on: bool) -> None:
        identity = self._identity
        self.attempt(lambda script: set_spoiler_free(script, (identity,), on=on))

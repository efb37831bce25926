"""What the describer locks of a line: in or out, start, overlap; its salience; when the action is."""

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
from adstudio.editing.pins import pin_start, set_override, unpin_start
from adstudio.planning.film.conflict_messages import conflict_message
from adstudio.ui.inspector.page_base import Page
from adstudio.ui.session.context import Context
from adstudio.ui.session.timing_confidence import drafted_words
from adstudio.ui.table.line_facts import PLACEMENTS, placement
from adstudio.ui.widgets.controls import Button, Check, Choice, Slider
from adstudio.ui.widgets.fitted_width import FittedWidth
from adstudio.ui.widgets.flow_layout import FlowLayout
from adstudio.ui.widgets.form import Form, beside, column, tie
from adstudio.ui.widgets.formatting import MANNER, timecode
from adstudio.ui.widgets.text import say_in, tone, words
from adstudio.ui.widgets.text_field import TypingRun
from adstudio.ui.widgets.value_field import salience_field

TICKS = 100
SALIENCE_SAMPLE = "00.00"


class PinControls(Page):
    """Part of the page of a line."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.hold = Choice("Lock", [(choice.word, choice.tip) for choice in PLACEMENTS])
        self.start = self.time("Locked start", optional=True)
        self.start.setPlaceholderText("free")
        self.now = Button(
            "As spoken", self._start_as_now, "Lock the start where it is spoken now", "Lock the start as it is now"
        )
        overlap = "Speak it at its locked start, even over dialogue"
        self.override = Check("Allow overlap", lambda on: self.apply(set_override, on=on), overlap)
        self.conflict = words(wrap=True)
        tone(self.conflict, warning=True)
        self.conflict.setAccessibleName("Conflict")
        self.slider = Slider("Salience", TICKS, "How much the story would lose without it")
        self.pull = TypingRun()
        self.salience = salience_field("Salience as a number")
        FittedWidth(self.salience, SALIENCE_SAMPLE)
        self.salience.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.happens_from = self.time("Action in", optional=True)
        self.happens_to = self.time("Action out", optional=True)
        self.happens_from.setPlaceholderText("none")
        self.sure = words(quiet=True, wrap=True)
        self.sure.setAccessibleName("Time confidence")
        confirm = lambda: self.apply(confirm_occurrences)  # noqa: E731 - to hand on
        self.confirm = Button(
            "Confirm time", confirm, "The time is right, not a guess", "Confirm the time of the action"
        )
        unspoiled = "Never speak it before the action"
        self.not_before = Check("No spoilers", lambda on: self.apply(set_spoiler_free, on=on), unspoiled)
        self.within = words(quiet=True, figures=True, wrap=True)

        form = Form()
        form.add("Lock", self.hold, stretch=True)
        start = FlowLayout()
        for widget in (self.start, self.here(self.start), self.now):
            start.addWidget(widget)
        tie(form.add_layout("Start", start), self.start)
        form.add_layout("", column(self.override, self.conflict))
        form.add("Salience", self.slider, self.salience, stretch=True)
        form.add("Happens", self.happens_from, self.here(self.happens_from))
        form.add("until", self.happens_to, self.here(self.happens_to))
        form.add_layout("", column(self.sure, beside(self.confirm)))
        form.add_layout("", column(self.not_before, self.within))
        self.setLayout(form)

        self.hold.chosen.connect(lambda place: self.apply(PLACEMENTS[place].edit))
        self.start.entered.connect(self._start)
        self.salience.entered.connect(lambda value: self.apply(set_salience, value, run=self.salience.typing_run))
        self.salience.refused.connect(self.session.messages.say)
        self.slider.sliderPressed.connect(self.pull.begin)
        self.slider.sliderReleased.connect(self.pull.begin)
        self.slider.valueChanged.connect(
            lambda tick: self.apply(set_salience, tick * SALIENCE_UNIT // TICKS, run=self.pull)
        )
        self.happens_from.entered.connect(self._from)
        self.happens_to.entered.connect(self._to)

    def show_now(self) -> None:
        """The line that is shown, as it stands."""
        if self._identity in self.session.script.eventuality_index:
            self.show_line(self.session.script.eventuality(self._identity))

    def show_line(self, line: Eventuality) -> None:
        """Bring the fields up to date."""
        self._turn_to(line.id)
        pin, occurrence = line.pin, line.occurrence
        self.hold.show_choice(placement(pin))
        for field, value in (
            (self.start, pin.start),
            (self.salience, line.salience),
            (self.happens_from, None if occurrence is None else occurrence.start),
            (self.happens_to, None if occurrence is None else occurrence.end),
        ):
            self.show_in(field, value)
        delivery = self.session.plan.by_line.get(line.id)
        self.now.setEnabled(delivery is not None and pin.start != delivery.start)
        self.override.setChecked(pin.override)
        self.override.setEnabled(pin.start is not None)
        with QSignalBlocker(self.slider):
            self.slider.setValue(max(0, min(TICKS, (line.salience or 0) * TICKS // SALIENCE_UNIT)))
        self.not_before.setChecked(is_spoiler_free(line))
        self.not_before.setEnabled(occurrence is not None)
        say_in(self.sure, drafted_words(line))
        self.confirm.setVisible(occurrence is not None and line.confidence is not None)
        self._show_within(line)
        say_in(self.conflict, self._conflict(line))

    def _show_within(self, line: Eventuality) -> None:
        film, within = self.session.script.film, line.within
        shown = within is not None and not (is_spoiler_free(line) and within.end >= film.end)
        if within is not None:
            self.within.setText(f"Only between {timecode(film, within.start)} and {timecode(film, within.end)}")
        self.within.setVisible(shown)

    def _conflict(self, line: Eventuality) -> str:
        session = self.session
        for conflict in session.current_plan.outcome.conflicts:
            ids = (cause.of if isinstance(cause, RuleConflict) else (cause.element,) for cause in conflict)
            if any(line.id in group for group in ids):
                return conflict_message(session.script, session.gaps, conflict, MANNER)
        return ""

    # What is done

    def _start(self, start: int | None) -> None:
        def make(script: Script) -> Step | None:
            return (
                unpin_start(script, self.ids)
                if start is None
                else pin_start(script, self._identity, start, self.session.plan)
            )

        self.attempt(make, self.start.typing_run)

    def _start_as_now(self) -> None:
        delivery = self.session.plan.by_line.get(self._identity)
        if delivery is not None:
            self.attempt(lambda script: pin_start(script, delivery.line, delivery.start, self.session.plan))

    def _from(self, t: int | None) -> None:
        identity = self._identity

        def make(script: Script) -> Step | None:
            if t is None:
                return set_occurrence(script, identity, None)
            happens = script.eventuality(identity).occurrence
            if happens is None or t > happens.end:
                length = 0 if happens is None else happens.length
                return set_occurrence(script, identity, Span(t, max(t, min(t + length, script.film.end))))
            return set_occurrence_start(script, identity, t)

        self.attempt(make, self.happens_from.typing_run)

    def _to(self, t: int | None) -> None:
        identity = self._identity

        def make(script: Script) -> Step | None:
            if t is None:
                return set_occurrence(script, identity, None)
            if script.eventuality(identity).occurrence is None:
                return set_occurrence(script, identity, Span(t, t))
            return set_occurrence_end(script, identity, t)

        self.attempt(make, self.happens_to.typing_run)

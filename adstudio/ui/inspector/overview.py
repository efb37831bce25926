"""The pages of several lines at once, and of the film when nothing is selected."""

from __future__ import annotations

from operator import is_

from PySide6.QtWidgets import QLabel

from adstudio.core.counts import percent
from adstudio.core.fusions import items_said
from adstudio.core.script import NO_PIN, Script
from adstudio.core.timebase import Span
from adstudio.delivery.spoken_counts import spoken_counts
from adstudio.editing.lines import set_salience
from adstudio.editing.pins import set_accepted, set_seen
from adstudio.planning.film.live_plan import Outcome
from adstudio.planning.film.spoken_lengths import spoken_lengths
from adstudio.planning.problem import NO_SHARE_LIMIT
from adstudio.ui.inspector.fit_bar import FitBar
from adstudio.ui.inspector.page_base import Page
from adstudio.ui.inspector.pin_controls import SALIENCE_SAMPLE
from adstudio.ui.inspector.voice_controls import VoiceControls
from adstudio.ui.session.context import Context
from adstudio.ui.session.free_time import free_time_used
from adstudio.ui.session.length_messages import optimal_for
from adstudio.ui.table.line_facts import PLACEMENTS, lines_of, placement
from adstudio.ui.widgets.controls import Button, Choice, of_action
from adstudio.ui.widgets.fitted_width import FittedWidth
from adstudio.ui.widgets.flow_layout import FlowLayout
from adstudio.ui.widgets.form import LABEL_DROP, Form, column
from adstudio.ui.widgets.formatting import counted, duration
from adstudio.ui.widgets.text import heading, words
from adstudio.ui.widgets.theme import UNIT
from adstudio.ui.widgets.value_field import salience_field


class SeveralPage(Page):
    """What several lines have in common, and what can be done with all of them."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._ids: tuple[str, ...] = ()
        self.title = heading("")
        self.numbers = words(quiet=True, figures=True, wrap=True)
        self.numbers.setAccessibleName("Spoken")
        self.hold = Choice("Lock", [(choice.word, choice.tip) for choice in PLACEMENTS])
        self.salience = salience_field("Salience of all")
        FittedWidth(self.salience, SALIENCE_SAMPLE)
        self.salience.setPlaceholderText("various")
        form = Form()
        form.add("Lock", self.hold, stretch=True)
        form.add("Salience", self.salience)
        self.voicing = VoiceControls(context, "all of them")
        self.review = words(quiet=True, figures=True, wrap=True)
        review = FlowLayout()
        review.addWidget(Button("Accept", self._accept, "You have checked all of them"))
        review.addWidget(
            Button("Mark as seen", lambda: self.apply(set_seen, on=True), "You have looked at all of them")
        )
        together = FlowLayout()
        for name, text in (
            ("plan.keep", "Lock as spoken"),
            ("line.merge", "Merge"),
            ("line.join", "Link with previous"),
            ("rule.alternatives", "Only one of these"),
            ("rule.together", "All or none"),
            ("rule.requires", "First requires second"),
            ("rule.penalty", "Mark as repetitive…"),
            ("rule.remove", "Remove rules"),
            ("edit.delete", "Delete"),
        ):
            together.addWidget(of_action(context.actions[name], text))
        self.hold.chosen.connect(lambda place: self.apply(PLACEMENTS[place].edit))
        self.salience.entered.connect(lambda value: self.apply(set_salience, value, run=self.salience.typing_run))
        self.salience.refused.connect(self.session.messages.say)
        head = column(self.title, self.numbers, spacing=0)
        parts = (head, form, self.voicing, self.review, review, heading("Together"), together)
        self.setLayout(column(*parts, spacing=2 * UNIT))

    @property
    def ids(self) -> tuple[str, ...]:
        """The selected lines."""
        return self._ids

    def _accept(self) -> None:
        self.apply(set_accepted, on=True, plan=self.session.plan)

    def show_now(self) -> None:
        """The selected lines."""
        ids = self.session.cursor.selection.lines()
        lines = [self.session.script.eventuality(each) for each in ids]
        plan = self.session.plan
        # A line that says several of them is spoken once.
        chosen = items_said(self.session.script, plan).intersection(ids)
        seconds = sum(each.end - each.start for each in plan.deliveries if not chosen.isdisjoint(each.lines))
        spoken = len(chosen)
        held = sum(line.holds_picture for line in lines)
        self.title.setText(counted(len(ids), "item"))
        self.numbers.setText(
            f"{spoken} spoken, {duration(seconds)} · {len(ids) - spoken - held} left out"
            + (f" · {held} with the picture held" if held else "")
        )
        holds = {placement(line.pin) for line in lines}
        self.hold.show_choice(holds.pop() if len(holds) == 1 else None)
        values = {line.salience for line in lines}
        common = values.pop() if len(values) == 1 else None
        self._is_other, self._ids = ids != self._ids, ids
        self.show_in(self.salience, common)
        self.voicing.show_lines(lines)
        accepted = sum(1 for line in lines if line.accepted)
        unseen = sum(1 for line in lines if not (line.seen or line.accepted))
        self.review.setText(f"{accepted} accepted · {unseen} unseen")

    def forget(self) -> None:
        """Another document is open."""
        super().forget()
        self._ids = ()
        self.voicing.forget()


class FilmPage(Page):
    """The film in numbers."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.title = heading("")
        self.title.setWordWrap(True)
        self.proof = words(quiet=True, wrap=True)
        self.proof.setAccessibleName("Proof")
        self.bar = FitBar(context)
        self.share = words(figures=True, wrap=True)
        self.share.setAccessibleName("Free time used")
        form = Form()
        self._filled: tuple[Script, Outcome, tuple[Span, ...]] | None = None
        self.values: dict[str, QLabel] = {}
        for name in (
            "Items",
            "Spoken",
            "Picture held",
            "Left out",
            "Locked",
            "In conflict",
            "Unseen",
            "Accepted",
            "Gaps",
            "Dialogue",
        ):
            value = words(figures=True)
            value.setContentsMargins(0, LABEL_DROP, 0, 0)
            value.setAccessibleName(name)
            form.add(name, value)
            self.values[name] = value
        hint = words("Select a line, a gap or a cue to see its details.", quiet=True, wrap=True)
        head = column(self.title, self.proof, spacing=0)
        self.setLayout(column(head, self.bar, self.share, form, hint, spacing=2 * UNIT))

    def show_now(self) -> None:
        """What is known at once; the rest is filled in when the user is idle."""
        script = self.session.script
        self.title.setText(script.film.title or "Film")
        outcome = self.session.current_plan.outcome
        proof = optimal_for(spoken_lengths(self.session.script, outcome.plan), outcome) or outcome.proof.text
        self.proof.setText(proof[:1].upper() + proof[1:])

    def fill(self) -> None:
        """The numbers, unless they are those of this very state already."""
        session, script = self.session, self.session.script
        state = (script, session.current_plan.outcome, session.gaps)
        if self._filled is not None and all(map(is_, state, self._filled)):
            return
        self._filled = state
        lines, rooms = lines_of(session), session.rooms
        used, usable = sum(map(rooms.narrated, session.gaps)), sum(map(rooms.capacity, session.gaps))
        share, says = session.script.settings.max_share, free_time_used(rooms, session.gaps)
        if share < NO_SHARE_LIMIT:
            says += f"; gaps may be filled to {percent(share / NO_SHARE_LIMIT, 4)}, which is {duration(usable)}"
        self.share.setText(says)
        self.bar.show_fit(used, usable, max(used, usable), says)
        # Not by the filters that each line passes: they take ten times as long, at every rest.
        every, conflicting = script.eventualities, lines.conflicting
        counts = spoken_counts(script, session.plan, session.gaps)
        held = sum(line.holds_picture for line in every)
        numbers = {
            "Items": counts.items,
            "Spoken": f"{counts.spoken}, in {counted(counts.lines, 'line')}",
            "Picture held": held,
            "Left out": counts.items - counts.spoken - held,
            "Locked": sum(line.pin is not NO_PIN and line.pin.held for line in every),
            "In conflict": sum(line.id in conflicting for line in every) if conflicting else 0,
            "Unseen": sum(not (line.seen or line.accepted) for line in every),
            "Accepted": sum(line.accepted for line in every),
            "Gaps": len(session.gaps),
            "Dialogue": counted(len(script.cues), "cue"),
        }
        for name, number in numbers.items():
            self.values[name].setText(str(number))

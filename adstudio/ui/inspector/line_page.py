"""The page of one line."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from adstudio.core.plan import RuleConflict
from adstudio.core.script import Eventuality
from adstudio.editing.fit import outside_gaps
from adstudio.editing.lines import join, unjoin
from adstudio.editing.pins import set_accepted, set_note, set_seen
from adstudio.editing.rules import remove_rule, rules_of
from adstudio.planning.film.film_problem import scene_finder
from adstudio.ui.inspector.line_change import LineChange
from adstudio.ui.inspector.page_base import Page
from adstudio.ui.inspector.pin_controls import PinControls
from adstudio.ui.inspector.reasons import PlanReasons
from adstudio.ui.inspector.voice_controls import VoiceControls
from adstudio.ui.inspector.wordings import Wordings
from adstudio.ui.session.breath_messages import breath_announcement, breath_words, fused_words
from adstudio.ui.session.context import Context
from adstudio.ui.table.cell_content import room_words, state_words
from adstudio.ui.table.cell_painting import STATE_WIDTH, draw_state, sign_scale
from adstudio.ui.table.line_facts import Line, State, lines_of, origin_word, seen_word
from adstudio.ui.widgets.controls import Check, Link, Tool
from adstudio.ui.widgets.flow_layout import FlowLayout
from adstudio.ui.widgets.form import LABEL_DROP, Form, beside, column, rule
from adstudio.ui.widgets.formatting import drift_words, lacking, quoted_line, timecode
from adstudio.ui.widgets.text import heading, tone, words
from adstudio.ui.widgets.theme import UNIT

_RULE_SAYS = {
    "alternatives": "Only one of these",
    "together": "All or none",
    "penalties": "Repetitive",
}


class StateMark(QWidget):
    """The state of the line, drawn as in table and timeline."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._theme = context.theme
        self._line: Line | None = None
        self._fit()

    def _fit(self) -> None:
        metrics = self.fontMetrics()
        self.setFixedSize(math.ceil(STATE_WIDTH * sign_scale(metrics)), max(5 * UNIT, metrics.height()))

    def changeEvent(self, event: QEvent) -> None:
        """Text of another size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def show_line(self, line: Line) -> None:
        """Show another state."""
        self._line = line
        self.setAccessibleName(line.state.value)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The block and its sign."""
        del event
        if self._line is not None:
            painter = QPainter(self)
            scale = sign_scale(self.fontMetrics())
            draw_state(painter, self._line, self._theme.tokens, 0, self.height() / 2, scale)
            painter.end()


class RuleRow(QWidget):
    """One rule that ties the line: what it says, the other lines, and a button that removes it."""

    def __init__(self, context: Context, tie: RuleConflict, identity: str) -> None:
        super().__init__()
        session = context.session
        says = _RULE_SAYS.get(tie.rule, tie.rule)
        if tie.rule == "requires":
            says = "Only if this is spoken" if tie.of[0] == identity else "This requires it"
        remove = Tool(
            "×", f"Remove the rule: {says}", lambda: session.edits.attempt(lambda script: remove_rule(script, tie))
        )
        parts: list[QWidget] = []
        for other in tie.of:
            if other != identity and other in session.script.eventuality_index:
                link = Link(lambda other=other: session.cursor.select_line(other))
                link.show_text(quoted_line(session.script.eventuality(other).variants[0].text, 12))
                parts.append(link)
        self.setLayout(column(beside(words(says, quiet=True), remove, stretch=True), *parts, spacing=0))


class LinePage(Page):
    """Wordings, reasons, locks, review, note, rules."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._ties: tuple[object, ...] = ()
        self.mark = StateMark(context)
        self.state = heading("")
        self.state.setAccessibleName("State")
        self.where = words(quiet=True, figures=True, wrap=True)
        self.where.setAccessibleName("Where it is spoken")
        self.drift = words(quiet=True, figures=True, wrap=True)
        self.drift.setAccessibleName("Distance from its action")
        self.change = LineChange(context)
        self.why = PlanReasons(context)
        self.first = self.why.why
        self.wordings = Wordings(context)
        self.holding = PinControls(context)
        self.voicing = VoiceControls(context)
        tip = "You have checked it; you are told if the plan changes it"
        self.accepted = Check("Accepted", lambda on: self.apply(set_accepted, on=on, plan=self.session.plan), tip)
        self.seen = Check("Seen", lambda on: self.apply(set_seen, on=on), "You have looked at it")
        self.breath = Check("Linked with previous", self._join, "Spoken in one breath, handed in as one cue")
        self.breath.setAccessibleName("Linked with the line before, in one breath")
        self.breath_now = words(quiet=True, wrap=True)
        self.breath_now.setAccessibleName("How it is spoken now")
        self.origin = words(quiet=True)
        self.origin.setContentsMargins(0, LABEL_DROP, 0, 0)
        self.origin.setAccessibleName("Written by")
        self.scene = words(quiet=True, wrap=True)
        self.scene.setContentsMargins(0, LABEL_DROP, 0, 0)
        self.scene.setAccessibleName("Scene")
        now = lambda: getattr(self.session.cursor.line, "note", None)  # noqa: E731 - to hand on
        self.note = self.text_field("Note", "To yourself or a colleague", set_note, now)
        self.rules_title = heading("Rules")
        self.rules = column()
        self.rule_rows: list[RuleRow] = []

        review = Form()
        marks = FlowLayout()
        for widget in (self.accepted, self.seen):
            marks.addWidget(widget)
        review.add_layout("Review", marks)
        review.add_layout("Linked", column(self.breath, self.breath_now, spacing=0))
        review.add("By", self.origin)
        review.add("Note", self.note, stretch=True)
        review.add("Scene", self.scene, stretch=True)
        head = column(beside(self.mark, self.state), self.where, self.drift, spacing=0)
        sections = (head, self.change, self.why, rule(), self.wordings, rule(), self.holding, rule(), self.voicing)
        self.setLayout(column(*sections, rule(), review, self.rules_title, self.rules, spacing=2 * UNIT))

    def show_now(self) -> None:
        """The selected line."""
        session, line = self.session, self.session.cursor.line
        if line is None:
            return
        self._turn_to(line.id)
        row = lines_of(session).of(line.id)
        self.mark.show_line(row)
        self.state.setText(state_words(row))
        self.where.setText(self._where(row))
        self._show_drift(row)
        self.change.show_line(line)
        self.wordings.show_line(line)
        self.why.clear(line)
        self.holding.show_line(line)
        self.voicing.show_lines((line,))
        self.accepted.setChecked(line.accepted)
        self.seen.setChecked(line.seen or line.accepted)
        self.breath.setChecked(line.joined)
        self.breath.setEnabled(line.joined or session.script.eventuality_index[line.id] > 0)
        together = breath_words(session, line) if line.joined else fused_words(session, line)
        self.breath_now.setVisible(bool(together))
        self.breath_now.setText(together)
        self.origin.setText(origin_word(line.origin))
        self.seen.setAccessibleDescription(seen_word(line))
        self.show_in(self.note, line.note)
        self.scene.setText(self._scene(line))
        self._show_rules(line)

    def fill(self) -> None:
        """The reasons."""
        self.why.fill()

    def forget(self) -> None:
        """Another document is open."""
        super().forget()
        self.wordings.forget()
        self.holding.forget()
        self.voicing.forget()

    def edit_text(self) -> None:
        """Put the cursor into the text."""
        line = self.session.cursor.line
        if line is not None:
            self.wordings.edit(line)

    def _where(self, row: Line) -> str:
        film, happens = self.session.script.film, row.eventuality.occurrence
        overlay = self.session.current_plan.outcome.overlay
        apart = next((each for each in overlay if each.element == row.eventuality.id), None)
        if apart is not None:
            return f"Locked to {self.span_text(apart.span)} · in conflict"
        if row.delivery is not None:
            over = outside_gaps(self.session.gaps, row.delivery.span)
            left = f"{lacking(over)} outside its gap" if over else room_words(row)
            return f"{' – '.join(row.timecodes or ())} · {left}"
        if happens is None:
            return "No action in the film"
        if row.state is State.HELD:
            return f"At {timecode(film, happens.start)} · {room_words(row)}"
        return f"Happens at {timecode(film, happens.start)} · {room_words(row)}"

    def _show_drift(self, row: Line) -> None:
        """How early or late the line is spoken; where that is far, with an arrow and in words."""
        self.drift.setVisible(row.drift is not None)
        by = row.drift or 0
        said = drift_words(by)
        self.drift.setText(f"{'→' if by > 0 else '←'} {said}, far from its action" if row.far else said)
        self.drift.setAccessibleDescription(f"{said}, far from its action" if row.far else said)
        tone(self.drift, warning=row.far, quiet=not row.far)

    def _scene(self, line: Eventuality) -> str:
        name = scene_finder(self.session.script)(line)
        scene = self.session.script.scene_by_id.get(name)
        if scene is None:
            return "none"
        return scene.title or f"Scene {self.session.script.scenes.index(scene) + 1}"

    def _show_rules(self, line: Eventuality) -> None:
        ties = rules_of(self.session.script, line.id)
        texts = tuple(
            self.session.script.eventuality(other).variants[0].text
            for tie in ties
            for other in tie.of
            if other in self.session.script.eventuality_index
        )
        known = (line.id, ties, texts)
        if known == self._ties:
            return
        self._ties = known
        for row in self.rule_rows:
            self.rules.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rule_rows = [RuleRow(self.context, tie, line.id) for tie in ties]
        for row in self.rule_rows:
            self.rules.addWidget(row)
        self.rules_title.setVisible(bool(ties))

    def _join(self, on: bool) -> None:
        ids, plan = self.ids, self.session.plan
        if self.session.edits.attempt(lambda script: join(script, ids, plan) if on else unjoin(script, ids)):
            self.session.messages.say(breath_announcement(self.session, ids))
        self.show_now()

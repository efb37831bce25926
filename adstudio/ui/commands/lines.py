"""The actions on lines: locks, wordings, order, action times, salience, and rules between them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget

from adstudio.core.plan import Plan
from adstudio.core.script import SALIENCE_UNIT, Eventuality, Script
from adstudio.core.steps import Several, Step
from adstudio.editing import lines, occurrences, pins, regions, rules, splitting, wordings
from adstudio.editing.change import one_step
from adstudio.editing.fusions import on_shown_line, own_steps, shown_line
from adstudio.editing.ids import inserted_ids
from adstudio.editing.labels import label_of
from adstudio.ui.commands.empty_lines import EmptyLines
from adstudio.ui.session.breath_messages import breath_announcement
from adstudio.ui.session.context import Context
from adstudio.ui.session.cursor import TextPlace
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.widgets.formatting import counted, quoted_line
from adstudio.ui.widgets.input_dialog import InputDialog

NUDGE = 50_000
"""How much salience one key press gives or takes, in millionths."""

NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")

Make = Callable[[Script, tuple[str, ...]], Step | None]


class LineCommands:
    """Each command acts on the selected lines, in the order in which they were selected."""

    def __init__(self, context: Context, window: QWidget, is_open: Callable[[], bool]) -> None:
        self._context = context
        self._session = context.session
        self._window = window
        self._nudged = 0
        self._empty_lines = EmptyLines(self._session)
        connect = context.actions.connect
        ids, some, one = self._ids, lambda: bool(self._ids()), lambda: self._session.cursor.line is not None
        several, pair = lambda: len(ids()) > 1, lambda: len(ids()) == 2
        for name, make, enabled in (
            ("line.keep_in", pins.pin_in, some),
            ("line.keep_out", pins.pin_out, some),
            ("line.free", pins.unpin, some),
            ("rule.alternatives", rules.make_alternatives, several),
            ("rule.together", rules.make_together, several),
            ("rule.requires", lambda script, names: rules.make_requires(script, *names), pair),
            ("rule.remove", rules.remove_rules_between, self._is_tied),
        ):
            connect(name, lambda make=make: self._edit(make), enabled)
        for name, do in (
            ("line.pin_wording", self.toggle_wording_lock),
            ("line.start_here", lambda line: self._edit_at_playhead(self._start_at, line)),
            ("line.override", self.toggle_override),
            ("line.wording_next", lambda line: self._lock_other_wording(line, 1)),
            ("line.wording_previous", lambda line: self._lock_other_wording(line, -1)),
            ("line.wording_add", self.add_wording),
            ("line.up", lambda line: self._attempt(lambda script: lines.move_earlier(script, line.id))),
            ("line.down", lambda line: self._attempt(lambda script: lines.move_later(script, line.id))),
            ("line.note", self.note),
        ):
            connect(name, lambda do=do: self._on_line(do), one)
        connect("line.pin_start", lambda: self._on_line(self.toggle_start_lock), self._is_spoken)
        connect("line.accept", self.toggle_accepted, some)
        connect("line.accept_next", self.accept_and_go_on, some)
        connect("line.salience_up", lambda: self._nudge(NUDGE), some)
        connect("line.salience_down", lambda: self._nudge(-NUDGE), some)
        for name, make, otherwise in (
            ("line.happens_from", occurrences.set_occurrence_start, "gap.mark_in"),
            ("line.happens_to", occurrences.set_occurrence_end, "gap.mark_out"),
        ):
            connect(name, lambda make=make, otherwise=otherwise: self.set_action_edge(make, otherwise), is_open)
        connect("line.split", self.split, one)
        connect("line.merge", self.merge, several)
        connect("line.new", self.new, is_open)
        connect("line.join", self.toggle_joined, some, self._is_joined)
        connect("line.not_before", self.toggle_spoiler_free, some, self._is_spoiler_free)
        connect("line.confirm", self.confirm_times, lambda: bool(self._unconfirmed()))
        connect("rule.penalty", self.mark_repetitive, pair)
        connect("edit.delete", self.delete, self._can_delete)

    def set_action_edge(self, make: Callable[[Script, str, int], Step | None], otherwise: str) -> None:
        """Set the start or the end of the selected line's action; `otherwise` is the action where no line is."""
        line = self._session.cursor.line
        if line is not None:
            self._edit_at_playhead(make, line)
        else:
            self._context.actions[otherwise].trigger()

    def new(self) -> None:
        """A new line at the playhead, placed at once; its text is then asked for in place."""
        session = self._session
        inserted: list[str] = []

        def make(script: Script) -> Step | None:
            step = lines.new_line(script, session.edits.ids, session.cursor.playhead)
            inserted.extend(() if step is None else inserted_ids(step))
            return step

        before = session.cursor.selection
        if self._attempt(make) and inserted:
            self._empty_lines.begin(inserted[0], before)
            session.cursor.select(Selection(Kind.LINE, (inserted[0],)))
            self._context.actions["line.edit"].trigger()

    def delete(self) -> None:
        """Delete what is selected: lines, of which the next one is selected then, or silences and openings."""
        selection = self._session.cursor.selection
        if selection.kind is not Kind.LINE:
            self._attempt(lambda script: regions.delete_regions(script, selection.ids))
            return
        with self._session.cursor.falling_back_on(lines.line_after(self._session.script, selection.ids)):
            self._attempt(lambda script: lines.delete_lines(script, selection.ids))

    def toggle_wording_lock(self, line: Eventuality) -> None:
        """Lock the wording spoken now, or unlock it."""
        plan, spoken = self._session.plan, self._session.plan.spoken_as(line.id)
        if spoken is not None and spoken.members:
            self._attempt(lambda script: pins.pin_spoken_variant(script, plan, line.id))
            return
        now = self._spoken_wording(line, line.pin.variant or 0)
        locked = None if line.pin.variant == now else now
        self._attempt(lambda script: pins.pin_variant(script, line.id, locked))

    def toggle_start_lock(self, line: Eventuality) -> None:
        """Lock the start where it is now, or unlock it."""
        delivery = self._session.plan.by_line.get(line.id)
        if delivery is not None and line.pin.start == delivery.start:
            self._attempt(lambda script: pins.unpin_start(script, (line.id,)))
        elif delivery is not None:
            self._attempt(lambda script: self._start_at(script, line.id, delivery.start))

    def toggle_override(self, line: Eventuality) -> None:
        """Let the line run outside its gap and window, or no longer; its start is locked first if it was not."""
        on = not line.pin.override
        delivery = self._session.plan.by_line.get(line.id)
        if on and line.pin.start is None:
            at = self._session.cursor.playhead if delivery is None else delivery.start
            plan = self._session.plan
            self._attempt(lambda script: _override_at(script, plan, line.id, at))
        else:
            self._attempt(lambda script: pins.set_override(script, (line.id,), on=on))

    def toggle_accepted(self) -> None:
        """Accept the lines as they are spoken now, or withdraw that if all are accepted so."""
        departed = {each.line for each in self._session.current_plan.departures}
        on = not all(line.accepted and line.id not in departed for line in self._lines())
        self._accept(on=on)

    def accept_and_go_on(self) -> None:
        """Accept, then go to the next spoken line that is not accepted; after the last of them, to the first."""
        spoken = self._session.plan.by_line
        # A fused line becomes one of its own, as the first of those that it says.
        ids = [spoken[each].line if each in spoken else each for each in self._ids()]
        self._accept(on=True)
        script = self._session.script
        after = max((script.eventuality_index[each] for each in ids), default=-1)
        lines = (script.eventuality(delivery.line) for delivery in self._session.plan.deliveries)
        left = [line for line in lines if not line.accepted]
        later = [line for line in left if script.eventuality_index[line.id] > after]
        if left:
            self._session.cursor.select_line((later or left)[0].id, go=True)
        if not later:
            rest = f"From the top again: {counted(len(left), 'spoken line')} still to accept."
            self._session.messages.say(rest if left else "All spoken lines are accepted.")

    def _accept(self, *, on: bool) -> None:
        plan = self._session.plan
        self._edit(lambda script, ids: pins.set_accepted(script, ids, on=on, plan=plan))

    def add_wording(self, line: Eventuality) -> None:
        """Another wording, at first a copy of the one spoken now, and the cursor in it."""
        plan, shown = self._session.plan, self._shown(line)
        text = shown.variants[self._spoken_wording(line, -1)].text
        if self._attempt(
            lambda script: on_shown_line(
                script, plan, line.id, lambda script: wordings.add_wording(script, line.id, text)
            )
        ):
            self._context.actions["line.edit"].trigger()

    def split(self) -> None:
        """Make two lines of one; the place is asked for by the words that the second begins with.

        Proposed is where the text cursor was in one of its wordings; else it is the spoken one that is split.
        """
        at = self._session.cursor.text_place
        self._session.flush()
        line, plan = self._session.cursor.line, self._session.plan
        if line is None:
            return
        line = self._shown(line)
        if at is None or at.line != line.id or at.variant >= len(line.variants):
            at = TextPlace(line.id, self._spoken_wording(line, 0), 0)
        variant = at.variant
        text = line.variants[variant].text
        places, likely = splitting.split_offsets(text), splitting.suggest_split(text, at.offset)
        if likely is None:
            self._session.messages.say("One word cannot be split.")
            return
        shown = [f"{text[:place].strip()}  |  {text[place:]}" for place in places]
        chosen, agreed = InputDialog.ask_item(
            self._window, "Split the line", "The second line begins:", shown, places.index(likely), editable=False
        )
        if agreed:
            offset = places[shown.index(chosen)]
            ids = self._session.edits.ids

            def make(script: Script) -> Step | None:
                return splitting.split_line(script, ids, line.id, offset, variant)

            if self._attempt(lambda script: on_shown_line(script, plan, line.id, make)):
                gone = len(line.variants) - len(self._session.script.eventuality(line.id).variants)
                self._report_removed(gone, "could not be split")

    def merge(self) -> None:
        """Make one line of several neighbours."""
        chosen, plan = self._lines(), self._session.plan
        fused = {plan.by_line[line.id].element if line.id in plan.by_line else "" for line in chosen}
        if len(fused) == 1 and (own := own_steps(self._session.script, plan, self._ids())):
            # They are spoken as one line already.
            self._attempt(lambda _: one_step(f"Merge {len(chosen)} lines", own))
            return
        if self._attempt(lambda script: splitting.merge_lines(script, [line.id for line in chosen])):
            wordings = [len(line.variants) for line in chosen]
            self._report_removed(sum(wordings) - len(wordings) * min(wordings), "had no counterpart")

    def _report_removed(self, gone: int, why: str) -> None:
        undo = self._context.actions["edit.undo"].shortcut().toString(QKeySequence.SequenceFormat.NativeText) or "Undo"
        number = NUMBERS[gone] if gone < len(NUMBERS) else str(gone)
        said = f"{number} other wordings {why} and were removed; {undo} brings them back."
        if gone == 1:
            said = f"One other wording {why} and was removed; {undo} brings it back."
        if gone:
            self._session.messages.say(said)

    def toggle_joined(self) -> None:
        """Link with the line before, or unlink."""
        ids, plan, joined = self._ids(), self._session.plan, self._is_joined()
        if self._attempt(lambda script: lines.unjoin(script, ids) if joined else lines.join(script, ids, plan)):
            self._session.messages.say(breath_announcement(self._session, ids))

    def toggle_spoiler_free(self) -> None:
        """Never before the action, or freely again."""
        on = not self._is_spoiler_free()
        self._edit(lambda script, ids: occurrences.set_spoiler_free(script, ids, on=on))

    def confirm_times(self) -> None:
        """Confirm that the actions are when the draft says."""
        doubted = self._unconfirmed()
        if self._attempt(lambda script: occurrences.confirm_occurrences(script, self._ids())):
            which = quoted_line(doubted[0].variants[0].text) if len(doubted) == 1 else counted(len(doubted), "line")
            self._session.messages.say(f"Confirmed when {which} {'happens' if len(doubted) == 1 else 'happen'}.")

    def note(self, line: Eventuality) -> None:
        """Write a note."""
        text, agreed = InputDialog.ask_lines(self._window, "Note", "Note for this line:", line.note)
        if agreed:
            self._attempt(lambda script: pins.set_note(script, line.id, text))

    def mark_repetitive(self) -> None:
        """Ask what speaking both costs; proposed is the value of the lesser line, at which only one is spoken."""
        first, second = self._lines()
        title, question = "Mark as repetitive", "What it costs the plan to speak both:"
        proposed = max(0, min(map(self._value, (first, second)))) / (SALIENCE_UNIT * 1000)
        cost, agreed = InputDialog.ask_number(self._window, title, question, proposed, 0.0, 10_000.0, 2)
        if agreed:
            millionths = round(cost * SALIENCE_UNIT)
            self._attempt(lambda script: rules.make_penalty(script, first.id, second.id, millionths))

    def _value(self, line: Eventuality) -> int:
        line, spoken = self._shown(line), self._spoken_wording(line, 0)
        return (line.salience or 0) * self._session.script.planned_duration(line, spoken)

    def _attempt(self, make: Callable[[Script], Step | None], *, amends: str = "") -> bool:
        """Make a change; the key that was pressed says so where it changes nothing."""
        return self._session.edits.attempt(make, amends=amends, unchanged=self._context.actions.unchanged)

    def _edit(self, make: Make) -> None:
        ids = self._ids()
        self._attempt(lambda script: make(script, ids))

    def _on_line(self, do: Callable[[Eventuality], object]) -> None:
        line = self._session.cursor.line
        if line is not None:
            do(line)

    def _edit_at_playhead(self, make: Callable[[Script, str, int], Step | None], line: Eventuality) -> None:
        at = self._session.cursor.playhead
        self._attempt(lambda script: make(script, line.id, at))

    def _start_at(self, script: Script, identity: str, at: int) -> Step | None:
        return pins.pin_start(script, identity, at, self._session.plan)

    def _nudge(self, by: int) -> None:
        ids = self._ids()
        run = f"salience {ids}"
        self._nudged = self._nudged + by if self._session.edits.goes_on(run) else by
        total = self._nudged
        self._attempt(lambda script: lines.nudge_salience(script, ids, total), amends=run)

    def _lock_other_wording(self, line: Eventuality, by: int) -> None:
        now = line.pin.variant if line.pin.variant is not None else self._spoken_wording(line, 0)
        then, plan = min(max(0, now + by), len(self._shown(line).variants) - 1), self._session.plan
        self._attempt(
            lambda script: on_shown_line(script, plan, line.id, lambda script: pins.pin_variant(script, line.id, then))
        )

    def _shown(self, line: Eventuality) -> Eventuality:
        """The line as its row shows it: of the first one that a fused line says, that of one's own."""
        return shown_line(self._session.script, self._session.plan, line.id)

    def _spoken_wording(self, line: Eventuality, otherwise: int) -> int:
        """The number of the wording that is spoken, of those that its row shows."""
        shown = self._session.plan.spoken_as(line.id)
        if shown is None:
            return otherwise
        return shown.variant if shown.line == line.id else 0

    def _ids(self) -> tuple[str, ...]:
        return self._session.cursor.selection.lines()

    def _lines(self) -> list[Eventuality]:
        return [self._session.script.eventuality(each) for each in self._ids()]

    def _unconfirmed(self) -> list[Eventuality]:
        return [line for line in self._lines() if line.confidence is not None and line.occurrence is not None]

    def _is_spoken(self) -> bool:
        line = self._session.cursor.line
        return line is not None and line.id in self._session.plan.by_line

    def _is_joined(self) -> bool:
        chosen = self._lines()
        return bool(chosen) and all(line.joined for line in chosen)

    def _is_spoiler_free(self) -> bool:
        chosen = self._lines()
        return bool(chosen) and all(map(occurrences.is_spoiler_free, chosen))

    def _is_tied(self) -> bool:
        return not self._session.script.rules.mentioned.isdisjoint(self._ids())

    def _can_delete(self) -> bool:
        return self._session.cursor.selection.kind in (Kind.LINE, Kind.SILENCE, Kind.OPENING)


def _override_at(script: Script, plan: Plan, identity: str, at: int) -> Step | None:
    """Lock the start and allow overlap, as one step."""
    spoken = plan.by_line.get(identity)
    own = identity if spoken is None else spoken.line
    locked = pins.pin_start(script, identity, at, plan)
    if locked is None:
        return pins.set_override(script, (own,), on=True)
    allowed = pins.set_override(locked.apply(script), (own,), on=True)
    return locked if allowed is None else Several(label_of(allowed, script), (locked, allowed))

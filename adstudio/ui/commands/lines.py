"""The actions on lines: holds, writing, order, occurrence, salience."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QInputDialog, QWidget

from adstudio.core.script import Eventuality, Script
from adstudio.core.steps import Several, Step
from adstudio.editing import lines, occurrences, pins, regions, splitting, wordings
from adstudio.editing.ids import inserted_ids
from adstudio.editing.labels import label_of
from adstudio.ui.commands.empty_lines import EmptyLines
from adstudio.ui.session.breath_messages import breath_announcement
from adstudio.ui.session.context import Context
from adstudio.ui.session.selection import Kind, Selection

NUDGE = 50_000
"""How much salience one key press gives or takes, in millionths."""

NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")

Make = Callable[[Script, tuple[str, ...]], Step | None]


class LineCommands:
    """Each command acts on the selected lines."""

    def __init__(self, context: Context, window: QWidget, is_open: Callable[[], bool]) -> None:
        self._context = context
        self._session = context.session
        self._window = window
        self._nudged = 0
        self._newborn = EmptyLines(self._session)
        connect = context.actions.connect
        some, one, several = self._has_lines, lambda: self._line() is not None, lambda: len(self._ids()) > 1
        for name, make in (
            ("line.keep_in", pins.pin_in),
            ("line.keep_out", pins.pin_out),
            ("line.free", pins.unpin),
        ):
            connect(name, lambda make=make: self._edit(make), some)
        connect("line.pin_wording", self.pin_wording, one)
        connect("line.pin_start", self.pin_start, self._is_spoken)
        connect("line.start_here", self.start_here, one)
        connect("line.override", self.toggle_override, one)
        connect("line.accept", self.toggle_accepted, some)
        connect("line.accept_next", self.accept_and_go_on, some)
        connect("line.salience_up", lambda: self._nudge(NUDGE), some)
        connect("line.salience_down", lambda: self._nudge(-NUDGE), some)
        connect("line.wording_next", lambda: self._other_wording(1), one)
        connect("line.wording_previous", lambda: self._other_wording(-1), one)
        connect("line.wording_add", self.add_wording, one)
        connect("line.new", self.new, is_open)
        connect("line.split", self.split, one)
        connect("line.merge", lambda: self._edit(splitting.merge_lines), several)
        connect("line.join", self.toggle_joined, some, self._is_joined)
        connect("line.up", lambda: self._move(lines.move_earlier), one)
        connect("line.down", lambda: self._move(lines.move_later), one)
        connect("line.happens_from", lambda: self._happens(occurrences.set_occurrence_start), one)
        connect("line.happens_to", lambda: self._happens(occurrences.set_occurrence_end), one)
        connect("line.not_before", self.toggle_not_before, some, self._is_not_before)
        connect("line.note", self.note, one)
        connect("edit.delete", self.delete, self._can_delete)

    def new(self) -> None:
        """A line of the describer's own at the playhead, placed at once; its text is then asked for in place."""
        session = self._session
        inserted: list[str] = []

        def make(script: Script) -> Step | None:
            step = lines.new_line(script, session.edits.ids, session.cursor.playhead)
            inserted.extend(() if step is None else inserted_ids(step))
            return step

        before = session.cursor.selection
        if session.edits.attempt(make) and inserted:
            self._newborn.begin(inserted[0], before)
            session.cursor.select(Selection(Kind.LINE, (inserted[0],)))
            self._context.actions["line.edit"].trigger()

    def delete(self) -> None:
        """Delete what is selected: lines, or silences and openings."""
        selection = self._session.cursor.selection
        if selection.kind is Kind.LINE:
            self._edit(lines.delete_lines)
        elif selection.kind in (Kind.SILENCE, Kind.OPENING):
            self._session.edits.attempt(lambda script: regions.delete_regions(script, selection.ids))

    def pin_wording(self) -> None:
        """Hold the wording spoken now, or let it go where it is held."""
        line = self._line()
        if line is None:
            return
        delivery = self._session.plan.by_element.get(line.id)
        now = delivery.variant if delivery is not None else line.pin.variant or 0
        held = None if line.pin.variant == now else now
        self._session.edits.attempt(lambda script: pins.pin_variant(script, line.id, held))

    def pin_start(self) -> None:
        """Hold the start where it is now, or let it go where it is held."""
        line = self._line()
        delivery = None if line is None else self._session.plan.by_element.get(line.id)
        if line is None or delivery is None:
            return
        if line.pin.start == delivery.start:
            self._session.edits.attempt(lambda script: pins.unpin_start(script, (line.id,)))
        else:
            self._session.edits.attempt(lambda script: pins.pin_start(script, line.id, delivery.start))

    def start_here(self) -> None:
        """Hold the start at the playhead."""
        line, at = self._line(), self._session.cursor.playhead
        if line is not None:
            self._session.edits.attempt(lambda script: pins.pin_start(script, line.id, at))

    def toggle_override(self) -> None:
        """Let the line run outside its gap and window, or no more; its start is held first where it was not."""
        line = self._line()
        if line is None:
            return
        on = not line.pin.override
        delivery = self._session.plan.by_element.get(line.id)
        if on and line.pin.start is None:
            at = self._session.cursor.playhead if delivery is None else delivery.start
            self._session.edits.attempt(lambda script: _override_at(script, line.id, at))
            return
        self._session.edits.attempt(lambda script: pins.set_override(script, (line.id,), on=on))

    def toggle_accepted(self) -> None:
        """Agreed; where all of them are agreed already, no more."""
        ids = self._ids()
        on = not all(self._session.script.eventuality(each).accepted for each in ids)
        self._session.edits.attempt(lambda script: pins.set_accepted(script, ids, on=on))

    def accept_and_go_on(self) -> None:
        """Agree, then go to the next spoken line that has not been looked at."""
        ids = self._ids()
        self._session.edits.attempt(lambda script: pins.set_accepted(script, ids, on=True))
        plan, script = self._session.plan, self._session.script
        after = max((script.eventuality_index[each] for each in ids), default=-1)
        for delivery in plan.deliveries:
            line = script.eventuality(delivery.element)
            if script.eventuality_index[line.id] > after and not line.accepted:
                self._session.cursor.select_line(line.id, go=True)
                return
        self._session.messages.say("That was the last unseen line.")

    def add_wording(self) -> None:
        """Another wording, a copy of the one spoken now for a start, and the cursor in it."""
        line = self._line()
        if line is None:
            return
        delivery = self._session.plan.by_element.get(line.id)
        text = line.variants[delivery.variant if delivery is not None else -1].text
        if self._session.edits.attempt(lambda script: wordings.add_wording(script, line.id, text)):
            self._context.actions["line.edit"].trigger()

    def split(self) -> None:
        """Make two lines of one; the place is asked for by the words that the second begins with."""
        line = self._line()
        if line is None:
            return
        delivery = self._session.plan.by_element.get(line.id)
        variant = delivery.variant if delivery is not None else 0
        text = line.variants[variant].text
        places, likely = splitting.split_offsets(text), splitting.suggest_split(text)
        if likely is None:
            self._session.messages.say("One word cannot be split.")
            return
        shown = [f"{text[:place].strip()}  |  {text[place:]}" for place in places]
        chosen, agreed = QInputDialog.getItem(
            self._window, "Split the line", "The second line begins:", shown, places.index(likely), editable=False
        )
        if agreed:
            offset = places[shown.index(chosen)]
            ids = self._session.edits.ids
            if self._session.edits.attempt(lambda script: splitting.split_line(script, ids, line.id, offset, variant)):
                self._tell_split(line)

    def _tell_split(self, before: Eventuality) -> None:
        gone = len(before.variants) - len(self._session.script.eventuality(before.id).variants)
        undo = self._context.actions["edit.undo"].shortcut().toString(QKeySequence.SequenceFormat.NativeText) or "Undo"
        if gone == 1:
            self._session.messages.say(f"One other wording could not be split and was removed; {undo} brings it back.")
        elif gone:
            number = NUMBERS[gone] if gone < len(NUMBERS) else str(gone)
            self._session.messages.say(
                f"{number} other wordings could not be split and were removed; {undo} brings them back."
            )
        else:
            self._session.messages.say("Split into two lines.")

    def toggle_joined(self) -> None:
        """Speak in one breath with the line before, or no more."""
        ids, plan, joined = self._ids(), self._session.plan, self._is_joined()
        make = (lambda script: lines.unjoin(script, ids)) if joined else (lambda script: lines.join(script, ids, plan))
        if self._session.edits.attempt(make):
            self._session.messages.say(breath_announcement(self._session, ids))

    def toggle_not_before(self) -> None:
        """Never before it happens, or freely again."""
        ids, on = self._ids(), not self._is_not_before()
        self._session.edits.attempt(lambda script: occurrences.set_spoiler_free(script, ids, on=on))

    def note(self) -> None:
        """Write a note."""
        line = self._line()
        if line is None:
            return
        text, agreed = QInputDialog.getMultiLineText(self._window, "Note", "Note for this line:", line.note)
        if agreed:
            self._session.edits.attempt(lambda script: pins.set_note(script, line.id, text))

    def _edit(self, make: Make) -> None:
        ids = self._ids()
        self._session.edits.attempt(lambda script: make(script, ids))

    def _nudge(self, by: int) -> None:
        ids = self._ids()
        run = f"salience {ids}"
        self._nudged = self._nudged + by if self._session.edits.goes_on(run) else by
        total = self._nudged
        self._session.edits.attempt(lambda script: lines.nudge_salience(script, ids, total), amends=run)

    def _other_wording(self, by: int) -> None:
        line = self._line()
        if line is None:
            return
        delivery = self._session.plan.by_element.get(line.id)
        now = line.pin.variant if line.pin.variant is not None else delivery.variant if delivery is not None else 0
        then = min(max(0, now + by), len(line.variants) - 1)
        self._session.edits.attempt(lambda script: pins.pin_variant(script, line.id, then))

    def _move(self, make: Callable[[Script, str], Step | None]) -> None:
        line = self._line()
        if line is not None:
            self._session.edits.attempt(lambda script: make(script, line.id))

    def _happens(self, make: Callable[[Script, str, int], Step | None]) -> None:
        line, at = self._line(), self._session.cursor.playhead
        if line is not None:
            self._session.edits.attempt(lambda script: make(script, line.id, at))

    def _ids(self) -> tuple[str, ...]:
        return self._session.cursor.selection.lines()

    def _line(self) -> Eventuality | None:
        return self._session.cursor.line

    def _has_lines(self) -> bool:
        return bool(self._ids())

    def _is_spoken(self) -> bool:
        line = self._line()
        return line is not None and line.id in self._session.plan.by_element

    def _is_joined(self) -> bool:
        ids = self._ids()
        return bool(ids) and all(self._session.script.eventuality(each).joined for each in ids)

    def _is_not_before(self) -> bool:
        ids = self._ids()
        return bool(ids) and all(occurrences.is_spoiler_free(self._session.script.eventuality(each)) for each in ids)

    def _can_delete(self) -> bool:
        return self._session.cursor.selection.kind in (Kind.LINE, Kind.SILENCE, Kind.OPENING)


def _override_at(script: Script, identity: str, at: int) -> Step | None:
    """Hold the start and lift gap and window for it, as one step."""
    held = pins.pin_start(script, identity, at)
    if held is None:
        return pins.set_override(script, (identity,), on=True)
    lifted = pins.set_override(held.apply(script), (identity,), on=True)
    return held if lifted is None else Several(label_of(lifted, script), (held, lifted))

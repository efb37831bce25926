"""When lines happen: confirming what a draft thinks, and going through what it is not sure of."""

from __future__ import annotations

from collections.abc import Callable

from adstudio.core.script import Eventuality
from adstudio.editing.occurrences import confirm_occurrences
from adstudio.ui.session.context import Context
from adstudio.ui.session.timing_confidence import confidence_words, unsure
from adstudio.ui.widgets.formatting import counted, quoted


class TimingConfidenceCommands:
    """Confirms the selected lines; goes to the next one that is not sure, round and round in the script's order."""

    def __init__(self, context: Context, is_open: Callable[[], bool]) -> None:
        self._session = context.session
        context.actions.connect("line.confirm", self.confirm, self._can_confirm)
        context.actions.connect("plan.next_unsure", self.go_to_next, is_open)

    def confirm(self) -> None:
        """They happen when the draft says."""
        ids = self._session.cursor.selection.lines()
        doubted = [line for line in self._chosen() if line.confidence is not None and line.occurrence is not None]
        if self._session.edits.attempt(lambda script: confirm_occurrences(script, ids)):
            which = quoted(doubted[0].variants[0].text) if len(doubted) == 1 else counted(len(doubted), "line")
            self._session.messages.say(f"Confirmed when {which} {'happens' if len(doubted) == 1 else 'happen'}.")

    def go_to_next(self) -> None:
        """The next line that is not sure, and where it may happen; what has no footing, behind what it follows."""
        lines = self._session.script.eventualities
        places = [place for place, line in enumerate(lines) if unsure(line)]
        if not places:
            self._session.messages.say("No line has an uncertain time.")
            return
        here = self._current_position()
        place = next((each for each in places if each > here), places[0])
        line = lines[place]
        self._session.cursor.select_line(line.id)
        at = _time_of(lines, place)
        if at is not None:
            self._session.cursor.seek(at)
        others = len(places) - 1
        rest = f"{counted(others, 'other line')} uncertain" if others else "the last one"
        self._session.messages.say(f"{quoted(line.variants[0].text)}: {confidence_words(line)}; {rest}.")

    def _current_position(self) -> int:
        """The place of the line in hand, or of the last that happens before the playhead."""
        script, line = self._session.script, self._session.cursor.line
        if line is not None:
            return script.eventuality_index[line.id]
        gone = (
            place
            for place, each in enumerate(script.eventualities)
            if each.occurrence is not None and each.occurrence.start < self._session.cursor.playhead
        )
        return max(gone, default=-1)

    def _chosen(self) -> list[Eventuality]:
        return [self._session.script.eventuality(each) for each in self._session.cursor.selection.lines()]

    def _can_confirm(self) -> bool:
        return any(line.confidence is not None and line.occurrence is not None for line in self._chosen())


def _time_of(lines: tuple[Eventuality, ...], place: int) -> int | None:
    """Where a line happens; where nothing tells, the end of what stands before it."""
    happens = lines[place].occurrence
    if happens is not None:
        return happens.start
    before = (line.occurrence.end for line in reversed(lines[:place]) if line.occurrence is not None)
    return next(before, None)

"""The actions on gaps, silences and openings."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable

from adstudio.core.script import Script
from adstudio.core.steps import Step
from adstudio.core.timebase import Span
from adstudio.editing import regions
from adstudio.editing.edges import Edge, set_gap_edge
from adstudio.editing.ids import inserted_ids
from adstudio.ui.session.context import Context
from adstudio.ui.session.selection import Kind, Selection


class RegionCommands:
    """Marks, silences, openings, and the gap at the playhead."""

    def __init__(self, context: Context, is_open: Callable[[], bool]) -> None:
        self._session, self._actions = context.session, context.actions
        connect = context.actions.connect
        is_marked = lambda: is_open() and self._marked() is not None  # noqa: E731 - a predicate to hand on
        has_gaps = lambda: is_open() and bool(self._session.gaps)  # noqa: E731
        connect("gap.mark_in", self.mark_in, is_open)
        connect("gap.mark_out", self.mark_out, is_open)
        connect("gap.silence", lambda: self._draw(Kind.SILENCE), is_marked)
        connect("gap.opening", lambda: self._draw(Kind.OPENING), is_marked)
        connect("gap.start_here", lambda: self._set_edge(Edge.START), has_gaps)
        connect("gap.end_here", lambda: self._set_edge(Edge.END), has_gaps)
        connect("gap.next", self.go_to_next, is_open)
        connect("gap.previous", self.go_to_previous, is_open)

    def mark_in(self) -> None:
        """The region starts at the playhead; an end before it is removed."""
        at, end = self._session.cursor.playhead, self._session.cursor.marks[1]
        self._session.cursor.mark(at, end if end is not None and end > at else None)
        self._session.messages.say("In point marked.")

    def mark_out(self) -> None:
        """The region ends at the playhead; a start after it is removed."""
        at, start = self._session.cursor.playhead, self._session.cursor.marks[0]
        self._session.cursor.mark(start if start is not None and start < at else None, at)
        self._session.messages.say("Out point marked.")

    def go_to_next(self) -> None:
        """To the start of the next gap."""
        self._go_to(bisect_right(self._session.gaps, self._session.cursor.playhead, key=lambda gap: gap.start))

    def go_to_previous(self) -> None:
        """To the start of the gap before."""
        self._go_to(bisect_left(self._session.gaps, self._session.cursor.playhead, key=lambda gap: gap.start) - 1)

    def _go_to(self, place: int) -> None:
        if 0 <= place < len(self._session.gaps):
            gap = self._session.gaps[place]
            self._session.cursor.select(Selection(Kind.GAP, gap=gap))
            self._session.cursor.seek(gap.start)
        else:
            self._session.messages.say("No more gaps.")

    def _draw(self, kind: Kind) -> None:
        span = self._marked()
        if span is None:
            return
        draw = regions.draw_silence if kind is Kind.SILENCE else regions.draw_opening
        inserted: list[str] = []

        def make(script: Script) -> Step | None:
            step = draw(script, self._session.edits.ids, span.start, span.end)
            inserted.extend(() if step is None else inserted_ids(step))
            return step

        if self._session.edits.attempt(make):
            self._session.cursor.mark(None, None)
            if inserted:
                self._session.cursor.select(Selection(kind, (inserted[0],)))

    def _set_edge(self, edge: Edge) -> None:
        at = self._session.cursor.playhead
        gap = self._session.cursor.selection.gap or self._session.current_plan.gap_at(at)
        if gap is not None:
            edits, unchanged = self._session.edits, self._actions.unchanged
            edits.attempt(lambda script: set_gap_edge(script, edits.ids, gap, edge, at), unchanged=unchanged)

    def _marked(self) -> Span | None:
        """The marked region, else the selected gap."""
        start, end = self._session.cursor.marks
        if start is not None and end is not None:
            return Span(start, end)
        return self._session.cursor.selection.gap

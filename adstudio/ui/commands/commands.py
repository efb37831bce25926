"""Connects every action of the script: lines, gaps, scenes, navigation, and the plan."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from adstudio.core.script import Eventuality
from adstudio.editing.pins import pin_as_planned
from adstudio.ui.commands.answers import spoken_at
from adstudio.ui.commands.asking import AskCommands
from adstudio.ui.commands.lines import LineCommands
from adstudio.ui.commands.regions import RegionCommands
from adstudio.ui.commands.scenes import SceneCommands
from adstudio.ui.session.context import Context
from adstudio.ui.session.timing_confidence import confidence_words, unsure
from adstudio.ui.timeline.film_loader import FilmLoader
from adstudio.ui.widgets.formatting import counted, duration, quoted_line, timecode


class NavigationCommands:
    """From the current line, else from the playhead: to the spoken lines around it, to the next uncertain time."""

    def __init__(self, context: Context, is_open: Callable[[], bool]) -> None:
        self._session = context.session
        context.actions.connect("play.line_next", lambda: self._go_by(1), is_open)
        context.actions.connect("play.line_previous", lambda: self._go_by(-1), is_open)
        context.actions.connect("play.line_here", self.go_to_line_here, is_open)
        context.actions.connect("plan.next_unsure", self.go_to_next_unsure, is_open)

    def _go_by(self, by: int) -> None:
        line, plan = self._session.cursor.line, self._session.plan
        delivery = None if line is None else plan.spoken_as(line.id)
        if delivery is not None:
            place = plan.deliveries.index(delivery) + by
        else:
            following = bisect_left(plan.deliveries, self._session.cursor.playhead, key=lambda each: each.start)
            place = following if by > 0 else following - 1
        if 0 <= place < len(plan.deliveries):
            self._session.cursor.select_line(plan.deliveries[place].line, go=True)
        else:
            self._session.messages.say("No more lines.")

    def go_to_line_here(self) -> None:
        """The line spoken at the playhead, else the one spoken nearest to it, and how far away that is."""
        at, film = self._session.cursor.playhead, self._session.script.film
        found = spoken_at(self._session, at)
        if found is None:
            self._session.messages.say("No line is spoken.")
            return
        identity, away = found
        self._session.cursor.select_line(identity)
        if away:
            side = "later" if away > 0 else "earlier"
            here = f"No line is spoken at {timecode(film, at)}"
            self._session.messages.say(f"{here}; the nearest is {duration(abs(away))} {side}.")

    def go_to_next_unsure(self) -> None:
        """The next line whose time is uncertain, after the last one the first, and where its action may be."""
        lines = self._session.script.eventualities
        places = [place for place, line in enumerate(lines) if unsure(line)]
        if not places:
            self._session.messages.say("No line has an uncertain time.")
            return
        here = self._position(lines)
        place = next((each for each in places if each > here), places[0])
        line = lines[place]
        self._session.cursor.select_line(line.id)
        at = _time_of(lines, place)
        if at is not None:
            self._session.cursor.seek(at)
        others = len(places) - 1
        rest = f"{counted(others, 'other line')} uncertain" if others else "the last one"
        self._session.messages.say(f"{quoted_line(line.variants[0].text)}: {confidence_words(line)}; {rest}.")

    def _position(self, lines: tuple[Eventuality, ...]) -> int:
        """The place in script order of the current line, or of the last whose action is before the playhead."""
        line, playhead = self._session.cursor.line, self._session.cursor.playhead
        if line is not None:
            return self._session.script.eventuality_index[line.id]
        past = (place for place, each in enumerate(lines) if each.occurrence and each.occurrence.start < playhead)
        return max(past, default=-1)


def _time_of(lines: tuple[Eventuality, ...], place: int) -> int | None:
    """When a line's action is; if that is unknown, the end of the action before it."""
    happens = lines[place].occurrence
    if happens is not None:
        return happens.start
    return next((line.occurrence.end for line in reversed(lines[:place]) if line.occurrence is not None), None)


def connect_commands(
    context: Context, window: QWidget, films: FilmLoader, panel: Callable[[], str] = lambda: ""
) -> None:
    """Connect all of them; `window` is where questions are asked, `films` knows the shots.

    `panel` names the panel that has the keyboard.
    """
    actions, session = context.actions, context.session

    def is_open() -> bool:
        return session.project is not None

    def seen(ms: int) -> str:
        return films.data.people.spoken_at(ms)

    def lock_as_spoken() -> None:
        ids, plan = session.cursor.selection.lines(), session.plan
        session.edits.attempt(lambda script: pin_as_planned(script, plan, ids))

    actions.connect("edit.undo", session.undo, lambda: bool(session.edits.document.past))
    actions.connect("edit.redo", session.redo, lambda: bool(session.edits.document.future))
    actions.connect("plan.keep", lock_as_spoken, lambda: is_open() and bool(session.cursor.selection.lines()))
    LineCommands(context, window, is_open)
    RegionCommands(context, is_open)
    SceneCommands(context, window, films, is_open)
    NavigationCommands(context, is_open)
    AskCommands(context, is_open, panel, seen)

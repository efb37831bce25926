"""The action that shows the faces of the film, and the timeline's part of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from adstudio.ui.background.timers import single_shot
from adstudio.ui.faces.film_faces import FilmFaces
from adstudio.ui.session.context import Context
from adstudio.ui.timeline.seen_people import SeenPeople, changed_spans, seen_people_in_parts
from adstudio.ui.timeline.timeline import Timeline

if TYPE_CHECKING:
    from adstudio.ui.faces.dialog import FacesDialog


MOST_DIRTY = 100
"""Shots that are painted again by themselves; where more have changed, all of the timeline is."""


class FacesOpening(QObject):
    """Opens one window of faces at a time, and closes it with the project."""

    def __init__(self, context: Context, timeline: Timeline, window: QWidget) -> None:
        super().__init__(window)
        self._context, self._window = context, window
        self.found = FilmFaces(context, timeline.films, self)
        self.dialog: FacesDialog | None = None
        self._timeline = timeline
        self._reading: Iterator[SeenPeople | None] = iter(())
        self._turn = single_shot(self, 0, self._read_on)
        self.found.changed.connect(self._show_people)
        context.actions.connect("edit.faces", self.show, lambda: context.session.project is not None)
        context.session.closing.connect(self._close)

    def show(self) -> None:
        """Show the faces, or bring their window to the front."""
        from adstudio.ui.faces.dialog import FacesDialog

        if self.dialog is None:
            self.dialog = FacesDialog(self._context, self.found, self._window)
            self.dialog.finished.connect(self._closed)
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()

    def _show_people(self) -> None:
        """The timeline's lane of people, which is there while somebody is known; and when each is first seen."""
        known, session = self.found.known, self._context.session
        first_seen = {} if known is None else known.first_seen
        if first_seen != session.first_seen:
            session.first_seen = first_seen
            session.faces_known.emit()
        names = {person.id: person.name for person in session.script.people}
        self._reading = seen_people_in_parts(() if known is None else known.shots, names)
        self._read_on()

    def _read_on(self) -> None:
        """A part of who is seen where, and the lane once that is all there."""
        people = next(self._reading, None)
        if people is None:
            self._turn.start()
            return
        self._turn.stop()
        canvas = self._timeline.canvas
        before, self._timeline.films.data.people = self._timeline.films.data.people, people
        if bool(people.names) is not canvas.sizes.people:
            canvas.set_sizes(replace(canvas.sizes, people=bool(people.names)))
        elif changed := changed_spans(before, people):
            canvas.invalidate(changed if len(changed) <= MOST_DIRTY else None)

    def _close(self) -> None:
        if self.dialog is not None:
            self.dialog.reject()

    def _closed(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.deleteLater()

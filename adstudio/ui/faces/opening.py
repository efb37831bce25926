"""The action that shows the faces of the film, and the timeline's part of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from adstudio.ui.faces.film_faces import FilmFaces
from adstudio.ui.session.context import Context
from adstudio.ui.timeline.seen_people import SeenPeople, changed_spans, seen_people
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
        known, canvas, session = self.found.known, self._timeline.canvas, self._context.session
        first_seen = {} if known is None else known.first_seen
        if first_seen != session.first_seen:
            session.first_seen = first_seen
            session.faces_known.emit()
        names = {person.id: person.name for person in session.script.people}
        people = SeenPeople() if known is None else seen_people(known.shots, names)
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

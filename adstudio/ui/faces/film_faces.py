"""The faces of the open film: those that are cached, a search that is asked for, and whose they are by now."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from adstudio.characters.faces import Faces
from adstudio.characters.faces_detection import cached_faces, forget
from adstudio.characters.faces_known import KnownFaces, known_faces, portraits_of
from adstudio.characters.faces_messages import CRASHED, JOB, FacesCached, FacesProgress, FindFaces, JobEvent
from adstudio.characters.faces_models import MISSING, are_installed
from adstudio.core.errors import AdstudioError
from adstudio.media.cache import Source
from adstudio.system.worker import Failed
from adstudio.ui.background.timers import single_shot
from adstudio.ui.background.worker_clients import JobClient, JobTexts
from adstudio.ui.session.context import Context
from adstudio.ui.timeline.film_loader import FilmLoader
from adstudio.ui.widgets.formatting import as_sentence

TITLE = "Finding faces"
SOON_MS = 60
"""After a change the faces are put together anew once the window has been painted."""


class FilmFaces(QObject):
    """Knows whose faces were found. Nothing is searched before somebody asks for it."""

    changed = Signal()
    """What is known has changed."""
    progressed = Signal()
    """How far the search is has changed; `doing` says it."""

    def __init__(self, context: Context, films: FilmLoader, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context, self._session, self._films = context, context.session, films
        self._client = JobClient[FindFaces, JobEvent](context.jobs, self, JOB, (FacesCached,), JobTexts(CRASHED))
        self._client.received.connect(self._progress)
        self._client.ended.connect(self._end)
        self._soon = single_shot(self, SOON_MS, self._put_together)
        self._basis: tuple[object, ...] = ()
        self.faces: Faces | None = None
        self.known: KnownFaces | None = None
        self.doing = ""
        """What the search is doing, in words; empty where there is none."""
        films.found.connect(self._load)
        context.session.opened.connect(self._close)
        context.session.current_plan.changed.connect(lambda _event: self._follow())

    @property
    def busy(self) -> bool:
        """Whether faces are being searched for."""
        return self._client.busy

    @property
    def video(self) -> Path | None:
        """The film's file, where it was found."""
        return None if self._films.source is None else self._films.source[0]

    def find(self) -> None:
        """Search the film, or go on where a search was stopped; what is missing is said."""
        media = self._session.script.film.media
        if self.video is None or media is None:
            self._session.messages.say("There is no film to look for faces in: choose it under File › Relink video.")
        elif not are_installed():
            self._session.messages.say(as_sentence(MISSING))
        else:
            self.doing = "Starting…"
            portraits = portraits_of(self._session.script.people)
            self._client.start(TITLE, FindFaces(self.video, media.fingerprint, portraits))
            self.progressed.emit()

    def stop(self) -> None:
        """End the search; what it has found stays as of its last caching."""
        self._client.stop()

    def forget_faces(self, numbers: list[int]) -> None:
        """Delete these faces from the cache: their pictures and what tells them apart."""
        source = self._source()
        if source is None or self._client.busy:
            return
        try:
            forget(source, numbers)
        except AdstudioError as error:
            self._session.messages.report(error)
        self._load()

    def _source(self) -> Source | None:
        return None if self._films.source is None else self._films.source[1]

    def _close(self) -> None:
        self._client.forget()
        self.faces = self.known = None
        self.doing, self._basis = "", ()
        self.changed.emit()

    def _load(self) -> None:
        source = self._source()
        self.faces = None if source is None else cached_faces(source)
        self._basis = ()
        self._put_together()

    def _follow(self) -> None:
        if self.faces is not None and self._basis != self._present():
            self._soon.start()

    def _present(self) -> tuple[object, ...]:
        script = self._session.script
        return (self.faces, script.people, script.named_faces)

    def _put_together(self) -> None:
        script, source = self._session.script, self._source()
        if self._basis and self._basis[1] is not script.people and source is not None:
            self.faces = cached_faces(source)  # with a person, the found faces may have been deleted
        self._basis = self._present()
        self.known = None if self.faces is None else known_faces(self.faces, script.people, script.named_faces)
        self.changed.emit()

    def _progress(self, event: JobEvent) -> None:
        if isinstance(event, FacesProgress):
            what = "Detecting the shots" if event.shots else "Looking for faces"
            self.doing = f"{what}…" if event.fraction is None else f"{what}: {event.fraction:.0%}"
            self._client.report(event.fraction, what.lower())
            self.progressed.emit()
            if event.partial is not None:
                self._load()

    def _end(self, answer: JobEvent | None) -> None:
        self.doing = ""
        if isinstance(answer, Failed):
            self._session.messages.say(as_sentence(answer.message))
        self._load()
        self.progressed.emit()

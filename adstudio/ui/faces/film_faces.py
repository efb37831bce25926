"""The faces of the open film: those that are cached, a search that is asked for, and whose they are by now."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from adstudio.characters.faces import Face, Faces
from adstudio.characters.faces_detection import cached_faces, forget
from adstudio.characters.faces_known import KnownFaces, portrait_hashes, portraits_of
from adstudio.characters.faces_known_data import parse_known
from adstudio.characters.faces_known_messages import CRASHED as COMPARISON_CRASHED
from adstudio.characters.faces_known_messages import PROTOCOL, Answer, IdentifyFaces
from adstudio.characters.faces_messages import CRASHED, JOB, FacesCached, FacesProgress, FindFaces, JobEvent
from adstudio.characters.faces_models import MISSING, are_installed
from adstudio.characters.faces_texts import time_left
from adstudio.core.counts import percent
from adstudio.core.errors import AdstudioError
from adstudio.core.script import Script
from adstudio.media.cache import Kind, Source, stored
from adstudio.system.worker import Failed
from adstudio.ui.background.timers import single_shot
from adstudio.ui.background.worker_clients import CompanionClient, JobClient, JobTexts
from adstudio.ui.session.context import Context
from adstudio.ui.timeline.film_loader import FilmLoader
from adstudio.ui.widgets.formatting import as_sentence

TITLE = "Finding faces"
LONG_MS = 2 * 3_600_000
"""From this length of the film on it is said beforehand that a search takes long."""
LONG = "A search of {hours} hours of film takes an hour or more, beside your work; one that you stop goes on later."
SOON_MS = 60
"""After a change it is asked anew whose the faces are, once the window has been painted."""


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
        self._comparison = CompanionClient[IdentifyFaces, Answer](context.jobs, self, PROTOCOL, COMPARISON_CRASHED)
        self._soon = single_shot(self, SOON_MS, self._identify)
        self._tell = single_shot(self, 0, self.changed.emit)
        self._faces: Faces | None = None
        self._asked: Script | None = None
        """Of which script it was last asked whose the faces are."""
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
            if media.duration > LONG_MS and not (self._faces is not None and self._faces.complete):
                self._session.messages.say(LONG.format(hours=round(media.duration / 3_600_000)))
            self.progressed.emit()

    def stop(self) -> None:
        """End the search; what it has found stays, and the next one goes on from there."""
        self._client.stop()

    def forget_faces(self, gone: Sequence[Face]) -> None:
        """Delete these faces from the cache: their pictures and what tells them apart."""
        source = self._source()
        if source is None or self._client.busy:
            return
        try:
            forget(source, gone)
        except AdstudioError as error:
            self._session.messages.report(error)
        self._load()

    def _source(self) -> Source | None:
        return None if self._films.source is None else self._films.source[1]

    def _close(self) -> None:
        self._client.forget()
        self._comparison.forget()
        self._soon.stop()
        self._tell.stop()
        self._faces = self.known = self._asked = None
        self.doing = ""
        self.changed.emit()

    def _load(self) -> None:
        """Read what is cached, and ask whose the faces are."""
        source = self._source()
        self._faces = None if source is None else cached_faces(source)
        self._asked = None
        self._identify()

    def _follow(self) -> None:
        if self._faces is not None and not self._is_asked():
            self._soon.start()

    def _is_asked(self) -> bool:
        """Whether it has been asked of the cast and the named faces as they are."""
        script, asked = self._session.script, self._asked
        return asked is not None and asked.people is script.people and asked.named_faces is script.named_faces

    def _identify(self) -> None:
        """Have another process say whose the faces are, one question at a time."""
        source, script = self._source(), self._session.script
        path = None if source is None else stored(Kind.FACES, source)
        if source is None or path is None or self._faces is None:
            self.known = None
            self.changed.emit()
        elif not self._comparison.busy:
            self._asked = script
            request = IdentifyFaces(path, source, portrait_hashes(script.people), script.named_faces)
            self._comparison.ask(request, partial(self._identified, self._faces))

    def _identified(self, faces: Faces, answer: Answer) -> None:
        if isinstance(answer, Failed):
            self._session.messages.say(as_sentence(answer.message))
        elif answer.faces != len(faces.faces):
            self._load()  # with a person of the cast, faces may have been deleted
        elif faces is self._faces and self._is_asked():
            self.known = parse_known(answer.known, faces)
            self._tell.start()  # the window gets a turn in between
        else:
            self._identify()

    def _progress(self, event: JobEvent) -> None:
        if isinstance(event, FacesProgress):
            what = "Detecting the shots" if event.shots else "Looking for faces"
            left = "" if event.left is None else f", {time_left(event.left)}"
            self.doing = f"{what}…" if event.fraction is None else f"{what}: {percent(event.fraction)}{left}"
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

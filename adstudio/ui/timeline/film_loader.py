"""Loads the waveform, the shots and their thumbnails: from the cache, or by a child process that makes them."""

from __future__ import annotations

import logging
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from adstudio.core.errors import AdstudioError
from adstudio.media import cache, messages
from adstudio.media.messages import Done, Failed, Progress, Verb
from adstudio.media.peaks import parse_peaks, read_peaks
from adstudio.media.shots import parse_shots, read_shots
from adstudio.media.thumbnails import parse_thumbnails, read_thumbnails
from adstudio.store.media import locate
from adstudio.ui.background.jobs import Job, python_command
from adstudio.ui.session.context import Desk
from adstudio.ui.timeline.film_data import FilmData
from adstudio.ui.timeline.lanes import Lane

log = logging.getLogger(__name__)

PATIENCE_MS = 400
"""The window is shown and painted before the film is looked at."""

ORDER: tuple[Verb, ...] = ("peaks", "shots", "thumbnails")
_KIND = {"peaks": cache.Kind.PEAKS, "shots": cache.Kind.SHOTS, "thumbnails": cache.Kind.THUMBNAILS}
_LANE = {"peaks": Lane.SOUND.value, "shots": Lane.SHOTS.value, "thumbnails": Lane.SHOTS.value}
_TITLE = {"peaks": "Waveform", "shots": "Shots", "thumbnails": "Pictures of the shots"}


class FilmLoader(QObject):
    """Makes `data` complete, one thing after the other, and tells what has come."""

    came = Signal(str)
    """Another state of “peaks”, “shots” or “thumbnails” is there; “doing” where only the progress has changed."""
    finished = Signal()
    """All that is shown of the film has been made, or could not be: the machine is free for what can wait."""

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.data = FilmData()
        self.data.pictures.setParent(self)
        self._job: Job | None = None
        self._source: tuple[Path, cache.Source] | None = None
        self._ended = False
        self._of = ""
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(PATIENCE_MS)
        self._soon.timeout.connect(self._begin)
        desk.session.opened.connect(self.renew)
        desk.session.changed.connect(self._changed)
        self.renew()

    def renew(self) -> None:
        """The film is another: forget what was known and look for it."""
        job, self._job = self._job, None
        if job is not None:
            job.stop()
        data = self.data
        data.peaks = data.shots = data.thumbnails = None
        data.pictures.forget()
        data.doing.clear()
        self._source = None
        self._of = self._fingerprint()
        self._soon.stop()
        if self._of:
            self.data.doing.update(dict.fromkeys(_LANE.values(), "…"))
            self._soon.start()
        for verb in ORDER:
            self.came.emit(verb)

    def _fingerprint(self) -> str:
        media = self._desk.session.script.film.media
        return "" if media is None else f"{media.fingerprint} {media.path}"

    def _changed(self, _news: object) -> None:
        if self._fingerprint() != self._of:
            self.renew()

    def _begin(self) -> None:
        project, media = self._desk.session.project, self._desk.session.script.film.media
        self.data.doing.clear()
        self.came.emit("doing")
        if project is None or media is None:
            return
        try:
            video = locate(media, project.path)
            self._source = None if video is None else (video, cache.source_of(video, media.fingerprint))
        except AdstudioError as error:
            log.info("no pictures and no sound: %s", error)
            self._source = None
        if self._source is not None:
            self._go_on(ORDER)

    def _go_on(self, verbs: tuple[Verb, ...]) -> None:
        """Load what is kept; start a process for the first that is not."""
        if self._source is None:
            return
        video, source = self._source
        for n, verb in enumerate(verbs):
            if verb == "peaks" and not self._has_sound():
                continue
            path = cache.cached(_KIND[verb], source)
            if path is not None and self._read(verb, path):
                continue
            self._start(verb, video, verbs[n + 1 :])
            return
        self.finished.emit()

    @property
    def source(self) -> tuple[Path, cache.Source] | None:
        """The film’s file and its state, once it has been found."""
        return self._source

    def _has_sound(self) -> bool:
        media = self._desk.session.script.film.media
        return media is not None and media.has_audio

    def _start(self, verb: Verb, video: Path, then: tuple[Verb, ...]) -> None:
        media = self._desk.session.script.film.media
        fingerprint = "" if media is None else media.fingerprint
        command = python_command(messages.MODULE, *messages.arguments(verb, video, fingerprint=fingerprint))
        of, answered = self._of, [False]

        def heard(line: bytes) -> None:
            message = messages.read_message(line)
            if of != self._of or message is None:
                return
            answered[0] = answered[0] or isinstance(message, Done | Failed)
            self._heard(verb, message)

        def ended(_code: int, _said: str) -> None:
            if of != self._of:
                return
            stopped = self._job is not None and self._job.stopped
            self._job = None
            if self.data.doing.pop(_LANE[verb], None):
                self.came.emit("doing")
            if not answered[0] and not stopped:
                self._heard(verb, messages.died(verb))
            if not stopped:
                self._go_on(then)

        self._job = self._desk.jobs.start(_TITLE[verb], command, heard, ended)

    def _heard(self, verb: Verb, message: Progress | Done | Failed) -> None:
        match message:
            case Progress(fraction, what, partial):
                if self._job is not None:
                    self._job.report(fraction, what)
                self.data.doing[_LANE[verb]] = f"{fraction * 100:.0f} %" if fraction >= 0 else "…"
                self.came.emit("doing")
                if partial is not None:
                    self._read(verb, partial)
            case Done():
                if message.note:
                    self._desk.session.say(message.note)
                self._take(verb, message)
            case Failed(sentence):
                self._desk.session.say(sentence)

    def _read(self, verb: Verb, path: Path) -> bool:
        try:
            match verb:
                case "peaks":
                    self.data.peaks = read_peaks(path)
                case "shots":
                    self.data.shots = read_shots(path)
                case _:
                    self.data.thumbnails = read_thumbnails(path)
        except AdstudioError as error:
            log.info("%s cannot be read again: %s", path, error)
            return False
        self.came.emit(verb)
        return True

    def _take(self, verb: Verb, done: Done) -> None:
        try:
            content = done.content()
            match verb:
                case "peaks":
                    self.data.peaks = parse_peaks(content)
                case "shots":
                    self.data.shots = parse_shots(content)
                case _:
                    self.data.thumbnails = parse_thumbnails(content)
        except AdstudioError as error:
            self._desk.session.report(error)
            return
        self.came.emit(verb)

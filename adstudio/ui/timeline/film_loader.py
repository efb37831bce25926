"""Loads the waveform, the shots and their thumbnails: from the cache, or by a child process that makes them."""

from __future__ import annotations

import logging
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from adstudio.core.counts import percent
from adstudio.core.errors import AdstudioError
from adstudio.media import cache
from adstudio.media.cache import Kind
from adstudio.media.messages import ACTIVITY, PROTOCOL, Event, FilmProgress, Processed, ProcessFilm, Request, crashed
from adstudio.media.peaks import PEAKS
from adstudio.media.shots import SHOTS
from adstudio.media.thumbnails import THUMBNAILS
from adstudio.store.media import locate_video
from adstudio.system.worker import Failed
from adstudio.ui.background.timers import single_shot
from adstudio.ui.background.worker_clients import JobClient, JobTexts
from adstudio.ui.session.context import Context
from adstudio.ui.timeline.film_data import FilmData
from adstudio.ui.timeline.lanes import Lane

log = logging.getLogger(__name__)

START_DELAY_MS = 400
"""The window is shown and painted before the film is read."""

_DATA = {data.kind: data for data in (PEAKS, SHOTS, THUMBNAILS)}
"""By a kind's value, what `FilmData` calls it."""
ORDER = tuple(_DATA)
_LANE = {Kind.PEAKS: Lane.SOUND.value, Kind.SHOTS: Lane.SHOTS.value, Kind.THUMBNAILS: Lane.SHOTS.value}
_TITLE = {Kind.PEAKS: "Waveform", Kind.SHOTS: "Shots", Kind.THUMBNAILS: "Pictures of the shots"}


class FilmLoader(QObject):
    """Completes `data`, one kind after the other, and signals what has been loaded."""

    loaded = Signal(object)
    """New data of this `Kind`; None where only the progress has changed."""
    found = Signal()
    """The film's file has been looked for; `source` says where it is."""
    finished = Signal()
    """Everything shown of the film has been made, or could not be: the machine is free for what can wait."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.data = FilmData()
        self.data.pictures.setParent(self)
        texts = JobTexts(crashed("reading it"))
        self._client = JobClient[Request, Event](context.jobs, self, PROTOCOL, (Processed,), texts)
        self._client.received.connect(self._progressed)
        self._client.ended.connect(self._end)
        self._kind = Kind.PEAKS
        self._then: tuple[Kind, ...] = ()
        self.source: tuple[Path, cache.Source] | None = None
        """The film’s file and its state, once it has been found."""
        self._film = ""
        self._soon = single_shot(self, START_DELAY_MS, self._begin)
        context.session.opened.connect(self.renew)
        context.session.current_plan.changed.connect(self._changed)
        self.renew()

    def renew(self) -> None:
        """The film has changed: forget what was known and look for it."""
        self._client.forget()
        data = self.data
        data.peaks = data.shots = data.thumbnails = None
        data.pictures.forget()
        data.doing.clear()
        self.source = None
        self._film = self._fingerprint()
        self._soon.stop()
        if self._film:
            self.data.doing.update(dict.fromkeys(_LANE.values(), "…"))
            self._soon.start()
        for kind in ORDER:
            self.loaded.emit(kind)

    def _fingerprint(self) -> str:
        media = self._context.session.script.film.media
        return "" if media is None else f"{media.fingerprint} {media.sound_track} {media.path}"

    def _changed(self, _event: object) -> None:
        if self._fingerprint() != self._film:
            self.renew()

    def _begin(self) -> None:
        project, media = self._context.session.project, self._context.session.script.film.media
        self.data.doing.clear()
        self.loaded.emit(None)
        if project is None or media is None:
            return
        try:
            video = locate_video(media, project.path)
            self.source = (
                None if video is None else (video, cache.source_of(video, media.fingerprint, media.sound_track))
            )
        except AdstudioError as error:
            log.info("no pictures and no sound: %s", error)
        self.found.emit()
        if self.source is not None:
            self._go_on(ORDER)

    def _go_on(self, kinds: tuple[Kind, ...]) -> None:
        """Load what is cached; start a process for the first that is not."""
        media = self._context.session.script.film.media
        if self.source is None or media is None:
            return
        video, source = self.source
        for n, kind in enumerate(kinds):
            if kind is Kind.PEAKS and not media.has_audio:
                continue
            path = cache.cached(kind, source)
            if path is not None and self._read(kind, path):
                continue
            self._kind, self._then = kind, kinds[n + 1 :]
            request = ProcessFilm(kind, video, source.fingerprint, source.track)
            self._client.start(_TITLE[kind], request, texts=JobTexts(crashed(ACTIVITY[kind])))
            return
        self.finished.emit()

    def _progressed(self, progress: FilmProgress) -> None:
        fraction = progress.fraction
        self._client.report(fraction, ACTIVITY[self._kind])
        self.data.doing[_LANE[self._kind]] = "…" if fraction is None else percent(fraction)
        self.loaded.emit(None)
        if progress.partial is not None:
            self._read(self._kind, progress.partial)

    def _end(self, answer: Processed | Failed | None) -> None:
        if self.data.doing.pop(_LANE[self._kind], None):
            self.loaded.emit(None)
        match answer:
            case Processed():
                if answer.note:
                    self._context.session.messages.say(answer.note)
                try:
                    self._show(self._kind, _DATA[self._kind].parse(answer.content()))
                except AdstudioError as error:
                    self._context.session.messages.report(error)
            case Failed(message):
                self._context.session.messages.say(message)
            case None:
                return
        self._go_on(self._then)

    def _read(self, kind: Kind, path: Path) -> bool:
        try:
            self._show(kind, _DATA[kind].read(path))
        except AdstudioError as error:
            log.info("%s cannot be read again: %s", path, error)
            return False
        return True

    def _show(self, kind: Kind, found: object) -> None:
        setattr(self.data, kind.value, found)
        self.loaded.emit(kind)

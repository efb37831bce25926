"""The menu of the film's sound tracks: which one is heard, drawn as the waveform, and listened to for speech."""

from __future__ import annotations

import logging
from pathlib import Path

from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from adstudio.core.errors import BadInputError
from adstudio.editing.sound_track import choose_sound_track
from adstudio.media.cache import Source
from adstudio.media.messages import PROTOCOL, Event, ListSoundTracks, Request, SoundTracks, crashed
from adstudio.media.sound_tracks import SoundTrack, chosen_track
from adstudio.ui.background.worker_clients import CompanionClient
from adstudio.ui.picture.player import Player
from adstudio.ui.session.context import Context
from adstudio.ui.timeline.film_loader import FilmLoader

log = logging.getLogger(__name__)

NUMBERED = 9
"""Tracks that have their number as a key."""


class SoundTrackMenu(QMenu):
    """Lists the tracks of the open film, of which one is checked; nothing to choose where there is only one."""

    def __init__(self, context: Context, player: Player, films: FilmLoader, parent: QWidget) -> None:
        super().__init__("Sound tra&ck", parent)
        self.setObjectName("menu.sound_track")
        self.tracks: tuple[SoundTrack, ...] = ()
        self._session, self._player, self._films = context.session, player, films
        self._client = CompanionClient[Request, Event](
            context.jobs, self, PROTOCOL, crashed("listing its sound tracks")
        )
        self._listed: tuple[Path, Source] | None = None
        self._group = QActionGroup(self)
        films.found.connect(self._list)
        context.session.opened.connect(self._forget)
        context.session.current_plan.changed.connect(lambda _: self._renew())
        self._forget()

    @property
    def used(self) -> SoundTrack | None:
        """The track that is heard; None where the tracks are not known."""
        media = self._session.script.film.media
        try:
            return chosen_track(self.tracks, media.sound_track if media is not None else None)
        except BadInputError as error:
            # Its own choice belongs to a file that has been replaced since.
            log.info("%s", error)
            return chosen_track(self.tracks)

    def _forget(self) -> None:
        self._client.forget()
        self._listed = None
        self._fill(())

    def _list(self) -> None:
        """Ask for the tracks of the film, unless they are known."""
        media, source = self._session.script.film.media, self._films.source
        if media is None or source is None or not media.has_audio:
            self._forget()
            return
        film = source[0], Source(source[1].fingerprint, source[1].size, source[1].mtime_ns)
        if film != self._listed:
            self._forget()
            self._listed = film
            self._client.ask(ListSoundTracks(film[0]), self._answered)

    def _answered(self, answer: object) -> None:
        if isinstance(answer, SoundTracks):
            self._fill(answer.tracks)
        else:
            log.warning("the sound tracks are not known: %s", answer)

    def _fill(self, tracks: tuple[SoundTrack, ...]) -> None:
        self.tracks = tracks
        self.clear()
        for track in tracks:
            key = "&" if track.number <= NUMBERED else ""
            entry = self.addAction(key + track.name.replace("&", "&&"))
            entry.setCheckable(True)
            entry.setStatusTip("Hear this sound track, and draw it as the waveform.")
            entry.triggered.connect(lambda _=False, track=track: self._choose(track))
            self._group.addAction(entry)
        self.menuAction().setEnabled(len(tracks) > 1)
        self._renew()

    def _renew(self) -> None:
        used = self.used
        for track, entry in zip(self.tracks, self.actions(), strict=True):
            entry.setChecked(track is used)
        self._player.set_sound_track(used.number if used is not None and len(self.tracks) > 1 else None)

    def _choose(self, track: SoundTrack) -> None:
        usual = chosen_track(self.tracks)
        number = None if track is usual else track.number
        if self._session.edits.attempt(lambda script: choose_sound_track(script, number)):
            self._session.messages.say(f"Sound track {track.name}")
        self._renew()

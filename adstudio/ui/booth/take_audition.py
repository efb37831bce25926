"""A take heard over the picture, where its line is spoken, with the film at the level that it has in the mix."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from adstudio.ui.hearing.audio_player import AudioPlayers
from adstudio.ui.hearing.film_level import FilmLevel
from adstudio.ui.hearing.synced_sound import SyncedSound
from adstudio.ui.picture.player import Player

if TYPE_CHECKING:
    from adstudio.mix.duck import Breakpoint

AROUND_MS = 1000
"""How much of the film is played before and after it."""
UNTIL_PICTURE_MS = 10


class TakeAudition(QObject):
    """Plays one take at a time."""

    def __init__(self, player: Player, say: Callable[[str], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._player = player
        self._players = AudioPlayers(player.marshal, say, self)
        self._sound: SyncedSound | None = None
        self._end: int | None = None
        """The film time of its end."""
        self._level = FilmLevel(player, self)
        self._until_ready = QTimer(self, interval=UNTIL_PICTURE_MS)
        self._until_ready.timeout.connect(self._roll)
        player.moved.connect(self._moved)
        player.changed.connect(self._changed)

    @property
    def busy(self) -> bool:
        """Whether a take is being played."""
        return self._end is not None

    def play(self, path: Path, start: int, end: int, envelope: tuple[Breakpoint, ...]) -> None:
        """Play a sound file from one film time to another, with a second of the film before and after it."""
        self.stop()
        if self._sound is None:
            voice = self._players.start()
            if voice is None:
                return
            self._sound = SyncedSound(self._player, voice, self)
        self._player.pause()
        self._player.set_loop(None)
        self._player.seek(max(0, start - AROUND_MS))
        self._end = end
        self._level.set_envelope(envelope)
        self._sound.prepare(path, start)
        self._until_ready.start()

    def stop(self) -> None:
        """Be quiet; the film pauses."""
        if self._end is None:
            return
        self._end = None
        self._until_ready.stop()
        if self._sound is not None:
            self._sound.cancel()
        self._level.set_audible(False)
        self._player.pause()

    def close(self) -> None:
        """End its player."""
        self.stop()
        self._players.close()

    def _roll(self) -> None:
        if not self._player.busy and self._end is not None:
            self._until_ready.stop()
            self._player.play()

    def _changed(self, _state: object) -> None:
        if self._end is None or self._until_ready.isActive():
            return
        if self._player.state.playing:
            self._level.set_audible(True)
            if self._sound is not None:
                self._sound.film_plays()
        else:
            self.stop()

    def _moved(self, ms: int) -> None:
        if self._end is not None and self._player.state.playing and ms >= self._end + AROUND_MS:
            self.stop()

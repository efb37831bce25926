"""A take heard over the picture, where its line is spoken, with the film lowered under it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from adstudio.ui.hearing.audio_player import AudioPlayer
from adstudio.ui.hearing.synced_sound import SyncedSound
from adstudio.ui.picture.mpv_core import NoMpvError
from adstudio.ui.picture.player import Player

AROUND_MS = 1000
"""How much of the film is played before and after it."""
DUCKED_DB, FADE_MS = -12.0, 150
UNTIL_PICTURE_MS = 10


class TakeAudition(QObject):
    """Plays one take at a time."""

    def __init__(self, player: Player, say: Callable[[str], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._player, self._say = player, say
        self._voice: AudioPlayer | None = None
        self._sound: SyncedSound | None = None
        self._span: tuple[int, int] | None = None
        self._until_ready = QTimer(self, interval=UNTIL_PICTURE_MS)
        self._until_ready.timeout.connect(self._roll)
        player.moved.connect(self._moved)
        player.changed.connect(self._changed)

    @property
    def busy(self) -> bool:
        """Whether a take is being played."""
        return self._span is not None

    def play(self, path: Path, start: int, length: int) -> None:
        """Play a sound file from a film time, with a second of the film before and after it."""
        self.stop()
        if self._sound is None:
            try:
                self._voice = AudioPlayer(self._player.marshal, self)
            except NoMpvError:
                self._say("Nothing can be heard: libmpv is not installed.")
                return
            self._sound = SyncedSound(self._player, self._voice, self)
        self._player.pause()
        self._player.set_loop(None)
        self._player.seek(max(0, start - AROUND_MS))
        self._span = start, start + length
        self._sound.prepare(path, start)
        self._until_ready.start()

    def stop(self) -> None:
        """Be quiet; the film pauses."""
        if self._span is None:
            return
        self._span = None
        self._until_ready.stop()
        if self._sound is not None:
            self._sound.cancel()
        self._player.duck(0.0, FADE_MS)
        self._player.pause()

    def close(self) -> None:
        """End its player."""
        self.stop()
        if self._voice is not None:
            self._voice.close()

    def _roll(self) -> None:
        if not self._player.busy and self._span is not None:
            self._until_ready.stop()
            self._player.play()

    def _changed(self, _state: object) -> None:
        if self._span is None or self._until_ready.isActive():
            return
        if self._player.state.playing:
            if self._sound is not None:
                self._sound.film_plays()
        else:
            self.stop()

    def _moved(self, ms: int) -> None:
        if self._span is None or not self._player.state.playing:
            return
        start, end = self._span
        spoken = start - FADE_MS <= ms < end
        if (self._player.ducked < 0) is not spoken:
            self._player.duck(DUCKED_DB if spoken else 0.0, FADE_MS)
        if ms >= end + AROUND_MS:
            self.stop()

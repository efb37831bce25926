"""A second mpv for sound alone: it speaks over the film and is started to the millisecond."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from adstudio.ui.background.thread_bridge import ThreadBridge
from adstudio.ui.picture.mpv_core import NO_SOUND, EndReason, MpvCore, NoMpvError, has_sound
from adstudio.ui.picture.playback import Measured

NO_PLAYER = "Nothing can be heard: libmpv is not installed."


class AudioPlayer(QObject):
    """Plays one sound file at a time."""

    ready = Signal()
    """The file loaded last can be started at once."""
    ended = Signal()
    """The file was played to its end."""
    failed = Signal()

    def __init__(self, marshal: ThreadBridge, parent: QObject | None = None) -> None:
        """Start mpv.

        Raises:
            NoMpvError: where there is none.
        """
        super().__init__(parent)
        self._core = MpvCore(marshal, vid="no", vo="null", keep_open="no", audio_client_name="adstudio narration")
        self._core.on_event(self._on_mpv_event, "file-loaded", "playback-restart", "end-file")
        self._loads = 0
        self._path: Path | None = None
        self.is_ready = False
        """Whether a file can be started, or is playing."""
        self._accepted = self._is_loaded = False

    def say(self, path: Path) -> None:
        """Play a file at once, however short."""
        self._open(path, 0.0, pause="no")

    def load(self, path: Path, at: float = 0.0) -> None:
        """Load a file paused at a position (ms); `ready` follows.

        A file that is loaded is not opened again. mpv ends a sound of less than a fifth of a second as soon as it is
        loaded: those need a silent end.
        """
        if path == self._path and self._accepted and self._is_loaded:
            self._seek(at)
        else:
            self._open(path, at, pause="yes")

    def _seek(self, at: float) -> None:
        self._loads += 1
        self._accepted = self.is_ready = False
        number = self._loads
        self._core.set("pause", "yes")
        self._core.send(
            "seek", f"{at / 1000:.4f}", "absolute+exact", reply=lambda done: self._load_accepted(number, done)
        )

    def _open(self, path: Path, at: float, *, pause: str) -> None:
        self._loads += 1
        self._accepted = self._is_loaded = self.is_ready = False
        self._path = path
        number = self._loads
        self._core.set("speed", 1.0)
        self._core.set("pause", pause)
        self._core.send(
            "loadfile",
            os.fsencode(path.absolute()),
            "replace",
            f"start={max(0.0, at) / 1000:.4f}",
            reply=lambda done: self._load_accepted(number, done),
        )

    def start(self, pace: float = 1.0) -> None:
        """Play what is loaded."""
        self.set_pace(pace)
        self._core.set("pause", "no")

    def rest(self) -> None:
        """Pause; `start` goes on."""
        self._core.set("pause", "yes")

    def set_pace(self, pace: float) -> None:
        """How fast, the pitch kept."""
        self._core.set("speed", pace)

    def stop(self) -> None:
        """Stop and forget the file."""
        self._loads += 1
        self._accepted = self._is_loaded = self.is_ready = False
        self._core.send("stop")

    def measure(self, reply: Measured) -> None:
        """Reply with the position in the file that is audible (ms), and when it was."""

        def read(text: str, at: float) -> None:
            with suppress(ValueError):
                reply(float(text) * 1000, at)

        self._core.ask("${=audio-pts}", read)

    def close(self) -> None:
        """End it."""
        self._loads += 1
        self._core.close()

    def _load_accepted(self, number: int, done: bool) -> None:
        if number == self._loads:
            self._accepted = done
            if not done:
                self.failed.emit()

    def _on_mpv_event(self, event: str, why: EndReason | None) -> None:
        if not self._accepted:
            return  # an event of an earlier file
        if event == "file-loaded":
            self._is_loaded = True
        elif event == "playback-restart" and self._is_loaded and not self.is_ready:
            self.is_ready = True
            self.ready.emit()
        elif event == "end-file" and why is not EndReason.STOPPED:
            was_loaded, self.is_ready, self._is_loaded = self._is_loaded, False, False
            (self.ended if was_loaded and why is EndReason.END else self.failed).emit()


class AudioPlayers:
    """Players that are each started when first needed, and end together; `report` is given why nothing can be heard."""

    def __init__(self, marshal: ThreadBridge, report: Callable[[str], object], parent: QObject) -> None:
        self._marshal, self._report, self._parent = marshal, report, parent
        self._started: list[AudioPlayer] = []

    def start(self) -> AudioPlayer | None:
        """Another player, which belongs to `parent`; None where there is no libmpv."""
        try:
            player = AudioPlayer(self._marshal, self._parent)
        except NoMpvError:
            self._report(NO_PLAYER)
            return None
        if not has_sound():
            self._report(NO_SOUND)
        self._started.append(player)
        return player

    def close(self) -> None:
        """End them; a second call does no harm."""
        while self._started:
            self._started.pop().close()

"""A second mpv for sound alone: it speaks over the film and is started to the moment."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from adstudio.ui.background.thread_bridge import ThreadBridge
from adstudio.ui.picture.mpv_core import EndReason, MpvCore
from adstudio.ui.picture.playback import Measured


class AudioPlayer(QObject):
    """Plays one sound file at a time."""

    ready = Signal()
    """What was loaded last can be started at once."""
    ended = Signal()
    """It was heard to its end."""
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
        self._taken = self._is_loaded = self._is_ready = False

    @property
    def core(self) -> MpvCore:
        """The player itself, to be measured."""
        return self._core

    @property
    def is_ready(self) -> bool:
        """Whether something stands there to be started, or runs."""
        return self._is_ready

    def say(self, path: Path) -> None:
        """Play a file at once, however short."""
        self._open(path, 0.0, pause="no")

    def load(self, path: Path, at: float = 0.0) -> None:
        """Stand at a place in a file (ms), silent; `ready` says when.

        mpv takes a sound of less than a fifth of a second for heard as soon as it is loaded: those need a silent end.
        """
        self._open(path, at, pause="yes")

    def _open(self, path: Path, at: float, *, pause: str) -> None:
        self._loads += 1
        self._taken = self._is_loaded = self._is_ready = False
        number = self._loads
        self._core.set("speed", 1.0)
        self._core.set("pause", pause)
        self._core.send(
            "loadfile",
            os.fsencode(path.absolute()),
            "replace",
            f"start={max(0.0, at) / 1000:.4f}",
            reply=lambda done: self._load_taken(number, done),
        )

    def start(self, pace: float = 1.0) -> None:
        """Let it be heard."""
        self._core.set("speed", pace)
        self._core.set("pause", "no")

    def set_pace(self, pace: float) -> None:
        """How fast, the pitch kept."""
        self._core.set("speed", pace)

    def stop(self) -> None:
        """Be quiet and forget the file."""
        self._loads += 1
        self._taken = self._is_loaded = self._is_ready = False
        self._core.send("stop")

    def measure(self, reply: Measured) -> None:
        """Where in the file it is heard to be (ms), and when."""

        def read(text: str, at: float) -> None:
            try:
                reply(float(text) * 1000, at)
            except ValueError:
                return

        self._core.ask("${=audio-pts}", read)

    def close(self) -> None:
        """End it."""
        self._loads += 1
        self._core.close()

    def _load_taken(self, number: int, done: bool) -> None:
        if number == self._loads:
            self._taken = done
            if not done:
                self.failed.emit()

    def _on_mpv_event(self, event: str, why: EndReason | None) -> None:
        if not self._taken:
            return  # of a file that is gone
        if event == "file-loaded":
            self._is_loaded = True
        elif event == "playback-restart" and self._is_loaded and not self._is_ready:
            self._is_ready = True
            self.ready.emit()
        elif event == "end-file" and why is not EndReason.STOPPED:
            was_loaded, self._is_ready, self._is_loaded = self._is_loaded, False, False
            (self.ended if was_loaded and why is EndReason.END else self.failed).emit()

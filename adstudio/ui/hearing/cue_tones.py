"""Two short tones that mark where gaps, or spoken lines, begin and end."""

from __future__ import annotations

import math
import struct
import wave
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTemporaryDir

from adstudio.core.timebase import Span
from adstudio.ui.hearing.synced_sound import SyncedSound
from adstudio.ui.picture.player import Player

SOUND_RATE = 48_000
LENGTH_MS = 80
GAP_HERTZ, LINE_HERTZ = (880, 587), (1319, 1047)
"""The pitch where one begins, and where it ends."""
AMPLITUDE = 0.2
EDGE_MS = 8
REST_MS = 500
"""The silence behind it, without which mpv would not wait to play it; the next tone need not wait for its end."""


def tone(hertz: int) -> bytes:
    """A mono WAV's samples, 16 bits: a sine that fades in and out, so that it does not click."""
    count, edge = SOUND_RATE * LENGTH_MS // 1000, SOUND_RATE * EDGE_MS // 1000
    samples = (
        AMPLITUDE * min(1.0, i / edge, (count - 1 - i) / edge) * math.sin(2 * math.pi * hertz * i / SOUND_RATE)
        for i in range(count)
    )
    return struct.pack(f"<{count}h", *(round(32767 * sample) for sample in samples))


def next_edge(spans: Sequence[Span], ms: float) -> tuple[int, bool] | None:
    """The next time at which one of some spans in order begins (true) or ends (false); None after the last.

    Where one follows another at once, it begins.
    """
    place = bisect_right(spans, ms, key=lambda span: span.end)
    if place == len(spans):
        return None
    span = spans[place]
    if span.start > ms:
        return span.start, True
    return span.end, place + 1 < len(spans) and spans[place + 1].start <= span.end


class CueTones(QObject):
    """Plays them along with the film, in two pitches."""

    def __init__(
        self, player: Player, voice: SyncedSound, pitches: tuple[int, int], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._player = player
        self._voice = voice
        self._spans: tuple[Span, ...] = ()
        self._folder = QTemporaryDir()
        self._files = {}
        for begins, hertz in zip((True, False), pitches, strict=True):
            path = Path(self._folder.filePath(f"{hertz}.wav"))
            with wave.open(str(path), "wb") as file:
                file.setnchannels(1)
                file.setsampwidth(2)
                file.setframerate(SOUND_RATE)
                file.writeframes(tone(hertz) + bytes(2 * SOUND_RATE * REST_MS // 1000))
            self._files[begins] = path
        player.moved.connect(self._tick)
        player.jumped.connect(self._again)
        player.changed.connect(self._film_changed)

    def set_spans(self, spans: tuple[Span, ...]) -> None:
        """Play tones for these; for none, stay silent."""
        if spans != self._spans:
            self._spans = spans
            self._again(0)

    def _film_changed(self, _state: object) -> None:
        if self._player.state.playing:
            self._voice.film_plays()
        else:
            self._voice.cancel()

    def _again(self, _ms: int) -> None:
        self._voice.cancel()
        self._tick(0)

    def _tick(self, _ms: int) -> None:
        state = self._player.state
        if not state.playing or state.shuttle < 0:
            return
        now = self._player.now
        sound = self._voice.sound
        if sound is not None and (not self._voice.running or now < sound[1] + 2 * LENGTH_MS):
            return
        edge = next_edge(self._spans, now)
        if edge is not None:
            self._voice.prepare(self._files[edge[1]], edge[0])

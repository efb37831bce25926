"""The narration along with the film: rendered ahead, started on time, silent while the film is paused or jumps."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from adstudio.core.plan import Delivery
from adstudio.core.script import Eventuality, Script
from adstudio.core.timebase import Span
from adstudio.speech.engine import Style
from adstudio.speech.messages import Placed
from adstudio.ui.background.timers import single_shot
from adstudio.ui.hearing.film_level import FilmLevel
from adstudio.ui.hearing.synced_sound import SyncedSound
from adstudio.ui.picture.player import Player

if TYPE_CHECKING:
    from adstudio.mix.duck import Breakpoint

RENDERED_AHEAD = 3
READY_AHEAD_MS = 6000
SLOWEST_SPEECH, FASTEST_SPEECH = 0.5, 2.0
"""Beyond these speeds, speech is unintelligible."""

LONGEST_HOLD_MS = 60_000
START_MS = 2000
"""Lines that begin later than this after the film is started need not be waited for."""
REACH_MS = 1500
"""Lines closer to each other share a segment; a line that lasts longer than planned is played on for as long."""
LEAD_IN_MS = 500
"""The silence a segment begins with, in which film and voice are brought together."""
LONGEST_MS = 60_000


@dataclass(frozen=True)
class NarrationSegment:
    """Lines that are rendered as one sound of exactly `span`; `spoken` is when there is speech, as planned."""

    span: Span
    lines: tuple[Placed, ...]
    spoken: tuple[Span, ...]


def wording(line: Eventuality, delivery: Delivery | None) -> int:
    """The variant to play of a line: the one in the plan, else the one that is locked, else the full one."""
    return (line.pin.variant or 0) if delivery is None else delivery.variant


StyleOf = Callable[[Eventuality | None], Style]
"""How a line is spoken; None for a text that is no line's."""


def narration_in(
    script: Script, deliveries: Sequence[Delivery], span: Span, style: StyleOf, where: Span | None = None
) -> NarrationSegment:
    """A segment with the lines that start in it, or only with those that start in a part of it."""
    part = where or span
    inside = [delivery for delivery in deliveries if part.start <= delivery.start < part.end]

    def placed(delivery: Delivery) -> Placed:
        place = script.eventuality_index.get(delivery.element)
        line = None if place is None else script.eventualities[place]
        if delivery.text is not None or line is None:
            return Placed(delivery.text or "", delivery.start, style(line))
        variant = line.variants[delivery.variant]
        return Placed(variant.text, delivery.start, style(line), variant.chosen_take)

    return NarrationSegment(span, tuple(placed(each) for each in inside), tuple(each.span for each in inside))


def narrations(
    script: Script,
    deliveries: Sequence[Delivery],
    style: StyleOf,
    separate: Callable[[Delivery, Delivery], bool] = lambda _, __: False,
) -> tuple[NarrationSegment, ...]:
    """The whole plan in segments, in order, none of which overlap; `separate` keeps two lines out of one segment."""
    groups: list[list[Delivery]] = []
    for delivery in deliveries:
        last = groups[-1] if groups else None
        near = last is not None and delivery.start - last[-1].end < REACH_MS
        if last and near and delivery.end - last[0].start <= LONGEST_MS and not separate(last[-1], delivery):
            last.append(delivery)
        else:
            groups.append([delivery])
    found: list[NarrationSegment] = []
    earliest = 0
    for place, group in enumerate(groups):
        first, last = group[0].start, group[-1].end
        following = groups[place + 1][0].start - LEAD_IN_MS if place + 1 < len(groups) else script.film.end
        end = max(last, min(following, last + REACH_MS))
        found.append(narration_in(script, group, Span(max(earliest, first - LEAD_IN_MS), end), style))
        earliest = end
    return tuple(found)


def at_or_after(segments: Sequence[NarrationSegment], ms: float) -> int:
    """The place in the list of the segment that sounds at a time, else of the next one."""
    return bisect_right(segments, ms, key=lambda segment: segment.span.end)


def is_spoken(spoken: Sequence[Span], ms: float, ahead: int) -> bool:
    """Whether somebody speaks at a time, or will within so many milliseconds."""
    return any(span.start - ahead <= ms < span.end for span in spoken)


@dataclass(frozen=True)
class Sound:
    """A segment as it was spoken: to the film time `until`, if the picture did not wait.

    Where its last line is longer than its gap and the picture shall wait for it, it does so at the film time `hold_at`.
    """

    path: Path
    hold_at: int | None = None
    until: int = 0


Render = Callable[[NarrationSegment, Callable[[Sound | None], None]], None]
"""Renders a segment, then passes on its sound, or None if that failed."""


class FilmNarration(QObject):
    """Follows the player. Two voices take turns, so that the next segment is ready while one is playing."""

    ready = Signal()
    """Everything that sounds at the film's position has been rendered: both can be started in sync."""

    too_fast = Signal()
    """The film plays at a speed at which narration is silent."""

    def __init__(
        self, player: Player, voices: Sequence[SyncedSound], render: Render, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._player = player
        self._render = render
        self._free = list(voices)
        self._active_voices: dict[NarrationSegment, SyncedSound] = {}
        self._segments: tuple[NarrationSegment, ...] = ()
        self._sounds: dict[NarrationSegment, Sound | None] = {}
        self._asked: set[NarrationSegment] = set()
        self._active = False
        self._pace = 0.0
        self._level = FilmLevel(player, self)
        self._hold_limit = single_shot(self, 0, player.release)
        for voice in voices:
            voice.ready.connect(self.ready)
            voice.over.connect(self._line_over)
        player.moved.connect(self._tick)
        player.changed.connect(self._film_changed)
        player.jumped.connect(self._film_jumped)

    @property
    def in_place(self) -> bool:
        """Whether the film can be started now: nothing is spoken soon, or it is ready, or cannot be had."""
        now = self._player.now
        place = at_or_after(self._segments, now)
        if not self._active or place == len(self._segments):
            return True
        segment = self._segments[place]
        if not is_spoken(segment.spoken, now, round(START_MS * self._player.state.pace)):
            return True
        voice = self._active_voices.get(segment)
        if voice is not None:
            return voice.in_place
        return segment in self._sounds and self._sounds[segment] is None

    def start(self, segments: tuple[NarrationSegment, ...], envelope: tuple[Breakpoint, ...] = ()) -> None:
        """Speak these along with the film from now on, the film at these levels; what failed is tried once more."""
        self.stop()
        self._active = True
        self._level.set_envelope(envelope)
        self._segments = segments
        self._sounds = {segment: path for segment, path in self._sounds.items() if path is not None}
        self._pace = self._player.state.pace if self._player.state.playing else 0.0
        self._tick()

    def change(self, segments: tuple[NarrationSegment, ...], envelope: tuple[Breakpoint, ...] = ()) -> None:
        """The plan has changed: the line that is playing goes on to its end, the next one is the new one."""
        self._level.set_envelope(envelope)
        if self._active and segments != self._segments:
            self._segments = segments
            wanted = set(segments)
            self._sounds = {segment: path for segment, path in self._sounds.items() if segment in wanted}
            self._tick()

    def stop(self) -> None:
        """Be quiet, and bring the film back."""
        self._active = False
        self._silence()
        self._level.set_audible(False)

    def wait(self) -> None:
        """The picture is held for another line: go on where it is, once the film does."""
        if self._active:
            self._place_again()

    def forget(self) -> None:
        """Render everything anew: the files may be gone, or the voice may have changed."""
        self._sounds.clear()
        self._asked.clear()

    def _film_jumped(self, _ms: int) -> None:
        if self._active:
            self._place_again()
            self._tick()

    def _film_changed(self, _state: object) -> None:
        if not self._active:
            return
        state = self._player.state
        pace = state.pace if state.playing else 0.0
        if pace != self._pace:
            was, self._pace = self._pace, pace
            if was:
                self._place_again()
            if pace > 0 and not SLOWEST_SPEECH <= pace <= FASTEST_SPEECH:
                self.too_fast.emit()
            self._tick()
            for voice in self._active_voices.values():
                voice.film_plays()

    def _tick(self, _ms: int = 0) -> None:
        if not self._active:
            return
        state = self._player.state
        now = self._player.now
        if state.shuttle < 0 or not SLOWEST_SPEECH <= state.pace <= FASTEST_SPEECH:
            self._silence()
            self._level.set_audible(False)
            return
        self._hold(now)
        self._let_go(now)
        first = at_or_after(self._segments, now)
        for segment in self._segments[first : first + RENDERED_AHEAD]:
            self._ask(segment)
        for segment in self._segments[first : first + 2]:
            self._take(segment, now)
        if not state.playing:
            for voice in self._active_voices.values():
                voice.film_stands()
        current = self._segments[first] if first < len(self._segments) else None
        self._level.set_audible(state.playing and current is not None and self._sounds.get(current) is not None)

    def _hold(self, now: float) -> None:
        """Let the picture wait at the end of a gap for a line that is longer."""
        if not self._player.state.playing or self._player.held:
            return
        for segment, voice in self._active_voices.items():
            sound = self._sounds.get(segment)
            if sound is not None and sound.hold_at is not None and voice.running and sound.hold_at <= now < sound.until:
                voice.run_free()
                self._player.hold()
                self._hold_limit.start(LONGEST_HOLD_MS)
                return

    def _line_over(self) -> None:
        self._hold_limit.stop()
        self._player.release()

    def _let_go(self, now: float) -> None:
        """Free the voices of segments that are over, or that left the plan and have come to the end of a line."""
        for segment, voice in tuple(self._active_voices.items()):
            sound = self._sounds.get(segment)
            end = segment.span.end if sound is None else max(segment.span.end, sound.until)
            over = voice.sound is None or now >= end
            planned = segment in self._segments
            if over or not (planned or (voice.running and is_spoken(segment.spoken, now, 0))):
                voice.cancel()
                del self._active_voices[segment]
                self._free.append(voice)

    def _take(self, segment: NarrationSegment, now: float) -> None:
        sound = self._sounds.get(segment)
        near = segment.span.start - now < READY_AHEAD_MS * self._player.state.pace
        old = any(other not in self._segments and other.span.overlap(segment.span) for other in self._active_voices)
        if (
            sound is not None
            and sound.path.exists()
            and near
            and not old
            and segment not in self._active_voices
            and self._free
        ):
            voice = self._free.pop(0)
            self._active_voices[segment] = voice
            voice.prepare(sound.path, segment.span.start)

    def _ask(self, segment: NarrationSegment) -> None:
        if segment in self._sounds or segment in self._asked:
            return
        self._asked.add(segment)

        def rendered(sound: Sound | None) -> None:
            self._asked.discard(segment)
            if self._active:
                self._sounds[segment] = sound
                self._tick()
                if sound is None and not self._player.state.playing:
                    self.ready.emit()

        self._render(segment, rendered)

    def _place_again(self) -> None:
        """Be quiet; the voices of segments that the film is in, or soon will be, are ready there again."""
        self._hold_limit.stop()
        now = self._player.now
        for segment, voice in tuple(self._active_voices.items()):
            if segment.span.start - READY_AHEAD_MS <= now < segment.span.end:
                voice.place_again()
            else:
                voice.cancel()
                del self._active_voices[segment]
                self._free.append(voice)

    def _silence(self) -> None:
        self._hold_limit.stop()
        for voice in self._active_voices.values():
            voice.cancel()
            self._free.append(voice)
        self._active_voices.clear()

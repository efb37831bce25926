"""The presentation times in a container, read from its packets; nothing is decoded."""

from __future__ import annotations

import contextlib
from array import array
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from av.audio.stream import AudioStream
    from av.container import InputContainer
    from av.packet import Packet
    from av.video.stream import VideoStream

SAMPLES = 16
"""How many stretches are looked at where not all is read."""
SAMPLE_PICTURES = 160
"""Pictures looked at in each stretch."""
REORDERED = 16
"""Pictures at either edge of a stretch that may lack some in between, as files keep pictures in coding order."""

MICROSECOND = Fraction(1, 1_000_000)
MPEG_TICK = Fraction(1, 90_000)
MPEG_WRAP = 1 << 33
"""Ticks after which the times of MPEG streams begin again (ISO/IEC 13818-1, clause 2.4.3.7)."""


class Track:
    """What is known of one track: the times at which its packets are shown or heard, in ticks, as they come by."""

    def __init__(self, stream: VideoStream | AudioStream) -> None:
        self.stream = stream
        self.tick = stream.time_base or MICROSECOND
        self.times = array("q")
        self.untimed = 0
        self._latest = _latest(stream, self.tick)
        self._last: tuple[int, int] | None = None

    def add(self, packet: Packet[Any]) -> None:
        """Take note of a packet, unless it is one that is only decoded and never shown."""
        if packet.is_discard or packet.size == 0:
            return
        time = packet.pts if packet.pts is not None else packet.dts
        if time is None:
            self.untimed += 1
            return
        time = self._unwrapped(time)
        length = packet.duration or 0
        self.times.append(time)
        if self._last is None or self._last[0] <= time:
            self._last = (time, length)

    @property
    def start(self) -> Fraction | None:
        """Seconds at which it starts, where that is known."""
        if self.stream.start_time is not None:
            return self._unwrapped(self.stream.start_time) * self.tick
        return min(self.times) * self.tick if self.times else None

    def _unwrapped(self, time: int) -> int:
        return time - MPEG_WRAP if self._latest is not None and time > self._latest else time

    def end(self, usual: Fraction) -> Fraction | None:
        """Seconds at which the last packet ends; `usual` is how long one lasts where the file does not say so.

        None for a track without times.
        """
        if self._last is None:
            return None
        time, length = self._last
        return time * self.tick + (length * self.tick or usual)

    def in_order(self) -> Sequence[int]:
        """The times in the order of presentation, each once."""
        return sorted(set(self.times))


def _latest(stream: VideoStream | AudioStream, tick: Fraction) -> int | None:
    """Ticks beyond which a time of an MPEG stream is one before its start, None for other streams."""
    if tick != MPEG_TICK:
        return None
    # A raw stream has no start.
    return round((getattr(stream.container, "start_time", 0) or 0) * MICROSECOND / tick) + MPEG_WRAP // 2


def read_on(container: InputContainer, tracks: Iterable[Track]) -> bool:
    """Read from where the container stands to its end; False where damage stops it before."""
    from av.error import FFmpegError

    by_index = {track.stream.index: track for track in tracks}
    try:
        for packet in packets(container):
            track = by_index.get(packet.stream.index)
            if track is not None:
                track.add(packet)
    except FFmpegError:
        return False
    return True


def sample_runs(container: InputContainer, stream: VideoStream, duration: int) -> list[Sequence[int]]:
    """Unbroken runs of presentation times from stretches spread evenly over `duration` microseconds."""
    places = (duration * number // SAMPLES for number in range(SAMPLES))
    return [_run(container, stream) for place in places if seek(container, place)]


def seek(container: InputContainer, time: int) -> bool:
    """Go to the last key picture before `time`, in microseconds from the container's start; False where that fails."""
    from av.error import FFmpegError

    try:
        container.seek(max(time, 0) + (container.start_time or 0))
    except FFmpegError:
        return False
    return True


def packets(container: InputContainer, *streams: VideoStream | AudioStream) -> Iterator[Packet[Any]]:
    """The packets of the given tracks, of all where none is given, from where the container stands.

    Raises:
        FFmpegError: where damage stops the reading.
    """
    # Behind the last packet PyAV trips over tracks that appeared only while it was reading.
    with contextlib.suppress(IndexError):
        yield from container.demux(*streams)


def _run(container: InputContainer, stream: VideoStream) -> Sequence[int]:
    from av.error import FFmpegError

    track = Track(stream)
    try:
        for packet in packets(container):
            if packet.stream.index == stream.index:
                track.add(packet)
            if len(track.times) >= SAMPLE_PICTURES:
                break
    except FFmpegError:
        return []
    return track.in_order()[REORDERED:-REORDERED]

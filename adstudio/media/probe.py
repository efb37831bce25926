"""Measures a film's file by presentation times, without access to any other file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from adstudio.core.errors import AdstudioError, Oddity
from adstudio.core.film import Media
from adstudio.core.timebase import MAX_TIME_MS, RATES, clock
from adstudio.media.opening import MediaError, file_size, film_start, opened, picture_stream
from adstudio.media.packets import Track, read_on, sample_runs, seek
from adstudio.media.sound_tracks import SoundTrack, sound_tracks
from adstudio.system.files import size_of

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.video.stream import VideoStream

_LETTERS = (b"OggS", b"fLaC", b"ID3", b"FLV\x01", b"FORM", b"caff", b".snd", b".RMF", b"RIFF", b"RF64")
"""Ogg, FLAC, MP3 with a tag, Flash, AIFF, CAF, AU, RealMedia, WAV and AVI; a text may begin so, but holds no zero."""
_BYTES = (
    *(b"\x1a\x45\xdf\xa3", b"\x00\x00\x01\xba", b"\x00\x00\x01\xb3", b"\x06\x0e\x2b\x34"),
    *(b"\x30\x26\xb2\x75\x8e\x66\xcf\x11", b"\xff\xfb", b"\xff\xf3", b"\xff\xf2", b"\xff\xfa", b"\xff\xf1"),
    *(b"\xff\xf9", b"\x0b\x77", b"\x7f\xfe\x80\x01"),
)
"""Matroska, MPEG, MXF, ASF, MP3, AAC, AC-3, DTS."""
_MP4 = (b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide", b"pnot")
_TS_PACKETS = (188, 192)


def is_media(path: Path) -> bool:
    """Whether a file starts like a video or audio file; False if it cannot be read."""
    try:
        size_of(path, "file")
        with path.open("rb") as file:
            head = file.read(512)
    except (OSError, AdstudioError):
        return False
    if b"\0" in head and (head.startswith(_LETTERS) or head[4:8] in _MP4):
        return True
    return head.startswith(_BYTES) or any(_is_ts(head, length) for length in _TS_PACKETS)


def _is_ts(head: bytes, length: int) -> bool:
    first = length - 188
    return len(head) > first + 2 * length - 1 and head[first] == head[first + length] == 0x47


READ_WHOLE = 1_000_000_000
"""Bytes up to which every packet of a file is looked at; of a larger one, samples."""
TAIL_US = 10_000_000
"""Microseconds before the declared end from which a larger file is read to its end."""
SHORTFALL_MS = 1000
"""By how much the declared and the measured end may differ without a word."""
RATE_TOLERANCE = Fraction(1, 5000)
"""How far, in proportion, a measured rate may be from the true one; 24 and 24000/1001 are 1/1000 apart."""
INTERVAL_TOLERANCE = Fraction(1, 10)
"""How far, in proportion, the time to the next picture may differ from the usual one at a constant rate."""
LEAST_JITTER = Fraction(1, 500)
"""Seconds by which it may differ in any case: files that count in milliseconds cannot do better."""
DRIFT_TOLERANCE = Fraction(1, 100)
"""How far, in proportion, the rates of different parts of a film may differ at a constant rate."""


@dataclass(frozen=True)
class Probe:
    """What is known of a file with pictures or sound.

    Film time 0 is the file's own time `start` (ms), as players have it; `duration` (ms) reaches from there to where
    the last picture or sound ends. `rate` is measured, `declared_rate` is what the file says; both are None without
    pictures. `first_picture` is the film time (ms) of the first picture. `container` is FFmpeg's name of the format.
    """

    duration: int
    rate: Fraction | None
    declared_rate: Fraction | None
    variable_rate: bool
    has_video: bool
    has_audio: bool
    width: int
    height: int
    start: int
    first_picture: int
    container: str
    oddities: tuple[Oddity, ...]
    sound_tracks: tuple[SoundTrack, ...] = ()

    def media(self, path: str, relative_path: str, size: int, fingerprint: str) -> Media:
        """What a project knows of the file."""
        return Media(
            path=path,
            relative_path=relative_path,
            size=size,
            fingerprint=fingerprint,
            duration=self.duration,
            rate=self.rate,
            variable_rate=self.variable_rate,
            has_audio=self.has_audio,
            width=self.width,
            height=self.height,
        )


@dataclass(frozen=True)
class MeasuredRate:
    """Frames a second, None where fewer than two pictures were seen, and whether the rate varies."""

    rate: Fraction | None
    variable: bool


def probe(path: Path, *, read_whole: int = READ_WHOLE) -> Probe:
    """What the file holds.

    Up to `read_whole` bytes, every packet is looked at; of a larger file, sixteen stretches of 160 pictures spread
    over its length, and its last ten seconds. A larger file that declares no duration is read whole all the same, as
    nothing else can tell its length.

    Raises:
        MediaError: for what is no media file, or has nothing that can be measured.
        OutsideFailureError: when the file may not be read.
    """
    with opened(path) as container:
        return _measured(container, path, sampled=file_size(path) > read_whole and container.duration is not None)


def _measured(container: InputContainer, path: Path, *, sampled: bool) -> Probe:
    stream = picture_stream(container)
    video = Track(stream) if stream else None
    audio = Track(container.streams.audio[0]) if container.streams.audio else None
    tracks = [track for track in (video, audio) if track]
    if not tracks:
        raise MediaError(f"{path} has neither video nor sound: choose the film’s video")
    runs: list[Sequence[int]] = []
    if sampled:
        runs = sample_runs(container, stream, container.duration or 0) if stream else []
        seek(container, (container.duration or 0) - TAIL_US)
    whole = read_on(container, tracks)
    if video and not sampled:
        runs = [video.in_order()]

    declared = stream.average_rate if stream else None
    if video and not video.times and video.untimed:
        raise MediaError(f"{path} has video without time stamps, so no duration: save it in a container such as MP4")
    measured = measured_rate(runs, tracks[0].tick, declared) if video else None
    start = _start(container, tracks)
    duration = round((_end(tracks, measured) - start) * 1000)
    if not 0 < duration <= MAX_TIME_MS:
        raise MediaError(f"the length of {path} cannot be measured: save it again in a container such as MP4")
    remarks = (
        (not whole, "the film’s file is damaged: only part of it could be read, and the length is that of this part"),
        (measured is not None and measured.variable, "the frame rate varies: timecodes use the average"),
        (video is None, "there is no video, only sound"),
        (audio is None, "the video has no sound"),
        (stream is not None and not _dimension(stream, "width"), "the video codec is unknown"),
        *_shortfall(container, duration),
    )
    return Probe(
        duration=duration,
        rate=measured.rate if measured else None,
        declared_rate=declared,
        variable_rate=measured is not None and measured.variable,
        has_video=video is not None,
        has_audio=audio is not None,
        width=_dimension(stream, "width"),
        height=_dimension(stream, "height"),
        start=round(start * 1000),
        first_picture=round(((video.start or start) - start) * 1000) if video else 0,
        container=container.format.name,
        sound_tracks=sound_tracks(container),
        oddities=tuple(Oddity(what) for holds, what in remarks if holds),
    )


def _dimension(stream: VideoStream | None, name: str) -> int:
    # PyAV has no dimensions where FFmpeg does not know the codec.
    value = getattr(stream, name, 0)
    return value if isinstance(value, int) else 0


def _start(container: InputContainer, tracks: Sequence[Track]) -> Fraction:
    starts = [track.start for track in tracks if track.start is not None]
    return film_start(container, min(starts, default=Fraction(0)))


def _end(tracks: Sequence[Track], measured: MeasuredRate | None) -> Fraction:
    usual = 1 / measured.rate if measured and measured.rate else Fraction(0)
    ends = (track.end(usual) for track in tracks)
    return max((end for end in ends if end is not None), default=Fraction(0))


def _shortfall(container: InputContainer, duration: int) -> Sequence[tuple[bool, str]]:
    if container.duration is None:
        return ((True, "the file does not state its length, so it was measured"),)
    declared = round(container.duration / 1000)
    apart = abs(declared - duration) > SHORTFALL_MS
    return ((apart, f"the file states a length of {clock(declared)}, but its content lasts {clock(duration)}"),)


def measured_rate(runs: Sequence[Sequence[int]], tick: Fraction, declared: Fraction | None) -> MeasuredRate:
    """The pace of pictures shown at the times in `runs`, in units of `tick` seconds.

    Each run is an unbroken stretch of the film in the order of presentation. The rate is the average over all runs,
    snapped to the nearest standard rate, or else to the `declared` one, that lies within what the measurement can tell
    apart. It varies if some picture stays for a time that differs from the median by more than a tenth and more than
    2 ms, if one lies half a picture off its place in a steady run, or if runs differ by more than a hundredth.
    """
    long_runs = [run for run in runs if len(run) > 1 and run[-1] > run[0]]
    if not long_runs:
        return MeasuredRate(None, variable=False)
    intervals = sum(len(run) - 1 for run in long_runs)
    length = sum(run[-1] - run[0] for run in long_runs) * tick
    average = intervals / length
    uncertainty = RATE_TOLERANCE + 2 * tick * len(long_runs) / length
    rate = _true_rate(average, uncertainty, declared)
    return MeasuredRate(rate, _varies(long_runs, tick, average))


def _true_rate(average: Fraction, uncertainty: Fraction, declared: Fraction | None) -> Fraction:
    def near(rate: Fraction) -> bool:
        return abs(rate - average) <= average * uncertainty

    known = [frame_rate.rate for frame_rate in RATES.values() if near(frame_rate.rate)]
    if declared is not None and (declared in known or (near(declared) and not known)):
        return declared
    if known:
        return min(known, key=lambda rate: abs(rate - average))
    return average.limit_denominator(1001) or average


def _varies(runs: Sequence[Sequence[int]], tick: Fraction, average: Fraction) -> bool:
    intervals = sorted(after - before for run in runs for before, after in pairwise(run))
    usual = intervals[len(intervals) // 2]
    tolerance = max(usual * INTERVAL_TOLERANCE, LEAST_JITTER / tick, Fraction(2))
    if usual - intervals[0] > tolerance or intervals[-1] - usual > tolerance:
        return True
    return any(_drifts(run, tick, average) for run in runs)


def _drifts(run: Sequence[int], tick: Fraction, average: Fraction) -> bool:
    """Whether a run is off the average pace, or a picture of it off its place in an even row from first to last."""
    steps = len(run) - 1
    length = run[-1] - run[0]
    uncertainty = DRIFT_TOLERANCE + 2 / Fraction(length)
    if abs(steps / (length * tick) - average) > average * uncertainty:
        return True
    # Both sides times 2 × steps, so that the whole test is done in integers.
    margin = length + 4 * steps
    return any(abs(2 * ((time - run[0]) * steps - place * length)) > margin for place, time in enumerate(run))

"""Time: integer milliseconds internally, seconds with three decimals in files, SMPTE timecode at the edges.

A frame rate is a `Fraction`; 24000/1001 is never 23.976. Labels follow SMPTE ST 12-1: drop-frame counting skips
the first two labels (four at 59.94) of every minute except each tenth, so that labels keep up with the clock.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import Enum
from fractions import Fraction
from functools import cached_property

from adstudio.core.errors import BadInputError

MAX_TIME_MS = 100 * 3600 * 1000
"""No film is longer than a hundred hours; anything beyond is an input error."""


class TimeError(BadInputError):
    """An invalid time, frame rate or timecode; the message says why."""


@dataclass(frozen=True, order=True, slots=True)
class Span:
    """A closed interval in milliseconds, `start` ≤ `end`."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if self.end < self.start:
            raise TimeError(f"a span cannot end ({self.end} ms) before it starts ({self.start} ms)")

    @property
    def length(self) -> int:
        """Milliseconds from start to end."""
        return self.end - self.start

    @property
    def doubled_midpoint(self) -> int:
        """Twice the midpoint, so that it stays an integer."""
        return self.start + self.end

    def overlap(self, other: Span) -> Span | None:
        """The intersection with `other`, or None; spans that touch share one of length 0."""
        start, end = max(self.start, other.start), min(self.end, other.end)
        return Span(start, end) if start <= end else None

    def contains(self, other: Span) -> bool:
        """Whether `other` lies entirely inside."""
        return self.start <= other.start and other.end <= self.end


def tenths_up(ms: int) -> int:
    """A length rounded up to a tenth of a second, in milliseconds: what is lacking, which is never said to be 0.0 s."""
    return -(-ms // 100) * 100


def tenths_down(ms: int) -> int:
    """A length rounded down to a tenth of a second, in milliseconds: what is free, of which no more is promised."""
    return ms // 100 * 100


def ms_from_seconds(seconds: Decimal | float | str) -> int:
    """Seconds as exact milliseconds; a float counts as the decimal it prints as.

    Raises:
        TimeError: for more than three decimals, NaN, infinities and times beyond `MAX_TIME_MS`.
    """
    try:
        value = Decimal(str(seconds)) if isinstance(seconds, float) else Decimal(seconds)
    except InvalidOperation:
        raise TimeError(f"“{seconds}” is not a number of seconds") from None
    # Compared before multiplying: a hostile exponent would overflow, and many digits would be rounded.
    if not value.is_finite() or value.copy_abs() > MAX_TIME_MS // 1000:
        raise TimeError(f"{value:.9g} s is not a time in a film (the limit is 100 hours)")
    # The first test catches remainders too small for Decimal's precision.
    if (value and value.adjusted() < -3) or value % Decimal("0.001"):
        raise TimeError(f"{value!s:.20} s has more than three decimals")
    return int(value * 1000)


def seconds(ms: int) -> float:
    """Seconds with three decimals, as in files."""
    return ms / 1000


def clock(ms: int, *, separator: str = ".") -> str:
    """`HH:MM:SS.mmm`, more digits for long hours, a minus sign for negative times."""
    sign = "-" if ms < 0 else ""
    whole, millis = divmod(abs(ms), 1000)
    minutes, secs = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{sign}{hours:02d}:{minutes:02d}:{secs:02d}{separator}{millis:03d}"


class Rounding(Enum):
    """Which frame to take for a time between two frames."""

    EARLIER = "earlier"
    NEAREST = "nearest"
    LATER = "later"


_LABEL = re.compile(r"(\d{1,2}):([0-5]\d):([0-5]\d)([:;.,])(\d{2,3})\Z")
_NO_FRAMES = re.compile(r"\d{1,2}:[0-5]\d:[0-5]\d\Z")


@dataclass(frozen=True)
class FrameRate:
    """Frames per second as a fraction, and whether timecode is drop-frame.

    Raises:
        TimeError: for a rate outside 1 to 240, or drop-frame at a rate other than 30000/1001 and 60000/1001.
    """

    rate: Fraction
    drop: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.rate <= 240:
            raise TimeError(f"{self.rate} fps is not a valid frame rate (1 to 240 fps)")
        if self.drop and self.rate not in (Fraction(30000, 1001), Fraction(60000, 1001)):
            raise TimeError(f"drop-frame timecode exists only at 29.97 and 59.94 fps, not at {self.name}")

    @cached_property
    def nominal(self) -> int:
        """Labels per labelled second: 24 for 24000/1001."""
        return -(-self.rate.numerator // self.rate.denominator)

    @cached_property
    def _skipped(self) -> int:
        return self.nominal // 15 if self.drop else 0

    @cached_property
    def _per_minute(self) -> int:
        return self.nominal * 60 - self._skipped

    @cached_property
    def _per_ten_minutes(self) -> int:
        return self.nominal * 600 - 9 * self._skipped

    @cached_property
    def _per_day(self) -> int:
        return self._per_ten_minutes * 6 * 24

    @property
    def name(self) -> str:
        """The customary name: `23.976`, `25`, `29.97 DF`, `29.97 NDF`."""
        if self.rate.denominator == 1:
            return str(self.rate.numerator)
        digits = f"{float(self.rate):.3f}".rstrip("0")
        if self.rate in (Fraction(30000, 1001), Fraction(60000, 1001)):
            return f"{digits} DF" if self.drop else f"{digits} NDF"
        return digits

    def ms_of_frame(self, frame: int) -> int:
        """The frame's start, to the nearest millisecond."""
        return round(Fraction(frame * 1000) / self.rate)

    def frame_at(self, ms: int, rounding: Rounding = Rounding.NEAREST) -> int:
        """The frame that starts at, before or after `ms`; `frame_at(ms_of_frame(n))` is `n` for every rounding."""
        nearest = round(ms * self.rate / 1000)
        if rounding is Rounding.EARLIER and self.ms_of_frame(nearest) > ms:
            return nearest - 1
        if rounding is Rounding.LATER and self.ms_of_frame(nearest) < ms:
            return nearest + 1
        return nearest

    def label_of_frame(self, frame: int) -> str:
        """The frame's timecode, which wraps at 24 hours."""
        frame %= self._per_day
        if self.drop:
            tens, rest = divmod(frame, self._per_ten_minutes)
            frame += 9 * self._skipped * tens
            if rest >= self.nominal * 60:
                frame += self._skipped * (1 + (rest - self.nominal * 60) // self._per_minute)
        whole, ff = divmod(frame, self.nominal)
        minutes, ss = divmod(whole, 60)
        hh, mm = divmod(minutes, 60)
        return f"{hh:02d}:{mm:02d}:{ss:02d}{';' if self.drop else ':'}{ff:02d}"

    def frame_of_label(self, label: str) -> int:
        """The frame with this timecode.

        Raises:
            TimeError: for malformed timecode, a frame number beyond the rate, or a label that drop-frame skips.
        """
        match = _LABEL.match(label.strip())
        mark = ";" if self.drop else ":"
        if match is None and _NO_FRAMES.match(label.strip()):
            raise TimeError(f"“{label}” lacks the frames: write {label.strip()}{mark}00")
        if match is None:
            raise TimeError(f"“{label}” is not a timecode of the form HH:MM:SS{mark}FF")
        hh, mm, ss, ff = (int(match[i]) for i in (1, 2, 3, 5))
        if hh > 23:
            raise TimeError(f"“{label}” is beyond 24 hours, where timecode wraps around")
        if match[4] == ";" and not self.drop:
            raise TimeError(f"“{label}” is drop-frame timecode, but the rate is {self.name}: use a colon")
        if ff >= self.nominal:
            raise TimeError(f"“{label}” has frame {ff}, but a second has only {self.nominal} frames at {self.name}")
        if self.drop and ss == 0 and mm % 10 and ff < self._skipped:
            skipped = " and ".join(f";{n:02d}" for n in range(self._skipped))
            raise TimeError(
                f"“{label}” does not exist: drop-frame timecode skips {skipped} in every minute except each tenth"
            )
        minutes = hh * 60 + mm
        return (minutes * 60 + ss) * self.nominal + ff - self._skipped * (minutes - minutes // 10)

    def label(self, ms: int, *, start: str = "", rounding: Rounding = Rounding.NEAREST) -> str:
        """The timecode of a film time, counted from `start`, the first frame's timecode (default zero)."""
        offset = self.frame_of_label(start) if start else 0
        return self.label_of_frame(self.frame_at(ms, rounding) + offset)

    def ms_of_label(self, label: str, *, start: str = "") -> int:
        """The film time of a timecode, counted from `start`; negative before it."""
        offset = self.frame_of_label(start) if start else 0
        return self.ms_of_frame(self.frame_of_label(label) - offset)

    def labels_inside(self, span: Span, room: Span, *, start: str = "") -> tuple[str, str]:
        """Timecode in and out of `span`: the nearest frames, moved inward if they would leave `room`.

        If `room` lies between two frames, both are the frame before it.
        """
        earliest = self.frame_at(room.start, Rounding.LATER)
        latest = self.frame_at(room.end, Rounding.EARLIER)
        first = min(max(self.frame_at(span.start), earliest), latest)
        last = min(max(self.frame_at(span.end), first), latest)
        offset = self.frame_of_label(start) if start else 0
        return self.label_of_frame(first + offset), self.label_of_frame(last + offset)


RATES: dict[str, FrameRate] = {
    rate.name: rate
    for rate in (
        FrameRate(Fraction(24000, 1001)),
        FrameRate(Fraction(24)),
        FrameRate(Fraction(25)),
        FrameRate(Fraction(30000, 1001), drop=True),
        FrameRate(Fraction(30000, 1001)),
        FrameRate(Fraction(30)),
        FrameRate(Fraction(50)),
        FrameRate(Fraction(60000, 1001), drop=True),
        FrameRate(Fraction(60000, 1001)),
    )
}
"""The customary frame rates, by name."""


_RATE = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9}|/[0-9]{1,9})?\Z")


def standard_rate(text: str, start: str = "") -> FrameRate | None:
    """A customary frame rate as people write it: `23.976`, `25`, `29.97df`, `29.97 NDF`; None for any other.

    Plain 29.97 and 59.94 are drop-frame unless `start`, the first frame's timecode, is written without a semicolon.
    """
    wanted = "".join(text.split()).lower()
    drop = ";" in start or not start
    for name, rate in RATES.items():
        by_default = rate.drop is drop and wanted == name.split()[0]
        if by_default or wanted == "".join(name.split()).lower():
            return rate
    return None


def parse_rate(text: str, start: str = "") -> FrameRate:
    """A frame rate: a standard one, or that of an unusual video, such as `12.5` or `24000/1001`.

    Raises:
        TimeError: if it is not a frame rate.
    """
    known, wanted = standard_rate(text, start), "".join(text.split())
    if known is not None:
        return known
    try:
        # Digits only: building a fraction from a large exponent would take forever.
        if _RATE.match(wanted):
            return FrameRate(Fraction(wanted))
    except ZeroDivisionError:
        pass
    raise TimeError(f"“{text[:40]}” is not a frame rate (use {', '.join(RATES)}, or a fraction)")


@dataclass(frozen=True)
class StartTimecode:
    """A start timecode as written, and the milliseconds to subtract from timecodes with frames and from clock times.

    The two differ at rates such as 23.976, where labelled seconds are longer than real ones.
    """

    written: str
    label_offset: int
    clock_offset: int


def parse_start_timecode(written: str, rate: FrameRate) -> StartTimecode:
    """A film's start timecode.

    Raises:
        TimeError: if it is not a timecode of that rate.
    """
    frame = rate.frame_of_label(written)
    hours, minutes, whole, frames = (int(part) for part in re.split("[:;.,]", written.strip()))
    clock_offset = ((hours * 60 + minutes) * 60 + whole) * 1000 + round(frames * 1000 / rate.rate)
    return StartTimecode(written.strip(), rate.ms_of_frame(frame), clock_offset)

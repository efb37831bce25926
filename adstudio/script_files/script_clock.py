"""The times of a finished script in film time: timecode of a rate, or clock times, counted from a start timecode."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from adstudio.core.timebase import MAX_TIME_MS, RATES, FrameRate, TimeError, parse_start_timecode
from adstudio.script_files.times import is_time, time_stamp

_DECIMAL = re.compile(r"\d{1,6}(?:[.,]\d{1,20})?")
_LABEL = re.compile(r"(?P<clock>\d{1,2}(?:[:;]\d\d[:;]\d\d(?=[:;])|\.\d\d\.\d\d))(?P<mark>[:;.])(?P<frames>\d{2,3})")
"""Decimals after a clock with colons are of a second."""


@dataclass(frozen=True)
class WrittenTime:
    """A time in film time (ms; negative before the film), and whether it is timecode with frames."""

    ms: int
    label: bool


@dataclass
class ScriptClock:
    """Reads times as a script writes them; `start` is the timecode of the film's first frame, empty for zero.

    `wrong` are the timecodes that the rate does not have, with their lines: they are read to the nearest frame.
    `impossible` are those that no rate has, of 60 or more seconds or minutes, or 24 hours: what they add up to is read.

    Raises:
        TimeError: for a start timecode that is none at this rate.
    """

    rate: FrameRate
    start: str = ""
    labels: int = 0
    wrong: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    impossible: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    _highest: int = 0
    _drop: bool = False
    _skipped: bool = False

    def __post_init__(self) -> None:
        self._offset = parse_start_timecode(self.start, self.rate) if self.start else None

    @property
    def clock_offset(self) -> int:
        """What is subtracted from clock times, in milliseconds."""
        return 0 if self._offset is None else self._offset.clock_offset

    def read(self, written: str, line: int) -> WrittenTime | None:
        """A time that is all of a text; None where it is none."""
        found = self.read_both(written, line)
        return None if found is None else found[0]

    def read_both(self, written: str, line: int) -> tuple[WrittenTime, WrittenTime | None] | None:
        """A time that is all of a text, and the second one, where there are two: 0:02 – 0:06."""
        text = written.strip().strip("*_`")
        label = _LABEL.fullmatch(text)
        if label is not None:
            return WrittenTime(self._of_label(label, line), label=True), None
        if not is_time(text):
            return None
        stamp = time_stamp(f"[{text.strip('[]() ')}]", self.rate) or time_stamp(text, self.rate)
        if stamp is None:
            return None
        self.impossible += [(line, wrong.written) for wrong in (stamp.wrong, stamp.wrong_end) if wrong is not None]
        first = self._moved(stamp.at, stamp.label)
        last = None if stamp.until is None else self._moved(stamp.until, stamp.label)
        return first, last

    def duration(self, written: str, line: int) -> int | None:
        """A length: seconds, with a unit or without, or a time; None where it is none."""
        text = written.strip().rstrip("s″\"'").strip()
        if _DECIMAL.fullmatch(text):
            return round(float(text.replace(",", ".")) * 1000)
        # A length is no timecode: it may be one that the rate does not have.
        found = ScriptClock(self.rate).read(written, line)
        return None if found is None else found.ms

    def suspected_rate(self) -> FrameRate | None:
        """A rate that has all timecodes that were read, where this one does not; None where nothing is wrong.

        A semicolon before the frames means drop-frame timecode, where the rate has that.
        """
        others = [each for each in RATES.values() if each.rate == self.rate.rate and each.drop is not self.rate.drop]
        if others and self._highest < self.rate.nominal and (self._skipped if self.rate.drop else self._drop):
            return others[0]
        if not self.wrong:
            return None
        usual = (RATES[name] for name in ("24", "25", "29.97 DF" if self._drop else "30", "50", "59.94 DF"))
        return next((each for each in usual if each.nominal > self._highest and each != self.rate), None)

    @property
    def is_certain(self) -> bool:
        """Whether another rate is suspected for labels that only it has, or how they are written, not their frames."""
        return self._highest < self.rate.nominal

    def _moved(self, ms: int, label: bool) -> WrittenTime:
        offset = 0 if self._offset is None else self._offset.label_offset if label else self._offset.clock_offset
        return WrittenTime(ms - offset, label)

    def _of_label(self, found: re.Match[str], line: int) -> int:
        self.labels += 1
        frames = int(found["frames"])
        clock = re.sub(r"[.;]", ":", found["clock"])
        self._highest, self._drop = max(self._highest, frames), self._drop or found["mark"] == ";"
        hours, minutes, seconds = (int(part) for part in clock.split(":"))
        if hours > 23 or max(minutes, seconds) > 59:
            self.impossible.append((line, found[0]))
            return self._of_clock(hours, minutes, seconds) + round(1000 * min(frames / self.rate.rate, 1))
        # Drop-frame or not, the mark is written as people like.
        for number in (frames, min(frames, self.rate.nominal - 1), min(frames, self.rate.nominal - 1) + 2, 0):
            try:
                ms = self.rate.ms_of_label(f"{clock.zfill(8)}:{number:02d}", start=self.start)
            except TimeError:
                if not self.wrong or self.wrong[-1] != (line, found[0]):
                    self.wrong.append((line, found[0]))
                self._skipped = self._skipped or number == frames < self.rate.nominal
                continue
            return ms
        return self._of_clock(hours, minutes, seconds)

    def _of_clock(self, hours: int, minutes: int, seconds: int) -> int:
        return min(((hours * 60 + minutes) * 60 + seconds) * 1000, MAX_TIME_MS) - self.clock_offset

"""The times of a description brought into the film: its start timecode taken off, those that cannot be right left."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace

from adstudio.core.errors import Oddity
from adstudio.core.timebase import FrameRate, StartTimecode, clock
from adstudio.drafting.text.ground.prose import ORDINARY, Prose, Section

HOUR_MS = 3_600_000
_MANY_PAST = 20
"""Fewer times past the end are mistakes, each of which is told."""
NEARLY_ALL = 0.9
"""Part of the times that must lie in the film for an offset to be believed."""


class PastTheEnd(Oddity):
    """That most of a description is past the film's end."""

    __slots__ = ()


def in_film(prose: Prose, end: int, start: StartTimecode | None = None, rate: FrameRate = ORDINARY) -> Prose:
    """The description with its times counted from the film's first frame, in order.

    Where times lie past the film's `end` (ms) and the start timecode, or whole hours, taken off bring nearly all of
    them in, that is done and told. Where most lie past the end nevertheless, the text behind the last one that is in
    the film is left out, and told as `PastTheEnd`. Of the rest, as few as can be are left out so that the others never
    go back; a time past the end with nothing behind it that is in the film is kept, and so is nowhere. Each one is
    told.
    """
    prose, shift_oddities = _shifted(prose, end, start, rate)
    prose, left_out = _without_what_is_past(prose, end)
    sections = list(prose.sections)
    timed = [place for place, section in enumerate(sections) if section.at is not None]
    inside = [place for place in timed if (sections[place].at or 0) < end]
    in_order = _rising([sections[place].at or 0 for place in inside])
    good = {inside[place] for place in in_order}
    last = max(good, default=-1)
    oddities = [*shift_oddities, *left_out]
    for place in _one_a_time(timed, sections):
        section = sections[place]
        if place in good:
            continue
        at, written = section.at or 0, section.written
        if at >= end:
            nowhere = last < place
            oddities.append(Oddity(_past(written, end, rate, nowhere=nowhere), section.line))
            if nowhere:
                continue
        else:
            oddities.append(Oddity(_out_of_order(place, sections, good), section.line))
        for same in range(place, len(sections)):
            if (sections[same].line, sections[same].at) != (section.line, section.at):
                break
            sections[same] = replace(sections[same], at=None, until=None)
    return replace(prose, sections=tuple(sections), oddities=(*prose.oddities, *oddities))


def _without_what_is_past(prose: Prose, end: int) -> tuple[Prose, list[Oddity]]:
    """A description without what is behind its last time in the film, where most times are past its end (ms)."""
    times = [(place, section.at) for place, section in enumerate(prose.sections) if section.at is not None]
    inside = [place for place, at in times if at < end]
    past = [(place, at) for place, at in times if inside and place > inside[-1]]
    if len(past) < _MANY_PAST or 2 * len(past) <= len(times):
        return prose, []
    first = past[0][0]
    line = prose.sections[first].line
    what = (
        f"{len(past):,} of its {len(times):,} times are past the film’s end: they go on to"
        f" {clock(max(at for _, at in past))[:8]}, and the film ends at {clock(end)[:8]}; the text from line {line:,}"
        " on is left out: check that it is the description of this film, or give the film’s start timecode"
    )
    return replace(prose, sections=prose.sections[:first]), [PastTheEnd(what, line)]


def _one_a_time(timed: Sequence[int], sections: Sequence[Section]) -> list[int]:
    """The first section of each time: a long one is cut into several."""
    return [
        place
        for place in timed
        if not place or (sections[place - 1].line, sections[place - 1].at) != (sections[place].line, sections[place].at)
    ]


def _past(written: str, end: int, rate: FrameRate, *, nowhere: bool) -> str:
    what = "what it describes has no place in the film" if nowhere else "it is ignored"
    sentence = f"the time {written} is past the film’s end ({clock(end)[:8]}), so {what}: correct it"
    frames = _of_frames(written, rate)
    if frames is not None and frames < end:
        sentence += f", and if it means minutes, seconds and frames, write 00:{written}"
    return sentence


def _of_frames(written: str, rate: FrameRate) -> int | None:
    """A time of three parts taken for minutes, seconds and frames (ms)."""
    parts = written.split(":")
    if len(parts) != 3 or not all(part.isdigit() for part in parts):
        return None
    minutes, seconds, frames = map(int, parts)
    return (minutes * 60 + seconds) * 1000 + rate.ms_of_frame(frames) if frames < rate.nominal else None


def _out_of_order(place: int, sections: Sequence[Section], good: set[int]) -> str:
    earlier = max((other for other in good if other < place), default=None)
    later = min((other for other in good if other > place), default=None)
    between = [
        f"{sections[other].written} is {where} it"
        for other, where in ((earlier, "before"), (later, "after"))
        if other is not None
    ]
    return f"the time {sections[place].written} is out of order ({' and '.join(between)}), so it is ignored: correct it"


def _shifted(prose: Prose, end: int, start: StartTimecode | None, rate: FrameRate) -> tuple[Prose, tuple[Oddity, ...]]:
    timed = [section for section in prose.sections if section.at is not None]
    inside = sum(0 <= (section.at or 0) < end for section in timed)
    if not timed or inside == len(timed):
        return prose, ()

    def shifted_by(off: Callable[[Section], int], what: str) -> tuple[Prose, tuple[Oddity, ...]] | None:
        times = [(section.at or 0) - off(section) for section in timed]
        now = sum(0 <= time < end for time in times)
        if now <= inside or now < NEARLY_ALL * len(times):
            return None
        moved = tuple(
            section
            if section.at is None
            else replace(
                section,
                at=max(0, section.at - off(section)),
                until=None if section.until is None else section.until - off(section),
            )
            for section in prose.sections
        )
        return replace(prose, sections=moved), (Oddity(f"its times start from {what}, which was subtracted"),)

    if start is not None:
        found = shifted_by(
            lambda section: start.label_offset if section.label else start.clock_offset,
            f"the film’s start timecode ({start.written})",
        )
        if found:
            return found
    hours = min(section.at or 0 for section in timed) // HOUR_MS
    if hours and not inside and len(timed) > 1:
        labels = rate.ms_of_label(f"{hours:02d}:00:00:00") if hours < 24 else hours * HOUR_MS
        found = shifted_by(
            lambda section: labels if section.label else hours * HOUR_MS,
            f"{hours:02d}:00:00 instead of the film’s start",
        )
        if found:
            return found
    return _with_frames(prose, timed, end, rate) if inside < len(timed) / 2 and len(timed) > 1 else (prose, ())


def _with_frames(prose: Prose, timed: Sequence[Section], end: int, rate: FrameRate) -> tuple[Prose, tuple[Oddity, ...]]:
    """The description with times of three parts taken for minutes, seconds and frames, if that brings them in."""
    found = [_of_frames(section.written, rate) for section in timed]
    if sum(time is not None and time < end for time in found) < NEARLY_ALL * len(found):
        return prose, ()
    times = {(section.line, section.written): time for section, time in zip(timed, found, strict=True)}
    sections = tuple(
        section
        if (time := times.get((section.line, section.written))) is None
        else replace(section, at=time, until=None)
        for section in prose.sections
    )
    what = "its times would be past the film’s end, so they are read as minutes, seconds and frames"
    return replace(prose, sections=sections), (Oddity(f"{what} ({timed[0].written})"),)


def _rising(times: Sequence[int]) -> list[int]:
    """The places of as many times as can be that never go back, the earliest places that do it."""
    tails: list[int] = []
    lengths: list[int] = []
    for time in reversed(times):
        place = bisect_right(tails, -time)
        tails[place : place + 1] = [-time]
        lengths.append(place + 1)
    lengths.reverse()
    wanted, latest, found = max(lengths, default=0), 0, list[int]()
    for place, time in enumerate(times):
        if wanted and lengths[place] == wanted and time >= latest:
            found.append(place)
            wanted, latest = wanted - 1, time
    return found

"""Who is seen in which shot, as the timeline shows it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from adstudio.characters.faces_shots import ShotPeople
from adstudio.ui.timeline.sorted_spans import SortedSpans, strip_of

UNNAMED = "?"
"""Stands for people whose faces have no name yet."""
AT_ONCE = 200
"""Shots that are looked at before the window gets a turn: in one or two milliseconds."""


@dataclass(frozen=True)
class SeenPeople:
    """The shots with somebody in them, and who that is."""

    strip: SortedSpans = field(default_factory=SortedSpans)
    names: tuple[str, ...] = ()
    """For each shot of the strip, the names of those who are known, else `UNNAMED`."""
    unnamed: tuple[int, ...] = ()
    """For each shot of the strip, how many people in it have no name."""

    def text(self, place: int) -> str:
        """What stands in a shot: the names, and a question mark where there are others."""
        return self.names[place] + (f", {UNNAMED}" if self.names[place] and self.unnamed[place] else "") or UNNAMED

    def spoken_at(self, ms: int) -> str:
        """Who is seen at a time, in words; empty for nobody of whom anything is known."""
        place = self.strip.latest_before(ms)
        if place is None or ms >= self.strip.ends[place]:
            return ""
        more = self.unnamed[place]
        others = "" if not more else f"{more} without a name" if self.names[place] else f"{more} faces without a name"
        return ", ".join(part for part in (self.names[place], others.replace("1 faces", "1 face")) if part)

    @property
    def shots(self) -> set[tuple[int, int, str, int]]:
        """What is shown: when, whom, and how many others."""
        return set(zip(self.strip.starts, self.strip.ends, self.names, self.unnamed, strict=True))


def changed_spans(before: SeenPeople, after: SeenPeople) -> list[tuple[float, float]]:
    """The shots (start and end, ms) of which something else is shown now."""
    return sorted({(start, end) for start, end, _, _ in before.shots ^ after.shots})


def seen_people(shots: Sequence[ShotPeople], names: Mapping[str, str]) -> SeenPeople:
    """Who is seen, with the names of people by their ids; shots without anybody are left out."""
    *_, found = seen_people_in_parts(shots, names)
    return found or SeenPeople()


def seen_people_in_parts(shots: Sequence[ShotPeople], names: Mapping[str, str]) -> Iterator[SeenPeople | None]:
    """As `seen_people`, last; before that None after each few shots, so that the window gets turns in between."""
    spans: list[tuple[int, int, str]] = []
    known: list[str] = []
    unnamed: list[int] = []
    for first in range(0, len(shots), AT_ONCE):
        for shot in shots[first : first + AT_ONCE]:
            if shot.people:
                spans.append((shot.shot.start, shot.shot.end, str(shot.shot.start)))
                known.append(", ".join(names[person] for person in shot.known if person in names))
                unnamed.append(sum(each.person not in names for each in shot.people))
        yield None
    yield SeenPeople(strip_of(spans, rows=1), tuple(known), tuple(unnamed))

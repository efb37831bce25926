"""Two versions of a script side by side, line by line; the present script is compared as if it were one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from adstudio.core.fusions import wording_of
from adstudio.core.longest_rise import longest_rise
from adstudio.core.script import Eventuality, Origin, Script
from adstudio.store.version_rows import VersionContent
from adstudio.versions.word_changes import Piece, word_changes


class LineChange(Enum):
    """What is different about a line in the newer script."""

    ADDED = "added"
    GONE = "gone"
    REWORDED = "reworded"
    """Other words are spoken; of a line that is not spoken, its full wording is another one."""
    LEFT_OUT = "left out"
    BROUGHT_IN = "brought in"
    MOVED = "moved"
    """It is spoken at another time, by a frame or more, or at another place among the lines."""
    DETAILS = "details"
    """Something else about it: see `ComparedLine.details`."""


@dataclass(frozen=True)
class LineState:
    """A line as one script and its plan have it; times in milliseconds."""

    text: str
    """What is spoken; of a line that is not, its full wording."""
    origin: Origin
    spoken: bool
    start: int | None
    """When it is spoken, or when its action begins; None if neither is known."""
    end: int | None
    accepted: bool


@dataclass(frozen=True)
class ComparedLine:
    """A line in two scripts, found by its id; at least one of them has it."""

    id: str
    old: LineState | None
    new: LineState | None
    changes: tuple[LineChange, ...] = ()
    """Empty if nothing differs."""
    details: tuple[str, ...] = ()
    """The fields of `Eventuality` that differ, without what the other changes say and what only machines read."""

    @property
    def main_change(self) -> LineChange | None:
        """The change that says most; None if there is none."""
        return self.changes[0] if self.changes else None

    @cached_property
    def words(self) -> tuple[Piece, ...]:
        """The difference of the texts, word by word."""
        return word_changes(self.old.text if self.old else "", self.new.text if self.new else "")


DETAILS = (
    *("variants", "origin", "accepted", "pin", "occurrence", "within", "salience", "note", "voice", "duck"),
    *("extended", "joined"),
)
"""What a person may have changed about a line: the fields that are compared and taken back."""


def compare(old: VersionContent, new: VersionContent) -> tuple[ComparedLine, ...]:
    """All lines of both, in the newer textual order; those that are gone follow the line that they followed."""
    before, after = old.script.eventuality_index, new.script.eventuality_index
    moved = reordered(old.script, new.script)
    gone: defaultdict[str | None, list[ComparedLine]] = defaultdict(list)
    last: str | None = None
    for line in old.script.eventualities:
        if line.id in after:
            last = line.id
        else:
            gone[last].append(ComparedLine(line.id, line_state(old, line.id), None, (LineChange.GONE,)))
    found = gone[None]
    for line in new.script.eventualities:
        if line.id in before:
            found.append(compared(old, new, line.id, is_moved=line.id in moved))
        else:
            state = line_state(new, line.id)
            found.append(ComparedLine(line.id, None, state, (LineChange.ADDED,)))
        found += gone[line.id]
    return tuple(found)


def counts(lines: Sequence[ComparedLine]) -> dict[LineChange | None, int]:
    """How many lines have each main change, those without any last; changes that no line has are left out."""
    found = Counter(line.main_change for line in lines)
    return {change: found[change] for change in (*LineChange, None) if found[change]}


def line_state(side: VersionContent, identity: str) -> LineState:
    """A line of a script as its plan speaks it; KeyError if there is none."""
    line = side.script.eventuality(identity)
    delivery = None if side.plan is None else side.plan.spoken_as(identity)
    text, span, spoken = line.variants[0].text, line.occurrence, False
    said = None if delivery is None else wording_of(side.script, delivery)
    if delivery is not None and said is not None:
        span, spoken = delivery.span, True
        # The first line that a fusion stands for has its words; what the others say is in there.
        text = said.text if identity == delivery.lines[0] else text
    elif line.holds_picture and line.pin.selected is not False:
        text, spoken = line.variants[min(line.pin.variant or 0, len(line.variants) - 1)].text, True
    start, end = (None, None) if span is None else (span.start, span.end)
    return LineState(text, line.origin, spoken, start, end, line.accepted)


def differing(old: Eventuality, new: Eventuality) -> tuple[str, ...]:
    """The names of the fields that a person may have changed and that differ."""
    return tuple(name for name in DETAILS if getattr(old, name) != getattr(new, name))


def reordered(old: Script, new: Script) -> frozenset[str]:
    """The fewest lines that must have been moved among the others that both scripts have."""
    common = [line.id for line in old.eventualities if line.id in new.eventuality_index]
    places = [new.eventuality_index[identity] for identity in common]
    in_order = set(longest_rise(places))
    return frozenset(identity for number, identity in enumerate(common) if number not in in_order)


def compared(old: VersionContent, new: VersionContent, identity: str, *, is_moved: bool) -> ComparedLine:
    """A line that both scripts have; `is_moved` says whether it has another place among the lines."""
    was, now = line_state(old, identity), line_state(new, identity)
    details = differing(old.script.eventuality(identity), new.script.eventuality(identity))
    reworded = was.text != now.text
    if reworded:
        details = tuple(name for name in details if name != "variants")
    found = {
        LineChange.REWORDED: reworded,
        LineChange.LEFT_OUT: was.spoken and not now.spoken,
        LineChange.BROUGHT_IN: now.spoken and not was.spoken,
        LineChange.MOVED: is_moved or (was.spoken and now.spoken and _differ(was, now, new.script)),
        LineChange.DETAILS: bool(details),
    }
    return ComparedLine(identity, was, now, tuple(change for change, there in found.items() if there), details)


def _differ(was: LineState, now: LineState, script: Script) -> bool:
    """Whether two times of a line are a frame or more apart."""
    pairs = ((was.start, now.start), (was.end, now.end))
    apart = max((abs(one - two) for one, two in pairs if one is not None and two is not None), default=0)
    # Of most lines nothing is to be divided: a fraction takes long.
    return apart > 0 and apart * script.film.frame_rate.rate >= 1000

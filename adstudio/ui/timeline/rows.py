"""The rows of the timeline: sorted strips made from script, plan and gaps, renewed where those changed.

`Rows.update` returns the time ranges that look different afterwards. Collections that no step touched are the very
same objects, so most of a change is found by comparing identities. Pure: nothing of Qt here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from operator import gt
from typing import NamedTuple, TypeVar

from adstudio.core.film import Film
from adstudio.core.fusions import line_of, wording_of
from adstudio.core.plan import Delivery, HoldConflict, Plan, RuleConflict, Status
from adstudio.core.script import SALIENCE_UNIT, Cue, Eventuality, Script
from adstudio.core.timebase import Span
from adstudio.delivery.joined_lines import linked_pairs
from adstudio.planning.drift import drift, is_far
from adstudio.planning.film.live_plan import Outcome
from adstudio.planning.film.room import speakable
from adstudio.ui.session.timing_confidence import doubt
from adstudio.ui.timeline.sorted_spans import SortedSpans, Timed, TimeRange, deepest, merged, strip_of, with_others

SHADES = 12
"""Steps of lightness between the least and the most salient."""
MOST_ROWS = 3
"""Rows of the action lane; where more happens at once, marks overlap."""
MOST_REPLACED = 200
"""Up to so many changed occurrences are replaced one by one; beyond, the whole lane is stacked anew."""
MOST_DIRTY = 400
"""When more lines than this have changed, everything is painted again."""

Dirty = list[TimeRange] | None
"""The time ranges that look different; None for everything."""

T = TypeVar("T")
NO_PLAN = Plan(Status.OPTIMAL, "")


def gap_key(gap: Span) -> str:
    """What a gap is called in its strip."""
    return f"{gap.start}-{gap.end}"


class JoinedPair(NamedTuple):
    """Two linked lines: when the first starts and ends, when the second does (ms)."""

    start: int
    ended: int
    begins: int
    end: int


class GapUse(NamedTuple):
    """How much of a gap is used, in milliseconds, and in how many lines."""

    used: int = 0
    lines: int = 0


class OccurrenceMark(NamedTuple):
    """How a line's occurrence is shown: lightness, whether the line is spoken, level of doubt, whether it has rules."""

    line: Eventuality
    shade: int
    spoken: bool
    doubt: int
    tied: bool


class Rows:
    """What the timeline shows, lane by lane."""

    def __init__(self) -> None:
        self.script = Script(Film("", 0))
        self.plan = NO_PLAN
        self.gaps: tuple[Span, ...] = ()
        self.suspended: dict[str, Delivery] = {}
        self.in_conflict: frozenset[str] = frozenset()
        self.scenes = SortedSpans()
        self.shots = SortedSpans()
        self.cues = SortedSpans()
        self._cue_of: dict[str, Cue] = {}
        self.free = SortedSpans()
        self.uses: list[GapUse] = []
        self.silences = SortedSpans()
        self.openings = SortedSpans()
        self.occurrences = SortedSpans()
        self.narration = SortedSpans()
        self.reviewed: frozenset[str] = frozenset()
        """Scenes (ids) that are reviewed as they are now."""
        self.joined: dict[str, JoinedPair] = {}
        """By the second of two linked lines."""
        self.marks: dict[str, OccurrenceMark] = {}
        """What `mark` has returned since the last change."""
        self._spoken_in: dict[int, tuple[TimeRange, ...]] = {}
        self._far: dict[str, int] = {}
        self.greatest = SALIENCE_UNIT
        self.version = 0
        self._deep_at = 0
        """A time at which as much happens at once as anywhere."""
        self._fresh = True

    def update(
        self, script: Script, outcome: Outcome, gaps: tuple[Span, ...], reviewed: frozenset[str] = frozenset()
    ) -> Dirty:
        """Take over another state, `reviewed` being its reviewed scenes (ids); the time ranges that have changed."""
        before, self.script = self.script, script
        self.version += 1
        self.marks.clear()
        self._spoken_in.clear()
        self._far.clear()
        lines = _changed(before.eventualities, script.eventualities)
        dirty: list[TimeRange] = []
        hulls = [self._hull(line) for line in lines[0]]
        self._renew_times(before, script, dirty)
        dirty += self._renew_occurrences(lines)
        moved = self._renew_narration(outcome, dirty)
        freed = self._renew_gaps(gaps, [*((d.start, d.end) for d in moved.values()), *self._spoken(moved)])
        dirty += self._renew_joined()
        dirty += self._renew_reviewed(reviewed)
        fresh, self._fresh = self._fresh, False
        greatest, self.greatest = self.greatest, self._greatest(lines)
        if (
            fresh
            or before.film != script.film
            or before.settings is not script.settings
            or greatest != self.greatest
            or len(lines[1]) + len(moved) > MOST_DIRTY
        ):
            return None
        tied = before.rules.mentioned ^ script.rules.mentioned if before.rules is not script.rules else ()
        index = script.eventuality_index
        touched = {*(line.id for line in lines[1]), *moved, *tied}
        hulls += [self._hull(script.eventuality(each)) for each in touched if each in index]
        hulls += [(d.start, d.end) for d in moved.values()]
        return merged([*dirty, *freed, *(hull for hull in hulls if hull is not None)])

    def set_shots(self, boundaries: Sequence[int]) -> None:
        """The shots, from the boundaries between them."""
        self.shots = strip_of((start, end, str(n)) for n, (start, end) in enumerate(pairwise(boundaries)))
        self.version += 1

    def delivery(self, identity: str) -> Delivery | None:
        """Where a line is spoken, or where a suspended pin puts it."""
        return self.suspended.get(identity) or self.plan.by_line.get(identity)

    def shown_as(self, identity: str) -> str:
        """The line as which a line's delivery is shown: itself, or the first of those that it is fused with."""
        delivery = self.plan.by_line.get(identity)
        return identity if delivery is None else delivery.line

    def said_in(self, identity: str) -> tuple[str, ...]:
        """The lines that the delivery of a line says."""
        delivery = self.plan.by_line.get(identity)
        return (identity,) if delivery is None else delivery.lines

    def spoken_text(self, line: Eventuality) -> str:
        """A line in the wording that is spoken, or in its full one."""
        spoken = self.plan.spoken_as(line.id)
        if spoken is not None and spoken.members and (fused := wording_of(self.script, spoken)) is not None:
            return fused.text
        delivery = self.delivery(line.id)
        return line.variants[0 if delivery is None else max(0, min(delivery.variant, len(line.variants) - 1))].text

    def mark(self, identity: str) -> OccurrenceMark:
        """How a line's occurrence is shown; worked out once between two changes."""
        found = self.marks.get(identity)
        if found is None:
            line = self.script.eventuality(identity)
            spoken = identity in self.plan.by_line or identity in self.suspended or line.holds_picture
            tied = identity in self.script.rules.mentioned
            found = self.marks[identity] = OccurrenceMark(
                line, self.shade(line.salience), spoken, doubt(line.confidence), tied
            )
        return found

    def left_in(self, place: int) -> int:
        """Milliseconds that may still be spoken in the gap at a place of the strip."""
        length = self.free.ends[place] - self.free.starts[place]
        return speakable(length, self.script.settings.max_share) - self.uses[place].used

    def drift(self, identity: str) -> int | None:
        """How early or late a line is shown to be spoken, in half-milliseconds; None without delivery or action."""
        spoken, happens = self.narration.span(self.shown_as(identity)), self._happens(identity)
        return None if spoken is None or happens is None else drift(spoken, happens)

    def _happens(self, identity: str) -> Span | None:
        spoken = self.plan.spoken_as(identity)
        fusion = None if spoken is None or not spoken.members else self.script.fusion_by_id.get(spoken.element)
        return self.occurrences.span(identity) if fusion is None else line_of(self.script, fusion).occurrence

    def far_drift(self, identity: str) -> int:
        """The drift of a line that is far from its action, else 0; worked out once between two changes."""
        found = self._far.get(identity)
        if found is None:
            by = self.drift(identity) or 0
            found = self._far[identity] = by if is_far(self.script.settings, by) else 0
        return found

    def spoken_in(self, place: int) -> tuple[TimeRange, ...]:
        """Where it is spoken within the gap at a place of the strip; worked out once between two changes."""
        found = self._spoken_in.get(place)
        if found is None:
            spoken, first, last = self.narration, self.free.starts[place], self.free.ends[place]
            pieces = [(max(spoken.starts[n], first), min(spoken.ends[n], last)) for n in spoken.between(first, last)]
            found = self._spoken_in[place] = tuple(piece for piece in pieces if piece[1] > piece[0])
        return found

    def shade(self, salience: int | None) -> int:
        """The step of lightness of a salience."""
        return max(0, min(SHADES - 1, (salience or 0) * SHADES // self.greatest))

    def cue_text(self, place: int) -> str:
        """A cue with its speaker."""
        cue = self.cue(place)
        text = " ".join(cue.text.split())
        return f"{cue.speaker.upper()}  {text}" if cue.speaker else text

    def cue(self, place: int) -> Cue:
        """The cue at a place of the strip."""
        return self._cue_of[self.cues.keys[place]]

    def _renew_joined(self) -> list[TimeRange]:
        """Renew the linked lines; returns the time ranges where that changed."""
        before = self.joined
        self.joined = {
            found.line.element: JoinedPair(found.before.start, found.before.end, found.line.start, found.line.end)
            for found in linked_pairs(self.script, self.plan, self.gaps)
            if found.before is not None and found.line is not None
        }
        return [(tie.start, tie.end) for _, tie in before.items() ^ self.joined.items()]

    def _renew_reviewed(self, reviewed: frozenset[str]) -> list[TimeRange]:
        """Renew which scenes are reviewed; returns the time ranges of those where that changed."""
        before, self.reviewed = self.reviewed, reviewed
        scenes = self.script.scene_by_id
        changed = [scenes[each].span for each in before ^ self.reviewed if each in scenes]
        return [(span.start, span.end) for span in changed]

    def _renew_times(self, before: Script, script: Script, dirty: list[TimeRange]) -> None:
        if self._fresh or before.cues is not script.cues:
            self._cue_of = {cue.id: cue for cue in script.cues}
            self.cues = strip_of((cue.start, cue.end, cue.id) for cue in script.cues)
            for items in _changed(before.cues, script.cues):
                # a cluster of overlapping cues is stacked anew as a whole
                dirty += [self._cluster(cue.start, max(cue.start, cue.end)) for cue in items]
        for name in ("scenes", "silences", "openings"):
            old, new = getattr(before, name), getattr(script, name)
            if self._fresh or old is not new:
                setattr(self, name, strip_of((item.span.start, item.span.end, item.id) for item in new))
                for items in _changed(old, new):
                    dirty += [(item.span.start, item.span.end) for item in items]

    def _cluster(self, start: int, end: int) -> TimeRange:
        around = self.cues.between(start, end)
        return min((start, *(self.cues.starts[i] for i in around))), max((end, *(self.cues.ends[i] for i in around)))

    def _renew_occurrences(self, lines: tuple[list[Eventuality], list[Eventuality]]) -> list[TimeRange]:
        old = {line.id: line.occurrence for line in lines[0]}
        new = {line.id: line.occurrence for line in lines[1]}
        if not self._fresh and old == new:
            return []
        before = self.occurrences
        removed, added = set(_spans(lines[0])), set(_spans(lines[1]))
        removed, added = removed - added, added - removed
        if not self._fresh and len(before) and len(removed) + len(added) <= MOST_REPLACED:
            rows = before.depths[0]
            self.occurrences, old_places, places = with_others(before, removed, added, rows)
            if self._is_as_deep(rows, places):
                return _restacked(before, self.occurrences, old_places, places)
        spans = _spans(self.script.eventualities)
        rows, self._deep_at = deepest(spans, MOST_ROWS)
        self.occurrences = strip_of(spans, rows=max(1, rows))
        return _restacked(before, self.occurrences)

    def _is_as_deep(self, rows: int, places: range) -> bool:
        """Whether what happens still needs that many rows, after only the clusters at these places changed."""
        now, part = self.occurrences, slice(places.start, places.stop)
        here, at = deepest(zip(now.starts[part], now.ends[part], now.keys[part], strict=True), MOST_ROWS)
        if here > rows:
            return False
        # Nearly always it is as deep as before where it was deepest before: the whole film need not be searched.
        if rows == 1 or now.depth_at(self._deep_at) >= rows:
            return True
        if here < rows:
            here, at = deepest(zip(now.starts, now.ends, now.keys, strict=True), MOST_ROWS)
        self._deep_at = at
        return here == rows

    def _renew_narration(self, outcome: Outcome, dirty: list[TimeRange]) -> dict[str, Delivery]:
        """Renew the deliveries; returns the lines whose delivery or state changed, with the old delivery."""
        before, suspended, conflict = self.plan, self.suspended, self.in_conflict
        self.plan = outcome.plan
        self.suspended = {delivery.element: delivery for delivery in outcome.overlay}
        self.in_conflict = frozenset(_named(outcome))
        if not self._fresh and self.plan is before and self.suspended == suspended and self.in_conflict == conflict:
            return {}
        old, new = _changed(before.deliveries, self.plan.deliveries)
        moved = {line: delivery for delivery in (*new, *old) for line in delivery.lines}
        for each in suspended.keys() ^ self.suspended.keys():
            moved[each] = suspended.get(each) or self.suspended[each]
        for each in conflict ^ self.in_conflict:
            found = self.delivery(each)
            if found is not None:
                moved.setdefault(each, found)
        stacked, self.narration = self.narration, self._narrated()
        if suspended or self.suspended:
            dirty += _restacked(stacked, self.narration)
        return moved

    def _narrated(self) -> SortedSpans:
        """The strip of narration; a plan's own deliveries come in order and never overlap."""
        spoken = self.plan.deliveries
        starts, ends = tuple([d.start for d in spoken]), tuple([d.end for d in spoken])
        if self.suspended or any(map(gt, ends, starts[1:])):
            shown = [d for d in spoken if d.line not in self.suspended]
            return strip_of((d.start, d.end, d.line) for d in (*shown, *self.suspended.values()))
        return SortedSpans(tuple([d.line for d in spoken]), starts, ends, [0] * len(spoken), [1] * len(spoken), ends)

    def _renew_gaps(self, gaps: tuple[Span, ...], moved: list[TimeRange]) -> list[TimeRange]:
        """Renew the gaps; returns those that changed, or are used differently now that lines moved in these ranges."""
        before, uses = self.free, self.uses
        if self._fresh or gaps is not self.gaps:
            self.gaps = gaps
            self.free = strip_of((gap.start, gap.end, gap_key(gap)) for gap in gaps)
            self.uses = [
                _use(start, end, self.narration) for start, end in zip(self.free.starts, self.free.ends, strict=True)
            ]
            known = dict(zip(before.keys, zip(before.starts, before.ends, uses, strict=True), strict=True))
            now = dict(zip(self.free.keys, zip(self.free.starts, self.free.ends, self.uses, strict=True), strict=True))
            return [(start, end) for _, (start, end, _use) in known.items() ^ now.items()]
        self.uses = list(uses)
        freed: list[TimeRange] = []
        for first, last in moved:
            for i in self.free.between(first, last):
                start, end = self.free.starts[i], self.free.ends[i]
                self.uses[i] = _use(start, end, self.narration)
                if self.uses[i] != uses[i]:
                    freed.append((start, end))
        return freed

    def _greatest(self, lines: tuple[list[Eventuality], list[Eventuality]]) -> int:
        """The salience that gets the fullest shade: 1, or the film's greatest where models go beyond."""
        if self._fresh or any((line.salience or 0) >= self.greatest > SALIENCE_UNIT for line in lines[0]):
            return max(SALIENCE_UNIT, max((line.salience or 0 for line in self.script.eventualities), default=0))
        return max(self.greatest, max((line.salience or 0 for line in lines[1]), default=0))

    def _spoken(self, keys: Iterable[str]) -> list[TimeRange]:
        found = (self.delivery(key) for key in keys)
        return [(delivery.start, delivery.end) for delivery in found if delivery is not None]

    def _hull(self, line: Eventuality) -> TimeRange | None:
        """All that a line covers: where it happens, where it is spoken, the thread between."""
        delivery = self.delivery(line.id)
        times = [*((delivery.start, delivery.end) if delivery else ())]
        if line.occurrence is not None:
            times += [line.occurrence.start, line.occurrence.end]
        return (min(times), max(times)) if times else None


def _changed(old: Sequence[T], new: Sequence[T]) -> tuple[list[T], list[T]]:
    """The items that are only in one of both: removed and added ones."""
    if old is new:
        return [], []
    first = alike(old, new)
    removed, added = old[first:], new[first:]
    last = alike(removed[::-1], added[::-1])
    removed, added = removed[: len(removed) - last], added[: len(added) - last]
    if len(removed) == len(added):
        pairs = [(a, b) for a, b in zip(removed, added, strict=True) if a is not b and a != b]
        return [a for a, _ in pairs], [b for _, b in pairs]
    return list(removed), list(added)


def alike(one: Sequence[T], other: Sequence[T]) -> int:
    """How many items are the same at the beginning of both.

    Slices are compared, as that is done in compiled code and looks at the identity of items first.
    """
    known, most = 0, min(len(one), len(other))
    while known < most:
        middle = (known + most + 1) // 2
        if one[known:middle] == other[known:middle]:
            known = middle
        else:
            most = middle - 1
    return known


def _spans(lines: Iterable[Eventuality]) -> list[Timed]:
    return [(line.occurrence.start, line.occurrence.end, line.id) for line in lines if line.occurrence is not None]


def _restacked(
    old: SortedSpans, new: SortedSpans, old_places: range | None = None, places: range | None = None
) -> list[TimeRange]:
    """Where a span that is in both is in another row; those at other places are known to be where they were."""
    were, are = _part(old, old_places), _part(new, places)
    rows = {key: (level, depth) for key, _, _, level, depth in were}
    return [(start, end) for key, start, end, level, depth in are if rows.get(key, (level, depth)) != (level, depth)]


def _part(strip: SortedSpans, places: range | None) -> Iterable[tuple[str, int, int, int, int]]:
    part = slice(None) if places is None else slice(places.start, places.stop)
    of = (strip.keys, strip.starts, strip.ends, strip.levels, strip.depths)
    return zip(*(each[part] for each in of), strict=True)


def _use(start: int, end: int, narration: SortedSpans) -> GapUse:
    """How much of a gap its deliveries take; one that reaches over an edge counts with the part inside."""
    used = lines = 0
    until = start
    for i in narration.between(start, end):
        first, last = narration.starts[i], narration.ends[i]
        if first < end and last > start:
            used += max(0, min(last, end) - max(first, until))
            until = max(until, last)
            lines += 1
    return GapUse(used, lines)


def _named(outcome: Outcome) -> Iterable[str]:
    for conflict in outcome.suspended:
        match conflict:
            case HoldConflict(element):
                yield element
            case RuleConflict(_, of):
                yield from of

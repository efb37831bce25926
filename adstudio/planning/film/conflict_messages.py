"""Why locks and rules conflict, in a sentence that a describer can act on: what is in the way, and by how much.

Conflicts are irreducible (DESIGN section 4), so there are only a few kinds: a locked time that fails by itself, a line
locked in that fits no gap, consecutive locked lines too long for the room they have, or locks against rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from adstudio.core.counts import percent
from adstudio.core.plan import Conflict, HoldConflict, Plan, RuleConflict
from adstudio.core.script import Cue, Pin, Script
from adstudio.core.settings import Scope
from adstudio.core.timebase import Span, tenths_up
from adstudio.core.words import opening_words
from adstudio.gaps.gaps import occupies, spoken_until
from adstudio.gaps.word_edges import cues_as_spoken
from adstudio.planning.drift import middles
from adstudio.planning.engines.conflicts import restricted_to
from adstudio.planning.film.film_problem import bounded_scenes, element_of, problem_of, scene_of_each
from adstudio.planning.film.rule_closure import closure
from adstudio.planning.film.shortfall_messages import shortfall_clause
from adstudio.planning.problem import NO_SHARE_LIMIT, Element, Problem
from adstudio.planning.shortfall import Limit, Shortfall, fit_in_gap, shortfall
from adstudio.planning.windows import window_tiers

QUOTED_WORDS = 6
RULE_NAMES = {"alternatives": "Only one of these", "requires": "First requires second", "together": "All or none"}
"""As in the editor's menu."""


def _plain_length(ms: int) -> str:
    return f"{ms / 1000:.1f} s"


def _plain_quote(text: str) -> str:
    return f"“{opening_words(text, QUOTED_WORDS)}”"


@dataclass(frozen=True)
class MessageStyle:
    """How lengths (in milliseconds) and texts are formatted; times are always timecodes of the film."""

    length: Callable[[int], str] = _plain_length
    quote: Callable[[str], str] = _plain_quote

    def lack(self, ms: int) -> str:
        """A length that is missing or too much, rounded up: what is amiss is never 0.0 s."""
        return self.length(tenths_up(ms))


def conflict_message(
    script: Script, gaps: Sequence[Span], conflict: Sequence[Conflict], style: MessageStyle | None = None
) -> str:
    """One sentence, with its full stop, that names the cause of an irreducible conflict."""
    return _Explanation(script, gaps, conflict, style or MessageStyle()).sentence


def why_unplanned(script: Script, gaps: Sequence[Span], plan: Plan) -> str:
    """Why a film has no plan, without a full stop."""
    if not plan.conflict:
        return f"planning ended {plan.status.value}"
    return f"these locks conflict: {conflict_message(script, gaps, plan.conflict).removesuffix('.')}"


@dataclass(frozen=True)
class _PinnedLine:
    """A locked line: its element, the length of the wording that counts, and its locked start, if any."""

    element: Element
    name: str
    length: int
    start: int | None
    fixed_wording: bool

    @property
    def shortest_note(self) -> str:
        """A note that even the shortest wording is too long, where there are several."""
        return "" if self.fixed_wording or len(self.element.durations) == 1 else ", even in its shortest wording"

    @property
    def end(self) -> int:
        return (self.start or 0) + self.length

    @property
    def unlocked(self) -> Element:
        """The element with at most its wording locked."""
        return replace(self.element, pin=Pin(variant=self.element.pin.variant if self.fixed_wording else None))


@dataclass(frozen=True)
class _Explanation:
    script: Script
    gaps: Sequence[Span]
    conflict: Sequence[Conflict]
    style: MessageStyle

    @property
    def sentence(self) -> str:
        rules = [cause for cause in self.conflict if isinstance(cause, RuleConflict)]
        names = {cause.element for cause in self.conflict if isinstance(cause, HoldConflict)}
        index = self.script.eventuality_index
        if not names or not names <= index.keys():
            return "Some locks and rules conflict."
        lines = [self._pinned_line(name) for name in sorted(names, key=index.__getitem__)]
        if rules:
            return self._against_rules(lines, rules)
        text = self._one_line(lines[0]) if len(lines) == 1 else self._several_lines(lines)
        return text or self._unexplained(lines)

    @cached_property
    def _problem(self) -> Problem:
        return problem_of(self.script, tuple(self.gaps), ())

    def _timecode(self, ms: int) -> str:
        return self.script.film.timecode(ms)

    @cached_property
    def _scenes(self) -> dict[str, Span]:
        """The span of the scene that bounds a line, for the lines that have one."""
        script, settings = self.script, self.script.settings
        if settings.scope is Scope.FILM and not script.rules:
            return {}
        scenes = scene_of_each(script)
        bounding = bounded_scenes(script, scenes)
        return {
            line.id: script.scene_by_id[scene].span
            for line, scene in zip(script.eventualities, scenes, strict=True)
            if scene in bounding
        }

    def _pinned_line(self, name: str) -> _PinnedLine:
        line = self.script.eventuality(name)
        element = element_of(self.script, line, self._scenes.get(name))
        holds = {cause.hold for cause in self.conflict if isinstance(cause, HoldConflict) and cause.element == name}
        held = element.pin.variant if "variant" in holds else None
        lengths = element.durations
        variant = min(range(len(lengths)), key=lengths.__getitem__) if held is None else held
        text = line.variants[0 if element.pin.variant is None else element.pin.variant].text
        start = element.pin.start if "start" in holds else None
        return _PinnedLine(element, self.style.quote(text), lengths[variant], start, fixed_wording=held is not None)

    # One line

    def _one_line(self, line: _PinnedLine) -> str:
        if line.start is not None:
            reasons = "; ".join(self._time_faults(line, line.start))
            return f"{line.name} cannot be spoken at {self._timecode(line.start)}: {reasons}." if reasons else ""
        if line.element.pin.selected is False:
            return ""
        if line.element.occurrence is None:
            return f"{line.name} is locked in but has no action time: lock its time and allow overlap."
        room, length, lack = self._room(line), self.style.length, self.style.lack
        wording = "that wording" if line.fixed_wording else "its shortest wording"
        if room <= 0:
            return f"{line.name} is locked in, but no gap is close enough to its action ({self._maximum_distance})."
        if room >= line.length:
            found = shortfall(self._problem, line.unlocked)
            clause = "" if found is None else self._clause(line, found)
            return f"{line.name} is locked in, but {clause}." if clause else ""
        return (
            f"{line.name} is locked in, but {wording} takes {length(line.length)} and the largest gap in reach has "
            f"{length(room)}: {lack(line.length - room)} too long."
        )

    def _clause(self, line: _PinnedLine, found: Shortfall) -> str:
        return shortfall_clause(self._problem, line.unlocked, found, self._timecode, self.style.length)

    @property
    def _maximum_distance(self) -> str:
        early, late = self.script.settings.early, self.script.settings.late
        both = f"{late / 1000:g} s"
        return f"maximum distance: {both if early == late else f'{early / 1000:g} s early, {both} late'}"

    def _time_faults(self, line: _PinnedLine, start: int) -> list[str]:
        """What is wrong with a start, other lines aside."""
        reasons = self._outside_bounds(line, start)
        if line.element.pin.override:
            return reasons
        occurrence, lack = line.element.occurrence, self.style.lack
        if occurrence is None:
            return [*reasons, "it has no action time, so overlap has to be allowed"]
        gap = next((gap for gap in self.gaps if gap.start <= start < gap.end), None)
        if gap is None:
            reasons.append(self._obstacle(start))
        elif gap.end < line.end:
            overrun = f"it runs {lack(line.end - gap.end)} past the gap, which ends at {self._timecode(gap.end)}"
            overrun += line.shortest_note
            reasons.append(overrun)
        earliest, latest = middles(self.script.settings, occurrence)
        over = (max(earliest - start - line.end, start + line.end - latest) + 1) // 2
        if over > 0:
            reasons.append(f"it is {lack(over)} too far from its action ({self._maximum_distance})")
        if gap is not None and gap.end >= line.end:
            found = fit_in_gap(self._problem, line.unlocked, self.gaps.index(gap), line.length)
            house = tuple(each for each in found.excesses if each.limit in (Limit.SHARE, Limit.REACH))
            found = replace(found, excesses=house)
            reasons.append(self._clause(line, found))
        return [reason for reason in reasons if reason]

    def _outside_bounds(self, line: _PinnedLine, start: int) -> list[str]:
        within, occurrence, lack = line.element.within, line.element.occurrence, self.style.lack
        if within is None:
            return []
        own, scene = self.script.eventuality(line.element.id).within, self._scenes.get(line.element.id)
        reasons: list[str] = []
        if start < within.start:
            what = "the start of its time limits"
            if own is None or own.start < within.start:
                what = "its scene"
            elif occurrence is not None and own.start == occurrence.start:
                what = "its action"
            reasons.append(f"it starts {lack(within.start - start)} before {what}")
        if line.end > within.end:
            what = "its scene" if scene and (own is None or own.end > within.end) else "its time limits"
            reasons.append(f"it ends {lack(line.end - within.end)} after the end of {what}")
        return reasons

    def _obstacle(self, at: int) -> str:
        """What rules out narration at a time outside the gaps."""
        script, quote = self.script, self.style.quote
        if at >= script.film.end:
            return "the film has ended by then"
        for silence in script.silences:
            if silence.span.start <= at < silence.span.end:
                span = f"{self._timecode(silence.span.start)}–{self._timecode(silence.span.end)}"
                return f"it would start in the silence {span}"
        near = script.settings.gaps
        spoken = [cue for cue in cues_as_spoken(script) if occupies(cue.kind, near)]
        for cue in spoken:
            if cue.start <= at < spoken_until(cue):
                return f"it would start while {_cue_clause(cue, quote)}"
        for cue in spoken:
            if cue.start - near.margin_before <= at < spoken_until(cue) + near.margin_after:
                return f"it would start too close to {quote(cue.text)}"
        return f"there is no gap: the pause is shorter than {self.style.length(near.least)}"

    # Several lines

    def _several_lines(self, lines: Sequence[_PinnedLine]) -> str:
        for before, after in pairwise(lines):
            if before.start is not None and after.start is not None:
                return self._two_times(before, after)
        left = lines[0] if lines[0].start is not None else None
        right = lines[-1] if lines[-1].start is not None else None
        moving = [line for line in lines if line.start is None]
        pause, length, lack = self.script.settings.min_pause, self.style.length, self.style.lack
        since = None if left is None else left.end + pause
        until = None if right is None or right.start is None else right.start - pause
        where = _place_between(left, right)
        if len(moving) == 1:
            (line,) = moving
            room = self._room(line, since, until)
            if room <= 0:
                return f"{line.name} has no gap in reach {where}."
            if room < line.length:
                return f"{line.name} is {lack(line.length - room)} too long to fit {where}{line.shortest_note}."
            return ""
        reaches = [self._reach(line) for line in moving]
        since = min(reach.start for reach in reaches) if since is None else since
        until = max(reach.end for reach in reaches) if until is None else until
        free = sum(max(0, min(gap.end, until) - max(gap.start, since)) for gap in self.gaps)
        needed = sum(line.length for line in moving) + pause * (len(moving) - 1)
        names, place = and_list([line.name for line in moving]), f" {where}" if where else ""
        if needed > free:
            return (
                f"{names} take {length(needed)} together, but only {length(free)} is free{place}: "
                f"{lack(needed - free)} too long."
            )
        return f"{names} do not fit one after another{place}: the {length(free)} free is split over several gaps."

    def _two_times(self, before: _PinnedLine, after: _PinnedLine) -> str:
        """Two locked times, in textual order."""
        one, other = before.start or 0, after.start or 0
        time, pause, lack = self._timecode, self.script.settings.min_pause, self.style.lack
        first, second = f"{before.name} at {time(one)}", f"{after.name} at {time(other)}"
        if other < one:
            return f"{second} and {first} are in the wrong order: {before.name} comes first in the script."
        if before.end > other:
            return f"{first} runs {lack(before.end - other)} into {second}{before.shortest_note}."
        missing = before.end + pause - other
        if missing <= 0:
            return ""
        return f"{first} and {second} are {lack(missing)} too close: the minimum pause is {self.style.length(pause)}."

    def _reach(self, line: _PinnedLine) -> Span:
        """The span that a delivery may lie in: close enough to its action, and within its bounds."""
        occurrence = line.element.occurrence
        if occurrence is None:
            return Span(0, 0)
        earliest, latest = middles(self.script.settings, occurrence)
        start, end = max(0, -((line.length - earliest) // 2)), max(0, (latest + line.length) // 2)
        within = line.element.within
        return Span(start, end) if within is None else Span(start, end).overlap(within) or Span(start, start)

    def _room(self, line: _PinnedLine, since: int | None = None, until: int | None = None) -> int:
        """The longest part of a gap in reach of a line, between two times."""
        reach = self._reach(line)
        start = reach.start if since is None else max(reach.start, since)
        end = reach.end if until is None else min(reach.end, until)
        return max((min(gap.end, end) - max(gap.start, start) for gap in self.gaps), default=0)

    # Rules

    def _against_rules(self, lines: Sequence[_PinnedLine], rules: Sequence[RuleConflict]) -> str:
        holds = and_list([self._lock(line) for line in lines])
        limits = ", and ".join(self._rule(rule) for rule in rules)
        names = {line.element.id for line in lines}.union(*(rule.of for rule in rules))
        elements = tuple(element_of(self.script, line, None) for line in self.script.eventualities if line.id in names)
        only = restricted_to(Problem("", Span(0, 1), (), elements), self.conflict)
        room = "" if closure(only.elements, only.rules).clash else "; there is no room for all these lines"
        return f"{holds}, but {limits}{room}."

    def _lock(self, line: _PinnedLine) -> str:
        if line.start is not None:
            return f"{line.name} is locked at {self._timecode(line.start)}"
        if line.element.pin.selected is False:
            return f"{line.name} is locked out"
        return f"{line.name} is locked in"

    def _rule(self, rule: RuleConflict) -> str:
        index = self.script.eventuality_index
        names = [self._name(each) for each in rule.of if each in index]
        title = f"the rule “{RULE_NAMES.get(rule.rule, rule.rule)}”"
        match rule.rule:
            case "alternatives":
                return f"{title} allows only one of {and_list(names)}"
            case "requires" if len(names) == 2:
                return f"{title} allows {names[0]} only with {names[1]}"
            case _:
                return f"{title} allows {and_list(names)} only together"

    def _name(self, identity: str) -> str:
        return self.style.quote(self.script.eventuality(identity).variants[0].text)

    def _unexplained(self, lines: Sequence[_PinnedLine]) -> str:
        crowded = self._overfull(lines)
        if crowded:
            return crowded
        locks = and_list([self._lock(line) for line in lines])
        return f"{locks}, {'and these conflict' if len(lines) > 1 else 'which is not possible'}."

    def _overfull(self, lines: Sequence[_PinnedLine]) -> str:
        """That lines which can only be in one gap take more of it than may be filled; empty where that is not so."""
        places = {place for line in lines for place in self._places(line)}
        taken = sum(line.length for line in lines)
        if len(lines) < 2 or len(places) != 1 or taken <= self._problem.capacities[min(places)]:
            return ""
        gap, capacity = self.gaps[min(places)], self._problem.capacities[min(places)]
        length, share = self.style.length, percent(self._problem.max_share / NO_SHARE_LIMIT, 4)
        return (
            f"{and_list([line.name for line in lines])} take {length(taken)} together, but "
            f"the gap at {self._timecode(gap.start)} could take {length(capacity)}, {share} of {length(gap.length)}: "
            f"{self.style.lack(taken - capacity)} too long."
        )

    def _places(self, line: _PinnedLine) -> Iterator[int]:
        """The gaps that a line could be in."""
        if line.start is not None:
            yield from (place for place, gap in enumerate(self.gaps) if gap.start <= line.start < gap.end)
            return
        for tier in window_tiers(self._problem, line.unlocked):
            yield from tier.gaps


def _cue_clause(cue: Cue, quote: Callable[[str], str]) -> str:
    if not cue.speaker:
        return f"{quote(cue.text)} is spoken"
    return f"{cue.speaker.title() if cue.speaker.isupper() else cue.speaker} says {quote(cue.text)}"


def _place_between(left: _PinnedLine | None, right: _PinnedLine | None) -> str:
    if left is not None and right is not None:
        return f"between {left.name} and {right.name}"
    return f"after {left.name}" if left is not None else f"before {right.name}" if right is not None else ""


def and_list(names: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])} and {names[-1]}"

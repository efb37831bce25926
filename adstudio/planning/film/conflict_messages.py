"""Why pins and rules cannot hold together, in a sentence that a writer can act on: what is in the way, and by how much.

The conflicts are irreducible (DESIGN section 4), so each is of one of few kinds: one held start that fails by itself, a
line held in that no gap takes, a run of held lines in textual order too long for its room, or holds against rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from adstudio.core.plan import Conflict, HoldConflict, RuleConflict
from adstudio.core.script import Cue, Scope, Script
from adstudio.core.timebase import Span
from adstudio.gaps.gaps import occupies, spoken_until
from adstudio.planning.engines.conflicts import with_only
from adstudio.planning.film.film_problem import bounded_scenes, element_of, scene_of_each
from adstudio.planning.film.rule_closure import closure
from adstudio.planning.problem import NO_SHARE_LIMIT, Element, Problem

QUOTED_WORDS = 6
RULE_NAMES = {"alternatives": "Only one of these", "requires": "First requires second", "together": "All or none"}
"""As the editor's menu has them."""


def _plain_length(ms: int) -> str:
    return f"{ms / 1000:.1f} s"


def _plain_quote(text: str) -> str:
    found = text.split()
    return f"“{' '.join(found[:QUOTED_WORDS])}{'…' if len(found) > QUOTED_WORDS else ''}”"


@dataclass(frozen=True)
class Manner:
    """How durations (milliseconds) and texts are written; times are timecodes of the film."""

    length: Callable[[int], str] = _plain_length
    quote: Callable[[str], str] = _plain_quote


def conflict_words(
    script: Script, gaps: Sequence[Span], conflict: Sequence[Conflict], manner: Manner | None = None
) -> str:
    """One sentence, its full stop included, that names the cause of an irreducible conflict."""
    return _Told(script, gaps, conflict, manner or Manner()).sentence


@dataclass(frozen=True)
class _Put:
    """A held line: as the planner sees it, in the wording that counts, and where it was put, if it was."""

    element: Element
    name: str
    length: int
    start: int | None
    fixed_wording: bool

    @property
    def at_best(self) -> str:
        """That it is its shortest wording that is too long, where it has several."""
        return "" if self.fixed_wording or len(self.element.durations) == 1 else ", even in its shortest wording"

    @property
    def end(self) -> int:
        return (self.start or 0) + self.length


@dataclass(frozen=True)
class _Told:
    script: Script
    gaps: Sequence[Span]
    conflict: Sequence[Conflict]
    manner: Manner

    @property
    def sentence(self) -> str:
        rules = [cause for cause in self.conflict if isinstance(cause, RuleConflict)]
        names = {cause.element for cause in self.conflict if isinstance(cause, HoldConflict)}
        index = self.script.eventuality_index
        if not names or not names <= index.keys():
            return "Some holds and rules cannot hold together."
        lines = [self._put(name) for name in sorted(names, key=index.__getitem__)]
        if rules:
            return self._against_rules(lines, rules)
        told = self._alone(lines[0]) if len(lines) == 1 else self._in_a_row(lines)
        return told or self._unexplained(lines)

    def _timecode(self, ms: int) -> str:
        film = self.script.film
        return film.frame_rate.label(ms, start=film.start_timecode)

    @cached_property
    def _scenes(self) -> dict[str, Span]:
        """The scene that bounds a line, for those lines that one bounds."""
        script, settings = self.script, self.script.settings
        if settings.scope is Scope.FILM and settings.max_share >= NO_SHARE_LIMIT and not script.rules:
            return {}
        scenes = scene_of_each(script)
        bounding = bounded_scenes(script, scenes)
        return {
            line.id: script.scene_by_id[scene].span
            for line, scene in zip(script.eventualities, scenes, strict=True)
            if scene in bounding
        }

    def _put(self, name: str) -> _Put:
        line = self.script.eventuality(name)
        element = element_of(self.script, line, self._scenes.get(name))
        holds = {cause.hold for cause in self.conflict if isinstance(cause, HoldConflict) and cause.element == name}
        held = element.pin.variant if "variant" in holds else None
        lengths = element.durations
        variant = min(range(len(lengths)), key=lengths.__getitem__) if held is None else held
        text = line.variants[0 if element.pin.variant is None else element.pin.variant].text
        start = element.pin.start if "start" in holds else None
        return _Put(element, self.manner.quote(text), lengths[variant], start, fixed_wording=held is not None)

    # One line

    def _alone(self, line: _Put) -> str:
        if line.start is not None:
            reasons = "; ".join(self._misplaced(line, line.start))
            return f"{line.name} cannot be said at {self._timecode(line.start)}: {reasons}." if reasons else ""
        if line.element.pin.selected is False:
            return ""
        if line.element.occurrence is None:
            return f"{line.name} is held in, but nothing on screen establishes it: pin its start and override the gap."
        room, length = self._room(line), self.manner.length
        wording = "that wording" if line.fixed_wording else "its shortest wording"
        if room <= 0:
            return f"{line.name} is held in, but no gap is in reach of what it describes ({self._window})."
        if room >= line.length:
            return ""
        return (
            f"{line.name} is held in, but {wording} takes {length(line.length)} and the most room in reach is "
            f"{length(room)}: {length(line.length - room)} too long."
        )

    @property
    def _window(self) -> str:
        return f"the window is ±{self.script.settings.delta_max / 1000:g} s"

    def _misplaced(self, line: _Put, start: int) -> list[str]:
        """What is wrong with a start by itself."""
        reasons = self._outside_bounds(line, start)
        if line.element.pin.override:
            return reasons
        happens, length = line.element.occurrence, self.manner.length
        if happens is None:
            return [*reasons, "nothing on screen establishes it, so it needs an override"]
        gap = next((gap for gap in self.gaps if gap.start <= start < gap.end), None)
        if gap is None:
            reasons.append(self._in_the_way(start))
        elif gap.end < line.end:
            past = f"it runs {length(line.end - gap.end)} past its gap, which ends at {self._timecode(gap.end)}"
            past += line.at_best
            reasons.append(past)
        away = abs(start + line.end - happens.doubled_midpoint)
        over = (away - 2 * self.script.settings.delta_max + 1) // 2
        if over > 0:
            reasons.append(f"it is {length(over)} too far from what it describes ({self._window})")
        return reasons

    def _outside_bounds(self, line: _Put, start: int) -> list[str]:
        within, happens, length = line.element.within, line.element.occurrence, self.manner.length
        if within is None:
            return []
        own, scene = self.script.eventuality(line.element.id).within, self._scenes.get(line.element.id)
        reasons: list[str] = []
        if start < within.start:
            what = "the stretch it has to stay in"
            if own is None or own.start < within.start:
                what = "its scene begins"
            elif happens is not None and own.start == happens.start:
                what = "it happens"
            reasons.append(f"it comes {length(within.start - start)} before {what}")
        if line.end > within.end:
            what = "its scene" if scene and (own is None or own.end > within.end) else "the stretch it has to stay in"
            reasons.append(f"it ends {length(line.end - within.end)} after the end of {what}")
        return reasons

    def _in_the_way(self, at: int) -> str:
        """What keeps narration away at a time outside the gaps."""
        script, quote = self.script, self.manner.quote
        if at >= script.film.end:
            return "the film is over by then"
        for silence in script.silences:
            if silence.span.start <= at < silence.span.end:
                span = f"{self._timecode(silence.span.start)}–{self._timecode(silence.span.end)}"
                return f"it would start inside the silence {span}"
        near = script.settings.gaps
        spoken = [cue for cue in script.cues if occupies(cue.kind, near)]
        for cue in spoken:
            if cue.start <= at < spoken_until(cue):
                return f"it would start while {_says(cue, quote)}"
        for cue in spoken:
            if cue.start - near.margin_before <= at < spoken_until(cue) + near.margin_after:
                return f"it would start too close to {quote(cue.text)}"
        return f"no gap is there: what is free is shorter than {self.manner.length(near.least)}"

    # Several lines

    def _in_a_row(self, lines: Sequence[_Put]) -> str:
        for before, after in pairwise(lines):
            if before.start is not None and after.start is not None:
                return self._side_by_side(before, after)
        left = lines[0] if lines[0].start is not None else None
        right = lines[-1] if lines[-1].start is not None else None
        moving = [line for line in lines if line.start is None]
        pause, length = self.script.settings.min_pause, self.manner.length
        since = None if left is None else left.end + pause
        until = None if right is None or right.start is None else right.start - pause
        where = _where(left, right)
        if len(moving) == 1:
            (line,) = moving
            room = self._room(line, since, until)
            if room <= 0:
                return f"There is no gap in reach for {line.name} {where}."
            if room < line.length:
                return f"{line.name} is {length(line.length - room)} too long to fit {where}{line.at_best}."
            return ""
        reaches = [self._reach(line) for line in moving]
        since = min(reach.start for reach in reaches) if since is None else since
        until = max(reach.end for reach in reaches) if until is None else until
        free = sum(max(0, min(gap.end, until) - max(gap.start, since)) for gap in self.gaps)
        needed = sum(line.length for line in moving) + pause * (len(moving) - 1)
        names, place = _both([line.name for line in moving]), f" {where}" if where else ""
        if needed > free:
            return (
                f"{names} take {length(needed)} and {length(free)} are free for them{place}: "
                f"{length(needed - free)} too long."
            )
        return (
            f"{names} do not fit one after the other{place}: what is free there, in all {length(free)}, is in pieces."
        )

    def _side_by_side(self, before: _Put, after: _Put) -> str:
        """Two held starts, in textual order."""
        one, other = before.start or 0, after.start or 0
        time, length, pause = self._timecode, self.manner.length, self.script.settings.min_pause
        first, second = f"{before.name} at {time(one)}", f"{after.name} at {time(other)}"
        if other < one:
            return f"{second} and {first} are in the wrong order: in the script {before.name} comes first."
        if before.end > other:
            return f"{first} runs {length(before.end - other)} into {second}{before.at_best}."
        lacks = before.end + pause - other
        if lacks <= 0:
            return ""
        return f"{first} and {second} are too close: {length(lacks)} are missing from the least pause, {length(pause)}."

    def _reach(self, line: _Put) -> Span:
        """The stretch that a delivery near what it describes, and inside its bounds, may lie in."""
        happens = line.element.occurrence
        if happens is None:
            return Span(0, 0)
        middle, far = happens.doubled_midpoint - line.length, 2 * self.script.settings.delta_max
        start, end = max(0, -((far - middle) // 2)), max(0, (middle + far) // 2 + line.length)
        within = line.element.within
        return Span(start, end) if within is None else Span(start, end).overlap(within) or Span(start, start)

    def _room(self, line: _Put, since: int | None = None, until: int | None = None) -> int:
        """The longest stretch of a gap in reach of a line, between two times."""
        reach = self._reach(line)
        start = reach.start if since is None else max(reach.start, since)
        end = reach.end if until is None else min(reach.end, until)
        return max((min(gap.end, end) - max(gap.start, start) for gap in self.gaps), default=0)

    # Rules

    def _against_rules(self, lines: Sequence[_Put], rules: Sequence[RuleConflict]) -> str:
        holds = _both([self._held(line) for line in lines])
        limits = ", and ".join(self._rule(rule) for rule in rules)
        names = {line.element.id for line in lines}.union(*(rule.of for rule in rules))
        elements = tuple(element_of(self.script, line, None) for line in self.script.eventualities if line.id in names)
        only = with_only(Problem("", Span(0, 1), (), elements), self.conflict)
        room = "" if closure(only.elements, only.rules).clash else "; there is no room for all that must then be said"
        return f"{holds}, but {limits}{room}."

    def _held(self, line: _Put) -> str:
        if line.start is not None:
            return f"{line.name} is held at {self._timecode(line.start)}"
        if line.element.pin.selected is False:
            return f"{line.name} is held out"
        return f"{line.name} is held in"

    def _rule(self, rule: RuleConflict) -> str:
        index = self.script.eventuality_index
        names = [self._name(each) for each in rule.of if each in index]
        title = f"the rule “{RULE_NAMES.get(rule.rule, rule.rule)}”"
        match rule.rule:
            case "alternatives":
                return f"{title} allows only one of {_both(names)}"
            case "requires" if len(names) == 2:
                return f"{title} lets {names[0]} be said only with {names[1]}"
            case _:
                return f"{title} wants {_both(names)} said together or not at all"

    def _name(self, identity: str) -> str:
        return self.manner.quote(self.script.eventuality(identity).variants[0].text)

    def _unexplained(self, lines: Sequence[_Put]) -> str:
        share = self.script.settings.max_share
        why = ""
        if share < NO_SHARE_LIMIT:
            why = f", for no more than {share * 100 / NO_SHARE_LIMIT:g} % of each gap may be narrated"
        held = _both([self._held(line) for line in lines])
        return f"{held}: {'these cannot hold together' if len(lines) > 1 else 'this cannot hold'}{why}."


def _says(cue: Cue, quote: Callable[[str], str]) -> str:
    if not cue.speaker:
        return f"{quote(cue.text)} is said"
    return f"{cue.speaker.title() if cue.speaker.isupper() else cue.speaker} says {quote(cue.text)}"


def _where(left: _Put | None, right: _Put | None) -> str:
    if left is not None and right is not None:
        return f"between {left.name} and {right.name}"
    return f"after {left.name}" if left is not None else f"before {right.name}" if right is not None else ""


def _both(names: Sequence[str]) -> str:
    return " and ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])} and {names[-1]}"

"""An imported script in a project: which of its lines are new, the same, changed or moved, and the one step to that."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from enum import Enum

from adstudio.core.film import SourceFile
from adstudio.core.plan import Plan
from adstudio.core.script import NO_PIN, Approval, Eventuality, Origin, Pin, Script, Variant
from adstudio.core.steps import Insert, Move, Replace, SetFilm, SetSettings, Step
from adstudio.core.timebase import Span
from adstudio.core.words import folded
from adstudio.delivery.lines import Fragment, ScriptLine, extended_lines, script_lines
from adstudio.editing.change import one_step
from adstudio.editing.ids import Ids
from adstudio.editing.wordings import with_stale
from adstudio.importing.placing import PlacedLine, new_eventuality, shortest_pause

IMPORT_SCRIPT = "Import script"
_NEAR_MS = 2_000
"""Lines that have some other words are the same line if they start no further apart than this."""
_ALIKE = 0.5
"""The share of words that two lines have in common from which on one may be the other, reworded and moved."""
_LONGEST_MS = 60_000
"""A line that starts so long before another is not looked at as the same."""
_FRAME_MS = 45
"""Times that differ by less are the same, as timecode of 24 frames a second writes them."""
_MAX = 1 << 62


class Change(Enum):
    """What an imported line is to the project."""

    NEW = "new"
    SAME = "same"
    TEXT = "changed text"
    MOVED = "moved"
    TEXT_AND_MOVED = "changed text, moved"
    BROUGHT_IN = "not spoken so far"
    """The project has a line with these words, which its plan leaves out."""


@dataclass(frozen=True)
class LineChange:
    """An imported line, and what it is of the project: `present` as planned now, in these words and at this time."""

    change: Change
    line: PlacedLine
    present: tuple[Fragment, ...] = ()
    before_text: str = ""
    before: Span | None = None

    @property
    def elements(self) -> tuple[str, ...]:
        """The ids of the project's lines that it is: several, where they are spoken as one cue."""
        return tuple(each.element for each in self.present)


@dataclass(frozen=True)
class ImportDiff:
    """What importing changes: every line of the file, and the project's spoken lines (ids) that the file lacks."""

    changes: tuple[LineChange, ...]
    lacking: tuple[str, ...] = ()
    pause: int | None = None
    """The pause between lines that the project has then, where the script's are shorter than its own; None as it is."""

    def count(self, *kinds: Change) -> int:
        """How many lines are of these kinds."""
        return sum(each.change in kinds for each in self.changes)


@dataclass(frozen=True)
class ImportChoices:
    """How lines come into a project.

    They are locked where they are, or free to be planned (`unlocked`). The project's spoken lines that the script lacks
    stay as they are, or are locked out (`only`).
    """

    unlocked: bool = False
    only: bool = False


def import_diff(script: Script, plan: Plan, lines: Sequence[PlacedLine], choices: ImportChoices) -> ImportDiff:
    """How an imported script differs from what the project speaks by its plan."""
    present = _present(script, plan)
    partners = _matched(present, lines)
    changes: list[LineChange] = []
    idle = _Idle(script, plan)
    for place, line in enumerate(lines):
        partner = partners.get(place)
        if partner is not None:
            changes.append(_compared(partner, line))
        elif (known := idle.take(line.text)) is not None:
            changes.append(LineChange(Change.BROUGHT_IN, line, (Fragment(known, 0, line.span or Span(0, 0)),)))
        else:
            changes.append(LineChange(Change.NEW, line))
    used = {identity for each in changes for identity in each.elements}
    lacking = tuple(part.element for each in present for part in each.parts if part.element not in used)
    spoken = [each for each in changes if not each.line.source.extended and not each.line.left_out]
    spans = [each.before if each.change is Change.SAME else each.line.span for each in spoken]
    pause = None if choices.unlocked else shortest_pause(spans)
    lowered = pause if pause is not None and pause < script.settings.min_pause else None
    return ImportDiff(tuple(changes), lacking, lowered)


def import_step(
    script: Script,
    ids: Ids,
    diff: ImportDiff,
    choices: ImportChoices,
    *,
    source: SourceFile | None = None,
    overlapping: frozenset[str] = frozenset(),
) -> Step | None:
    """The step that puts an imported script into a project: one action; None if nothing would change.

    Lines of the project keep what else they have: their other wordings, takes, notes, action and salience. Those of
    `overlapping` (ids) may be spoken where they are locked, whatever lies there.
    """
    builder = _Builder(script, ids, choices, overlapping)
    for change in diff.changes:
        builder.add(change)
    for name in diff.lacking if choices.only else ():
        builder.lock_out(name)
    steps = builder.steps()
    if diff.pause is not None:
        steps.insert(0, SetSettings(script.settings, replace(script.settings, min_pause=diff.pause)))
    film = script.film
    known = (film.subtitles, film.screenplay, *film.other_sources)
    if steps and source is not None and source not in known:
        steps.append(SetFilm(film, replace(film, other_sources=(*film.other_sources, source))))
    return one_step(IMPORT_SCRIPT, steps)


@dataclass(frozen=True)
class _Present:
    """What a project speaks: the text of a cue, when, and the lines that it is of."""

    parts: tuple[Fragment, ...]
    text: str
    span: Span


def _present(script: Script, plan: Plan) -> list[_Present]:
    found = [_of_line(line) for line in script_lines(script, plan) if line.element is not None]
    found += [
        _Present((Fragment(each.line.id, each.variant, at),), each.wording.text, at)
        for each in extended_lines(script)
        for at in (Span(each.start, each.start),)
    ]
    return sorted(found, key=lambda each: each.span)


def _of_line(line: ScriptLine) -> _Present:
    end = min((part.span.start for part in line.joined), default=line.span.end)
    first = Fragment(line.element or "", line.variant, Span(line.span.start, end))
    return _Present((first, *line.joined), line.text, line.span)


def _key(text: str) -> str:
    return " ".join(folded(text).split())


def _matched(present: Sequence[_Present], lines: Sequence[PlacedLine]) -> dict[int, _Present]:
    """The present line of each imported one, by its place: of the same words, else at about the same time."""
    keys = [_key(each.text) for each in present], [_key(line.text) for line in lines]
    matcher = SequenceMatcher(None, *keys, autojunk=False)
    partners: dict[int, _Present] = {}
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            partners |= zip(range(j1, j2), present[i1:i2], strict=True)
    left = [each for each in present if each not in partners.values()]
    # Words that were moved to another place in the script.
    by_text = {_key(each.text): each for each in reversed(left)}
    for place, line in enumerate(lines):
        if place not in partners and (same := by_text.pop(_key(line.text), None)) is not None:
            partners[place] = same
            left.remove(same)
    for place, line in enumerate(lines):
        if place in partners or line.span is None:
            continue
        # They are in order of time, and none is that long.
        begin = bisect_left(left, line.span.start - _LONGEST_MS, key=lambda each: each.span.start)
        end = bisect_right(left, line.span.end + _NEAR_MS, key=lambda each: each.span.start)
        distances = [(_distance(left[at], line), at) for at in range(begin, end)]
        nearest, at = min(distances, default=(_MAX, 0))
        if nearest < _MAX:
            partners[place] = left.pop(at)
    return partners


def _distance(present: _Present, line: PlacedLine) -> int:
    """How far two lines of other words are apart in time; nothing where they overlap by half.

    Those that do not are only the same if they have many words in common.
    """
    one, other = present.span, line.span
    common = None if other is None else one.overlap(other)
    if other is None or abs(one.start - other.start) > _LONGEST_MS:
        return _MAX
    if common is not None and 2 * common.length >= min(one.length, other.length) > 0:
        return 0
    distance = abs(one.start - other.start)
    if distance > _NEAR_MS:
        return _MAX
    alike = SequenceMatcher(None, _key(present.text).split(), _key(line.text).split(), autojunk=False).ratio()
    return distance if alike >= _ALIKE else _MAX


def _compared(partner: _Present, line: PlacedLine) -> LineChange:
    same_text = partner.text.split() == line.text.split()
    span = line.span
    moved = span is None or abs(span.start - partner.span.start) > _FRAME_MS
    if not moved and line.duration is not None and span is not None and not line.source.extended:
        moved = abs(span.end - partner.span.end) > _FRAME_MS
    kinds = {
        (True, False): Change.SAME,
        (True, True): Change.MOVED,
        (False, False): Change.TEXT,
        (False, True): Change.TEXT_AND_MOVED,
    }
    return LineChange(kinds[same_text, moved], line, partner.parts, partner.text, partner.span)


class _Idle:
    """The lines of a project that its plan leaves out, by their words."""

    def __init__(self, script: Script, plan: Plan) -> None:
        spoken = plan.by_element
        self._lines: dict[str, list[str]] = {}
        for line in script.eventualities:
            if line.id in spoken or line.extended:
                continue
            for text in {_key(variant.text) for variant in line.variants}:
                self._lines.setdefault(text, []).append(line.id)
        self._taken: set[str] = set()

    def take(self, text: str) -> str | None:
        """A line with these words that was not taken before."""
        name = next((name for name in self._lines.get(_key(text), ()) if name not in self._taken), None)
        if name is not None:
            self._taken.add(name)
        return name


@dataclass
class _Builder:
    """The new states of a script's lines, and the steps to them, in their order."""

    script: Script
    ids: Ids
    choices: ImportChoices
    overlapping: frozenset[str]
    _states: dict[str, Eventuality] = field(default_factory=dict[str, Eventuality])
    _new: list[Eventuality] = field(default_factory=list[Eventuality])
    _timed: list[str] = field(default_factory=list[str])

    def add(self, change: LineChange) -> None:
        """Take up an imported line."""
        line = change.line
        if not change.present:
            new = new_eventuality(self.script, self.ids.fresh(Eventuality), line, locked=not self.choices.unlocked)
            self._new.append(new)
            return
        first, *rest = change.present
        if change.change is Change.SAME and rest:
            for part in change.present:
                self._lock_as_planned(part, line)
            return
        self._states[first.element] = self._changed(self.script.eventuality(first.element), change)
        self._timed.append(first.element)
        # What was spoken with it as one cue is in its text now.
        for part in rest:
            self.lock_out(part.element)

    def _lock_as_planned(self, part: Fragment, line: PlacedLine) -> None:
        old = self.script.eventuality(part.element)
        new = replace(old, accepted=True, seen=True)
        if not self.choices.unlocked:
            new = replace(
                new, pin=Pin(selected=True, variant=part.variant, start=part.span.start, override=line.override)
            )
        self._states[part.element] = new
        self._timed.append(part.element)

    def lock_out(self, name: str) -> None:
        """Keep a line of the project from being spoken."""
        line = self.script.eventuality(name)
        self._states[name] = replace(line, pin=Pin(selected=False, variant=line.pin.variant))

    def _changed(self, old: Eventuality, change: LineChange) -> Eventuality:
        line = change.line
        number = self._wording(old, change)
        variants = list(old.variants)
        wording = variants[number]
        if change.change in (Change.TEXT, Change.TEXT_AND_MOVED):
            variants[number] = replace(wording, text=line.text, duration=line.duration, stale=False)
        elif change.change is not Change.SAME and line.duration is not None:
            variants[number] = self._with_length(wording, old, line.duration)
        after = tuple(variants)
        if number == 0:
            after = with_stale(old.variants[0].text, after)
        new = replace(old, variants=after, seen=True, accepted=True)
        if after[number].text != wording.text:
            new = replace(new, origin=Origin.HUMAN)
        if line.source.duck is not None:
            new = replace(new, duck=line.source.duck)
        if line.source.notes and line.source.notes not in old.note:
            new = replace(new, note=f"{old.note}\n{line.source.notes}".strip())
        if line.span is None or old.extended:
            return new
        start = line.span.start
        if change.change in (Change.SAME, Change.TEXT) and change.before is not None:
            # Within the file's precision.
            start = change.before.start
        pin = self._pin(new, line, start, number)
        known = new.approval
        if pin.start is None or (known is not None and (known.variant, known.start) == (number, start)):
            return replace(new, pin=pin)
        return replace(new, pin=pin, approval=Approval(number, start))

    def _with_length(self, wording: Variant, line: Eventuality, duration: int) -> Variant:
        if abs(self.script.duration(wording, line.voice) - duration) <= _FRAME_MS:
            return wording
        return replace(wording, duration=duration)

    def _wording(self, old: Eventuality, change: LineChange) -> int:
        """The wording that the imported line is of: the one with its words, else the one that is spoken."""
        key = _key(change.line.text)
        same = [at for at, variant in enumerate(old.variants) if _key(variant.text) == key]
        if same:
            return same[0]
        spoken = [at for at, variant in enumerate(old.variants) if variant.text == change.before_text]
        return spoken[0] if spoken else min(old.pin.variant or 0, len(old.variants) - 1)

    def _pin(self, line: Eventuality, placed: PlacedLine, start: int, number: int) -> Pin:
        if self.choices.unlocked:
            return line.pin if line.pin.selected is not False else NO_PIN
        if placed.left_out:
            return Pin(selected=False)
        override = placed.override or line.id in self.overlapping or self._is_far(line, placed)
        variant = number if len(line.variants) > 1 else None
        return Pin(selected=True, variant=variant, start=start, override=override)

    def _is_far(self, line: Eventuality, placed: PlacedLine) -> bool:
        """Whether it is further from its action there than the project allows, or outside its own limits."""
        if line.occurrence is None or placed.span is None:
            return True
        after = placed.span.doubled_midpoint - line.occurrence.doubled_midpoint
        settings = self.script.settings
        beyond = not -2 * settings.early <= after <= 2 * settings.late
        return beyond or (line.within is not None and not line.within.contains(placed.span))

    def steps(self) -> list[Step]:
        """The steps that bring about the new states: lines are in the order in which they are spoken."""
        order = [line.id for line in self.script.eventualities]
        states = {line.id: self._states.get(line.id, line) for line in self.script.eventualities}
        changed = [Replace(line, states[line.id]) for line in self.script.eventualities if states[line.id] != line]
        steps: list[Step] = [*changed]
        steps += self._reordered(order, states)
        steps += self._inserted(order, states)
        return steps

    def _reordered(self, order: list[str], states: dict[str, Eventuality]) -> list[Step]:
        """Moves that put the lines that were matched in the order of their times, among each other."""
        steps: list[Step] = []
        timed = sorted(
            (name for name in self._timed if states[name].pin.start is not None),
            key=lambda name: states[name].pin.start or 0,
        )
        places = sorted(order.index(name) for name in timed)
        if [order[place] for place in places] == timed:
            return steps
        wanted = list(order)
        for place, name in zip(places, timed, strict=True):
            wanted[place] = name
        for place in range(len(wanted) - 1, -1, -1):
            name, before = wanted[place], wanted[place + 1] if place + 1 < len(wanted) else None
            at = order.index(name)
            now = order[at + 1] if at + 1 < len(order) else None
            if now != before:
                steps.append(Move(states[name], now, before))
                order.remove(name)
                order.insert(len(order) if before is None else order.index(before), name)
        return steps

    def _inserted(self, order: list[str], states: dict[str, Eventuality]) -> list[Step]:
        """Each new line after those that are locked before it, and before the first after these that is later."""
        times = [_time(states[name]) for name in order]
        locked = sorted(
            (states[name].pin.start or 0, n) for n, name in enumerate(order) if states[name].pin.start is not None
        )
        steps: list[Step] = []
        place = read = 0
        for new in sorted(self._new, key=lambda line: _MAX if (at := _time(line)) is None else at):
            at = _time(new)
            if at is None:
                steps.append(Insert(new, None))
                continue
            while read < len(locked) and locked[read][0] <= at:
                place, read = max(place, locked[read][1] + 1), read + 1
            while place < len(order) and ((time := times[place]) is None or time <= at):
                place += 1
            steps.append(Insert(new, order[place] if place < len(order) else None))
        return steps


def _time(line: Eventuality) -> int | None:
    if line.pin.start is not None:
        return line.pin.start
    return None if line.occurrence is None else line.occurrence.start


def imported(script: Script, step: Step | None) -> Script:
    """The script after the step."""
    return script if step is None else step.apply(script)

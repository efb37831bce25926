"""The one step that brings an imported script into a project, and the new states of its lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from adstudio.core.film import SourceFile
from adstudio.core.script import NO_PIN, Approval, Eventuality, Origin, Pin, Script, Variant
from adstudio.core.steps import Insert, Move, Replace, SetFilm, SetLexicon, SetSettings, Several, Step
from adstudio.core.timebase import Span
from adstudio.editing.change import MAX_CHARACTERS, one_step
from adstudio.editing.ids import Ids
from adstudio.editing.wordings import with_stale
from adstudio.importing.comparing import FRAME_MS, Change, ImportChoices, ImportDiff, LineChange, key_of
from adstudio.importing.placing import PlacedLine, new_eventuality, scene_at, standing

IMPORT_SCRIPT = "Import script"
_MAX = 1 << 62


def import_step(
    script: Script,
    ids: Ids,
    diff: ImportDiff,
    choices: ImportChoices,
    *,
    own: Sequence[Step] = (),
    source: SourceFile | None = None,
    overlapping: frozenset[str] = frozenset(),
) -> Step | None:
    """The step that puts an imported script into a project: one action; None if nothing would change.

    Lines that are the same stay as they are. The others of the project keep what else they have: their other wordings,
    takes, notes, action and salience. Those of `overlapping` (ids) may be spoken where they are locked, whatever lies
    there. The script was compared after the steps `own`.
    """
    script = Several("", tuple(own)).apply(script)
    builder = _Builder(script, ids, choices, overlapping)
    for change in diff.changes:
        builder.add(change)
    for name in diff.lacking if choices.only else ():
        builder.lock_out(name)
    steps = builder.steps()
    if diff.pause is not None:
        steps.insert(0, SetSettings(script.settings, replace(script.settings, min_pause=diff.pause)))
    if diff.words:
        steps.append(SetLexicon(script.lexicon, (*script.lexicon, *diff.words)))
    film = script.film
    known = (film.subtitles, film.screenplay, *film.other_sources)
    if steps and source is not None and source not in known:
        steps.append(SetFilm(film, replace(film, other_sources=(*film.other_sources, source))))
    return one_step(IMPORT_SCRIPT, [*own, *steps]) if steps else None


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
            new = new_eventuality(
                self.script, self.ids.fresh(Eventuality), line, change.note, locked=not self.choices.unlocked
            )
            self._new.append(new)
            return
        if change.change is Change.SAME:
            self._keep(change)
            return
        first, *rest = change.present
        self._states[first.element] = self._changed(self.script.eventuality(first.element), change)
        self._timed.append(first.element)
        # What was spoken with it as one cue is in its text now.
        for part in rest:
            self.lock_out(part.element)

    def _keep(self, change: LineChange) -> None:
        """Leave lines as they are, but for further notes, a depth, and that they are seen or accepted."""
        source = change.line.source
        for place, name in enumerate(change.elements):
            old = self.script.eventuality(name)
            new = replace(old, seen=old.seen or bool(source.seen), accepted=old.accepted or bool(source.accepted))
            if not place:
                new = _with_note(new, change.note)
            if source.duck is not None and len(change.elements) == 1:
                new = replace(new, duck=source.duck)
            if new.accepted and not old.accepted:
                at = change.present[place]
                new = replace(new, seen=True, approval=Approval(at.variant, at.span.start))
            self._states[name] = new

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
        elif line.duration is not None:
            variants[number] = self._with_length(wording, old, line.duration)
        after = tuple(variants)
        if number == 0:
            after = with_stale(old.variants[0].text, after)
        seen, accepted = standing(line.source)
        new = replace(old, variants=after, seen=seen, accepted=accepted)
        if after[number].text != wording.text:
            new = replace(new, origin=Origin.HUMAN)
        if line.source.duck is not None:
            new = replace(new, duck=line.source.duck)
        new = _with_note(new, change.note)
        if line.span is None:
            return new
        start = line.span.start
        if old.extended:
            moved = change.change in (Change.MOVED, Change.TEXT_AND_MOVED)
            return self._held_at(new, start) if moved else new
        if change.change is Change.TEXT and change.before is not None:
            # Within the file's precision.
            start = change.before.start
        pin = self._pin(new, line, start, number)
        known = new.approval
        if pin.start is None or not accepted or (known is not None and (known.variant, known.start) == (number, start)):
            return replace(new, pin=pin)
        return replace(new, pin=pin, approval=Approval(number, start))

    def _held_at(self, line: Eventuality, start: int) -> Eventuality:
        """A line for which the picture is held, at another time."""
        length = 0 if line.occurrence is None else line.occurrence.length
        span = Span(start, max(start, min(start + length, self.script.film.end)))
        return replace(line, occurrence=span, confidence=None, scene=scene_at(self.script, span) or line.scene)

    def _with_length(self, wording: Variant, line: Eventuality, duration: int) -> Variant:
        if abs(self.script.duration(wording, line.voice) - duration) <= FRAME_MS:
            return wording
        return replace(wording, duration=duration)

    def _wording(self, old: Eventuality, change: LineChange) -> int:
        """The wording that the imported line is of: the one with its words, else the one that is spoken."""
        key = key_of(change.line.text)
        same = [at for at, variant in enumerate(old.variants) if key_of(variant.text) == key]
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


def _with_note(line: Eventuality, note: str) -> Eventuality:
    return replace(line, note=f"{line.note}\n{note}".strip()[:MAX_CHARACTERS]) if note else line


def _time(line: Eventuality) -> int | None:
    if line.pin.start is not None:
        return line.pin.start
    return None if line.occurrence is None else line.occurrence.start


def imported(script: Script, step: Step | None) -> Script:
    """The script after the step."""
    return script if step is None else step.apply(script)

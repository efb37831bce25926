"""A script brought to a new cut, as one step: what has a time follows; what cannot is reported, and nothing is lost.

Lines whose film was removed stay in the project without a place, locked out, with a note of where they were.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from adstudio.conform.report import ConformReport, DialogueReport, LineFate, LineReport, Loss
from adstudio.conform.time_map import CERTAIN, FRAME_MS, Piece, TimeMap
from adstudio.core.film import Film
from adstudio.core.script import Approval, Cue, Eventuality, Opening, Pin, Rules, Scene, Script, Silence
from adstudio.core.steps import SetFilm, SetRules, Several, Step
from adstudio.core.timebase import Span
from adstudio.editing.change import MAX_CHARACTERS, collection_steps
from adstudio.editing.dialogue_replacement import dialogue_diff
from adstudio.editing.ids import Ids
from adstudio.planning.film.rule_closure import rules_among

CONFORM = "Conform to new cut"
UNSURE = 300
"""The confidence (thousandths) of an occurrence in film where a cut may lie elsewhere: a guess."""
LEAST_SCENE_MS = 2000
"""Film that came and is shorter goes with the scene before it."""
NEW_SCENE = "New in this cut"
ANYTHING = 1 << 60


@dataclass(frozen=True)
class Conformed:
    """The step to the new cut (None where nothing changes), and what it does."""

    step: Several | None
    report: ConformReport


def conformed(script: Script, time_map: TimeMap, film: Film, cues: Sequence[Cue] | None, ids: Ids) -> Conformed:
    """Bring a script to the film of a new cut.

    `film` is the new one, `cues` its dialogue in order of time, None where no subtitles are known: then the former
    dialogue follows as everything else does.
    """
    scenes = _Scenes(script, time_map, ids)
    new_cues, dialogue = _dialogue(script, time_map, cues, ids)
    followed = [_Line(script, time_map, line, scenes) for line in script.eventualities]
    lines = _in_order([(each.new, each.group) for each in followed])
    silences, gone_silences = _regions(script.silences, time_map)
    openings, gone_openings = _regions(script.openings, time_map)
    there = frozenset(each.line.id for each in followed if each.report.fate is not LineFate.GONE)
    rules = script.rules if script.rules.mentioned <= there else rules_among(script.rules, there)
    steps: list[Step] = [] if film == script.film else [SetFilm(script.film, film)]
    steps += [] if rules == script.rules else [SetRules(script.rules, rules)]
    for before, after in (
        (script.cues, new_cues),
        (script.scenes, scenes.after),
        (script.silences, silences),
        (script.openings, openings),
        (script.eventualities, lines),
    ):
        steps += collection_steps(before, after)
    report = ConformReport(
        time_map,
        script.film,
        film,
        tuple(each.report for each in followed),
        dialogue,
        tuple(scenes.reopened),
        tuple(scenes.added),
        (*scenes.gone, *gone_silences, *gone_openings),
        _dropped(script.rules, rules),
    )
    return Conformed(Several(CONFORM, tuple(steps)) if steps else None, report)


class _Scenes:
    """The scenes in the new cut; if they cover the film, scenes are added for film that came or was moved apart."""

    def __init__(self, script: Script, time_map: TimeMap, ids: Ids) -> None:
        self.script, self.time_map = script, time_map
        self.gone: list[Scene] = []
        self.added: list[Scene] = []
        found: list[Scene] = []
        for scene in script.scenes:
            span = time_map.span(scene.span, ANYTHING)
            if span is None or not span.length:
                self.gone.append(scene)
                continue
            reviewed = scene.reviewed and time_map.is_whole(scene.span)
            found.append(replace(scene, span=span, reviewed=reviewed))
        found = _apart(sorted(found, key=lambda scene: scene.span))
        if _covers(script.scenes):
            found = self._covering(found, time_map.new_end, ids)
        self.after = tuple(found)
        self.by_id = {scene.id: scene for scene in found}
        old = script.scene_by_id
        self.reopened = [scene for scene in found if scene.id in old and old[scene.id].reviewed and not scene.reviewed]

    def _covering(self, scenes: Sequence[Scene], end: int, ids: Ids) -> list[Scene]:
        found: list[Scene] = []
        at = 0
        for scene in scenes:
            found += self._before(scene.span.start, at, found, ids)
            start = scene.span.start if found else at
            found.append(replace(scene, span=Span(start, scene.span.end)))
            at = scene.span.end
        return [*found, *self._before(end, at, found, ids)]

    def _before(self, start: int, at: int, found: list[Scene], ids: Ids) -> list[Scene]:
        """A scene for film of no scene from `at` to `start`; if that is short, the scene before it goes on."""
        if start - at >= LEAST_SCENE_MS:
            former = self._former((at + start) // 2)
            scene = Scene(ids.fresh(Scene), Span(at, start), NEW_SCENE if former is None else former.title)
            self.added.append(scene if former is None else replace(scene, sequence=former.sequence))
            return [self.added[-1]]
        if start > at and found:
            found[-1] = replace(found[-1], span=Span(found[-1].span.start, start))
        return []

    def _former(self, time: int) -> Scene | None:
        """The scene that film at a time of the new cut was in: part of it has been moved."""
        for piece in self.time_map.pieces:
            if piece.new.start <= time <= piece.new.end:
                old = piece.old.start + round((time - piece.new.start) / self.time_map.ratio)
                return next((scene for scene in self.script.scenes if scene.span.start <= old <= scene.span.end), None)
        return None

    def of(self, line: Eventuality, new: Span | None) -> str | None:
        """The scene of a line: its own while it happens there, else the one in which it happens now."""
        if line.scene is None:
            return None
        own = self.by_id.get(line.scene)
        if new is None:
            return None if own is None else own.id
        middle = new.doubled_midpoint
        if own is not None and 2 * own.span.start <= middle <= 2 * own.span.end:
            return own.id
        return next(
            (scene.id for scene in self.after if 2 * scene.span.start <= middle <= 2 * scene.span.end),
            None if own is None else own.id,
        )


def _apart(scenes: Sequence[Scene]) -> list[Scene]:
    """Scenes in order of time, without the time that one has in common with the one before it."""
    found: list[Scene] = []
    for scene in scenes:
        start = max(scene.span.start, found[-1].span.end) if found else scene.span.start
        found.append(replace(scene, span=Span(start, max(start, scene.span.end))))
    return found


def _covers(scenes: Sequence[Scene]) -> bool:
    return bool(scenes) and all(one.span.end == other.span.start for one, other in pairwise(scenes))


class _Line:
    """A line as it is in the new cut, and the moved piece that it goes with, if any."""

    def __init__(self, script: Script, time_map: TimeMap, line: Eventuality, scenes: _Scenes) -> None:
        self.script, self.time_map, self.line = script, time_map, line
        self.losses: list[Loss] = []
        pin = line.pin
        old = line.occurrence
        if old is None and pin.start is not None:
            old = Span(pin.start, pin.start)
        new = None if old is None else time_map.span(old)
        self.group: Piece | None = None
        unsure = False
        if old is None:
            self.new, fate = self._elsewhere(scenes), LineFate.UNPLACED
        elif new is None:
            self.new, fate = self._gone(scenes), LineFate.GONE
        else:
            piece = time_map.piece_at(old.doubled_midpoint // 2) or time_map.piece_at(old.start)
            self.group = piece if piece is not None and piece.moved else None
            unsure = time_map.is_unsure(old)
            self.new = self._followed(old, new, scenes, unsure=unsure)
            fate = LineFate.MOVED if self.group else LineFate.SAME if old == new else LineFate.SHIFTED
        self.report = LineReport(line, fate, old, new, unsure, tuple(self.losses))

    def _followed(self, old: Span, new: Span, scenes: _Scenes, *, unsure: bool) -> Eventuality:
        line, time_map = self.line, self.time_map
        if line.occurrence is not None and not time_map.is_whole(old):
            self.losses.append(Loss.PART_OF_ACTION)
        confidence = min(UNSURE, CERTAIN if line.confidence is None else line.confidence) if unsure else line.confidence
        # A time that a person set stays a person's work, even where it has to be looked at.
        worked = line.worked or (unsure and line.confidence is None)
        within = self._within()
        return replace(
            line,
            occurrence=None if line.occurrence is None else new,
            pin=self._pin(old, new),
            within=within,
            scene=scenes.of(line, new),
            confidence=None if line.occurrence is None else confidence,
            worked=worked,
            approval=self._approval(old, new),
        )

    def _within(self) -> Span | None:
        if self.line.within is None:
            return None
        within = self.time_map.span(self.line.within)
        if within is None:
            self.losses.append(Loss.LIMITS)
        return within

    def _pin(self, old: Span, new: Span) -> Pin:
        """The locks; a time that is gone, or far from its action now, is locked no longer."""
        pin = self.line.pin
        if pin.start is None:
            return pin
        start = self.time_map.at(pin.start)
        if start is None:
            self.losses.append(Loss.START_LOCK)
        elif not pin.override and self._tore_apart(pin.start, start, old, new):
            self.losses.append(Loss.FAR_LOCK)
            start = None
        return replace(pin, start=start, override=pin.override and start is not None)

    def _tore_apart(self, old_start: int, new_start: int, old: Span, new: Span) -> bool:
        """Whether a line's start and its action are farther apart than they were, and than they may be."""
        before = (2 * old_start - old.doubled_midpoint) // 2
        after = (2 * new_start - new.doubled_midpoint) // 2
        settings = self.script.settings
        most = max(settings.early, settings.late)
        return abs(after) > max(most, abs(before) + FRAME_MS)

    def _approval(self, old: Span, new: Span) -> Approval | None:
        approval = self.line.approval
        if approval is None:
            return None
        start = self.time_map.at(approval.start)
        if start is None:
            start = max(0, approval.start + new.start - old.start)
        return replace(approval, start=start)

    def _elsewhere(self, scenes: _Scenes) -> Eventuality:
        return replace(self.line, within=self._within(), scene=scenes.of(self.line, None))

    def _gone(self, scenes: _Scenes) -> Eventuality:
        line = self.line
        note = "\n".join(part for part in (line.note, self._whereabouts()) if part)
        return replace(
            line,
            occurrence=None,
            confidence=None,
            within=None,
            pin=Pin(selected=False, variant=line.pin.variant),
            approval=None,
            scene=scenes.of(line, None),
            note=note if len(note) <= MAX_CHARACTERS else line.note,
        )

    def _whereabouts(self) -> str:
        film, line = self.script.film, self.line
        parts: list[str] = []
        if line.occurrence is not None:
            span = line.occurrence
            parts.append(f"action {film.timecode(span.start)}–{film.timecode(span.end)}")
        if line.pin.start is not None:
            overlap = ", overlap allowed" if line.pin.override else ""
            parts.append(f"locked at {film.timecode(line.pin.start)}{overlap}")
        if line.pin.selected is not None:
            parts.append("locked in" if line.pin.selected else "locked out")
        return f"Not in the new cut. In the former one: {'; '.join(parts)}."


def _in_order(lines: Sequence[tuple[Eventuality, Piece | None]]) -> list[Eventuality]:
    """The lines in textual order; those of moved film go with it, together with lines without a time behind them."""
    staying: list[tuple[Eventuality, int | None]] = []
    moving: dict[Piece, list[tuple[Eventuality, int | None]]] = {}
    group: Piece | None = None
    for line, moved in lines:
        time = _time(line)
        group = moved if time is not None else group
        (staying if group is None else moving.setdefault(group, [])).append((line, time))
    for piece in sorted(moving, key=lambda each: each.new):
        place = _place_for(piece.new.start, [time for _, time in staying])
        staying[place:place] = moving[piece]
    return [line for line, _ in staying]


def _time(line: Eventuality) -> int | None:
    if line.occurrence is not None:
        return line.occurrence.doubled_midpoint // 2
    return line.pin.start


def _place_for(time: int, times: Sequence[int | None]) -> int:
    """The place in a list, not quite in order, that has the fewest earlier times behind it and later ones before it."""
    wrong = sum(each is not None and each < time for each in times)
    best, least = 0, wrong
    for place, each in enumerate(times, 1):
        if each is not None:
            wrong += 1 if each > time else -1 if each < time else 0
        if wrong < least or (wrong == least and each is None and best == place - 1):
            best, least = place, wrong
    return best


def _dialogue(
    script: Script, time_map: TimeMap, cues: Sequence[Cue] | None, ids: Ids
) -> tuple[tuple[Cue, ...], DialogueReport]:
    followed = sorted(filter(None, (_cue(cue, time_map) for cue in script.cues)), key=lambda cue: cue.start)
    if cues is None:
        return tuple(followed), DialogueReport(len(followed), removed=len(script.cues) - len(followed))
    diff = dialogue_diff(followed, cues)
    found = tuple(cue if cue.id else replace(cue, id=ids.fresh(Cue)) for cue in diff.cues)
    shared = sum(bool(cue.id) for cue in diff.cues)
    return found, DialogueReport(shared, len(diff.reworded), len(diff.added), len(script.cues) - shared)


def _cue(cue: Cue, time_map: TimeMap) -> Cue | None:
    """A cue in the new cut, whether it ends before it starts or not; None where its film was removed."""
    span = time_map.span(Span(cue.start, max(cue.start, cue.end)))
    if span is None:
        return None
    end = span.end if cue.end >= cue.start else span.start + round((cue.end - cue.start) * time_map.ratio)
    return replace(cue, start=span.start, end=end)


def _regions(
    regions: Sequence[Silence] | Sequence[Opening], time_map: TimeMap
) -> tuple[list[Silence | Opening], list[Silence | Opening]]:
    found: list[Silence | Opening] = []
    gone: list[Silence | Opening] = []
    for region in regions:
        span = time_map.span(region.span)
        if span is None:
            gone.append(region)
        else:
            found.append(replace(region, span=span))
    return sorted(found, key=lambda region: region.span), gone


def _dropped(before: Rules, after: Rules) -> Rules:
    def less(one: Iterable[tuple[str, ...]], other: Iterable[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
        left = set(other)
        return tuple(group for group in one if group not in left)

    return Rules(
        less(before.alternatives, after.alternatives),
        tuple(pair for pair in before.requires if pair not in after.requires),
        less(before.together, after.together),
        tuple(penalty for penalty in before.penalties if penalty not in after.penalties),
    )

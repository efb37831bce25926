"""Taking a line back from a version: one step, which undo takes back again."""

from __future__ import annotations

from dataclasses import replace

from adstudio.core.script import Eventuality, Origin, Pin, Rules, Script
from adstudio.core.steps import Insert, Move, Replace, Several, Step
from adstudio.core.timebase import Span
from adstudio.editing.change import EditRefused, clamped, id_after, rules_steps
from adstudio.editing.names import line_name
from adstudio.store.version_rows import VersionContent
from adstudio.versions.comparing import compared, differing, reordered

ADDED_LATER = "That line is not in this version: it was added later. It can be deleted in the script."
AS_IT_WAS = "That line is as it was in this version already."


def take_back(current: VersionContent, version: VersionContent, identity: str, *, locked: bool = False) -> Several:
    """The step that has a line as the version has it: its wordings, takes, times, locks, notes and place.

    `locked` also locks it in the wording and at the time in which the version's plan speaks it, or locks it out if that
    leaves it out. A line that only the plan speaks otherwise is locked so in any case: nothing else would change that.
    A line that is gone comes back with its rules, as far as their other lines are there and scenes are the same.

    Raises:
        EditRefused: if the version does not have the line, or it is as it was already.
    """
    if identity not in version.script.eventuality_index:
        raise EditRefused(ADDED_LATER)
    script, old = current.script, version.script.eventuality(identity)
    now = script.eventuality(identity) if identity in script.eventuality_index else None
    line = _fitting(script, old, now)
    moving = now is not None and identity in reordered(version.script, script)
    as_spoken = _locked(script, version, line)
    if now is not None and not moving:
        if not differing(now, as_spoken):
            raise EditRefused(AS_IT_WAS)
        if not locked and not compared(version, current, identity, is_moved=False).changes:
            raise EditRefused(AS_IT_WAS)
        locked = locked or not differing(now, line)
    line = as_spoken if locked else line
    if line.origin is Origin.MACHINE:
        line = replace(line, worked=True)
    label = f"Take {line_name(line)} back"
    before = _line_after(version.script, identity, script)
    if now is None:
        rules = _rules_with(script, version.script, identity)
        return Several(label, (Insert(line, before), *rules_steps(script, rules)))
    steps: list[Step] = [] if line == now else [Replace(now, line)]
    behind = id_after(script, script.eventuality_index[identity])
    if moving and behind != before:
        steps.append(Move(line, behind, before))
    if not steps:
        raise EditRefused(AS_IT_WAS)
    return Several(label, tuple(steps))


def _fitting(script: Script, old: Eventuality, now: Eventuality | None) -> Eventuality:
    """The line of a version within the present film and its scenes."""
    end = script.film.end
    pin = old.pin if old.pin.start is None or old.pin.start < end else replace(old.pin, start=None)
    return replace(
        old,
        scene=_scene(script, old) if now is None else now.scene,
        occurrence=_inside(script, old.occurrence),
        within=_inside(script, old.within),
        pin=pin,
        seen=True,
    )


def _scene(script: Script, line: Eventuality) -> str | None:
    if line.scene in script.scene_by_id or line.occurrence is None:
        return line.scene if line.scene in script.scene_by_id else None
    start = line.occurrence.start
    return next((scene.id for scene in script.scenes if scene.span.start <= start < scene.span.end), None)


def _inside(script: Script, span: Span | None) -> Span | None:
    return None if span is None else Span(clamped(script, span.start), clamped(script, span.end))


def _locked(script: Script, version: VersionContent, line: Eventuality) -> Eventuality:
    """The line locked as the version's plan speaks it."""
    if version.plan is None or line.holds_picture:
        return line
    spoken = version.plan.by_line.get(line.id)
    if spoken is None:
        pin = Pin(selected=False)
    elif spoken.members:
        pin = replace(line.pin, selected=True)
    elif spoken.variant < len(line.variants) and spoken.start < script.film.end:
        pin = replace(line.pin, selected=True, variant=spoken.variant, start=spoken.start)
    else:
        return line
    return replace(line, pin=pin, provenance=replace(line.provenance, held_by_polishing=False))


def _line_after(version: Script, identity: str, script: Script) -> str | None:
    """The next line of the version that the present script has too."""
    following = version.eventualities[version.eventuality_index[identity] + 1 :]
    return next((line.id for line in following if line.id in script.eventuality_index), None)


def _rules_with(script: Script, version: Script, identity: str) -> Rules:
    """The present rules with those that the version has on a line which comes back."""
    rules, then = script.rules, version.rules
    if script.scenes != version.scenes:
        # Rules are between lines of one scene.
        return rules
    there = {*script.eventuality_index, identity}
    pairs = (pair for pair in then.requires if identity in pair and there.issuperset(pair))
    penalties = (each for each in then.penalties if identity in (each.first, each.second))
    return replace(
        rules,
        alternatives=_groups_with(rules.alternatives, then.alternatives, identity, there),
        together=_groups_with(rules.together, then.together, identity, there),
        requires=tuple(dict.fromkeys((*rules.requires, *pairs))),
        penalties=tuple(
            dict.fromkeys((*rules.penalties, *(each for each in penalties if {each.first, each.second} <= there)))
        ),
    )


def _groups_with(
    groups: tuple[tuple[str, ...], ...], then: tuple[tuple[str, ...], ...], identity: str, there: set[str]
) -> tuple[tuple[str, ...], ...]:
    """Groups with those that a line was in; one that went on without it has it again."""
    found = list(groups)
    for group in then:
        whole = tuple(each for each in group if each in there)
        rest = tuple(each for each in whole if each != identity)
        if identity not in group or not rest or whole in found:
            continue
        if rest in found:
            found[found.index(rest)] = whole
        else:
            found.append(whole)
    return tuple(found)

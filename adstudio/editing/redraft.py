"""Redrafting a scene: new lines replace the machine's old ones, and everything a person worked on stays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from adstudio.core.script import Eventuality, Fusion, Origin, Scene, Script
from adstudio.core.steps import Agent, ChangeKind, Insert, Remove, Replace, Several, Step, StepOrigin
from adstudio.core.words import folded
from adstudio.editing.change import collection_steps, id_after, item_of, one_step, removal_steps
from adstudio.editing.ids import Ids
from adstudio.editing.names import quoted, scene_name


def is_human_work(script: Script, line: Eventuality) -> bool:
    """Whether a person has worked on a line, so that no redraft may remove it.

    That is, it was worded, rated, pinned, accepted, annotated, limited, linked, put under a rule, moved, timed,
    recorded, given another voice, level or occurrence (which clears the machine's confidence), or had its wordings
    reordered. Merely looking at it, or pinning and unpinning it, does not count.
    """
    return (
        line.origin is Origin.HUMAN
        or line.pin.held
        or line.weighed
        or line.worked
        or line.accepted
        or line.note != line.provenance.note
        or line.joined
        or line.extended
        or line.voice is not None
        or line.duck is not None
        or any(variant.takes for variant in line.variants)
        or line.within is not None
        or line.id in script.rules.mentioned
        or (line.provenance.drafted is not None and line.confidence is None)
    )


def redraft_scene(
    script: Script, ids: Ids, scene: str, fresh: Sequence[Eventuality], fusions: Sequence[Fusion] = ()
) -> Step | None:
    """Replace a scene's lines that nobody has worked on by `fresh` ones, which are in textual order.

    Human work keeps its position. A fresh line with the wording or source passage of a line that stays is left out.
    `fusions` are of fresh lines; those of lines that go, go too. None if nothing would change.

    Raises:
        EditRefused: if the scene no longer exists.
    """
    found = item_of(script.scenes, scene, "scene")
    lines = [line for line in script.eventualities if line.scene == scene]
    human = [line for line in lines if is_human_work(script, line)]
    gone = [line for line in lines if not is_human_work(script, line)]
    ordered = _merged(human, fresh)
    news = [line for line in ordered if line not in human]
    if [_content(line) for line in gone] == [_content(line) for line in news]:
        return None
    steps: list[Step] = list(removal_steps(script, (line.id for line in gone)))
    staying = {line.id for line in human}
    before = _line_after_scene(script, scene, {line.id for line in gone})
    inserts: list[Step] = []
    named: dict[str, str] = {}
    for line in reversed(ordered):
        if line.id in staying:
            before = line.id
            continue
        new = replace(line, id=ids.fresh(Eventuality), scene=scene)
        inserts.append(Insert(new, before))
        before = named[line.id] = new.id
    fused = _with_fusions(script, ids, {line.id for line in gone}, fusions, named)
    return one_step(f"Redraft scene {quoted(found.title or found.id)}", [*steps, *inserts, *fused])


def _with_fusions(
    script: Script, ids: Ids, gone: set[str], fresh: Iterable[Fusion], named: Mapping[str, str]
) -> list[Step]:
    """The steps to fusions without those of lines that are gone, and with fresh ones, of lines that came as `named`."""
    staying = [fusion for fusion in script.fusions if gone.isdisjoint(fusion.members)]
    new = [
        replace(fusion, id=ids.fresh(Fusion), members=tuple(named[name] for name in fusion.members))
        for fusion in fresh
        if all(name in named for name in fusion.members)
    ]
    return collection_steps(script.fusions, [*staying, *new])


def insert_drafted_scene(
    script: Script, ids: Ids, scene: Scene, fresh: Sequence[Eventuality], by: str
) -> Several | None:
    """Redraft a scene, as `redraft_scene`, with lines drafted by the model called `by`.

    Lines drafted before the film had scenes are included. None if nothing would change.

    Raises:
        EditRefused: if the scene no longer exists.
    """
    adopted = _adopted(script, scene)
    for one in adopted:
        script = one.apply(script)
    step = redraft_scene(script, ids, scene.id, fresh)
    if step is None:
        return None
    steps = step.steps if isinstance(step, Several) else (step,)
    origin = StepOrigin(Agent.EDITOR, ChangeKind.SCENE_DRAFT, by)
    return Several(f"Scene {scene_name(script, scene)} drafted by {by}", (*adopted, *steps), origin)


def drafted_scene_id(step: Step | None) -> str | None:
    """The id of the scene whose model draft a step inserted; None for any other step."""
    if not isinstance(step, Several) or step.origin.kind is not ChangeKind.SCENE_DRAFT:
        return None
    lines = (each.item for each in step.steps if isinstance(each, Insert | Remove))
    return next((line.scene for line in lines if isinstance(line, Eventuality)), None)


def _adopted(script: Script, scene: Scene) -> list[Replace]:
    """Steps that move lines without a scene into the one in which they happen; else they would be said twice."""
    return [
        Replace(line, replace(line, scene=scene.id))
        for line in script.eventualities
        if line.scene is None and line.occurrence and scene.span.start <= line.occurrence.start < scene.span.end
    ]


def _merged(human: Sequence[Eventuality], fresh: Sequence[Eventuality]) -> list[Eventuality]:
    """Human and fresh lines, each in their own order; of two that say the same, the human one."""
    places: dict[str, int] = {}
    for place, line in enumerate(fresh):
        for key in _keys(line):
            places.setdefault(key, place)
    same = [min((places[key] for key in _keys(line) if key in places), default=None) for line in human]
    doubled = {place for place in same if place is not None}
    merged: list[Eventuality] = []
    at = 0
    for number, line in enumerate(human):
        own = same[number]
        later = [place for place in same[number:] if place is not None and place >= at]
        limit = min(later, default=len(fresh))
        while at < limit and (own is not None or _start_of(fresh[at]) <= _start_of(line)):
            if at not in doubled:
                merged.append(fresh[at])
            at += 1
        merged.append(line)
    return merged + [line for place, line in enumerate(fresh) if place >= at and place not in doubled]


def _keys(line: Eventuality) -> Iterable[str]:
    if line.extract:
        yield f"extract {folded(line.extract)}"
    for variant in line.variants:
        yield f"wording {folded(variant.text)}"


def _content(line: Eventuality) -> Eventuality:
    return replace(line, id="", scene=None, seen=False)


def _start_of(line: Eventuality) -> int:
    if line.pin.start is not None:
        return line.pin.start
    # A line without an occurrence stays next to its neighbours in the text.
    return line.occurrence.start if line.occurrence is not None else -1


def _line_after_scene(script: Script, scene: str, gone: set[str]) -> str | None:
    """The line that follows the scene in textual order, even if the scene has no lines."""
    places = [place for place, line in enumerate(script.eventualities) if line.scene == scene]
    if places:
        return id_after(script, places[-1], gone)
    order = {each.id: number for number, each in enumerate(sorted(script.scenes, key=lambda each: each.span))}
    mine = order[scene]
    return next((line.id for line in script.eventualities if order.get(line.scene or "", -1) > mine), None)

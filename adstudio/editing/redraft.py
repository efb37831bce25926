"""A scene drafted again: the machine's lines go, new ones come, and what a describer has done stays as it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from adstudio.core.script import Eventuality, Origin, Script
from adstudio.core.steps import Insert, Step
from adstudio.core.words import folded
from adstudio.editing.change import following, one_step, removals
from adstudio.editing.ids import Ids
from adstudio.editing.names import named
from adstudio.editing.refusal import EditRefused


def is_human_work(script: Script, line: Eventuality) -> bool:
    """Whether somebody has worked on a line, so that no machine may take it away.

    That is: worded or weighed by hand, pinned, accepted, noted on, bounded or joined by hand, tied by a rule, given
    another occurrence (which takes the machine's confidence away), moved in the order, timed, or its wordings put in
    another order. Not: only looked at, and what was held and let go again.
    """
    return (
        line.origin is Origin.HUMAN
        or line.pin.held
        or line.weighed
        or line.worked
        or line.accepted
        or bool(line.note)
        or line.joined
        or line.within is not None
        or line.id in script.rules.mentioned
        or (line.provenance.drafted is not None and line.confidence is None)
    )


def redraft_scene(script: Script, ids: Ids, scene: str, fresh: Sequence[Eventuality]) -> Step | None:
    """Put freshly drafted lines, in textual order, in place of a scene's lines that nobody has worked on.

    What is human stays where it stands in the order. A fresh line that says the same as one that stays, or comes from
    the same words of the text, does not come a second time. None where nothing would change.

    Raises:
        EditRefused: for a scene that is not there any more.
    """
    found = script.scene_by_id.get(scene)
    if found is None:
        raise EditRefused("That scene is not in the film any more.")
    lines = [line for line in script.eventualities if line.scene == scene]
    kept = [line for line in lines if is_human_work(script, line)]
    gone = [line for line in lines if not is_human_work(script, line)]
    ordered = _merged(kept, fresh)
    news = [line for line in ordered if line not in kept]
    if [_content(line) for line in gone] == [_content(line) for line in news]:
        return None
    steps: list[Step] = list(removals(script, (line.id for line in gone)))
    staying = {line.id for line in kept}
    before = _behind(script, scene, {line.id for line in gone})
    inserts: list[Step] = []
    for line in reversed(ordered):
        if line.id in staying:
            before = line.id
            continue
        new = replace(line, id=ids.fresh(Eventuality), scene=scene)
        inserts.append(Insert(new, before))
        before = new.id
    return one_step(f"Draft scene {named(found.title or found.id)} again", [*steps, *inserts])


def _merged(kept: Sequence[Eventuality], fresh: Sequence[Eventuality]) -> list[Eventuality]:
    """The lines that stay and those that come, both in their own order; where one is both, the one that stays."""
    places: dict[str, int] = {}
    for place, line in enumerate(fresh):
        for key in _keys(line):
            places.setdefault(key, place)
    same = [min((places[key] for key in _keys(line) if key in places), default=None) for line in kept]
    doubled = {place for place in same if place is not None}
    merged: list[Eventuality] = []
    at = 0
    for number, line in enumerate(kept):
        own = same[number]
        later = [place for place in same[number:] if place is not None and place >= at]
        limit = min(later, default=len(fresh))
        while at < limit and (own is not None or _starts(fresh[at]) <= _starts(line)):
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


def _starts(line: Eventuality) -> int:
    if line.pin.start is not None:
        return line.pin.start
    # What happens nowhere stays next to what it was told with.
    return line.occurrence.start if line.occurrence is not None else -1


def _behind(script: Script, scene: str, gone: set[str]) -> str | None:
    """The line that follows the scene's in textual order, whether the scene has lines or not."""
    places = [place for place, line in enumerate(script.eventualities) if line.scene == scene]
    if places:
        return following(script, places[-1], gone)
    order = {each.id: number for number, each in enumerate(sorted(script.scenes, key=lambda each: each.span))}
    mine = order[scene]
    return next((line.id for line in script.eventualities if order.get(line.scene or "", -1) > mine), None)

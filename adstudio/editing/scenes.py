"""Scenes and sequences: splitting, merging, naming and grouping them, and review progress."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import replace

from adstudio.core import script as domain
from adstudio.core.plan import Plan
from adstudio.core.script import Eventuality, Scene, Script
from adstudio.core.steps import Insert, Replace, Step
from adstudio.core.timebase import Span
from adstudio.editing.approval import as_approved
from adstudio.editing.change import EditRefused, checked_text, item_of, one_step, timed_steps
from adstudio.editing.fusions import own_plan, own_steps, owned_in_passing
from adstudio.editing.ids import Ids
from adstudio.editing.names import quoted, span_text
from adstudio.planning.film.film_problem import scene_finder

MAX_SCENES = 10_000
"""The most scenes a film can have."""


NEAR_CUT_MS = 1000
"""A scene that is split this near to a cut is split at the cut."""
MOST_TO_CUT_MS = 3000
"""The farthest that a boundary between scenes is moved to a cut."""


def near_cut(t: int, cuts: Sequence[int], within: int = NEAR_CUT_MS) -> int | None:
    """The cut nearest to a time, both in milliseconds; None where none is so near. `cuts` are in order."""
    place = bisect_left(cuts, t)
    near = [cut for cut in cuts[max(0, place - 1) : place + 1] if abs(cut - t) <= within]
    return min(near, key=lambda cut: abs(cut - t), default=None)


def split_scene(script: Script, ids: Ids, t: int) -> Step | None:
    """Split a scene at a time; its lines go with the part in which they happen.

    The first part keeps title and id, both keep the sequence and review state. A film without scenes gets its first
    two.

    Raises:
        EditRefused: at a scene's edge, or where there is no scene.
    """
    if not script.scenes:
        return scenes_from_shots(script, ids, (t,))
    scene = next((scene for scene in script.scenes if scene.span.start < t < scene.span.end), None)
    if scene is None:
        if any(t in (scene.span.start, scene.span.end) for scene in script.scenes):
            raise EditRefused(f"There is already a scene change at {script.film.timecode(t)}.")
        raise EditRefused(f"There is no scene to split at {script.film.timecode(t)}.")
    first = replace(scene, span=Span(scene.span.start, t))
    second = replace(scene, id=ids.fresh(Scene), span=Span(t, scene.span.end), title="")
    steps = timed_steps(script.scenes, {scene.id: first}, (second,))
    steps += [Replace(line, replace(line, scene=second.id)) for line in _lines_after(script, scene, t)]
    return one_step(f"Split scene {_name(script, scene)} at {script.film.timecode(t)}", steps)


def merge_scene(script: Script, identity: str) -> Step | None:
    """Merge a scene with the next; the result is reviewed if both were.

    Raises:
        EditRefused: for the last scene, or one that no longer exists.
    """
    scene = _scene(script, identity)
    order = sorted(script.scenes, key=lambda scene: scene.span)
    place = order.index(scene) + 1
    if place == len(order):
        raise EditRefused("This is the last scene: there is no next one to merge it with.")
    after = order[place]
    merged = replace(
        scene,
        span=Span(scene.span.start, max(scene.span.end, after.span.end)),
        title=scene.title or after.title,
        sequence=scene.sequence if scene.sequence is not None else after.sequence,
        reviewed=scene.reviewed and after.reviewed,
    )
    lines = [line for line in script.eventualities if line.scene == after.id]
    steps: list[Step] = [Replace(line, replace(line, scene=scene.id)) for line in lines]
    steps += timed_steps(script.scenes, {scene.id: merged, after.id: None})
    return one_step(f"Merge scenes {_name(script, scene)} and {_name(script, after)}", steps)


def rename_scene(script: Script, identity: str, title: str) -> Step | None:
    """Set a scene's title; refused if it no longer exists."""
    return _edit_scenes(script, (identity,), lambda scene: replace(scene, title=checked_text(title)), "")


def set_reviewed(script: Script, identities: Iterable[str], *, on: bool, plan: Plan | None = None) -> Step | None:
    """Mark scenes as reviewed, their lines approved as the plan speaks them, or as not reviewed.

    Fused lines that are approved become lines of their own, so that they stay as they were approved; the label says so.

    Raises:
        EditRefused: if a scene no longer exists.
    """
    scenes = [_scene(script, identity) for identity in dict.fromkeys(identities)]
    steps: list[Step] = [Replace(scene, replace(scene, reviewed=on)) for scene in scenes if scene.reviewed is not on]
    with_fused = ""
    if on and plan is not None:
        chosen, scene_of = {scene.id for scene in scenes}, scene_finder(script)
        inside = {line.id for line in script.eventualities if scene_of(line) in chosen}
        for step in (own := own_steps(script, plan, inside)):
            script = step.apply(script)
        with_fused = owned_in_passing(sum(isinstance(step, Replace) for step in own))
        steps, plan = [*own, *steps], own_plan(plan, inside)
        lines = [(line, as_approved(script, line, plan)) for line in script.eventualities if scene_of(line) in chosen]
        steps += [Replace(old, new) for old, new in lines if new != old]
    names = f"scene {_name(script, scenes[0])}" if len(scenes) == 1 else f"{len(scenes)} scenes"
    return one_step(f"Mark {names} as {'reviewed' if on else 'not reviewed'}{with_fused}", steps)


def next_unreviewed(script: Script, at: int, reviewed: Container[str]) -> Scene | None:
    """The next scene that starts after a time and is not `reviewed` (ids), else the first; None if all are."""
    left = sorted((scene for scene in script.scenes if scene.id not in reviewed), key=lambda scene: scene.span)
    return next((scene for scene in left if scene.span.start > at), left[0] if left else None)


def make_sequence(script: Script, ids: Ids, identities: Iterable[str], title: str) -> Step | None:
    """Group scenes in a new sequence, positioned by the time of its first scene.

    Raises:
        EditRefused: if there are no scenes, or one no longer exists.
    """
    scenes = [_scene(script, identity) for identity in dict.fromkeys(identities)]
    if not scenes:
        raise EditRefused("Select the scenes for the sequence.")
    sequence = domain.Sequence(ids.fresh(domain.Sequence), checked_text(title))
    start = min(scene.span.start for scene in scenes)
    later = _sequences_after(script, start)
    steps: list[Step] = [Insert(sequence, next((s.id for s in script.sequences if s.id in later), None))]
    steps += [Replace(scene, replace(scene, sequence=sequence.id)) for scene in scenes]
    return one_step(f"Create sequence {quoted(title)}", steps)


def assign_to_sequence(script: Script, identities: Iterable[str], sequence: str | None) -> Step | None:
    """Move scenes to a sequence, or out of any (None).

    Raises:
        EditRefused: if a scene or the sequence no longer exists.
    """
    if sequence is not None:
        item_of(script.sequences, sequence, "sequence")
    return _edit_scenes(script, identities, lambda scene: replace(scene, sequence=sequence), "Assign {} scenes")


def scenes_from_shots(script: Script, ids: Ids, boundaries: Sequence[int], least: int = 0) -> Step | None:
    """Divide a film without scenes into scenes at these times.

    Boundaries outside the film, or that would leave a scene shorter than `least` milliseconds, are skipped.

    Raises:
        EditRefused: if there are scenes already, no boundary lies in the film, or there are far too many.
    """
    if script.scenes:
        raise EditRefused("The film already has scenes: split or merge them instead.")
    end, least = script.film.end, max(1, least)
    cuts = [0]
    for boundary in sorted(set(boundaries)):
        if boundary - cuts[-1] >= least and end - boundary >= least:
            cuts.append(boundary)
    if len(cuts) == 1:
        raise EditRefused("There are no shot changes within the film to create scenes from.")
    if len(cuts) > MAX_SCENES:
        raise EditRefused(f"{len(cuts):,} scenes are too many (at most {MAX_SCENES:,}): use longer scenes.")
    spans = [Span(start, stop) for start, stop in zip(cuts, [*cuts[1:], end], strict=True)]
    return one_step(f"Create {len(spans)} scenes", [Insert(Scene(ids.fresh(Scene), span)) for span in spans])


def scenes_to_cuts(script: Script, cuts: Sequence[int], within: int = MOST_TO_CUT_MS) -> Step | None:
    """Move each boundary between two scenes to the nearest cut, `within` so many milliseconds; as one step.

    A boundary stays where no cut is so near, or where a scene would be left without time. Lines keep their scene.

    Raises:
        EditRefused: where no boundary moves.
    """
    cuts = sorted(set(cuts))
    scenes = list(script.scenes)
    for place in range(1, len(scenes)):
        before, after = scenes[place - 1], scenes[place]
        cut = near_cut(after.span.start, cuts, within)
        touch = before.span.end == after.span.start
        if cut is None or not touch or not before.span.start < cut < after.span.end:
            continue
        scenes[place - 1] = replace(before, span=Span(before.span.start, cut))
        scenes[place] = replace(after, span=Span(cut, after.span.end))
    changed = {old.id: new for old, new in zip(script.scenes, scenes, strict=True) if new != old}
    if not changed:
        raise EditRefused(f"No scene boundary moves: each lies on a cut, or none is within {within / 1000:g} s.")
    return one_step("Move scene boundaries to cuts", timed_steps(script.scenes, dict(changed)))


def _edit_scenes(script: Script, identities: Iterable[str], edit: Callable[[Scene], Scene], label: str) -> Step | None:
    scenes = [_scene(script, identity) for identity in dict.fromkeys(identities)]
    pairs = [(scene, edit(scene)) for scene in scenes]
    steps = [Replace(old, new) for old, new in pairs if new != old]
    return one_step(label.format(len(steps)), steps)


def _lines_after(script: Script, scene: Scene, t: int) -> list[Eventuality]:
    """The lines of a scene that happen after a time; one without a time goes with the previous line."""
    found: list[Eventuality] = []
    behind = False
    for line in script.eventualities:
        if line.scene != scene.id:
            continue
        if line.occurrence is not None:
            behind = line.occurrence.doubled_midpoint >= 2 * t
        elif line.pin.start is not None:
            behind = line.pin.start >= t
        if behind:
            found.append(line)
    return found


def _sequences_after(script: Script, start: int) -> set[str]:
    """The sequences whose first scene starts later."""
    first: dict[str, int] = {}
    for scene in script.scenes:
        if scene.sequence is not None:
            first[scene.sequence] = min(scene.span.start, first.get(scene.sequence, scene.span.start))
    return {sequence for sequence, begins in first.items() if begins > start}


def _scene(script: Script, identity: str) -> Scene:
    return item_of(script.scenes, identity, "scene")


def _name(script: Script, scene: Scene) -> str:
    return quoted(scene.title) if scene.title else span_text(script.film, scene.span)

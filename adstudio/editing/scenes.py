"""Scenes and sequences: split, merged, named, gathered, and how far the review has come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from adstudio.core import script as domain
from adstudio.core.script import Eventuality, Scene, Script
from adstudio.core.steps import Insert, Replace, Step
from adstudio.core.timebase import Span
from adstudio.editing.change import one_step, timed_steps, written
from adstudio.editing.ids import Ids
from adstudio.editing.names import at_time, named, stretch
from adstudio.editing.refusal import EditRefused

MOST_SCENES = 10_000
"""More scenes than this are no film."""


def split_scene(script: Script, ids: Ids, t: int) -> Step | None:
    """End a scene at a time and begin another there; its lines go with the part that they happen in.

    The first part keeps title and id, both their sequence and whether they were reviewed. In a film without scenes this
    makes its first two.

    Raises:
        EditRefused: at a scene's edge, or where there is no scene.
    """
    if not script.scenes:
        return scenes_from_shots(script, ids, (t,))
    scene = next((scene for scene in script.scenes if scene.span.start < t < scene.span.end), None)
    if scene is None:
        if any(t in (scene.span.start, scene.span.end) for scene in script.scenes):
            raise EditRefused(f"Scenes change at {at_time(t)} already.")
        raise EditRefused(f"There is no scene to split at {at_time(t)}.")
    first = replace(scene, span=Span(scene.span.start, t))
    second = replace(scene, id=ids.fresh(Scene), span=Span(t, scene.span.end), title="")
    steps = timed_steps(script.scenes, {scene.id: first}, (second,))
    steps += [Replace(line, replace(line, scene=second.id)) for line in _behind(script, scene, t)]
    return one_step(f"Split scene {_name(scene)} at {at_time(t)}", steps)


def merge_scene(script: Script, identity: str) -> Step | None:
    """Make one scene of this one and the next; it is reviewed if both were.

    Raises:
        EditRefused: for the last scene, or one that is not there any more.
    """
    scene = _scene(script, identity)
    order = sorted(script.scenes, key=lambda scene: scene.span)
    place = order.index(scene) + 1
    if place == len(order):
        raise EditRefused("This is the last scene: there is none behind it to merge it with.")
    after = order[place]
    whole = replace(
        scene,
        span=Span(scene.span.start, max(scene.span.end, after.span.end)),
        title=scene.title or after.title,
        sequence=scene.sequence if scene.sequence is not None else after.sequence,
        reviewed=scene.reviewed and after.reviewed,
    )
    lines = [line for line in script.eventualities if line.scene == after.id]
    steps: list[Step] = [Replace(line, replace(line, scene=scene.id)) for line in lines]
    steps += timed_steps(script.scenes, {scene.id: whole, after.id: None})
    return one_step(f"Merge scenes {_name(scene)} and {_name(after)}", steps)


def rename_scene(script: Script, identity: str, title: str) -> Step | None:
    """Give a scene a title; refused where it is not there any more."""
    return _changed(script, (identity,), lambda scene: replace(scene, title=written(title)), "")


def set_reviewed(script: Script, identities: Iterable[str], *, on: bool) -> Step | None:
    """Mark scenes as reviewed, or as still to be; refused for one that is not there any more."""
    label = "Mark {} scenes as reviewed" if on else "Mark {} scenes as not reviewed"
    return _changed(script, identities, lambda scene: replace(scene, reviewed=on), label)


def next_not_reviewed(script: Script, at: int) -> Scene | None:
    """The first scene still to be reviewed that begins after a time, else the first in the film; None when all are."""
    left = sorted((scene for scene in script.scenes if not scene.reviewed), key=lambda scene: scene.span)
    return next((scene for scene in left if scene.span.start > at), left[0] if left else None)


def make_sequence(script: Script, ids: Ids, identities: Iterable[str], title: str) -> Step | None:
    """Gather scenes in a new sequence, which stands where the first of them is in time.

    Raises:
        EditRefused: for no scene at all, or one that is not there any more.
    """
    scenes = [_scene(script, identity) for identity in dict.fromkeys(identities)]
    if not scenes:
        raise EditRefused("Choose the scenes that the sequence is to hold.")
    sequence = domain.Sequence(ids.fresh(domain.Sequence), written(title))
    start = min(scene.span.start for scene in scenes)
    later = _sequences_after(script, start)
    steps: list[Step] = [Insert(sequence, next((s.id for s in script.sequences if s.id in later), None))]
    steps += [Replace(scene, replace(scene, sequence=sequence.id)) for scene in scenes]
    return one_step(f"Make sequence {named(title)}", steps)


def assign_to_sequence(script: Script, identities: Iterable[str], sequence: str | None) -> Step | None:
    """Put scenes into a sequence, or out of any (None).

    Raises:
        EditRefused: for a scene or a sequence that is not there any more.
    """
    if sequence is not None:
        _sequence(script, sequence)
    return _changed(script, identities, lambda scene: replace(scene, sequence=sequence), "Assign {} scenes")


def rename_sequence(script: Script, sequence: str, title: str) -> Step | None:
    """Give a sequence a title; refused where it is not there any more."""
    old = _sequence(script, sequence)
    new = replace(old, title=written(title))
    return Replace(old, new) if new != old else None


def scenes_from_shots(script: Script, ids: Ids, boundaries: Sequence[int], least: int = 0) -> Step | None:
    """Make scenes of the whole film between these times, in a film that has none.

    A boundary that would leave a scene shorter than `least` milliseconds is passed over; so is one outside the film.

    Raises:
        EditRefused: where there are scenes already, no boundary lies in the film, or there are far too many.
    """
    if script.scenes:
        raise EditRefused("The film has scenes already: split and merge those.")
    end, least = script.film.end, max(1, least)
    cuts = [0]
    for boundary in sorted(set(boundaries)):
        if boundary - cuts[-1] >= least and end - boundary >= least:
            cuts.append(boundary)
    if len(cuts) == 1:
        raise EditRefused("No shot changes inside the film, so there is nothing to make scenes of.")
    if len(cuts) > MOST_SCENES:
        raise EditRefused(f"{len(cuts):,} scenes are too many ({MOST_SCENES:,} at most): let them be longer.")
    spans = [Span(start, stop) for start, stop in zip(cuts, [*cuts[1:], end], strict=True)]
    return one_step(f"Make {len(spans)} scenes", [Insert(Scene(ids.fresh(Scene), span)) for span in spans])


def _changed(script: Script, identities: Iterable[str], edit: Callable[[Scene], Scene], label: str) -> Step | None:
    scenes = [_scene(script, identity) for identity in dict.fromkeys(identities)]
    pairs = [(scene, edit(scene)) for scene in scenes]
    steps = [Replace(old, new) for old, new in pairs if new != old]
    return one_step(label.format(len(steps)), steps)


def _behind(script: Script, scene: Scene, t: int) -> list[Eventuality]:
    """The lines of a scene that happen behind a time; one that happens at none goes with the line before it."""
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
    """The sequences whose first scene begins later."""
    first: dict[str, int] = {}
    for scene in script.scenes:
        if scene.sequence is not None:
            first[scene.sequence] = min(scene.span.start, first.get(scene.sequence, scene.span.start))
    return {sequence for sequence, begins in first.items() if begins > start}


def _scene(script: Script, identity: str) -> Scene:
    scene = script.scene_by_id.get(identity)
    if scene is None:
        raise EditRefused("That scene is not in the script any more.")
    return scene


def _sequence(script: Script, identity: str) -> domain.Sequence:
    sequence = next((sequence for sequence in script.sequences if sequence.id == identity), None)
    if sequence is None:
        raise EditRefused("That sequence is not in the script any more.")
    return sequence


def _name(scene: Scene) -> str:
    return named(scene.title) if scene.title else stretch(scene.span)

"""The describer's word on faces found in the film: whose they are."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace

from adstudio.core.cast import MAX_NAMED_FACES, FaceBox, NamedFace
from adstudio.core.counts import counted
from adstudio.core.script import Script
from adstudio.core.steps import Insert, Remove, Replace, Step
from adstudio.editing.change import EditRefused, one_step
from adstudio.editing.ids import Ids
from adstudio.editing.names import quoted

FacePlace = tuple[int, FaceBox]
"""A face's film time (ms) and its box."""


def name_faces(script: Script, ids: Ids, faces: Sequence[FacePlace], person: str | None) -> Step | None:
    """Say that these faces are a person's, by its id, or nobody's of the cast (None).

    Raises:
        EditRefused: where the person is not in the cast, or too many faces are named.
    """
    name = next((each.name for each in script.people if each.id == person), None)
    if person is not None and name is None:
        raise EditRefused("That character is no longer in the cast.")
    known = {(each.time, each.box): each for each in script.named_faces}
    places = list(dict.fromkeys(faces))
    if len(known) + sum(place not in known for place in places) > MAX_NAMED_FACES:
        raise EditRefused(f"At most {MAX_NAMED_FACES:,} faces can be named in a film.")
    steps: list[Step] = []
    for time, box in places:
        there = known.get((time, box))
        if there is None:
            steps.append(Insert(NamedFace(ids.fresh(NamedFace), time, box, person), None))
        elif there.person != person:
            steps.append(Replace(there, replace(there, person=person)))
    who = "not in the cast" if name is None else quoted(name)
    return one_step(f"Name {counted(len(steps), 'face')} as {who}", steps)


def unname_faces(script: Script, faces: Iterable[FacePlace]) -> Step | None:
    """Take back what was said of these faces."""
    places = set(faces)
    gone = {each.id for each in script.named_faces if (each.time, each.box) in places}
    return one_step(f"Forget the names of {counted(len(gone), 'face')}", removals(script, gone))


def removals(script: Script, gone: Container[str]) -> list[Step]:
    """The steps that forget the named faces with these ids."""
    steps: list[Step] = []
    follower: str | None = None
    for each in reversed(script.named_faces):
        if each.id in gone:
            steps.append(Remove(each, follower))
        else:
            follower = each.id
    return steps

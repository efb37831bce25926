"""A scene drafted by a model comes into the script as one step, from the editor's drafts and from the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adstudio.core.script import Eventuality, Scene, Script
from adstudio.core.steps import Agent, ChangeKind, Insert, Remove, Replace, Several, Step, StepOrigin
from adstudio.editing.ids import Ids
from adstudio.editing.names import scene_name
from adstudio.editing.redraft import redraft_scene


def scene_drafted(script: Script, ids: Ids, scene: Scene, fresh: Sequence[Eventuality], by: str) -> Several | None:
    """A scene's lines, drafted by a model of that name, in place of the machine's; human work stays where it is.

    The lines are included that were drafted before the film had scenes. None where nothing would change.

    Raises:
        EditRefused: for a scene that is not there any more.
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


def scene_brought_by(step: Step | None) -> str | None:
    """The scene (id) that came in, drafted by a model, with a step; None for any other step."""
    if not isinstance(step, Several) or step.origin.kind is not ChangeKind.SCENE_DRAFT:
        return None
    lines = (each.item for each in step.steps if isinstance(each, Insert | Remove))
    return next((line.scene for line in lines if isinstance(line, Eventuality)), None)


def _adopted(script: Script, scene: Scene) -> list[Replace]:
    """Lines that are in no scene become this one's where they happen in it: else they would be said twice."""
    return [
        Replace(line, replace(line, scene=scene.id))
        for line in script.eventualities
        if line.scene is None and line.occurrence and scene.span.start <= line.occurrence.start < scene.span.end
    ]

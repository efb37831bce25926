"""A draft gone over by a model: its scenes and their texts, and the model's lines put in; human work stays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from adstudio.candidates.model_draft.division import scenes_by_cuts
from adstudio.candidates.model_draft.events import SceneDraft
from adstudio.core.errors import Oddity
from adstudio.core.script import Eventuality, Script
from adstudio.editing.ids import Ids
from adstudio.editing.redraft import redraft_scene


def cut_into_scenes(script: Script, cuts: Iterable[int]) -> Script:
    """The script with scenes by its cuts, where the film is all one scene or has none; its lines go along."""
    if len(script.scenes) > 1:
        return script
    scenes = scenes_by_cuts(script.film.end, sorted(cuts), script.cues)

    def within(line: Eventuality) -> str:
        at = line.occurrence.start if line.occurrence is not None else 0
        return next((scene.id for scene in reversed(scenes) if scene.span.start <= at), scenes[0].id)

    lines = tuple(replace(line, scene=within(line)) for line in script.eventualities)
    return script.changed(scenes=scenes, eventualities=lines) if scenes else script


def texts_of(script: Script) -> dict[str, str]:
    """What a screenplay or a description tells of each scene, from the lines that were drafted of it."""
    texts: dict[str, list[str]] = {}
    for line in script.eventualities:
        if line.scene is not None and line.extract:
            texts.setdefault(line.scene, []).append(line.extract)
    return {scene: " ".join(pieces) for scene, pieces in texts.items()}


def with_drafts(script: Script, drafts: Iterable[SceneDraft]) -> Script:
    """The script with a model's lines in place of the machine's; a scene of which nothing came keeps what it had."""
    ids = Ids(script)
    for draft in drafts:
        step = redraft_scene(script, ids, draft.scene, draft.lines) if draft.lines else None
        if step is not None:
            script = step.apply(script)
    return script


def oddities_of(drafts: Iterable[SceneDraft]) -> tuple[Oddity, ...]:
    """Why scenes are not whole, for a person."""
    return tuple(Oddity(f"scene {draft.scene}: {draft.why}") for draft in drafts if draft.why)

"""One scene of a film drafted again, as its text is now."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from adstudio.characters.cast_sources import FoundPerson
from adstudio.core.errors import BadInputError
from adstudio.core.progress import OnProgress, ignore_progress
from adstudio.core.script import Eventuality, Fusion, Rules, Scene, Script
from adstudio.drafting.draft import plan_of
from adstudio.drafting.naming import with_spoken_names
from adstudio.drafting.text.film_drafting import drafted_description, drafted_screenplay
from adstudio.drafting.text.stages import Stages
from adstudio.drafting.text.text_drafting import Drafted


class NoTextError(BadInputError):
    """There is no text from which a scene could be drafted."""


class SceneLines(NamedTuple):
    """What a scene is drafted to: its lines, what fuses some of them, and whom its screenplay lets speak."""

    lines: tuple[Eventuality, ...]
    fusions: tuple[Fusion, ...]
    people: tuple[FoundPerson, ...] = ()


def drafted_again(
    script: Script,
    scene: str,
    progress: OnProgress = ignore_progress,
    *,
    screenplay: Path | None = None,
    description: Path | None = None,
    stages: Stages | None = None,
) -> SceneLines:
    """New lines for a scene, which `editing.redraft.redraft_scene` puts in place of the machine's old ones.

    They come from the screenplay or description given, else from the screenplay that the film was drafted from. The
    whole text is aligned with the film again, as only that shows which part of it belongs to the scene; cached stages
    make this quick if the text and the dialogue are unchanged.

    Raises:
        NoTextError: if no text is given or known, or the scene is gone.
        BadInputError, OutsideFailureError: as drafting from that text does.
    """
    found = script.scene_by_id.get(scene)
    if found is None:
        raise NoTextError("that scene is not in the film any more")
    if screenplay is None and description is None and script.film.screenplay:
        screenplay = Path(script.film.screenplay.path)
    if screenplay is not None:
        # Whoever drafted from it before decided that it is the right one.
        drafted = drafted_screenplay(screenplay, script.film, script.cues, progress, any_screenplay=True, stages=stages)
    elif description is not None:
        drafted = drafted_description(description, script.film, script.cues, progress, stages=stages)
    else:
        raise NoTextError("the text this film was drafted from is not known: give its screenplay or a description")
    drafted = _spoken_as_planned(script, drafted)
    lines = lines_in(drafted, found)
    inside = {line.id for line in lines}
    fusions = tuple(fusion for fusion in drafted.fusions if inside.issuperset(fusion.members))
    return SceneLines(lines, fusions, drafted.people)


def _spoken_as_planned(script: Script, drafted: Drafted) -> Drafted:
    """The draft as it calls people as a film of its own, so that the same text gives the same lines."""
    own = script.with_changes(
        scenes=drafted.scenes, eventualities=drafted.eventualities, fusions=drafted.fusions, rules=Rules()
    )
    said, _ = with_spoken_names(own, plan_of(own), plan_of)
    return replace(drafted, eventualities=said.eventualities, fusions=said.fusions)


def lines_in(drafted: Drafted, scene: Scene) -> tuple[Eventuality, ...]:
    """The lines of a draft that belong to a scene of a film: those that happen in it, or belong there without a time.

    A line without a time belongs where its drafted scene has most of its time.
    """
    span = scene.span
    common = {each.id: each.span.overlap(span) for each in drafted.scenes}
    mine = {each.id for each in drafted.scenes if (part := common[each.id]) and 2 * part.length > each.span.length}
    return tuple(
        line
        for line in drafted.eventualities
        if (
            line.scene in mine
            if line.occurrence is None
            else 2 * span.start <= line.occurrence.doubled_midpoint < 2 * span.end
        )
    )

"""One scene drafted again, from the text that its film was drafted from, as it is now."""

from __future__ import annotations

from pathlib import Path

from adstudio.core.errors import BadInputError
from adstudio.core.progress import OnProgress, ignore_progress
from adstudio.core.script import Eventuality, Scene, Script
from adstudio.core.timebase import Span
from adstudio.drafting.text.film_drafting import drafted_description, drafted_screenplay
from adstudio.drafting.text.stages import Stages
from adstudio.drafting.text.text_drafting import Drafted


class NoTextError(BadInputError):
    """Nothing tells what could be described in a scene."""


def drafted_again(
    script: Script,
    scene: str,
    progress: OnProgress = ignore_progress,
    *,
    screenplay: Path | None = None,
    description: Path | None = None,
    stages: Stages | None = None,
) -> tuple[Eventuality, ...]:
    """Fresh lines for a scene, which `editing.redraft.redraft_scene` puts in place of the machine's old ones.

    They come from the screenplay or description given, else from the screenplay that the film was drafted from. The
    whole text is laid over the film again, as only that tells where the scene's part of it lies; what had been made of
    it is taken from what was kept, so that it is quick where the text and the dialogue are the same.

    Raises:
        NoTextError: where no text is given or known, or the scene is gone.
        BadInputError, OutsideFailureError: as drafting from that text does.
    """
    found = script.scene_by_id.get(scene)
    if found is None:
        raise NoTextError("that scene is not in the film any more")
    if screenplay is None and description is None and script.film.screenplay:
        screenplay = Path(script.film.screenplay)
    if screenplay is not None:
        # Whoever drafted from it before has decided that it is the right one.
        drafted = drafted_screenplay(screenplay, script.film, script.cues, progress, any_screenplay=True, stages=stages)
    elif description is not None:
        drafted = drafted_description(description, script.film, script.cues, progress, stages=stages)
    else:
        raise NoTextError("nothing is known that this film was drafted from: give its screenplay or a description")
    return lines_in(drafted, found)


def lines_in(drafted: Drafted, scene: Scene) -> tuple[Eventuality, ...]:
    """The lines of a draft that belong to a scene of a film: what is seen in it, or told there without a place.

    A line without a place goes where the drafted scene that it stands in has most of its time.
    """
    mine = {each.id for each in drafted.scenes if _mostly(each.span, scene.span)}
    return tuple(line for line in drafted.eventualities if _is_in(line, scene.span, mine))


def _is_in(line: Eventuality, span: Span, mine: set[str]) -> bool:
    if line.occurrence is None:
        return line.scene in mine
    return 2 * span.start <= line.occurrence.doubled_midpoint < 2 * span.end


def _mostly(one: Span, other: Span) -> bool:
    common = one.overlap(other)
    return common is not None and 2 * common.length > one.length

"""What people have approved, which a film planned afresh prefers among equally good plans."""

from __future__ import annotations

from adstudio.core.script import Script
from adstudio.planning.film.film_problem import scene_finder


def approved_choices(script: Script) -> tuple[tuple[str, int], ...]:
    """The accepted lines and those of reviewed scenes, with the number of the wording that was spoken then.

    Where it is not known how an accepted line was spoken, its full wording.
    """
    reviewed = {scene.id for scene in script.scenes if scene.reviewed}
    scene_of = scene_finder(script)
    return tuple(
        (line.id, 0 if line.approval is None else line.approval.variant)
        for line in script.eventualities
        if line.accepted or (line.approval is not None and scene_of(line) in reviewed)
    )

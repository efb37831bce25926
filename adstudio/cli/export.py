"""`adstudio export`: a project's script as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, get_args

import typer

from adstudio.cli import options
from adstudio.cli.interrupt import interruptible
from adstudio.cli.options import flag, option
from adstudio.cli.output import require_safe_target, say, write_output
from adstudio.core.errors import AdstudioError, BadInputError
from adstudio.core.json_reading import json_bytes

Format = Literal["srt", "vtt", "csv", "json", "reframed", "problem", "plan"]


def export(
    project: Annotated[Path, typer.Argument(metavar="P.adproj", help="The project.")],
    form: Annotated[Format, option("NAME", "The format: " + ", ".join(get_args(Format)) + ".", "--format")],
    output: options.Output = None,
    *,
    scene: Annotated[str | None, option("ID", "For problem: this scene only; gaps end where it does.")] = None,
    unsaved: Annotated[bool, flag("--unsaved", "Export the last step, not the last save.")] = False,
) -> None:
    """Export the script of a project as subtitles, a table or JSON, or its planning problem or plan."""
    from adstudio.delivery.formats import FORMATS
    from adstudio.gaps.gaps import gaps_of
    from adstudio.planning.files.plan_file import has_plan
    from adstudio.planning.film.conflict_messages import why_unplanned
    from adstudio.planning.film.film_plan import plan_film
    from adstudio.store.project import ProjectFile

    if scene is not None and form != "problem":
        raise BadInputError(f"--scene only applies to --format problem, not to {form}: leave it out")
    with ProjectFile.open(project, read_only=True) as opened:
        # What unsaved steps draw on is a source too.
        for each in (opened.saved_script, opened.last_script):
            require_safe_target(output, project, script=each, project=project)
        script = opened.last_script if unsaved else opened.saved_script
        plan = None if unsaved and opened.recoverable else opened.saved_plan
        oddities, left_out = opened.oddities, opened.recoverable and not unsaved
    if scene is not None:
        from adstudio.planning.files.problem_file import problem_json
        from adstudio.planning.film.scene_problem import scene_problem

        write_output(json_bytes(problem_json(scene_problem(script, gaps_of(script).gaps, scene))), output)
        return
    if plan is None:
        plan = interruptible(lambda: plan_film(script, gaps_of(script).gaps), "planning")
    if not has_plan(plan) and form not in ("problem", "plan"):
        raise AdstudioError(f"{project} has no plan to export: {why_unplanned(script, gaps_of(script).gaps, plan)}")
    write_output(FORMATS[form](script, plan), output)
    for oddity in oddities:
        say(oddity.what)
    if left_out:
        say(f"{project} has unsaved changes, which are not included (--unsaved includes them)")
    if form == "plan" and not has_plan(plan):
        raise typer.Exit(1)

"""`adstudio export`: a project's script as a file."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal, get_args

import typer

from adstudio.cli import options
from adstudio.cli.options import argument, flag, option
from adstudio.cli.output import require_safe_target, say, write_output
from adstudio.cli.saved_script import plan_of, saved_script
from adstudio.core.errors import BadInputError

Format = Literal["srt", "vtt", "dapt", "csv", "xlsx", "docx", "pdf", "json", "reframed", "shots", "problem", "plan"]
Times = Literal["film", "timecode"]
Separator = Literal["comma", "semicolon", "tab"]


def export(
    project: Annotated[Path, argument("P.adproj", "The project.")],
    output: options.Output = None,
    *,
    form: Annotated[
        Format | None,
        option("NAME", f"The format (default: by the file’s ending): {', '.join(get_args(Format))}.", "--format"),
    ] = None,
    accepted_only: Annotated[bool, flag("--accepted-only", "Leave out lines that nobody has accepted.")] = False,
    times: Annotated[
        Times, option("NAME", "For srt and vtt: times count from the start of the film, or from its start timecode.")
    ] = "film",
    separator: Annotated[Separator, option("NAME", "For csv and shots: comma, semicolon or tab.")] = "comma",
    columns: Annotated[
        str | None, option("LIST", "For tables: these columns in this order, such as number,in,out,text.")
    ] = None,
    frame_rate: options.Rate = None,
    start_timecode: options.StartTimecode = "",
    script_version: Annotated[
        str, option("TEXT", "For documents: what this state of the script is called, such as “second draft”.")
    ] = "",
    template: Annotated[
        Path | None, option("FILE", "For xlsx and docx: a document of the house’s own that is filled in.")
    ] = None,
    recordings: Annotated[
        Path | None, option("FOLDER", "For dapt: refer to the files of lines in it, as mix --kind lines wrote them.")
    ] = None,
    scene: Annotated[str | None, option("ID", "For problem: this scene only; gaps end where it does.")] = None,
    unsaved: Annotated[bool, flag("--unsaved", "Export the last step, not the last save.")] = False,
    with_conflicts: Annotated[
        bool, flag("--with-conflicts", "Export although locked lines are missing because their locks conflict.")
    ] = False,
) -> None:
    """Export the script of a project as subtitles, a table or JSON, or its planning problem or plan."""
    from adstudio.delivery.export import export_of, require_applicable
    from adstudio.delivery.findings import finding_message
    from adstudio.delivery.formats import FORMATS
    from adstudio.delivery.known_shots import known_shots
    from adstudio.delivery.options import ExportOptions, Option
    from adstudio.delivery.options import Separator as CellSeparator
    from adstudio.delivery.recorded_files import recordings_in
    from adstudio.delivery.template_file import read_template
    from adstudio.planning.files.plan_file import has_plan
    from adstudio.store.project import ProjectFile

    chosen = ExportOptions(
        accepted_only=accepted_only,
        from_timecode=times == "timecode",
        separator=CellSeparator[separator.upper()],
        columns=None if columns is None else tuple(name.strip() for name in columns.split(",")),
        scene=scene,
        frame_rate=None if frame_rate is None else options.rate(frame_rate, start_timecode),
        start_timecode=start_timecode,
        version=script_version,
        template=None if template is None else read_template(template),
        recordings=() if recordings is None else recordings_in(recordings, output),
    )
    names = {each: f"--{each.value.replace('_', '-')}" for each in Option}
    names |= {Option.FROM_TIMECODE: "--times", Option.VERSION: "--script-version"}
    name = form or _usual_format(output)
    require_applicable(name, chosen, names)
    with ProjectFile.open(project, read_only=True) as opened:
        # What unsaved steps draw on is a source too.
        for each in (opened.saved_script, opened.last_script):
            require_safe_target(output, project, template, script=each, project=project)
        saved = saved_script(opened, unsaved=unsaved)
    script = saved.script
    # A planning problem has every lock in it, whether it can be met or not; a list of shots has none.
    conflicts = with_conflicts or name in {"problem", "shots"}
    plan = plan_of(project, saved, with_conflicts=conflicts, required=name != "plan")
    if output is None and not FORMATS[name].is_text and sys.stdout.isatty():
        raise BadInputError(f"{name} is not for the screen: name a file with -o")
    if name == "shots":
        chosen = replace(chosen, shots=known_shots(script.film, project))
    exported = export_of(name, script, plan, chosen)
    write_output(exported.content, output)
    if output is not None and not FORMATS[name].fits(output):
        say(f"{output} has another ending than is usual for “{FORMATS[name].title}”, which is {FORMATS[name].ending}")
    for oddity in exported.oddities:
        say(oddity.what)
    for finding in exported.findings:
        say(finding_message(script, finding))
    saved.print_notes(project)
    if name == "plan" and not has_plan(plan):
        raise typer.Exit(1)


def _usual_format(output: Path | None) -> str:
    """The format whose files usually end as this one does.

    Raises:
        BadInputError: if there is none.
    """
    from adstudio.delivery.formats import FORMATS

    file = "" if output is None else output.name.lower()
    # Where two formats share an ending it is the first one's; of “.plan.json” and “.json” it is the longer one.
    endings = {ending: name for name, each in reversed([*FORMATS.items()]) for ending in (*each.also, each.ending)}
    found = max((ending for ending in endings if file.endswith(ending)), key=len, default="")
    if found:
        return endings[found]
    unclear = "no file is named" if output is None else f"the ending of {output} is none of theirs"
    choose = f"choose one of {', '.join(FORMATS)} with --format (see adstudio export --help)"
    raise BadInputError(f"no format is given, and {unclear}: {choose}")

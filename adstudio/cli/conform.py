"""`adstudio conform`: a project brought to a new cut of its film."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from adstudio.cli import options
from adstudio.cli.options import argument, flag, option
from adstudio.cli.output import (
    oddities_json,
    print_lines,
    print_oddities,
    say,
    unsaved_changes,
    words,
    write_output,
)
from adstudio.cli.saved_script import plan_after, save_step
from adstudio.core.counts import counted, percent
from adstudio.core.errors import BadInputError
from adstudio.core.json_reading import json_bytes

if TYPE_CHECKING:
    from adstudio.conform.conforming import Conformed
    from adstudio.conform.new_cut import NewCut, NewCutRequest
    from adstudio.core.plan import Plan
    from adstudio.core.script import Script
    from adstudio.store.project import ProjectFile


def conform(
    project: Annotated[Path, argument("P.adproj", "The project, as last saved.")],
    film: Annotated[Path | None, option("VIDEO", "The new cut of the film.")] = None,
    subtitles: Annotated[Path | None, option("FILE", "The subtitles of the new cut.")] = None,
    encoding: options.Encoding = None,
    frame_rate: options.Rate = None,
    start_timecode: Annotated[
        str | None, option("HH:MM:SS:FF", "Timecode of the new film’s first frame (default: as the former film’s).")
    ] = None,
    *,
    dry_run: Annotated[bool, flag("--dry-run", "Say what would follow, and change nothing.")] = False,
    as_json: Annotated[bool, flag("--json", "Print the whole report as JSON.")] = False,
) -> None:
    """Bring a project to a new cut of its film, or to other subtitles of another time base.

    Both cuts are compared by their sound, where the former film is still there, and by their dialogue. Lines, locks,
    approvals, takes, scenes, silences and openings follow; lines whose film was removed stay in the project, locked
    out. Another film is refused. A copy of the project as it was is kept in the folder of backups.
    """
    from adstudio.conform.messages import report_json
    from adstudio.conform.new_cut import NewCutRequest
    from adstudio.editing.ids import Ids
    from adstudio.store.backups import backups_folder, backups_of
    from adstudio.store.project import ProjectFile

    rate = None if frame_rate is None else options.rate(frame_rate, start_timecode or "")
    request = NewCutRequest(film, subtitles, encoding, rate, start_timecode)
    backups = None if dry_run else backups_folder()
    with ProjectFile.open(project, read_only=dry_run, backups=backups) as opened:
        if opened.recoverable:
            raise BadInputError(unsaved_changes(project))
        script, saved_plan = opened.saved_script, opened.saved_plan
        for oddity in opened.oddities:
            say(oddity.what)
        cut = _read(script, project, request)
        print_oddities(cut.oddities, "--json lists them all")
        done = cut.conformed(script, Ids(script))
        plan = _apply(opened, done, dry_run=dry_run)
    if as_json:
        write_output(json_bytes({**report_json(done.report, cut.match), "oddities": oddities_json(cut.oddities)}), None)
    else:
        _print(project, cut, done)
    if done.step is None:
        say(f"{project}: nothing changes")
        return
    _say_effect(project, script, saved_plan, done.step.apply(script), plan)
    if dry_run:
        say(f"{project}: nothing was changed (--dry-run)")
    elif not opened.oddities and (copies := backups_of(project, backups_folder())):
        # Where something was odd there may be no new copy, but then it was said what there is.
        say(f"{project}: as it was before: {copies[0]}")


def _read(script: Script, project: Path, request: NewCutRequest) -> NewCut:
    from adstudio.conform.new_cut import FormerCut
    from adstudio.conform.service import read_new_cut

    with words.status("reading") as status:

        def show(what: str, fraction: float) -> None:
            status.update(what + (f": {percent(fraction)}" if fraction >= 0 else ""))

        return read_new_cut(FormerCut.of(script), project, request, show)


def _apply(opened: ProjectFile, done: Conformed, *, dry_run: bool) -> Plan | None:
    """Apply the step, plan again and save; a dry run only plans.

    Raises:
        OutsideFailureError: if it cannot be written.
    """
    from adstudio.editing.machine_steps import as_command

    if done.step is None:
        return None
    _, plan = plan_after(opened.saved_script, done.step) if dry_run else save_step(opened, as_command(done.step))
    return plan


def _print(project: Path, cut: NewCut, done: Conformed) -> None:
    from adstudio.conform.messages import (
        evidence_message,
        line_messages,
        other_messages,
        speed_message,
        stretch_messages,
        summary,
    )

    report = done.report
    print_lines((*stretch_messages(report), *line_messages(report), *other_messages(report)))
    speed = speed_message(report.time_map)
    for sentence in (evidence_message(cut.match), speed, summary(report)):
        if sentence:
            say(f"{project}: {sentence}")


def _say_effect(project: Path, before: Script, saved: Plan | None, after: Script, plan: Plan | None) -> None:
    from adstudio.delivery.spoken_counts import spoken_counts

    if plan is None:
        return
    was = "" if saved is None else f" instead of {spoken_counts(before, saved).lines:,}"
    say(f"{project}: {counted(spoken_counts(after, plan).lines, 'line')} spoken{was}, {plan.status.value}")
    unmet = _unmet(after, plan)
    if unmet > (0 if saved is None else _unmet(before, saved)):
        say(f"{project}: {counted(unmet, 'lock')} cannot be met in the new cut: see the conflicts in the editor")


def _unmet(script: Script, plan: Plan) -> int:
    from adstudio.delivery.unmet_pins import unmet_pins

    unmet = unmet_pins(script, plan)
    return len(unmet.missing) + len(unmet.otherwise)

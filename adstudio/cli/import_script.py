"""`adstudio import`: a finished AD script into a new project, or into one that exists."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

from adstudio.cli import options
from adstudio.cli.draft import FilmOptions, SourceOptions, film_sources, require_film
from adstudio.cli.interrupt import interruptible
from adstudio.cli.options import argument, flag, given_options, grouped, option
from adstudio.cli.output import (
    length,
    oddities_json,
    print_lines,
    print_oddities,
    require_project_name,
    require_safe_target,
    require_sources,
    require_writable_target,
    say,
    unsaved_changes,
    words,
)
from adstudio.cli.plan_options import PlanOptions
from adstudio.core.counts import counted
from adstudio.core.errors import AdstudioError, BadInputError, Oddity
from adstudio.core.json_reading import json_bytes
from adstudio.core.progress import Progress, progress_text
from adstudio.core.steps import ChangeKind

if TYPE_CHECKING:
    from adstudio.drafting.request import Sources
    from adstudio.importing.service import ImportRequest


@dataclass(frozen=True)
class ScriptOptions:
    """How the script is read."""

    TITLE: ClassVar[str] = "Script"

    columns: Annotated[
        str | None, option("LIST", "What the columns of a table hold, by their numbers: 3=text,4=in.")
    ] = None
    start: Annotated[
        str, option("HH:MM:SS:FF", "Timecode of the film’s first frame in the script (default: the film’s own).")
    ] = ""
    rate: Annotated[str | None, option("RATE", "Frame rate of the script’s timecode (default: the film’s own).")] = None
    speed: Annotated[
        str | None,
        option("RATE", "Frame rate of the film’s version that the script was timed to, if that ran faster or slower."),
    ] = None
    text_lengths: Annotated[
        bool, flag("--text-lengths", "Lines are as long as their text takes, whatever the script’s out times.")
    ] = False
    shorter: Annotated[
        bool, flag("--shorter", "Add shorter wordings (English), which are spoken where a line does not fit.")
    ] = False
    extended: Annotated[
        bool,
        flag("--extended", "Hold the picture for lines whose out time leaves no time to speak."),
    ] = False
    unlocked: Annotated[
        bool, flag("--unlocked", "Do not lock lines where the script has them: they are planned anew.")
    ] = False
    only: Annotated[
        bool, flag("--only", "Lock out the project’s lines that the script does not have (default: they stay).")
    ] = False


@dataclass(frozen=True)
class NewProjectOptions:
    """The film of a new project."""

    TITLE: ClassVar[str] = "New project"

    output: Annotated[Path | None, option("P.adproj", "The project to write.", "--output", "-o")] = None
    film: Annotated[Path | None, option("FILE", "The film. Without one, give --end.")] = None
    subtitles: options.Subtitles = None
    without_dialogue: options.WithoutDialogue = False
    in_step: options.InStep = False
    force: options.Force = False

    @property
    def files(self) -> SourceOptions:
        """The files as a draft has them."""
        return SourceOptions(self.subtitles, self.without_dialogue, in_step=self.in_step)


@grouped
def import_script(
    script: Annotated[
        Path, argument("SCRIPT", "A finished script: DAPT, SRT, WebVTT, CSV, Markdown, XLSX, DOCX, JSON.")
    ],
    project: Annotated[Path | None, argument("P.adproj", "The project to import it into, as last saved.")] = None,
    *,
    new: NewProjectOptions,
    reading: ScriptOptions,
    about: FilmOptions,
    plan: PlanOptions,
    gaps: options.GapOptions,
    dry_run: Annotated[bool, flag("--dry-run", "Say what would change, and change nothing.")] = False,
    save: Annotated[
        bool, flag("--save", "Save the project; otherwise the import is its last, unsaved step, which can be undone.")
    ] = False,
    report: Annotated[Path | None, option("FILE", "Write everything odd in the files to a file.")] = None,
) -> None:
    """Import a finished AD script: each line comes into the project where it is in the script, and is locked there.

    With -o a new project is made from the script, its film and its dialogue. Without, the script is compared with what
    the project speaks: lines that are the same stay as they are, others are added, reworded or moved, accepted and
    locked, as one step. It is left unsaved, so that it can be undone in the editor, or is saved (--save).
    """
    request = _request(script, reading, about.encoding)
    require_sources((script, "script"))
    require_safe_target(report, script, new.film, new.subtitles)
    require_writable_target(report)
    if project is not None and new.output is not None:
        raise BadInputError("give the project to import into, or -o for a new one, not both")
    if project is not None:
        for group in (new, replace(about, encoding=None), plan, gaps):
            for given in given_options(group):
                raise BadInputError(f"{given} is for a new project (-o P.adproj), and an existing one has its own")
        odd = _into_project(request, project, dry_run=dry_run, save=save)
    elif new.output is not None:
        require_film(new.film, new.files, about, gaps)
        sources = film_sources(new.film, new.files, about, plan, plan.settings(gaps))
        odd = _into_new(request, sources, new.output, force=new.force, dry_run=dry_run)
    else:
        raise BadInputError("name the project to import into, or a new one: -o P.adproj, with --film or --subtitles")
    if report is not None:
        from adstudio.system.files import write_atomically

        write_atomically(report, json_bytes(oddities_json(odd)))


def _request(script: Path, reading: ScriptOptions, encoding: str | None) -> ImportRequest:
    from adstudio.importing.comparing import ImportChoices
    from adstudio.importing.script_times import ScriptTimes
    from adstudio.importing.service import ImportRequest
    from adstudio.script_files.columns import parse_choices

    try:
        columns = None if reading.columns is None else parse_choices(reading.columns)
    except BadInputError as error:
        raise BadInputError(f"--columns: {error}") from None
    return ImportRequest(
        script,
        ScriptTimes(
            None if reading.rate is None else options.rate(reading.rate, reading.start, "--rate"),
            reading.start,
            None if reading.speed is None else options.rate(reading.speed, "", "--speed"),
        ),
        columns,
        ImportChoices(unlocked=reading.unlocked, only=reading.only),
        own_lengths=not reading.text_lengths,
        shorter=reading.shorter,
        extended=reading.extended,
        encoding=encoding,
    )


def _into_project(request: ImportRequest, project: Path, *, dry_run: bool, save: bool) -> list[tuple[str, Oddity]]:
    from adstudio.delivery.export import plan_to_export
    from adstudio.editing.ids import Ids
    from adstudio.editing.machine_steps import as_command
    from adstudio.importing.messages import diff_messages, further_changes, import_summary
    from adstudio.importing.service import prepare_import
    from adstudio.store.project import ProjectFile

    with ProjectFile.open(project, read_only=dry_run) as opened:
        if opened.recoverable:
            raise BadInputError(unsaved_changes(project))
        before = opened.saved_script
        present = interruptible(lambda: plan_to_export(before, opened.saved_plan), "planning")
        found = interruptible(lambda: prepare_import(request, before, present, project, Ids(before)), "reading")
        odd = [(str(request.path), each) for each in found.oddities]
        print_oddities(odd)
        print_lines(diff_messages(found, before, locked_out=request.choices.only))
        for note in found.notes:
            say(f"{request.path}: {note}")
        for change in further_changes(found.diff):
            say(change)
        if found.step is not None and not dry_run:
            failures: list[AdstudioError] = []
            document = opened.document(on_failure=failures.append)
            document.apply(as_command(found.step, ChangeKind.SCRIPT_IMPORT))
            document.keep_plan(document.revision, found.plan)
            if save:
                opened.save()
            if failures:
                raise failures[0]
    nothing = "; nothing was changed" if dry_run and found.step is not None else ""
    say(f"{project}: {import_summary(found.diff, found.effects)}{nothing}")
    if found.step is not None and not dry_run and not save:
        say(
            f"{project}: the import is its last, unsaved step, which the editor can undo: adstudio save keeps it, with"
            " --discard it is dropped (export --unsaved exports it as it is; import --save saves at once)"
        )
    return odd


def _into_new(
    request: ImportRequest, sources: Sources, output: Path, *, force: bool, dry_run: bool
) -> list[tuple[str, Oddity]]:
    from adstudio.delivery.spoken_counts import spoken_counts
    from adstudio.drafting import existing_project as existing
    from adstudio.importing.messages import diff_messages, further_changes, import_summary
    from adstudio.importing.new_project import import_new, oddities_of, write_new
    from adstudio.store.source_guard import require_not_source

    require_sources((sources.video, "film"), (sources.subtitles, "subtitle file"))
    require_not_source(output, request.path, sources.video, sources.subtitles)
    require_project_name(output)
    if sources.video is None and sources.subtitles is None and sources.end is None:
        raise BadInputError("nothing tells what film it is: give --film, or --subtitles, or its length (--end)")
    existing.choose(existing.existing_at(output), existing.content_of(sources.video), force=force, resumable=False)
    require_writable_target(output)
    with words.status("reading") as status:

        def progress(event: Progress) -> None:
            status.update(progress_text(event))

        fresh = import_new(request, sources, output, progress)
        found = fresh.found
        said = () if dry_run else write_new(fresh, sources, output, force=force, progress=progress)
    odd = list(oddities_of(fresh, request))
    print_oddities(odd)
    if dry_run:
        print_lines(diff_messages(found, found.after, locked_out=False))
    for sentence in (*(f"{request.path}: {note}" for note in found.notes), *said, *further_changes(found.diff)):
        say(sentence)
    draft = fresh.draft
    lines = spoken_counts(draft.script, draft.plan, draft.gaps.gaps).lines
    spoken = sum(each.end - each.start for each in draft.plan.deliveries)
    say(
        f"{output}: {import_summary(found.diff, found.effects)};"
        f" {counted(lines, 'line')} spoken, {length(spoken)} of"
        f" {length(sum(gap.length for gap in draft.gaps.gaps))} free{'; nothing was written' if dry_run else ''}"
    )
    return odd

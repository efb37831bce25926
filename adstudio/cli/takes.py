"""`adstudio takes`: recordings of a project's lines, from a folder of sound files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from adstudio.cli.interrupt import interruptible
from adstudio.cli.options import argument, flag
from adstudio.cli.output import count, print_lines, say, unsaved_changes, words
from adstudio.core.errors import AdstudioError, BadInputError

if TYPE_CHECKING:
    from adstudio.core.script import Script
    from adstudio.recording.importing import ImportedFile, LinePlace
    from adstudio.store.project import ProjectFile


def takes(
    action: Annotated[Literal["import"], argument("import", "What to do.")],
    project: Annotated[Path, argument("P.adproj", "The project, as last saved.")],
    folder: Annotated[Path, argument("FOLDER", "The folder with a sound file for each take.")],
    *,
    dry_run: Annotated[bool, flag("--dry-run", "Say what would be imported, and change nothing.")] = False,
    no_choice: Annotated[
        bool, flag("--no-choice", "Add the takes without using them: the lines stay as they are spoken.")
    ] = False,
) -> None:
    """Import a folder of sound files as takes of the lines whose numbers they have.

    A name begins with the number of the line in the exported script, or has no other number but the take’s: 0012.wav,
    12 – Anna.wav, ad_012_take2.wav. Any rate, width and number of channels will do. Of several takes of a line the last
    is used; its length is the line’s, and the film is planned again.
    """
    from adstudio.delivery.export import plan_to_export
    from adstudio.recording.import_messages import file_message, renumbering, summary
    from adstudio.recording.importing import matched_files, numbered_lines
    from adstudio.store.project import ProjectFile

    del action
    with ProjectFile.open(project, read_only=dry_run) as opened:
        if opened.recoverable:
            raise BadInputError(unsaved_changes(project))
        script = opened.saved_script
        plan = interruptible(lambda: plan_to_export(script, opened.saved_plan), "planning")
        places = numbered_lines(script, plan)
        files = _read(script, matched_files(folder, script, places), None if dry_run else opened)
        renumbered = "" if dry_run else renumbering(places, _add(opened, files, places, choose=not no_choice))
    print_lines(file_message(file) for file in files)
    say(f"{project}: {summary(files, dry_run=dry_run)}")
    if renumbered:
        say(f"{project}: {renumbered}")


def _read(script: Script, files: tuple[ImportedFile, ...], opened: ProjectFile | None) -> tuple[ImportedFile, ...]:
    from adstudio.recording.importing import read_takes

    with words.status("reading") as status:

        def show(done: int) -> None:
            status.update(f"reading {done:,} of {count(len(files), 'file')}")

        return read_takes(script, files, None if opened is None else opened.store_sound, show)


def _add(
    opened: ProjectFile, files: tuple[ImportedFile, ...], places: tuple[LinePlace, ...], *, choose: bool
) -> tuple[LinePlace, ...]:
    """Add the takes in one step, plan again, and save; returns the numbers that lines have then, `places` if as before.

    Raises:
        EditRefused: if a line has too many takes.
        OutsideFailureError: if it cannot be written.
    """
    from adstudio.delivery.export import plan_to_export
    from adstudio.editing.takes import add_takes
    from adstudio.recording.importing import new_takes, numbered_lines

    failures: list[AdstudioError] = []
    document = opened.document(on_failure=failures.append)
    step = add_takes(document.script, new_takes(files), choose=choose)
    if step is None:
        return places
    document.apply(step)
    plan = interruptible(lambda: plan_to_export(document.script, None), "planning")
    document.keep_plan(document.revision, plan)
    opened.save()
    if failures:
        raise failures[0]
    say(f"{opened.path}: {count(len(plan.deliveries), 'line')} spoken, {plan.status.value}")
    return numbered_lines(document.script, plan)

"""`adstudio takes`: recordings of a project's lines, from a folder of sound files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from adstudio.cli.interrupt import interruptible
from adstudio.cli.options import argument, flag, option
from adstudio.cli.output import print_lines, say, unsaved_changes, words
from adstudio.cli.saved_script import plan_after, save_step
from adstudio.core.counts import counted
from adstudio.core.errors import BadInputError

if TYPE_CHECKING:
    from adstudio.core.plan import Plan
    from adstudio.core.script import Script
    from adstudio.recording.importing import ImportedFile, LinePlace
    from adstudio.store.project import ProjectFile

MAX_SCRIPT = 1 << 26
"""Bytes of an exported script."""
_BY_EXPORT = "(or use the numbers of the script that was exported: --numbers SCRIPT.json)"


def takes(
    action: Annotated[Literal["import"], argument("import", "What to do.")],
    project: Annotated[Path, argument("P.adproj", "The project, as last saved.")],
    folder: Annotated[Path, argument("FOLDER", "The folder with a sound file for each take.")],
    *,
    dry_run: Annotated[bool, flag("--dry-run", "Say what would be imported, and change nothing.")] = False,
    no_choice: Annotated[
        bool, flag("--no-choice", "Add the takes without using them: the lines stay as they are spoken.")
    ] = False,
    script_numbers: Annotated[
        Path | None,
        option("SCRIPT.json", "Use the numbers of this exported script (JSON), not those of the plan.", "--numbers"),
    ] = None,
    again: Annotated[
        bool, flag("--again", "Also import recordings that are takes of other lines already, to these lines.")
    ] = False,
) -> None:
    """Import a folder of sound files as takes of the lines whose numbers they have.

    A name begins with the number of the line in the exported script, or has no other number but the take’s: 0012.wav,
    12 – Anna.wav, ad_012_take2.wav. Any rate, width and number of channels will do. Of several takes of a line the last
    is used; its length is the line’s, and the film is planned again.
    """
    from adstudio.delivery.export import plan_to_export
    from adstudio.editing.fusions import as_own
    from adstudio.recording.exported_numbers import exported_numbers
    from adstudio.recording.import_messages import (
        RENUMBERED,
        effect_messages,
        file_message,
        numbers_message,
        summary,
    )
    from adstudio.recording.importing import (
        import_effect,
        known_recordings,
        matched_files,
        new_takes,
        numbered_lines,
        renumbered_takes,
    )
    from adstudio.recording.messages import NotImported
    from adstudio.store.project import ProjectFile
    from adstudio.system.files import read_bounded

    del action
    with ProjectFile.open(project, read_only=dry_run) as opened:
        if opened.recoverable:
            raise BadInputError(unsaved_changes(project))
        plan = interruptible(lambda: plan_to_export(opened.saved_script, opened.saved_plan), "planning")
        # With every fused line as the one that it becomes with a take.
        script, own_plan = as_own(opened.saved_script, plan)
        exported = None
        if script_numbers is not None:
            data = read_bounded(script_numbers, MAX_SCRIPT, "exported script")
            exported = exported_numbers(data, str(script_numbers), script)
        places = numbered_lines(script, own_plan)
        numbered = places if exported is None else exported
        changed = "" if exported is not None else numbers_message(renumbered_takes(script, places))
        known = None if again else known_recordings(script, numbered)
        files = _read(script, matched_files(folder, script, numbered), None if dry_run else opened, known)
        effect = import_effect(places, _add(opened, files, places, plan, choose=not no_choice, dry_run=dry_run))
    print_lines((*map(file_message, files), *effect_messages(effect, files)))
    if changed and any(file.is_sound and file.why is not NotImported.KNOWN for file in files):
        say(f"{project}: {changed} {_BY_EXPORT}")
    if not any(file.is_sound for file in files):
        raise BadInputError(f"no sound files in {folder}")
    if not new_takes(files) and any(file.why is not NotImported.KNOWN for file in files if file.is_sound):
        raise BadInputError(f"{folder}: {summary(files, dry_run=dry_run)}")
    say(f"{project}: {summary(files, dry_run=dry_run)}")
    if effect.renumbered and exported is None:
        say(f"{project}: {RENUMBERED} {_BY_EXPORT}")


def _read(
    script: Script, files: tuple[ImportedFile, ...], opened: ProjectFile | None, known: dict[str, LinePlace] | None
) -> tuple[ImportedFile, ...]:
    from adstudio.recording.importing import read_takes

    with words.status("reading") as status:

        def show(done: int) -> None:
            status.update(f"reading {done:,} of {counted(len(files), 'file')}")

        return read_takes(script, files, None if opened is None else opened.store_sound, show, known)


def _add(
    opened: ProjectFile,
    files: tuple[ImportedFile, ...],
    places: tuple[LinePlace, ...],
    plan: Plan,
    *,
    choose: bool,
    dry_run: bool,
) -> tuple[LinePlace, ...]:
    """Add the takes in one step, plan again, and save; returns the numbers that lines have then, `places` if as before.

    A dry run only plans.

    Raises:
        EditRefused: if a line has too many takes.
        OutsideFailureError: if it cannot be written.
    """
    from adstudio.delivery.spoken_counts import spoken_counts
    from adstudio.editing.takes import add_spoken_takes
    from adstudio.recording.importing import new_takes, numbered_lines

    step = add_spoken_takes(opened.saved_script, plan, new_takes(files), choose=choose)
    if step is None:
        return places
    if dry_run:
        return numbered_lines(*plan_after(opened.saved_script, step))
    script, plan = save_step(opened, step)
    say(f"{opened.path}: {counted(spoken_counts(script, plan).lines, 'line')} spoken, {plan.status.value}")
    return numbered_lines(script, plan)

"""`adstudio save`: keeps the changes since a project's last save, or discards them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from adstudio.cli.interrupt import interruptible
from adstudio.cli.options import argument, flag
from adstudio.cli.output import print_lines, say
from adstudio.core.counts import counted
from adstudio.core.errors import AdstudioError

if TYPE_CHECKING:
    from adstudio.editing.unsaved_steps import UnsavedSteps
    from adstudio.store.project import ProjectFile


def save(
    project: Annotated[Path, argument("P.adproj", "The project.")],
    *,
    discard: Annotated[bool, flag("--discard", "Go back to the last save; the steps since then are lost.")] = False,
    dry_run: Annotated[bool, flag("--dry-run", "List the unsaved steps, and change nothing.")] = False,
) -> None:
    """Save the unsaved changes of a project, such as an import or a crash leaves, or discard them.

    The steps since the last save are listed first, by the names that they have in the editor's history. Saving plans
    the script anew and keeps the plan with it.
    """
    from adstudio.editing.unsaved_steps import unsaved_steps
    from adstudio.store.project import ProjectFile

    with ProjectFile.open(project, read_only=dry_run) as opened:
        for oddity in opened.oddities:
            say(oddity.what)
        if not opened.recoverable:
            say(f"{project} has no unsaved changes")
            return
        steps = unsaved_steps(opened.history, opened.last_script)
        print_lines((*steps.done, *(f"Undone: {label}" for label in steps.undone)))
        what = _counted(steps)
        if dry_run:
            say(f"{project}: {what}; nothing was changed")
        elif discard:
            opened.discard()
            say(f"{project}: discarded {what}; it is as last saved")
        else:
            _save(opened)
            say(f"{project}: saved {what}")


def _counted(steps: UnsavedSteps) -> str:
    if steps.undone:
        return counted(len(steps.undone), "undone step")
    if not steps.complete:
        return f"{counted(len(steps.done), 'unsaved step')} and others before that cannot be listed"
    return counted(len(steps.done), "unsaved step")


def _save(opened: ProjectFile) -> None:
    """Save the last step with its plan.

    Raises:
        OutsideFailureError: if it cannot be written.
    """
    from adstudio.delivery.export import plan_to_export

    script = opened.last_script
    plan = interruptible(lambda: plan_to_export(script, None), "planning")
    failures: list[AdstudioError] = []
    document = opened.document(on_failure=failures.append)
    document.keep_plan(document.revision, plan)
    opened.save()
    if failures:
        raise failures[0]

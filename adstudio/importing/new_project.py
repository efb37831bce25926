"""A new project from a finished script, its film and its dialogue, read as a draft reads them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from adstudio.core.errors import Oddity
from adstudio.core.plan import Plan, Status
from adstudio.core.progress import OnProgress, Progress, Stage, ignore_progress
from adstudio.drafting import existing_project as existing
from adstudio.drafting.draft import Draft, draft_film, planned
from adstudio.drafting.report import report_of, stored_report
from adstudio.drafting.request import Sources
from adstudio.importing.service import Import, ImportRequest, prepare_import
from adstudio.store.project import ProjectFile

_NOTHING = Plan(Status.OPTIMAL, "exact")
"""The plan of a project without lines."""

_LONGEST_TITLE = 300


@dataclass(frozen=True)
class NewProject:
    """A project that an import makes: what the import found, and the script with its plan."""

    found: Import
    draft: Draft


def import_new(
    request: ImportRequest, sources: Sources, project: Path, progress: OnProgress = ignore_progress
) -> NewProject:
    """Read the film, its dialogue and the script.

    Raises:
        BadInputError, OutsideFailureError: as `draft_film` and `prepare_import` do.
    """
    film = draft_film(sources, project, progress)
    script = film.script.with_changes(voice=sources.voice)
    found = prepare_import(request, script, _NOTHING, project)
    language = sources.language or found.finished.language or script.film.language
    title = sources.title or found.finished.title[:_LONGEST_TITLE] or script.film.title
    if (language, title) != (script.film.language, script.film.title):
        # How long lines last depends on the language.
        script = script.with_changes(film=replace(script.film, language=language, title=title))
        found = prepare_import(request, script, _NOTHING, project)
    draft = planned(sources, project, replace(film, script=found.after), progress)
    if draft.lengths:
        # Where lines are as long as the voice speaks them, they lie otherwise beside others.
        script = script.with_changes(lengths=draft.script.lengths)
        found = prepare_import(request, script, _NOTHING, project)
    # Around locks that conflict, where lines of the script are spoken at the same time.
    return NewProject(found, replace(draft, script=found.after, plan=found.plan))


def write_new(
    new: NewProject, sources: Sources, project: Path, *, force: bool, progress: OnProgress
) -> tuple[str, ...]:
    """Write the project; returns what was said about one that was replaced (`force`).

    Raises:
        BadInputError: if a file may not be overwritten.
        OutsideFailureError: if it cannot be written.
    """
    progress(Progress(Stage.WRITING_PROJECT))
    film = existing.content_of(sources.video)
    there = existing.existing_at(project)
    replacing, said = existing.choose(there, film, force=force, resumable=False)
    previous = existing.Handover() if there is None else there.passed_on(film)
    backed_up = existing.back_up(there, new.draft.script) if there is not None else ""
    script = new.draft.script.with_changes(people=previous.people, prompts=previous.prompts)
    ProjectFile.create(
        project,
        script,
        plan=new.draft.plan,
        replacing=replacing is existing.Existing.REPLACE,
        policy=previous.policy,
        identity=previous.identity,
        report=stored_report(report_of(sources, new.draft)),
        lengths=new.draft.lengths,
    ).close()
    return tuple(filter(None, (said, backed_up)))


def oddities_of(new: NewProject, request: ImportRequest) -> tuple[tuple[str, Oddity], ...]:
    """What is odd in all files, by their names."""
    return (*new.draft.oddities, *((str(request.path), odd) for odd in new.found.oddities))

"""`adstudio draft` where the project of the film is there: what is missing comes into it, and what is in it stays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from adstudio.cli import draft_by_model, draft_weigh
from adstudio.cli.draft_messages import not_whole
from adstudio.cli.draft_messages import noted as noted_in_answers
from adstudio.cli.draft_progress import telling
from adstudio.cli.draft_result import Result
from adstudio.cli.model_options import noted
from adstudio.cli.output import say, words
from adstudio.core.errors import AdstudioError, BadInputError
from adstudio.core.policy import OFFLINE, Policy

if TYPE_CHECKING:
    from adstudio.cli.draft_by_model import Wish
    from adstudio.cli.draft_weigh import Weigher
    from adstudio.core.document import Document
    from adstudio.core.plan import Plan
    from adstudio.core.script import Script
    from adstudio.drafting.draft import Draft, Sources
    from adstudio.drafting.model.run import Outcome
    from adstudio.store.project import ProjectFile


def gone_on(output: Path, sources: Sources, asked_for: Wish | None, weigher: Weigher | None) -> Result:
    """Ask a model for what is missing in a project, weigh its lines, or both; each scene that comes is a step in it.

    It is saved where nobody has worked on it yet. Where somebody has, the steps wait in it, to be looked at, undone or
    saved in the editor.

    Raises:
        BadInputError: where something may not be sent, or the film or the project cannot be used, or it was not drafted
            from the text that is given.
        OutsideFailureError: where the project is open in an editor, or cannot be written.
        Stopped: where somebody ended it; what had come is kept.
    """
    from adstudio.drafting import resume
    from adstudio.gaps.gaps import gaps_of
    from adstudio.store.project import ProjectFile

    with ProjectFile.open(output) as project:
        failures: list[AdstudioError] = []
        document = project.document(on_failure=failures.append)
        if document.can_redo:
            raise BadInputError(
                f"{output} was left with something undone that can still be redone, and new scenes would put an end to"
                " that: open it in the editor, and save it as you want it"
            )
        if asked_for is not None:
            resume.require_told_by(document.script, sources)
        work = resume.work_in(document.script, gaps_of(document.script).gaps, suggested_rules=sources.suggested_rules)
        saves, steps = not project.recoverable and not work, len(document.past)
        before, plan_before = document.script, document.plan
        say(
            f"{output} is there and of this film, so the draft goes on in it: its scenes, dialogue, settings and all"
            " that people did in it stay as they are; its plan is made anew"
        )
        outcome, policy = None, OFFLINE
        came: Sequence[str] = ()
        if asked_for is not None:
            outcome, policy, came = _drafted(output, sources, asked_for, document)
            _keep(project, document, sources, saves=saves)
        if weigher is not None:
            with words.status("weighing") as status:
                weighed = weigher(telling(status), document.script)
            resume.weigh(document, weighed, weigher.named.name)
        draft = _keep(project, document, sources, outcome, saves=saves)
        allowed, policy = project.policy, draft_weigh.together(policy, weigher)
        if policy not in (allowed, OFFLINE):
            project.set_policy(policy)
            say(noted(output, allowed, policy))
        if failures:
            raise failures[0]
        told = [
            *_told(output, came, len(document.past) - steps, saves=saves),
            *_changed(before, plan_before, document.script, draft.plan),
        ]
    missing = 0 if outcome is None else not_whole(outcome)
    notes = () if outcome is None else noted_in_answers(draft.script, outcome)
    return Result(draft, policy, list(notes), told, missing)


def _drafted(
    output: Path, sources: Sources, asked_for: Wish, document: Document
) -> tuple[Outcome | None, Policy, Sequence[str]]:
    from adstudio.drafting import resume
    from adstudio.drafting.model.request_store import default_place

    with words.status("drafting") as status:
        prepared = resume.prepared(
            sources,
            document.script,
            default_place(),
            telling(status),
            people=asked_for.people,
            direct=asked_for.direct,
            anew=asked_for.anew,
        )
    if not prepared.script.scenes:
        say(
            "nothing was asked: all scenes that nobody has reviewed came whole before (--anew asks for everything once"
            " more)"
        )
        return None, asked_for.kept, ()
    outcome, policy = draft_by_model.ask(prepared, asked_for, output)
    resume.set_people(document, asked_for.people)
    came = resume.bring_in(document, outcome, asked_for.named.name, direct=asked_for.direct)
    if sources.suggested_rules and not asked_for.direct:
        with words.status("looking at the lines") as status:
            resume.suggest_rules(document, came, telling(status))
    return outcome, policy, came


def _keep(
    project: ProjectFile, document: Document, sources: Sources, outcome: Outcome | None = None, *, saves: bool
) -> Draft:
    from adstudio.drafting import resume

    draft = resume.gone_on(sources, document.script, outcome)
    document.keep_plan(document.revision, draft.plan)
    if saves and document.changed:
        project.save()
    return draft


def _told(output: Path, came: Sequence[str], steps: int, *, saves: bool) -> Iterator[str]:
    if came:
        yield f"{len(came):,} scene{'' if len(came) == 1 else 's'} came into {output}"
    if steps and not saves:
        these = "1 step, which is" if steps == 1 else f"{steps:,} steps, which are"
        yield (
            f"people have worked on {output}, so what came is in it as {these} not saved: open it in the editor, where"
            " each can be undone, and save (export --unsaved takes them in as they are)"
        )


def _changed(before: Script, plan_before: Plan | None, script: Script, plan: Plan) -> Iterator[str]:
    """Which lines that people have agreed to are not spoken as they were; the editor offers to keep them so."""
    from adstudio.editing.approval import approved_changes_text, compare_approved, has_approved
    from adstudio.gaps.gaps import gaps_of
    from adstudio.planning.film.film_problem import plan_film

    if script is before or not has_approved(script):
        return
    agreed = compare_approved(plan_before or plan_film(before, gaps_of(before).gaps), plan, script)
    if agreed.lines:
        yield (
            f"{approved_changes_text(agreed, script)}; the editor shows this too (Plan changes)"
            " and can lock those lines as they were"
        )

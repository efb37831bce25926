"""What a command has changed in the project just opened: its steps are to be looked at, and changed the plan."""

from __future__ import annotations

from dataclasses import dataclass

from adstudio.core.plan import Plan
from adstudio.core.steps import Step
from adstudio.editing.approval import ApprovedChanges, compare_approved
from adstudio.editing.machine_steps import contributions_text, script_before, trailing_automatic_steps
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.film.live_plan import FilmPlanner
from adstudio.ui.session.session import Session


@dataclass(frozen=True)
class CommandChanges:
    """What was changed (“2 scenes drafted by house”), and the plan as it was before."""

    what: str
    before: Plan

    def agreed(self, session: Session) -> ApprovedChanges:
        """What it did to the plan that is shown, and which lines among these people have agreed to."""
        return compare_approved(self.before, session.plan, session.script)


def command_changes(session: Session) -> CommandChanges | None:
    """What added to the open document last, before anybody did anything with it; None where nothing did."""
    document, project = session.edits.document, session.project
    steps = trailing_automatic_steps(document.past)
    if project is None or not steps:
        return None
    saved = project.saved_plan if len(steps) == len(document.past) == len(project.unsaved_steps) else None
    return CommandChanges(contributions_text(steps), saved or _planned(session, steps))


def _planned(session: Session, steps: tuple[Step, ...]) -> Plan:
    before = script_before(session.script, steps)
    return FilmPlanner(before, gaps_of(before).gaps).outcome.plan

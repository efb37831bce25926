"""The describer's last act: what the plan on display is compared with, and what has changed it since.

An act is a step, an undo or a redo by a person that touches what is planned. Accepting a line, marking a scene or
writing a note is none: going through what an act has changed leaves the comparison as it is. Neither are scenes that a
model drafted, nor what an engine finds later: both add to the comparison. A change of voice is one at once, though what
it does to the plan shows once the lines are measured.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from adstudio.core.document import Act, Change, Document
from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.core.steps import SetLexicon, SetVoice, Several, Step
from adstudio.editing.labels import label_of
from adstudio.editing.machine_steps import contributions_text, is_automatic, script_before, trailing_automatic_steps
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.film.live_plan import FilmPlanner, Outcome


@dataclass(frozen=True)
class LastAct:
    """`before` is the plan shown before it, `since` are the steps that no person has made since.

    `change` is None where nobody has done anything in this session; `begun` is the revision that the act began at.
    """

    before: Plan
    change: Change | None = None
    since: tuple[Step, ...] = ()
    begun: int = -1

    def label(self, script: Script, plan: Plan) -> str:
        """What was done, and what came after it: “Change settings, then 1 scene drafted by house”; "" for nothing."""
        done = "" if self.change is None else self._done(self.change, script, plan)
        came = contributions_text(self.since)
        if self.since and not came:
            label = label_of(self.since[-1], script, plan, self.before)
            came = label[:1].lower() + label[1:]
        if not done or not came:
            return done or f"{came[:1].upper()}{came[1:]}"
        return f"{done}, then {came}"

    def _done(self, change: Change, script: Script, plan: Plan) -> str:
        match change.act:
            case Act.DO:
                return label_of(change.step, script, plan, self.before)
            case Act.REDO:
                return f"Redo: {label_of(change.step, script, plan, self.before)}"
            case Act.UNDO | Act.WITHDRAW:
                return f"Undo: {label_of(change.step.inverse(), script, plan, self.before)}"

    def followed_by(self, change: Change, document: Document, shown: Outcome, outcome: Outcome) -> LastAct:
        """The last act after a change of the document, whose plan is `outcome` where `shown` was on display."""
        if change.act is Act.DO and is_automatic(change.step):
            return replace(self, since=(*self.since, change.step))
        same = outcome is shown or (change.act is not Act.DO and outcome.shows_as(shown))
        if same and not _measures_anew(change.step):
            return self
        begun = document.previous_revision if change.act is Act.DO else -1
        if self.change is not None and self.change.act is Act.DO and begun == self.begun:
            # The same run of typing: only its last step is in the document.
            return replace(self, change=change)
        return LastAct(shown.plan, change, (), begun)


def _measures_anew(step: Step) -> bool:
    """Whether lines are measured again after a step, which changes the plan later."""
    steps = step.steps if isinstance(step, Several) else (step,)
    return any(isinstance(each, SetVoice | SetLexicon) for each in steps)


def opened_with(document: Document, plan: Plan, saved: Plan | None) -> LastAct:
    """What the plan of a document just opened is compared with: the one before what no person has added to it.

    `saved` is the plan of the document before all its steps, where that is known.
    """
    steps = trailing_automatic_steps(document.past)
    if not steps:
        return LastAct(plan)
    if saved is not None and len(steps) == len(document.past):
        return LastAct(saved, None, steps)
    before = script_before(document.script, steps)
    return LastAct(FilmPlanner(before, gaps_of(before).gaps).outcome.plan, None, steps)

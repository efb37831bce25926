"""How a text that is being typed fits: where its line is locked in, others give way, so the plan is made with it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from adstudio.core.script import Eventuality
from adstudio.editing.change import MAX_CHARACTERS
from adstudio.editing.fit import Fit, fit_of
from adstudio.editing.fusions import on_shown_line, shown_line
from adstudio.editing.wordings import rewrite
from adstudio.planning.film.plan_changes import NO_CHANGES, PlanChanges, compare
from adstudio.planning.film.room import Rooms
from adstudio.ui.session.session import Session
from adstudio.ui.widgets.formatting import counted, quoted_line


@dataclass(frozen=True)
class TypedFit:
    """How a text fits, and what becomes of other lines if it is taken.

    `clashes`: its line is locked and would not be spoken, although there would be room if only the locked lines stayed.
    """

    fit: Fit
    changes: PlanChanges = NO_CHANGES
    clashes: bool = False


def typed_fit(session: Session, identity: str, variant: int, text: str) -> TypedFit:
    """How a text fits as this wording of a line.

    While all others stay as planned; but a line that is locked in, as a new one is, or at a time, is judged against the
    plan that it would get.

    Raises:
        EditRefused: if the line or the wording no longer exists.
    """
    line = shown_line(session.script, session.plan, identity)
    shown = variant < len(line.variants) and text == line.variants[variant].text
    if shown or not _is_locked(line) or not text.strip() or len(text) > MAX_CHARACTERS:
        return TypedFit(fit_of(session.rooms, identity, variant if shown else text))
    step = on_shown_line(
        session.script, session.plan, identity, lambda script: rewrite(script, identity, variant, text)
    )
    if step is None:
        return TypedFit(fit_of(session.rooms, identity, variant))
    script, planner = session.current_plan.plan_with(step)
    plan = planner.outcome.plan
    if identity in plan.by_line:
        return TypedFit(fit_of(Rooms(script, planner.problem, plan), identity, variant), compare(session.plan, plan))
    # Its lock cannot hold, so the plan leaves it out: what would be room if all that may give way did?
    firm = tuple(each for each in plan.deliveries if _is_locked(script.eventuality(each.line)))
    fit = fit_of(Rooms(script, planner.problem, replace(plan, deliveries=firm)), identity, variant)
    return TypedFit(fit, clashes=fit.fits)


def displaced_words(session: Session, found: TypedFit) -> str:
    """What becomes of other lines, as in `leaves out “Tom nods.”, rewords 2 lines`; empty where nothing does."""
    verbs = (("leaves out", found.changes.dropped), ("rewords", found.changes.reworded))
    parts = [f"{verb} {_named(session, names)}" for verb, names in verbs if names]
    return "conflicts with other locks" if found.clashes else ", ".join(parts)


def _is_locked(line: Eventuality) -> bool:
    return bool(line.pin.selected) or line.pin.start is not None


def _named(session: Session, names: tuple[str, ...]) -> str:
    if len(names) != 1:
        return counted(len(names), "line")
    line, delivery = session.script.eventuality(names[0]), session.plan.by_line.get(names[0])
    return quoted_line(line.variants[0 if delivery is None else delivery.variant].text)

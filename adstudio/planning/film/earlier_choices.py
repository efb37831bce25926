"""What a film planned afresh prefers among equally good plans: an earlier plan, or what people have approved."""

from __future__ import annotations

from adstudio.core.plan import Plan
from adstudio.core.script import Script

Choices = tuple[tuple[str, int], ...]
"""Elements with their wordings, as a problem holds those of `previous`."""


def choices_of(plan: Plan) -> Choices:
    """What a plan speaks, in which wording."""
    return tuple((each.element, each.variant) for each in plan.deliveries)


def approved_choices(script: Script) -> Choices:
    """The lines that a person has approved, in the wording that was spoken then; where that is not known, in full."""
    approved = (line for line in script.eventualities if line.accepted or line.approval is not None)
    return tuple((line.id, 0 if line.approval is None else line.approval.variant) for line in approved)

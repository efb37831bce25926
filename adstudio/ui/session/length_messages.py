"""What a plan is optimal for where its lengths are not all those of the voice, in words."""

from __future__ import annotations

from adstudio.planning.film.live_plan import Outcome, ProofState
from adstudio.planning.film.spoken_lengths import SpokenLengths
from adstudio.ui.widgets.formatting import counted

_OPTIMAL = frozenset({ProofState.EXACT, ProofState.CONFIRMED, ProofState.IN_PARTS})
"""The solver's proofs, which are of the lengths that it was given."""


def unmeasured(lengths: SpokenLengths) -> str:
    """How many spoken lines have a length that is only expected; or keep the accepted one, which is another now."""
    if lengths.unmeasured:
        return f"{counted(lengths.unmeasured, 'line')} not measured yet"
    return f"{counted(lengths.otherwise, 'accepted line')} measured differently"


def optimal_for(lengths: SpokenLengths, outcome: Outcome) -> str:
    """What a plan is optimal for that is not proven for lengths that were measured; empty for any other."""
    if lengths.measured or outcome.proof.state not in _OPTIMAL:
        return ""
    return f"Optimal for {'predicted' if lengths.unmeasured else 'accepted'} lengths, {unmeasured(lengths)}"

"""The limit of what a film may cost, looked at before a model is asked: whether anything may be asked at all."""

from __future__ import annotations

from adstudio.candidates.model_draft.jobs import JobStore, default_place
from adstudio.core.errors import AdstudioError
from adstudio.core.script import Script
from adstudio.drafting.polish_passages import film_name
from adstudio.ui.panels.drafts_asking import Hindrance
from adstudio.ui.panels.drafts_words import exact_money

THE_LIMIT = "Limit…"
LIMIT_HELP = "Say how much the film may cost"
UNKNOWN = (
    "Some of what was asked of the film was of a model whose price is not known, so its limit cannot be kept: take it"
    " away to go on."
)
RAISE = Hindrance("", THE_LIMIT, limit=True)
"""Nothing is in the way, and the limit may be raised."""


def over_limit(script: Script, most_micro_usd: int | None) -> Hindrance | None:
    """What keeps a model from being asked: that the film has cost what it may already. Nothing is asked or opened."""
    if most_micro_usd is None or script.film.media is None or not default_place().exists():
        return None
    try:
        with JobStore(default_place()) as jobs:
            spent = jobs.totals(film_name(script)).usage.micro_usd
    except AdstudioError:
        # It is said when the draft is started.
        return None
    if spent is None:
        return Hindrance(UNKNOWN, THE_LIMIT, limit=True)
    if spent < most_micro_usd:
        return None
    told = f"The film has cost {exact_money(spent)} of the {exact_money(most_micro_usd)} that it may"
    return Hindrance(f"{told}: raise the limit to go on.", THE_LIMIT, limit=True)

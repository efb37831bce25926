"""The limit of what a film may cost, whoever is asked for what: kept on this machine for each project."""

from __future__ import annotations

from adstudio.connections.saved_connections import SavedConnection
from adstudio.core.errors import AdstudioError, BadInputError
from adstudio.core.script import Script
from adstudio.drafting.limits import cost_limit
from adstudio.drafting.model.request_store import JobStore, default_place, name_of_film
from adstudio.ui.drafts.messages import exact_money
from adstudio.ui.drafts.model_request import Obstacle
from adstudio.ui.session.preferences import Preferences

THE_LIMIT = "Limit…"
LIMIT_HELP = "Say how much the film may cost"
UNKNOWN = (
    "Some of what was asked of the film was of a model whose price is not known, so its limit cannot be kept: take it"
    " away to go on."
)
RAISE = Obstacle("", THE_LIMIT, limit=True)
"""Nothing is in the way, and the limit may be raised."""


def limit_key(identity: str) -> str:
    """What the limit of a project, by its identity, is kept as."""
    return f"draft_most_cost/{identity}"


def stored_limit(preferences: Preferences, identity: str) -> int | None:
    """What a project's film may cost, in millionths of a US dollar; None without a limit, or where none is open."""
    try:
        return cost_limit(preferences.text(limit_key(identity), "")) if identity else None
    except BadInputError:
        return None


def limit_for(preferences: Preferences, identity: str, named: SavedConnection | None) -> int | None:
    """The limit as it binds a model: none stops one that costs nothing, and none can be kept without a price."""
    bound = named is None or (named.capabilities.price_known and not named.capabilities.free)
    return stored_limit(preferences, identity) if bound else None


def over_limit(script: Script, most_micro_usd: int | None) -> Obstacle | None:
    """What keeps a model from being asked: that the film has cost what it may already. Nothing is asked or opened."""
    if most_micro_usd is None or not default_place().exists():
        return None
    try:
        with JobStore(default_place()) as jobs:
            spent = jobs.totals(name_of_film(script)).usage.micro_usd
    except AdstudioError:
        # It is said when the draft is started.
        return None
    if spent is None:
        return Obstacle(UNKNOWN, THE_LIMIT, limit=True)
    if spent < most_micro_usd:
        return None
    text = f"The film has cost {exact_money(spent)} of the {exact_money(most_micro_usd)} that it may"
    return Obstacle(f"{text}: raise the limit to go on.", THE_LIMIT, limit=True)

"""`--most-cost DOLLARS`: a spending limit, accepted only where it can be enforced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adstudio.cli.output import say
from adstudio.core.errors import BadInputError

if TYPE_CHECKING:
    from adstudio.connections.saved_connections import SavedConnection


def micro_usd(most_usd: float | None, named: SavedConnection) -> int | None:
    """The limit in millionths of a US dollar for a model; says so if the model costs nothing.

    Raises:
        BadInputError: for an invalid limit, or a model whose price is unknown.
    """
    if most_usd is None:
        return None
    if not 0 < most_usd < 1_000_000:
        raise BadInputError(f"--most-cost: {most_usd:g} is not a limit: give more than 0 US dollars, or leave it out")
    if not named.capabilities.price_known:
        raise BadInputError(
            f"--most-cost: the price of {named.model} (“{named.name}”) is unknown, so no limit can be enforced:"
            " leave it out, or use a model whose price is known"
        )
    if named.capabilities.free:
        say(
            f"“{named.name}” runs on {named.host}, where tokens cost nothing as far as is known: --most-cost has no"
            " effect"
        )
    return round(most_usd * 1_000_000)

"""`--most-cost DOLLARS`: a limit that can be kept, or none is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adstudio.cli.output import say
from adstudio.core.errors import BadInputError

if TYPE_CHECKING:
    from adstudio.connections.saved_connections import Named


def micro_usd(most_usd: float | None, named: Named) -> int | None:
    """The limit in millionths of a US dollar, for a model that is going to be asked; one that costs nothing is told of.

    Raises:
        BadInputError: for no limit at all, or a model of which nobody can tell what it costs.
    """
    if most_usd is None:
        return None
    if not 0 < most_usd < 1_000_000:
        raise BadInputError(f"--most-cost: {most_usd:g} is no limit: give US dollars above 0, or leave it out")
    if not named.capabilities.price_known:
        raise BadInputError(
            f"--most-cost: what {named.model} of “{named.name}” costs is not known here, so no limit can be kept:"
            " leave it out, or ask a model whose price is known"
        )
    if named.capabilities.free:
        say(
            f"“{named.name}” is asked on {named.host}, which costs nothing by the token as far as is known here:"
            " --most-cost keeps no limit there"
        )
    return round(most_usd * 1_000_000)

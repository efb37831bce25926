"""Valid values of a speaking rate and of the cost limit of a draft."""

from __future__ import annotations

import re
from typing import get_args

from adstudio.core.errors import BadInputError
from adstudio.core.setting_ranges import GREATEST_RATE, LEAST_RATE
from adstudio.llm.messages import Thinking

THINKING: tuple[Thinking, ...] = get_args(Thinking)
"""How much a model may reason."""
GREATEST_COST = 1_000_000
"""A cost limit in US dollars must be below this."""
_COST = re.compile(r"\$?\s*(\d{1,6}(?:[.,]\d{1,6})?)\Z")


def require_rate(words_per_minute: int) -> None:
    """Check a speaking rate; raises BadInputError for one that no voice can speak at."""
    if not LEAST_RATE <= words_per_minute <= GREATEST_RATE:
        rates = f"{LEAST_RATE} to {GREATEST_RATE} are"
        raise BadInputError(f"{words_per_minute} is no speaking rate ({rates})")


def cost_limit(text: str) -> int | None:
    """A cost limit as typed by a person, in millionths of a US dollar; None for nothing.

    Raises:
        BadInputError: unless it is an amount above 0 and below a million.
    """
    if not text.strip():
        return None
    found = _COST.match(text.strip())
    limit = round(float(found[1].replace(",", ".")) * 1_000_000) if found else 0
    if not 0 < limit < GREATEST_COST * 1_000_000:
        raise BadInputError(f"“{text.strip()[:40]}” is no limit: give US dollars above 0, or nothing")
    return limit

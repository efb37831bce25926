"""What a film's language and a speaking rate may be, wherever they are given."""

from __future__ import annotations

import re

from adstudio.core.errors import BadInputError

LEAST_RATE, GREATEST_RATE = 40, 600
"""Words a minute that a voice can say."""

_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*\Z")


def require_language(tag: str) -> None:
    """Check a language tag.

    Raises:
        BadInputError: for what is none.
    """
    if not _LANGUAGE.match(tag):
        raise BadInputError(f"“{tag[:40]}” is no language tag (such as en or pt-BR)")


def require_rate(words_per_minute: int) -> None:
    """Check a speaking rate.

    Raises:
        BadInputError: for one that no voice can speak at.
    """
    if not LEAST_RATE <= words_per_minute <= GREATEST_RATE:
        rates = f"{LEAST_RATE} to {GREATEST_RATE} are"
        raise BadInputError(f"{words_per_minute} is no speaking rate ({rates})")

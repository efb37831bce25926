"""Language tags (BCP 47), as films, voices and subtitles name their languages."""

from __future__ import annotations

import re

_TAG = re.compile(
    r"(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})"  # language
    r"(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?"  # script, region
    r"(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*"  # variants
    r"(?:-[a-wyz\d](?:-[a-z\d]{2,8})+)*(?:-x(?:-[a-z\d]{1,8})+)?"  # extensions, private use
    r"|x(?:-[a-z\d]{1,8})+"
    r"|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|en-gb-oed"
    r"|sgn-(?:be-fr|be-nl|ch-de)|art-lojban|cel-gaulish|no-(?:bok|nyn)|zh-(?:guoyu|hakka|min|min-nan|xiang)",
    re.ASCII | re.IGNORECASE,
)
"""RFC 5646, section 2.1: a well-formed language tag, those that were registered before it included."""
_LONGEST = 200
"""Characters of a tag; longer ones are none."""


def primary_subtag(language: str) -> str:
    """The language itself of a tag (BCP 47), in lower case: `de` of “de-AT” and of “DE_at”."""
    return language.replace("_", "-").split("-")[0].lower()


def is_well_formed(text: str) -> bool:
    """Whether a text is a well-formed language tag (BCP 47)."""
    return len(text) <= _LONGEST and _TAG.fullmatch(text) is not None

"""Language tags (BCP 47), as films, voices and subtitles name their languages."""

from __future__ import annotations


def primary_subtag(language: str) -> str:
    """The language itself of a tag (BCP 47), in lower case: `de` of “de-AT” and of “DE_at”."""
    return language.replace("_", "-").split("-")[0].lower()

"""The title at the head of our own documents, as `delivery.document_head` writes it."""

from __future__ import annotations

from collections.abc import Sequence

_KIND, _UNTITLED = "Audio description script", "Untitled film"


def own_title(above: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The title that our own documents have above their table, and what is there that is not ours."""
    if len(above) < 2 or f"{_KIND} · " not in above[1]:
        return "", above
    return "" if above[0] == _UNTITLED else above[0], above[2:]

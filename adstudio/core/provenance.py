"""What a line was made from, in the words that are kept with it: what it was drafted from, who weighed and polished it.

One text, as older files have it: `line 12 of film.fountain; weighed by m, weigh 1, …; polished by n, polish 1, …`.
"""

from __future__ import annotations

import re

PROMPTED = r"(?:^|, (?:then )?)"
"""Of a pattern: what stands before the first prompt that is told of a model, which older files may not name."""
LONGEST = 500
"""Characters of such a text."""
_LONGEST_LATER = 150
"""Of them, for who weighed a line, and for who polished it."""
_LATER = re.compile(r"(?:^|; )(?=(?:weighed|polished) by )")
_WEIGHED, _POLISHED = "weighed by ", "polished by "


def drafted_from(source: str) -> str:
    """What a line was drafted from, without who weighed and who polished it."""
    return _LATER.split(source, maxsplit=1)[0]


def weighed_by(source: str, made: str) -> str:
    """The text for a line that was weighed by what `made` tells; empty for a person, who needs no mention."""
    return _with(source, _WEIGHED, made)


def polished_by(source: str, made: str) -> str:
    """The text for a line that was polished by what `made` tells."""
    return _with(source, _POLISHED, made)


def _with(source: str, how: str, made: str) -> str:
    drafted, *later = _LATER.split(source)
    told = {each.split(" ")[0] + " by ": each for each in later}
    told[how] = f"{how}{made}"[:_LONGEST_LATER] if made else ""
    parts = (told.get(each, "") for each in (_WEIGHED, _POLISHED))
    behind = "; ".join(part for part in parts if part)
    if not behind:
        return drafted
    return "; ".join(filter(None, (drafted[: LONGEST - len(behind) - 2], behind)))

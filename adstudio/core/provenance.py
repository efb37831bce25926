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
_LATER = re.compile(r"(?:^|; )(?=(?:weighed|polished|held) by )")
_WEIGHED, _POLISHED, _HELD = "weighed by ", "polished by ", "held by "
_POLISHING = "the polishing of another line"


def drafted_from(source: str) -> str:
    """What a line was drafted from, without who weighed and who polished it."""
    return _LATER.split(source, maxsplit=1)[0]


def weighed_by(source: str, made: str) -> str:
    """The text for a line that was weighed by what `made` tells; empty for a person, who needs no mention."""
    return _with(source, _WEIGHED, made)


def polished_by(source: str, made: str) -> str:
    """The text for a line that was polished by what `made` tells."""
    return _with(source, _POLISHED, made)


def held_by_polishing(source: str, *, on: bool = True) -> str:
    """The text for a line that is held as it is spoken for the sake of another one's polished text; or no longer is."""
    return _with(source, _HELD, _POLISHING if on else "")


def is_held_by_polishing(source: str) -> bool:
    """Whether nobody chose what is held of a line: another line was polished, and the plan would have lost this one."""
    return f"{_HELD}{_POLISHING}" in _LATER.split(source)[1:]


def _with(source: str, how: str, made: str) -> str:
    drafted, *later = _LATER.split(source)
    told = {each.split(" ")[0] + " by ": each for each in later}
    told[how] = f"{how}{made}"[:_LONGEST_LATER] if made else ""
    parts = (told.get(each, "") for each in (_WEIGHED, _POLISHED, _HELD))
    behind = "; ".join(part for part in parts if part)
    if not behind:
        return drafted
    return "; ".join(filter(None, (drafted[: LONGEST - len(behind) - 2], behind)))

"""Names of people who may be in a film, from its subtitles and screenplay: suggestions, not facts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from adstudio.core.script import Cue
from adstudio.core.words import composed, folded

MOST = 60
_LONGEST_NAME = 60
_BRACKETS = re.compile(r"\s*[(\[].*?[)\]]")
_GAPS = re.compile(r"\s+")


def speakers(cues: Sequence[Cue]) -> tuple[str, ...]:
    """The speakers in the subtitles, the most talkative first, each once however it is written."""
    return _most(cue.speaker for cue in cues if cue.speaker)


def characters(screenplay: Path) -> tuple[str, ...]:
    """The speakers in a screenplay, the most talkative first.

    Raises:
        BadInputError: if it is not a screenplay.
        OutsideFailureError: if it cannot be read.
    """
    from adstudio.screenplay.file import read_screenplay
    from adstudio.screenplay.parsed_screenplay import Speech

    found = read_screenplay(screenplay)
    return _most(part.speaker for scene in found.scenes for part in scene.parts if isinstance(part, Speech))


def together(*lists: Iterable[str]) -> tuple[str, ...]:
    """The names of several lists, each once, in order."""
    found: dict[str, str] = {}
    for name in (name for names in lists for name in names):
        found.setdefault(folded(name), name)
    return tuple(found.values())[:MOST]


def _most(names: Iterable[str]) -> tuple[str, ...]:
    counts = Counter(name for each in names if (name := _name(each)))
    return tuple(name for name, _ in counts.most_common(MOST))


def _name(written: str) -> str:
    """A name as people write it: Anna for ANNA, and without what is in brackets (V.O.)."""
    plain = _GAPS.sub(" ", _BRACKETS.sub("", composed(written))).strip(" :.-")[:_LONGEST_NAME]
    if not plain or not plain.isprintable():
        return ""
    if plain.isupper() and len(plain) > 2:
        return " ".join("-".join(part.capitalize() for part in word.split("-")) for word in plain.split(" "))
    return plain

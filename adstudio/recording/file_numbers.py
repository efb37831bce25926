"""Which line a sound file is of, by its name: the number of the line as it is in the exported script.

A name that begins with a number begins with that of the line (`0012.wav`, `12 – Anna.wav`, `0012-line-7.wav`). In any
other the take's own number is ignored (`take2`, `tk 2`, `t2`, `v2`), and so, if several are left, is what all names in
the folder begin with: then it is the only one that is left (`ad_012_take2.wav`), or the one that follows “line”, “cue”
or “AD” (`scene 3 line 12.wav`).

If several lines share a number, since they are linked and spoken as one, the name has to be that of the files of
`adstudio mix --kind lines`, with a line's id behind the number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_TAKE = re.compile(r"(?<![^\W\d_])(?:take|tk|t|v)[ _.\-#]*(\d{1,4})(?!\d)", re.IGNORECASE)
_AT_END = re.compile(r"(?:\d*[\W_]*(?<![^\W\d_])(?:take|tk|t|v)[ _.\-#]*)?\d*$", re.IGNORECASE)
"""The digits at the end, and if they are of a take, the marker before them with the line's own number."""
_LINE = re.compile(r"(?<![^\W\d_])(?:line|cue|ad)[ _.\-#]*(\d+)", re.IGNORECASE)
_FIRST = re.compile(r"\s*(\d+)")
_NUMBER = re.compile(r"\d+")
MAX_DIGITS = 9


@dataclass(frozen=True)
class FileNumber:
    """What a name says: the line's number, and which take it is; None where it does not."""

    line: int | None
    take: int | None
    several: bool = False
    """There are several numbers in it, and none that is certain to be the line's."""


def shared_beginning(names: Sequence[str]) -> str:
    """What all names of a folder begin with, up to before a number that may be of a line; empty for a single name."""
    if len(names) < 2:
        return ""
    same = 0
    for letters in zip(*names, strict=False):
        if len(set(letters)) > 1:
            break
        same += 1
    return _AT_END.sub("", names[0][:same])


def file_number(stem: str, beginning: str = "") -> FileNumber:
    """What the name of a file without its ending says; `beginning` is what all names of its folder begin with."""
    first = _FIRST.match(stem)
    rest = stem[first.end() :] if first is not None else stem
    takes = _TAKE.findall(rest)
    take = _whole(takes[-1]) if takes else None
    if first is not None:
        return FileNumber(_whole(first[1]), take)
    for searched in (stem, stem.removeprefix(beginning)):
        without = _TAKE.sub(" ", searched)
        for numbers in (_NUMBER.findall(without), _LINE.findall(without)):
            if len(numbers) == 1:
                return FileNumber(_whole(numbers[0]), take)
    return FileNumber(None, take, several=_NUMBER.search(_TAKE.sub(" ", stem)) is not None)


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """Sorts names as people do: 2 before 10."""
    parts = re.split(r"(\d+)", name.casefold())
    return tuple((0, int(part[:50]), "") if part.isdecimal() else (1, 0, part) for part in parts if part)


def _whole(digits: str) -> int | None:
    return int(digits) if len(digits.lstrip("0")) <= MAX_DIGITS else None

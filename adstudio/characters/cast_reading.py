"""Reading the files that a cast is collected from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from adstudio.characters.cast_collecting import CollectedCast, collected
from adstudio.characters.cast_list import LARGEST, read_cast_list
from adstudio.characters.cast_sources import FoundPerson, in_cues, in_screenplay
from adstudio.core.errors import Oddity
from adstudio.core.script import Script


def collected_cast(
    script: Script,
    *,
    screenplay: Path | None = None,
    cast_list: Path | None = None,
    encoding: str | None = None,
    subtitles: bool = True,
) -> CollectedCast:
    """The cast of a script with those whom its cues, a screenplay and a cast list name; `encoding` is the list’s.

    Raises:
        BadInputError: for a file that is not what it is given as.
        OutsideFailureError: for one that cannot be read.
    """
    from adstudio.screenplay.file import read_screenplay
    from adstudio.system.files import read_bounded

    found: list[FoundPerson] = []
    oddities: tuple[Oddity, ...] = ()
    if cast_list is not None:
        data = read_bounded(cast_list, LARGEST, "cast list")
        spoken = in_cues(script.cues)
        known = collected(script.people, spoken).people
        listed = read_cast_list(data, str(cast_list), known, encoding)
        oddities = listed.oddities
        found += listed.people
    if screenplay is not None:
        found += in_screenplay(read_screenplay(screenplay))
    if subtitles:
        found += in_cues(script.cues)
    cast = collected(script.people, found)
    return replace(cast, oddities=(*oddities, *cast.oddities))

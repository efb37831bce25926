"""The cast of a film from what its sources say: the files that name people, the dialogue, and texts about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from adstudio.characters.cast_collecting import CollectedCast, collected
from adstudio.characters.cast_list import LARGEST, read_cast_list
from adstudio.characters.cast_sources import FoundPerson, in_cues, in_screenplay
from adstudio.characters.introductions import SPOKEN
from adstudio.characters.people_in_texts import introduced
from adstudio.core.errors import Oddity
from adstudio.core.script import Script


def collected_cast(
    script: Script,
    *,
    screenplay: Path | None = None,
    found: Sequence[FoundPerson] = (),
    cast_list: Path | None = None,
    encoding: str | None = None,
    subtitles: bool = True,
) -> CollectedCast:
    """The cast of a script with those whom its cues, a screenplay and a cast list name.

    `encoding` is that of the files, where they say none themselves (`recoded`). `found` are of a screenplay that has
    been read already. What the texts that lines were drafted from tell of people is noted where nothing was known.

    Raises:
        BadInputError: for a file that is not what it is given as.
        OutsideFailureError: for one that cannot be read.
    """
    from adstudio.screenplay.file import read_screenplay
    from adstudio.system.files import read_bounded

    people: list[FoundPerson] = []
    oddities: tuple[Oddity, ...] = ()
    if cast_list is not None:
        data = read_bounded(cast_list, LARGEST, "cast list")
        spoken = in_cues(script.cues)
        known = collected(script.people, spoken).people
        listed = read_cast_list(data, str(cast_list), known, encoding)
        oddities = listed.oddities
        people += listed.people
    people += found
    if screenplay is not None:
        people += in_screenplay(read_screenplay(screenplay, encoding=encoding))
    if subtitles:
        people += in_cues(script.cues)
    cast = _introduced(script, collected(script.people, people))
    return replace(cast, oddities=(*oddities, *cast.oddities))


def _introduced(script: Script, cast: CollectedCast) -> CollectedCast:
    """The cast with what the texts behind a script's lines tell of it."""
    texts = tuple(dict.fromkeys(line.extract for line in script.eventualities if line.extract))
    if not texts or not cast.people:
        return cast
    dialogue = [cue.text for cue in script.cues if cue.kind in SPOKEN]
    people = introduced(cast.people, texts, dialogue, script.film.language)
    new = {*cast.added, *cast.completed}
    more = (now.name for now, before in zip(people, cast.people, strict=True) if now != before and now.name not in new)
    return replace(cast, people=people, completed=(*cast.completed, *more))

"""What a project's screenplay says of who speaks its cues."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from adstudio.characters.speakers import known_from_screenplay
from adstudio.core.script import Cue, Script
from adstudio.drafting.text.align.align import align
from adstudio.screenplay.file import read_screenplay
from adstudio.store.media import candidate_paths


def speakers_by_screenplay(script: Script, project: Path) -> dict[str, str]:
    """The screenplay's name for who says each cue, by the id of the cue; as `speakers_in_screenplay` has it.

    Raises:
        AdstudioError: if the screenplay cannot be read.
    """
    source = script.film.screenplay
    path = None if source is None else next((p for p in candidate_paths(source, project) if p.is_file()), None)
    return speakers_in_screenplay(path, script.cues)


def speakers_in_screenplay(screenplay: Path | None, cues: Sequence[Cue]) -> dict[str, str]:
    """The name in a screenplay for who says each cue, by the id of the cue; none where it is of another film.

    Without the screenplay, those names that cues have from it already.

    Raises:
        AdstudioError: if the screenplay cannot be read.
    """
    if screenplay is None:
        return known_from_screenplay(cues)
    # Names that cues have hide what the screenplay says of them.
    found = align(read_screenplay(screenplay), [replace(cue, speaker=None) for cue in cues])
    return {} if found.match.another_film else dict(found.speakers)

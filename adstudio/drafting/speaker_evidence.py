"""What a project's screenplay says of who speaks its cues."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from adstudio.core.script import Script
from adstudio.drafting.text.align.align import align
from adstudio.screenplay.file import read_screenplay
from adstudio.store.media import candidate_paths


def speakers_by_screenplay(script: Script, project: Path) -> dict[str, str]:
    """The screenplay's name for who says each cue, by the id of the cue; none where it is missing or of another film.

    Raises:
        AdstudioError: if the screenplay cannot be read.
    """
    source = script.film.screenplay
    path = None if source is None else next((p for p in candidate_paths(source, project) if p.is_file()), None)
    if path is None:
        return {}
    # Names that cues have hide what the screenplay says of them.
    nameless = [replace(cue, speaker=None) for cue in script.cues]
    found = align(read_screenplay(path), nameless)
    return {} if found.match.another_film else dict(found.speakers)

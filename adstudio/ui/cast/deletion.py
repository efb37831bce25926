"""What goes when everything of a character is deleted, in words."""

from __future__ import annotations

from adstudio.editing.cast import Belongings
from adstudio.ui.widgets.formatting import counted


def deletion_text(own: Belongings) -> str:
    """What goes with a character, as it is asked."""
    pictures = len(own.person.all_portraits)
    parts = [
        "the names, description and times",
        counted(pictures, "picture") if pictures else "",
        counted(len(own.faces), "named face") if own.faces else "",
        f"the speaker of {counted(len(own.cues), 'cue')}" if own.cues else "",
    ]
    gone = ", ".join(part for part in parts if part)
    return (
        f"This deletes {gone}. Names that the subtitles and the script themselves say stay. It can be undone until the "
        "project is closed, except for this character’s faces found in the film, and what tells the film’s voices "
        "apart: they are deleted from this machine, and only a new search finds them again. The file keeps nothing of "
        "it from when it is next opened; named versions and backups of the project stay as they are."
    )

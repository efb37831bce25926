"""Edits written into an ASS or SSA event line."""

from __future__ import annotations

import re

from adstudio.subtitles.errors import SubtitleError
from adstudio.subtitles.parsed_file import CueEdit, SubtitleCue, SubtitleFile

_LEADING = re.compile(r"(?:\{\\[^{}]*\})+")
_MEANT = re.compile(r"\\(?=[Nnh{}])")


def ass_pieces(file: SubtitleFile, cue: SubtitleCue, edit: CueEdit) -> list[tuple[int, int, str]]:
    """What is to be written where; times are rounded to the hundredth, which is all that the format holds."""
    pieces: list[tuple[int, int, str]] = []
    for ms, (begin, stop) in ((edit.start, cue.place.start), (edit.end, cue.place.end)):
        if ms is None:
            continue
        if ms < 0:
            raise SubtitleError(f"{file.name}: ASS has no times before 0, so cue {cue.number} cannot have one")
        pieces.append((begin, stop, _clock(ms)))
    if edit.text is not None:
        leading = _LEADING.match(cue.raw)
        kept = leading[0] if leading and "\\p" not in leading[0].replace("\\pos", "") else ""
        lines = [line.strip() for line in edit.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
        # A backslash before N, n or h cannot be escaped: an invisible joiner keeps the two apart.
        escaped = [_MEANT.sub("\\\\\u2060", line).replace("{", "\\{").replace("}", "\\}") for line in lines if line]
        pieces.append((*cue.place.text, kept + "\\N".join(escaped).replace("\u00a0", "\\h")))
    return pieces


def _clock(ms: int) -> str:
    hundredths = (ms + 5) // 10
    seconds, hundredths = divmod(hundredths, 100)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}.{hundredths:02d}"

"""Finished AD scripts as timed text: SRT, WebVTT of descriptions, and whatever else is read as subtitles."""

from __future__ import annotations

from adstudio.core.errors import Oddity
from adstudio.script_files.finished import FinishedLine, FinishedScript
from adstudio.script_files.script_clock import ScriptClock
from adstudio.subtitles.parsed_file import TrackKind
from adstudio.subtitles.reading import parse_subtitles
from adstudio.subtitles.track_kind import TrackOddity

_OTHER_USES = (TrackKind.CHAPTERS, TrackKind.METADATA, TrackKind.THUMBNAILS)


def finished_subtitles(data: bytes, name: str, clock: ScriptClock, encoding: str | None = None) -> FinishedScript:
    """The script in a subtitle file: each cue is a line. Line breaks within one are spaces.

    Raises:
        SubtitleError: for what is no subtitle file.
    """
    read = parse_subtitles(data, name, encoding=encoding, checked_times=False)
    # What is said about such a file as dialogue is of no interest here.
    oddities = [each for each in read.oddities if not isinstance(each, TrackOddity)]
    if read.track in _OTHER_USES:
        oddities.insert(0, Oddity(f"the file seems to hold {read.track.value}: check that it is an AD script"))
    offset = clock.clock_offset
    lines = tuple(
        FinishedLine(
            " ".join(cue.text.split()),
            cue.start - offset,
            cue.end - offset,
            cue.line,
            number=str(cue.number),
            voice=cue.speaker or "",
        )
        for cue in read.cues
        if cue.text.strip()
    )
    return FinishedScript(lines, tuple(oddities), language=read.language or "")

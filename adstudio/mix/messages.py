"""What is said of a render: a sentence for what came of it, and one for each note."""

from __future__ import annotations

from collections.abc import Sequence

from adstudio.core.counts import counted
from adstudio.core.timebase import clock
from adstudio.mix.lines import MixLine
from adstudio.mix.request import MIXES, MixKind, MixNote, MixNoteKind, MixReport

NAMED = 5
"""Lines that a sentence names at most."""
_LAYOUTS = {1: "mono", 2: "stereo", 6: "5.1"}

_MESSAGES = {
    MixNoteKind.NO_SOUND: "The film has no sound: there is silence under the narration.",
    MixNoteKind.NO_FILM: "The project has no film: there is silence under the narration.",
    MixNoteKind.SILENT: "The film’s sound is silent: the narration is not set against it.",
    MixNoteKind.LAYOUT: "The film’s sound is {first}: it is rendered as {second}.",
    MixNoteKind.LINES_CUT: "{Lines} past the end of the film {are} cut there: {named}.",
    MixNoteKind.LINES_BEYOND: "{Lines} that {start} after the end of the film {are} left out: {named}.",
    MixNoteKind.LINES_OVERLAP: "{Lines} {start} before the previous one has ended: {named}.",
    MixNoteKind.OVER_DIALOGUE: "{Lines} {run} into dialogue, which is not lowered there: {named}.",
    MixNoteKind.EXTENDED_LEFT_OUT: "{Lines} marked as extended {are} only in an extended film: {named}.",
    MixNoteKind.NO_LINES: "No line is spoken.",
    MixNoteKind.LIMITED: "Peaks were limited by up to {amount} dB.",
    MixNoteKind.TARGET_MISSED: (
        "It is {amount} LU {side} the target: its peaks, or the loudness set for the narration, do not allow it."
    ),
    MixNoteKind.TRACKS_LEFT_OUT: "Not in the new film, whose format cannot hold it: {all}.",
    MixNoteKind.NOT_FLAGGED: "{first} has no flag for the visually impaired: only the track’s title says what it is.",
    MixNoteKind.FILM_DAMAGED: "The film’s file ends, or is damaged, at {at}: what follows is missing.",
    MixNoteKind.HELD_LATER: "{Lines} {start} within another line or outside the film; the picture is held once that "
    "line is over, or at the film’s end: {named}.",
    MixNoteKind.LONGER_THAN_PLANNED: "{Lines} {last} longer than planned, by up to {seconds} s: {named}. Choose a "
    "voice in the project settings, so that the plan uses the lengths of that voice.",
    MixNoteKind.OTHER_LINES: "The folder also has {files} of an earlier export: {several}.",
    MixNoteKind.PICTURE_CHANGED: "The picture, which is {first}, is encoded with 8 bits and 4:2:0 colour.",
    MixNoteKind.TRACK: "Sound track {first} of {count} is used; not used: {others}.",
}


def note_message(note: MixNote, lines: Sequence[MixLine]) -> str:
    """A sentence, with its full stop; `lines` are those of the request."""
    numbers = {line.id: line.number for line in lines}
    named = [str(numbers.get(name, name)) for name in note.lines]
    one = len(named) == 1
    return _MESSAGES[note.kind].format(
        Lines=f"{len(named):,} line{'' if one else 's'}",
        are="is" if one else "are",
        start="starts" if one else "start",
        run="runs" if one else "run",
        last="lasts" if one else "last",
        named=("number " if one else "numbers ") + _first_of(named),
        files=counted(len(note.names), "line file"),
        several=_first_of(note.names),
        first=note.names[0] if note.names else "",
        second=note.names[-1] if note.names else "",
        others=", ".join(note.names[1:]),
        all=", ".join(note.names),
        seconds=_number((note.ms or 0) / 1000),
        at="" if note.at is None else clock(note.at),
        count=len(note.names),
        amount=_number(abs(note.amount or 0) / 10),
        side="below" if (note.amount or 0) > 0 else "above",
    )


def no_voice_message(engine: str) -> str:
    """Who spoke in a project without a voice."""
    return f"The project has no voice: {engine} speaks its lines."


def layout_name(channels: int) -> str:
    """What so many channels are called."""
    return _LAYOUTS.get(channels, f"{channels} channels")


def report_message(report: MixReport) -> str:
    """What was rendered, in one line: how long, in which channels, how loud, and how many lines."""
    parts = [
        f"{clock(report.length)[:-4]}, {layout_name(report.channels)}",
        counted(report.line_count, "line"),
    ]
    if report.loudness is None or report.true_peak is None:
        parts.append("silent")
    elif report.kind is MixKind.LINES:
        parts.append(f"true peak {_number(report.true_peak)} dBTP")
    else:
        parts.append(f"{_number(report.loudness)} LUFS, true peak {_number(report.true_peak)} dBTP")
    if report.programme_loudness is not None:
        parts.append(f"film {_number(report.programme_loudness)} LUFS")
    if report.narration_loudness is not None:
        # By itself, in one channel, it measures less than in the two of a mix.
        where = "" if report.kind in MIXES else " in the mix"
        parts.append(f"narration{where} {_number(report.narration_loudness)} LUFS")
    return "; ".join(parts)


def _first_of(names: Sequence[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more:,} more" if more > 0 else "")


def _number(value: float) -> str:
    return f"{value:.1f}".replace("-", "−")

"""Edits written into a TTML document."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from adstudio.core.timebase import clock
from adstudio.subtitles.errors import SubtitleError
from adstudio.subtitles.parsed_file import CueEdit, SubtitleCue, SubtitleFile
from adstudio.subtitles.ttml_times import TimeParameters, read_parameters
from adstudio.subtitles.xml_scan import scan

_BARE = re.compile(r"[\d.]+s?", re.ASCII)


def ttml_pieces(file: SubtitleFile, cue: SubtitleCue, edit: CueEdit) -> list[tuple[int, int, str]]:
    """What is to be written where; in SMPTE time base, times are rounded to the frame."""
    if edit == CueEdit():
        return []
    place = cue.place
    if "x" in place.style:
        raise SubtitleError(
            f"{file.name}: cue {cue.number} shares its paragraph with others: edit it in the file itself"
        )
    pieces: list[tuple[int, int, str]] = []
    if edit.start is not None or edit.end is not None:
        pieces += _times(file, cue, edit)
    if edit.text is not None:
        pieces.append(_text(file, cue, edit.text))
    return pieces


def _times(file: SubtitleFile, cue: SubtitleCue, edit: CueEdit) -> list[tuple[int, int, str]]:
    place = cue.place
    if "q" in place.style or "b" in place.style:
        raise SubtitleError(f"{file.name}: the times of cue {cue.number} hang on others: edit them in the file itself")
    parameters = _parameters(file.source.text)
    start = cue.start if edit.start is None else edit.start
    end = cue.end if edit.end is None else edit.end
    pieces: list[tuple[int, int, str]] = []
    if edit.start is not None:
        pieces.append(_attribute(file, "begin", place.start, start - place.base, parameters))
    if "d" in place.style:
        pieces.append((*place.end, f"{_seconds(Fraction(end - start))}s"))
    elif edit.end is not None:
        pieces.append(_attribute(file, "end", place.end, end - place.base, parameters))
    missing = [piece for piece in pieces if piece[0] == piece[1]]
    if len(missing) == 2:
        # Both attributes are new and stand in the same place: one piece of text for the two.
        return [(missing[0][0], missing[0][1], missing[0][2] + missing[1][2])]
    return pieces


def _attribute(
    file: SubtitleFile, name: str, at: tuple[int, int], ms: Fraction | int, parameters: TimeParameters
) -> tuple[int, int, str]:
    if ms < 0:
        raise SubtitleError(f"{file.name}: a cue cannot begin or end before what holds it: edit the file itself")
    old = file.source.text[at[0] : at[1]].strip()
    if parameters.smpte:
        value = _label(file, Fraction(ms), parameters)
    elif _BARE.fullmatch(old):
        value = _seconds(Fraction(ms)) + ("s" if old.endswith("s") else "")
    else:
        value = clock(round(ms))
    return (*at, value) if at[0] < at[1] else (*at, f' {name}="{value}"')


def _seconds(ms: Fraction) -> str:
    return f"{round(ms) / 1000:.3f}"


def _label(file: SubtitleFile, ms: Fraction, parameters: TimeParameters) -> str:
    """The label of the frame nearest to a time, found by the same count that reads labels."""
    per_second = int(parameters.frame_rate)
    wanted = round(ms * parameters.effective_rate / 1000)
    # Dropped labels only ever put the clock ahead of the count, by less than one in five hundred.
    seconds = max(0, wanted // per_second - 1)
    best: tuple[Fraction, int, int] | None = None
    for candidate in range(seconds, seconds + 6 + wanted // (per_second * 500)):
        for frame in range(per_second):
            distance = abs(parameters.ms_of_label(candidate, Fraction(frame)) - ms)
            if best is None or distance < best[0]:
                best = (distance, candidate, frame)
    if best is None:
        raise SubtitleError(f"{file.name}: {clock(round(ms))} has no label at this frame rate")
    minutes, second = divmod(best[1], 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}:{second:02d}:{best[2]:02d}"


@lru_cache(maxsize=1)
def _parameters(text: str) -> TimeParameters:
    root = next((element for element in scan(text).roots if element.local == "tt"), None)
    return read_parameters(root)[0] if root is not None else TimeParameters()


def _text(file: SubtitleFile, cue: SubtitleCue, text: str) -> tuple[int, int, str]:
    source = file.source
    name = re.match(r"<([^\s/>]+)", source.text[cue.place.whole[0] : cue.place.whole[0] + 200])
    tag = name[1] if name else "p"
    prefix = f"{tag.rpartition(':')[0]}:" if ":" in tag else ""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    escaped = f"<{prefix}br/>".join(_escaped(line.strip()) for line in lines)
    # What the encoding does not have is written as a number, which XML can.
    written = escaped.encode(source.codec, "xmlcharrefreplace").decode(source.codec)
    if "/" in cue.place.style:
        return (*cue.place.text, f">{written}</{tag}>")
    return (*cue.place.text, written)


def _escaped(line: str) -> str:
    return line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

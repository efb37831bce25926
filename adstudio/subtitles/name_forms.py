"""Names of speakers that are set otherwise than before a colon on the line that they speak, brought into that form.

“TOM —” above or before what he says, and “TOM:” above a line with a hyphen or a music note.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from adstudio.subtitles.labels import HYPHENED, HYPHENS, NOTES
from adstudio.subtitles.parsed_file import SubtitleCue
from adstudio.subtitles.speakers import speaker_prefix

_DASH = "\u2013\u2014\u2015-"
_WORD = r"[^\W\d_][\w.'’]{0,29}"
_DASHED = re.compile(
    rf"(?P<mark>[ >{re.escape(HYPHENS)}]*)(?P<name>{_WORD}(?:[- ](?:{_WORD}|\#?\d{{1,3}}|&)){{0,5}})"
    rf"(?:[ ][{_DASH}]{{1,2}}(?=[ ]|$)|[{_DASH}]{{1,2}}$)[ ]*"
)
_SPEECH_BEGINS = re.compile(rf"[\s{re.escape(HYPHENS)}\"“”«„'‘’¿¡(\[…]*(?P<first>\w)")
_LEAST_TIMES = 2
"""In how many cues a name stands before a dash, at least, unless half of them have one."""
_LEAST_CUES = 3


def with_colons(cues: Sequence[SubtitleCue], names: frozenset[str]) -> list[SubtitleCue]:
    """The cues, with each name beside its words before a colon; `names` are those beyond doubt, in capitals.

    In capitals before a dash is also a shout that breaks off (“TOM—”): such words are names where they come back, or
    half of the cues have some, and where the file does not have that name before a colon.
    """
    found = [set(_dashed_names(cue)) for cue in cues]
    convention = sum(map(bool, found)) >= max(_LEAST_CUES, len(cues) / 2)
    times = Counter(name for of_cue in found for name in of_cue)
    dashed = {name for name, count in times.items() if convention or count >= _LEAST_TIMES} - names
    return [_with_colons(cue, dashed) for cue in cues]


def _with_colons(cue: SubtitleCue, dashed: set[str]) -> SubtitleCue:
    if cue.voices or cue.kind is not None:
        return cue
    lines = cue.text.split("\n")
    if dashed:
        for place, (name, colon) in _dashed_lines(lines):
            if name in dashed:
                lines[place] = colon
    if len(lines) > 1 and ":" in cue.text:
        lines = _beside_their_words(lines)
    text = "\n".join(lines)
    return cue if text == cue.text else cue._replace(text=text)


def _dashed_names(cue: SubtitleCue) -> Iterator[str]:
    if not cue.voices and cue.kind is None:
        yield from (name for _, (name, _) in _dashed_lines(cue.text.split("\n")))


def _dashed_lines(lines: Sequence[str]) -> Iterator[tuple[int, tuple[str, str]]]:
    """Lines that begin with what may be a name before a dash: their places, the name, and the line with a colon."""
    for place, line in enumerate(lines):
        match = _DASHED.match(line) if any(dash in line for dash in _DASH) else None
        if match is None or match["name"] != match["name"].upper():
            continue
        said = line[match.end() :] or "\n".join(lines[place + 1 : place + 2])
        first = _SPEECH_BEGINS.match(said)
        # What goes on in small letters was broken off, and where all is in capitals they mark nothing.
        if first is None or first["first"].islower() or said == said.upper() != said.lower():
            continue
        colon = f"{match['name']}: {line[match.end() :]}".rstrip()
        if speaker_prefix(colon) is not None:
            yield place, (match["name"], match["mark"] + colon)


def _beside_their_words(lines: list[str]) -> list[str]:
    """The lines, of which one that is only a name has the hyphened or sung line below it beside it."""
    shouted = "\n".join(lines) == "\n".join(lines).upper()
    joined: list[str] = []
    for line in lines:
        if joined and _is_only_name(joined[-1], shouted=shouted):
            hyphen = HYPHENED.match(line)
            if hyphen is not None and not _is_only_name(line, shouted=shouted):
                joined[-1] = f"{joined[-1].rstrip()} {line[hyphen.end() :]}"
                continue
            if line.lstrip()[:1] in tuple(NOTES):
                joined[-1] = f"{joined[-1].rstrip()} {line.lstrip()}"
                continue
        joined.append(line)
    return joined


def _is_only_name(line: str, *, shouted: bool) -> bool:
    prefix = speaker_prefix(line.lstrip(HYPHENS + " "), shouted=shouted)
    return prefix is not None and not prefix[2].strip()

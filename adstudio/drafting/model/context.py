"""What a model is told of a stretch of film beside the pictures: people, dialogue, a screenplay's text.

All of it is data that somebody else wrote. It stands between marks that it cannot contain, and without the brackets
that models' own marks are made of, so that no text in it can end its block or speak for anybody else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from adstudio.core.script import Cue, CueKind
from adstudio.core.timebase import Span
from adstudio.core.words import composed

LONGEST_NAME = 60
LONGEST_CUE = 500
MOST_CUES = 400
LONGEST_TEXT = 30_000
_GAPS = re.compile(r"\s+")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\u202a-\u202e\u2066-\u2069\ufeff]")
_BRACKETS = re.compile(r"\[{2,}|\]{2,}")
_ANGLES = str.maketrans("<>", "‹›")


def plain(text: str, longest: int = LONGEST_TEXT) -> str:
    """A text on one line, without anything that could be taken for a mark of ours or a model's own."""
    flat = _GAPS.sub(" ", _CONTROL.sub(" ", composed(text))).strip()
    return _BRACKETS.sub(lambda found: found[0][0], flat.translate(_ANGLES))[:longest]


def block(title: str, lines: Iterable[str]) -> str:
    """Lines of material between marks; the lines have been made `plain`."""
    return "\n".join([f"[[[ {title}", *lines, f"{title} ]]]"])


def subtitles(cues: Sequence[Cue], span: Span) -> list[str]:
    """What is said in a stretch, a line each: seconds from its start, who says it where that is known, and the words.

    Sounds and music are left out, as models are told of no sound.
    """
    found: list[str] = []
    for cue in cues:
        if cue.kind not in (CueKind.SPEECH, CueKind.SUNG) or cue.end <= span.start or cue.start >= span.end:
            continue
        start, end = max(cue.start - span.start, 0), min(cue.end, span.end) - span.start
        speaker = f"{plain(cue.speaker, LONGEST_NAME)}: " if cue.speaker else ""
        found.append(f"{start / 1000:.1f}–{end / 1000:.1f} {speaker}{plain(cue.text, LONGEST_CUE)}")
    return found[:MOST_CUES]


def paragraphs(text: str) -> list[str]:
    """A longer text, a line for each of its paragraphs."""
    return [line for part in text[:LONGEST_TEXT].split("\n") if (line := plain(part))]

"""What stands above the first line of an AD script: of what film it is, by whom, its length and frame rate."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from adstudio.core.timebase import FrameRate
from adstudio.core.words import count_words
from adstudio.screenplay.terms import TITLE_PAGE_KEYS
from adstudio.script_files.asides import named_cue, spoken, without_label
from adstudio.script_files.times import is_duration, time_stamp, without_emphasis

LONGEST_TITLE = 8
"""Words of a line in a script's title."""
NUMBERED = re.compile(r"\s*(?P<number>\d{1,4})(?:[.):]?\s+(?=\S)|[.):]?\s*$)")
_WORDS_OF_A_NAME = 3
_KEYS = TITLE_PAGE_KEYS | frozenset(
    (
        *("programme", "program", "film", "season", "client", "describer", "broadcaster", "duration", "length", "trt"),
        *("runtime", "running time", "frame rate", "framerate", "fps", "start timecode", "start tc", "timecode format"),
        *("tx", "tx date", "house no", "house number", "production no", "production number", "prod no", "sendung"),
        *("folge", "dauer", "länge", "kunde", "redaktion", "épisode", "durée", "episodio", "duración", "durata"),
    )
)
_TIMECODE = ("tc", "timecode")
_ENTRY = re.compile(r"\s*([^\W\d_][^:：]{0,30}?)\s*[:：]\s*\S.*")


def title_block(lines: Sequence[str], rate: FrameRate) -> int:
    """How many lines at the beginning are empty or say of what film a script is, by whom, and the like.

    A key that comes again is one of the script itself. Beside known keys a paragraph of short lines may have others,
    and the title.
    """
    counts = Counter(key for line in lines if (key := _key(line)))
    at = end = 0
    while at < len(lines):
        after = next((place for place in range(at, len(lines)) if not lines[place].strip()), len(lines))
        paragraph = lines[at:after]
        known = [is_title_entry(line) and counts[_key(line)] == 1 for line in paragraph]
        whole = any(known) and all(
            is_known or _is_beside(line, counts, rate) for is_known, line in zip(known, paragraph, strict=True)
        )
        count = len(paragraph) if whole else (*known, False).index(False)
        end = at + count if count else end
        if count < len(paragraph):
            break
        at = after + 1
    return end


def _is_beside(line: str, counts: Counter[str], rate: FrameRate) -> bool:
    """Whether a line beside known keys is a title, or names somebody after a key that comes only once."""
    if not is_short(line):
        return False
    if is_duration(line):
        return True
    if counts[_key(line)] > 1:
        return False
    if not is_mark(line, rate) or _key(line) in _TIMECODE:
        return True
    words = line.partition(":")[2].split()
    is_timed = without_time(line, rate) != line
    return not is_timed and 0 < len(words) <= _WORDS_OF_A_NAME and not any(word[0].islower() for word in words)


def is_title_entry(line: str) -> bool:
    """Whether a line is a known key of a title block with a short value: Describer: Jane Doe."""
    return _key(line) in _KEYS and is_short(line)


def is_short(line: str) -> bool:
    """Whether a line is short and no sentence."""
    return count_words(line) <= LONGEST_TITLE and not line.rstrip().endswith((".", "!", "?", "…"))


def is_mark(line: str, rate: FrameRate) -> bool:
    """Whether a line begins a description of a script: it has a time, cue words or a label."""
    if without_label(line) is not None or named_cue(line) is not None:
        return True
    return without_time(line, rate) != line or any(piece.cue for piece in spoken(line).pieces)


def without_time(line: str, rate: FrameRate) -> str:
    """A line without the time that it begins with, and the number before that."""
    numbered = NUMBERED.match(line)
    stamp = time_stamp(line[numbered.end() :] if numbered is not None else line, rate)
    return stamp.rest if stamp is not None else line


def _key(line: str) -> str:
    """What a line begins with before a colon, in small letters; "" if there is no colon."""
    found = _ENTRY.fullmatch(without_emphasis(line))
    return found[1].lower().replace(".", "") if found is not None else ""

"""Reads a screenplay in any layout: tells what each row is by the file's own statistics, then sets it in usual columns.

What is done here is preparation (names before a colon, names that text recognition spoilt, what the subtitles say) and
setting the rows anew, so that `layout.read_rows` reads them as it reads any standard page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from adstudio.screenplay.layout import is_numbered
from adstudio.screenplay.line_kinds import (
    Cue,
    cue,
    is_capitals,
    is_heading,
    is_mini_heading,
    is_transition,
    names_act,
    names_transition,
    numbered_heading,
)
from adstudio.screenplay.page_rows import Row, Segment
from adstudio.screenplay.row_kinds import Classified, classify
from adstudio.screenplay.row_statistics import Kind, Read, Statistics, fills, words_of
from adstudio.screenplay.terms import TRANSITION

ACTION_COLUMN, SPEECH_COLUMN, ASIDE_COLUMN, NAME_COLUMN, RIGHT_COLUMN = 0.0, 10.0, 16.0, 22.0, 45.0
RUN = 3
"""This many words in a row that the subtitles have too are spoken."""
MOST_WORDS_OF_A_NAME = 5
_LONGEST_NAME = 45
_INLINE = re.compile(r"([^\W\d_][^:：!?()]{0,34})(\([^()]{1,30}\))?\s?[:：]\s+(\S.*)")
_DIRTY_INSIDE = re.compile(r"^[l1|!]NT(?=[./ ])")
_NUMBERED = re.compile(r"([A-Z]?\d{1,4}[A-Z]{0,2}\.?)\s+(\S.*\S)")
_NUMBERED_AT_LEAST = 4
_SPECKS = re.compile(r"[\s.,'’|*_~:;-]+$")
_MISREAD = str.maketrans({"0": "O", "1": "I", "l": "I", "|": "I", "5": "S"})
_NAMES_TO_TELL = 2
"""Names that recur, counted each time they stand there: fewer say nothing of where names stand."""
_RECURS = 2
_ASIDE_ROWS = 15
_ASIDE_FROM_MIDDLE = 3.0
_ENDS = (".", "!", "?", "…", ":", "”", '"', "-", "—", ")")
_GOES_ON = (" -", "–", "—", ",", "/", "&")
"""How a heading's row ends that goes on below."""
_ALL = 0.9
_HARDLY_ANY = 0.05
_SURE = 0.8
_PLENTY = 4


@dataclass(frozen=True)
class Fitted:
    """The rows in usual columns.

    `unsure` are rows that may as well be speech, left out of the action; `total` is how many rows of speech and action
    there are, `names` how many character names, `resumed` how often action follows a speech.
    """

    rows: tuple[Row, ...]
    unsure: tuple[Row, ...]
    names: int
    total: int
    resumed: int


def has_names(rows: Sequence[Row], at_least: int = _NAMES_TO_TELL) -> bool:
    """Whether that many names stand in rows of their own or before a colon, and recur, for statistics."""
    alone = Counter(_folded(row.text) for row in rows if len(row.segments) == 1 and _may_be_name(row.text))
    inline = Counter(found.name for row in rows if (found := _inline(row)) is not None)
    return any(_recurring(counts) >= at_least for counts in (alone, inline))


def _recurring(counts: Counter[str]) -> int:
    return sum(count for count in counts.values() if count >= _RECURS)


def fitted(rows: Sequence[Row], base: float, subtitles: Sequence[str] = ()) -> Fitted:
    """The rows set anew; `base` is the column of headings, `subtitles` are what the film's say, in order."""
    prepared, taken = _with_inline_names_apart(_with_whole_headings([_with_mended_heading(row) for row in rows]))
    reads = _reads(prepared, taken, base, subtitles)
    found = classify(reads)
    return _set(prepared, reads, found)


def _with_mended_heading(row: Row) -> Row:
    """The row with INT. where text recognition has lNT."""
    first, *rest = row.segments
    text = _DIRTY_INSIDE.sub("INT", first.text, count=1)
    return (
        row if text == first.text or not is_heading(text) else row._replace(segments=(Segment(first.left, text), *rest))
    )


def _with_whole_headings(rows: Sequence[Row]) -> list[Row]:
    """The rows with a heading that visibly goes on in the next row as one."""
    found: list[Row] = []
    for row in rows:
        above = found[-1] if found else None
        if (
            above is not None
            and not (row.gap or row.breaks)
            and len(row.segments) == 1
            and above.text.rstrip().endswith(_GOES_ON)
            and numbered_heading(above.text) is not None
            and is_capitals(row.text)
            and numbered_heading(row.text) is None
        ):
            *before, last = above.segments
            found[-1] = above._replace(segments=(*before, Segment(last.left, f"{last.text} {row.text.strip()}")))
        else:
            found.append(row)
    return found


def _with_inline_names_apart(rows: Sequence[Row]) -> tuple[list[Row], dict[int, int]]:
    """The rows with “ANNA: Hello” as two, if that is how the file has its speeches.

    With it, for each second one, by its place, how many characters the name took from it.
    """
    inline = [_inline(row) for row in rows]
    often = Counter(found.name for found in inline if found is not None)
    alone = Counter(_folded(row.text) for row in rows if len(row.segments) == 1 and _may_be_name(row.text))
    if _recurring(often) < _NAMES_TO_TELL or _recurring(often) <= _recurring(alone):
        return list(rows), {}
    split: list[Row] = []
    taken: dict[int, int] = {}
    for row, found in zip(rows, inline, strict=True):
        if found is None or (often[found.name] < _RECURS and not found.capitals):
            split.append(row)
            continue
        taken[len(split) + 1] = len(row.text) - len(found.said)
        split += [
            row._replace(segments=(Segment(row.left, f"{found.name} {found.extension}".strip()),)),
            row._replace(segments=(Segment(row.left, found.said),), gap=False, breaks=False),
        ]
    return split, taken


class _Inline(NamedTuple):
    """A name before a colon, its extension in brackets, and what is said behind it."""

    name: str
    extension: str
    said: str
    capitals: bool


def _inline(row: Row) -> _Inline | None:
    found = _INLINE.fullmatch(row.text.strip()) if len(row.segments) <= 2 else None
    if found is None or not found[1][0].isupper() or len(found[1].split()) > MOST_WORDS_OF_A_NAME:
        return None
    if TRANSITION.fullmatch(found[1].strip().upper()) is not None or numbered_heading(row.text) is not None:
        return None
    name = " ".join(found[1].split())
    return _Inline(name.upper(), found[2] or "", found[3], is_capitals(name) and len(name) > 1)


def _may_be_name(text: str) -> bool:
    return 0 < len(text) <= _LONGEST_NAME and is_capitals(text) and len(text.split()) <= MOST_WORDS_OF_A_NAME + 2


def _folded(text: str) -> str:
    """A name without what text recognition adds and confuses, and without its extension."""
    name = text.partition("(")[0]
    return _SPECKS.sub("", name).strip().translate(_MISREAD).upper()


def _reads(prepared: Sequence[Row], taken: Mapping[int, int], base: float, subtitles: Sequence[str]) -> list[Read]:
    rows = [row for row in prepared if not row.more]
    more = [taken.get(place, 0) for place, row in enumerate(prepared) if not row.more]
    names = _names(rows)
    numbered = _numbers_scenes(rows)
    words = [words_of(row.text) for row in rows]
    shares = _spoken_shares(words, subtitles) if subtitles else [-1.0] * len(rows)
    reads: list[Read] = []
    open_rows = 0
    for at, row in enumerate(rows):
        text = " ".join(row.text.split())
        kinds, name = _kinds(row, text, base, names, numbered=numbered)
        if open_rows and Kind.ASIDE not in kinds and Kind.HEADING not in kinds:
            kinds = (*kinds, Kind.ASIDE)
        if text.startswith(("(", "（")):
            open_rows = 0 if ")" in text or "）" in text else _ASIDE_ROWS
        elif open_rows:
            open_rows = 0 if ")" in text or "）" in text else open_rows - 1
        first = len(text.split(" ", 1)[0])
        reads.append(Read(row, kinds, name, shares[at], words[at], first, len(text) + more[at]))
    return reads


def _names(rows: Sequence[Row]) -> dict[str, Cue]:
    """The names that stand in rows of their own, by how they read without dirt; the commonest spelling of each."""
    spellings: dict[str, Counter[str]] = {}
    for row in rows:
        text = _SPECKS.sub("", " ".join(row.text.split()))
        found = cue(text) if len(row.segments) == 1 and _may_be_name(text.partition("(")[0].strip()) else None
        if found is not None:
            spellings.setdefault(_folded(text), Counter())[found.speaker] += 1
    return {key: Cue(counts.most_common(1)[0][0]) for key, counts in spellings.items()}


def _numbers_scenes(rows: Sequence[Row]) -> bool:
    """Whether the file's headings have numbers, so that capitals behind a number are one too: 5 HIS VIEW."""
    found = (numbered_heading(row.text) for row in rows)
    return sum(heading is not None and bool(heading.number) for heading in found) >= _NUMBERED_AT_LEAST


def _kinds(
    row: Row, text: str, base: float, names: dict[str, Cue], *, numbered: bool
) -> tuple[tuple[Kind, ...], Cue | None]:
    """What a row's form allows, and the character's name that it may be."""
    if _is_heading(row, text, base, numbered=numbered):
        return (Kind.HEADING,), None
    name = names.get(_folded(text)) if len(row.segments) == 1 else None
    colon = name is not None and text.endswith(":") and TRANSITION.fullmatch(text.upper()) is None
    if not colon and (is_transition(text) or names_transition(text, alone=False)):
        return (Kind.TRANSITION,), None
    if names_act(text, alone=False):
        return (Kind.TRANSITION, Kind.ACTION), None
    if name is not None and len(text) <= _LONGEST_NAME + 20:
        return (Kind.NAME, Kind.ACTION, Kind.SPEECH), name
    if text.startswith(("(", "（")):
        return (Kind.ASIDE, Kind.SPEECH, Kind.ACTION), None
    return (Kind.ACTION, Kind.SPEECH), None


def _is_heading(row: Row, text: str, base: float, *, numbered: bool) -> bool:
    if numbered_heading(text) is not None or (row.gap and is_mini_heading(text)) or is_numbered(row, base):
        return True
    found = _NUMBERED.fullmatch(text) if numbered and row.gap else None
    return found is not None and is_capitals(found[2])


def _spoken_shares(rows: Sequence[tuple[str, ...]], subtitles: Sequence[str]) -> list[float]:
    """For each row the share of its words that lie in runs that the subtitles have too, over the ends of rows."""
    film = [word for text in subtitles for word in words_of(text) if word not in "?!"]
    runs = {tuple(film[at : at + RUN]) for at in range(len(film) - RUN + 1)}
    words = [(word, number) for number, row in enumerate(rows) for word in row if word not in "?!"]
    counts = [[0, 0] for _ in rows]
    hit = [False] * len(words)
    for at in range(len(words) - RUN + 1):
        if tuple(word for word, _ in words[at : at + RUN]) in runs:
            hit[at : at + RUN] = [True] * RUN
    for (_, number), is_hit in zip(words, hit, strict=True):
        counts[number][0] += is_hit
        counts[number][1] += 1
    return [hits / total if total else -1.0 for hits, total in counts]


def _set(rows: Sequence[Row], reads: Sequence[Read], found: Classified) -> Fitted:
    breaks = _Paragraphs(reads, found)
    left_out = _unsure_rows(found, breaks)
    done: list[Row] = []
    unsure: list[Row] = []
    at = 0
    for row in rows:
        if row.more:
            done.append(row._replace(segments=(Segment(NAME_COLUMN, "(MORE)"),)))
            continue
        if at in left_out:
            unsure.append(row)
        else:
            done.append(_placed(reads[at], found.kinds[at], gap=breaks.before(at)))
        at += 1
    done = _without_centred_cards(done)
    names = sum(kind is Kind.NAME for kind in found.kinds)
    total = sum(kind in (Kind.SPEECH, Kind.ACTION) for kind in found.kinds)
    resumed = found.statistics.steps[Kind.SPEECH, Kind.ACTION]
    return Fitted(tuple(done), tuple(unsure), names, total, resumed)


def _unsure_rows(found: Classified, breaks: _Paragraphs) -> frozenset[int]:
    """The rows of the paragraphs of action in which one may as well be something else."""
    unsure: set[int] = set()
    paragraph: list[int] = []
    for at, kind in enumerate((*found.kinds, Kind.HEADING)):
        if paragraph and (kind is not Kind.ACTION or breaks.before(at)):
            if min(found.sure[row] for row in paragraph) < _SURE:
                unsure.update(paragraph)
            paragraph = []
        if kind is Kind.ACTION and at < len(found.kinds):
            paragraph.append(at)
    return frozenset(unsure)


def _without_centred_cards(rows: Sequence[Row]) -> list[Row]:
    """The rows with names moved that stand just above the middle of capitals, which would look like a card."""
    moved: list[Row] = []
    for row, below in zip(rows, (*rows[1:], None), strict=True):
        if below is None or row.left != NAME_COLUMN or below.left != SPEECH_COLUMN:
            moved.append(row)
            continue
        off = abs(row.left + len(row.text) / 2 - below.left - len(below.text) / 2)
        left = NAME_COLUMN + _ASIDE_FROM_MIDDLE if off < _ASIDE_FROM_MIDDLE / 2 else NAME_COLUMN
        moved.append(row._replace(segments=(Segment(left, row.text),)))
    return moved


def _placed(read: Read, kind: Kind, *, gap: bool) -> Row:
    row = read.row._replace(gap=gap)
    if kind is Kind.HEADING:
        text = " ".join(row.text.split())
        found = _NUMBERED.fullmatch(text)
        if found is not None and numbered_heading(text) is None:
            return row._replace(segments=(Segment(-8.0, found[1]), Segment(ACTION_COLUMN, found[2])))
        shift = next((segment.left for segment in row.segments if not segment.text.strip(" .").isalnum()), row.left)
        return row._replace(segments=tuple(Segment(max(-8.0, s.left - shift), s.text) for s in row.segments))
    if kind is Kind.NAME and read.name is not None:
        written = cue(_SPECKS.sub("", " ".join(row.text.split())))
        extension = row.text[row.text.find("(") :] if "(" in row.text else ""
        text = read.name.speaker + (f" {extension}" if extension else "")
        if written is not None and written.speaker == read.name.speaker:
            text = _SPECKS.sub("", " ".join(row.text.split()))
        return row._replace(segments=(Segment(NAME_COLUMN, text),))
    text = " ".join(row.text.split())
    column = {
        Kind.SPEECH: SPEECH_COLUMN,
        Kind.ASIDE: ASIDE_COLUMN,
        Kind.TRANSITION: RIGHT_COLUMN if is_capitals(text) and not names_act(text, alone=False) else ACTION_COLUMN,
    }.get(kind, ACTION_COLUMN)
    return row._replace(segments=(Segment(column, text),))


class _Paragraphs:
    """Before which rows a new paragraph begins."""

    def __init__(self, reads: Sequence[Read], found: Classified) -> None:
        self.reads = reads
        self.kinds = found.kinds
        self.width = found.statistics.widths[Kind.ACTION]
        share = _gap_share(found.statistics)
        self.all_apart = share > _ALL
        self.none_apart = share < _HARDLY_ANY

    def before(self, at: int) -> bool:
        if not at:
            return True
        kind, above = self.kinds[at], self.kinds[at - 1]
        if kind in (Kind.SPEECH, Kind.ASIDE):
            return False
        if kind is not above or kind is not Kind.ACTION:
            return True
        read, before = self.reads[at], self.reads[at - 1]
        ended = before.row.text.rstrip().endswith(_ENDS)
        full = fills(before, read, self.width)
        if self.none_apart:
            return ended and not full
        if self.all_apart:
            return ended or not full
        return read.row.gap and (ended or not read.row.text[:1].islower())


def _gap_share(statistics: Statistics) -> float:
    step = Kind.ACTION, Kind.ACTION
    count = statistics.sure_gaps[step]
    return statistics.gaps[step] / count if count >= _PLENTY else 0.5

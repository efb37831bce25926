"""Reads a screenplay in standard layout by columns: action at the left, speech in the middle, names further right.

Only the column of action has to be known; indented lines are classified by their form and by what follows, so that all
the usual styles (speech indented by 6 to 15 columns, names by 12 to 30) are read. Speeches and paragraphs that run over
a page break are joined again.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from adstudio.screenplay.builder import Builder, Place
from adstudio.screenplay.line_kinds import (
    Cue,
    credits_end,
    cue,
    heading,
    is_capitals,
    is_mini_heading,
    is_transition,
    lists_cast,
    names_act,
    names_transition,
    numbered_heading,
    parenthetical,
)
from adstudio.screenplay.not_action import heads_cast, is_for_makers
from adstudio.screenplay.page_rows import Row, Segment
from adstudio.screenplay.terms import BYLINE, FRONT_MATTER

_CLOSED = re.compile(r"([^()（）]*[(（]?[^()（）]*[)）])\s*(.*)")
_SPACED_AT_LEAST = 2
_SCENE_NUMBER = re.compile(r"[A-Z]{0,2}\d{1,4}[A-Z]{0,2}\.?")
_INDENTED = 3.0
_SPEECH_AT_LEAST = 5.0
_TITLE_AT_LEAST = 6.0
_RIGHT = 28.0
_SAME = 1.5
_TITLE_ROWS = 60
_FRONT_ROWS = 250
_LONG_ROW = 35
_FADE_IN = re.compile(r"FADE (?:IN|UP)(?: FROM \w+)?[.:]?|OUVERTURE.*|AUFBLENDE[.:]?|ABRE.*")
_TITLE_PAGE_ROWS = 25
_ENDS = (".", "!", "?", "…", ":", "”", '"', "-", "—", ")")


class _Dual(NamedTuple):
    """Two speeches side by side, left and right of the column `middle`."""

    cues: tuple[Cue, Cue]
    texts: tuple[list[str], list[str]]
    middle: float
    place: Place


def read_rows(rows: list[Row], base: float, builder: Builder) -> None:
    """Read rows, without page numbers and headers, into a builder; `base` is the column of action."""
    rows = _with_close_speeches(rows, base)
    _Reader(rows, base, builder).read()


def _with_close_speeches(rows: list[Row], base: float) -> list[Row]:
    """The rows without empty ones inside speeches, where the dialogue is double-spaced."""
    below = [row.gap for name, row in pairwise(rows) if _may_be_name(name, base) and _is_below(row, name.left, base)]
    if sum(below) < _SPACED_AT_LEAST or sum(below) * 2 <= len(below):
        return rows
    closed: list[Row] = []
    name_left: float | None = None
    for row in rows:
        if name_left is not None and _is_below(row, name_left, base):
            closed.append(row._replace(gap=False))
            continue
        name_left = row.left if _may_be_name(row, base) else None
        closed.append(row)
    return closed


def _may_be_name(row: Row, base: float) -> bool:
    return (
        len(row.segments) == 1
        and row.left - base >= _SPEECH_AT_LEAST
        and cue(row.text) is not None
        and not names_act(row.text)
    )


def _is_below(row: Row, name_left: float, base: float) -> bool:
    """Whether a row is in a column of speech, between that of action and that of the name above."""
    return len(row.segments) == 1 and row.left - base >= _INDENTED and row.left <= name_left - _SAME


def _rows_fill_width(rows: list[Row], base: float) -> int | None:
    """The width of action, in characters, if there is an empty row below each of its rows; else None."""
    at_base = [len(row.segments) == 1 and abs(row.left - base) < _INDENTED for row in rows]
    pairs = [
        (above, row)
        for above, row, first, second in zip(rows, rows[1:], at_base, at_base[1:], strict=False)
        if first and second and numbered_heading(above.text) is None and not lists_cast(above.text, below_heading=True)
    ]
    if not pairs or not all(row.gap for _, row in pairs):
        return None
    return max(len(row.text) for row, is_action in zip(rows, at_base, strict=True) if is_action)


def without_title(rows: list[Row], base: float, builder: Builder) -> list[Row]:
    """The rows after the title page and what else is above the script: credits, a synopsis, a list of characters."""
    if not rows or _begins_script(rows[0]):
        return rows
    rest = _after_title_page(rows, base, builder)
    if len(rest) < len(rows):
        return _after_front_matter(rest, builder, titled=True) or rest
    return _after_front_matter(rows, builder, titled=False) or _without_credits(rows, builder)


def _after_title_page(rows: list[Row], base: float, builder: Builder) -> list[Row]:
    """The rows after everything before the first heading or fade, if it starts off the margin.

    A sparse first page without heading or fade is a title page wherever it starts.
    """
    turn = next((at for at, row in enumerate(rows) if row.place.page != rows[0].place.page), 0)
    sparse = turn <= _TITLE_PAGE_ROWS and any(_begins_script(row) for row in rows[turn : turn + 2 * _TITLE_ROWS])
    if not (turn and sparse) and rows[0].left - base < _TITLE_AT_LEAST:
        return rows
    for at, row in enumerate(rows[:_TITLE_ROWS]):
        if at and (_begins_script(row) or row.place.page != rows[0].place.page):
            texts = [" ".join(title.text.split()) for title in rows[:at]]
            builder.title_page.append(("Title", texts[0]))
            if texts[1:]:
                builder.title_page.append(("Text", "\n".join(texts[1:])))
            return rows[at:]
    return rows


def _after_front_matter(rows: list[Row], builder: Builder, *, titled: bool) -> list[Row]:
    """The rows from the fade-in or the first heading, if a title, a synopsis or a list of characters is above it.

    A title has a line that says by whom it is, and no paragraphs; none otherwise. `titled`: it was found already.
    """
    begins = (
        at
        for at, row in enumerate(rows[:_FRONT_ROWS])
        if _FADE_IN.fullmatch(row.text.strip().upper()) or numbered_heading(row.text) is not None
    )
    turn = next(begins, 0)
    above = rows[:turn]
    texts = [" ".join(row.text.split()) for row in above]
    named = any(FRONT_MATTER.fullmatch(text.strip(" .:_-").upper()) or heads_cast(text) for text in texts)
    by = any(BYLINE.match(text) is not None for text in texts)
    runs = [len(text) >= _LONG_ROW and not row.gap for row, text in zip(above, texts, strict=True)]
    has_paragraph = any(first and second for first, second in pairwise(runs))
    if not named and (titled or not by or has_paragraph):
        return []
    builder.credits(texts, above[0].place)
    return rows[turn:]


def _without_credits(rows: list[Row], builder: Builder) -> list[Row]:
    """The rows after credits in the column of action, if there are any above the first heading."""
    above = rows[: next((at for at, row in enumerate(rows) if _begins_script(row)), 0)]
    texts = [" ".join(row.text.split()) for row in above]
    count = credits_end(texts, [row.gap for row in above])
    if count:
        builder.credits(texts[:count], rows[0].place)
    return rows[count:]


def _begins_script(row: Row) -> bool:
    text = row.text.strip()
    transition = is_capitals(text) and text.endswith(":")
    return transition or names_act(text) or numbered_heading(text) is not None or names_transition(text)


def is_numbered(row: Row, base: float) -> bool:
    """Whether numbers on both sides, or one in the margin, make capitals a heading: "12 ANGLE ON ANNA 12".

    `base` is the column of action.
    """
    if len(row.segments) < 2 or not is_capitals(row.segments[1].text):
        return False
    first, last = row.segments[0], row.segments[-1]
    both = len(row.segments) == 3 and first.text == last.text and first.text[:1].isalnum()
    in_margin = len(row.segments) == 2 and first.left <= base - _INDENTED
    return both or (in_margin and _SCENE_NUMBER.fullmatch(first.text) is not None)


def _centre(row: Row) -> float:
    return row.left + len(row.text) / 2


class _Reader:
    """Reads the rows. `paragraph` is the current action, `bracket` an open parenthetical."""

    def __init__(self, rows: list[Row], base: float, builder: Builder) -> None:
        self.rows = rows
        self.base = base
        self.builder = builder
        self.paragraph: list[str] = []
        self.paragraph_at = Place(0)
        self.bracket: list[str] = []
        self.heading: tuple[list[str], str, Place] | None = None
        self.dual: _Dual | None = None
        self.name_left = 0.0
        self.speech_left: float | None = None
        self.more = False
        self.spaced_width = _rows_fill_width(rows, base)

    def read(self) -> None:
        for at, row in enumerate(self.rows):
            self._row(at, row)
        self._end_heading()
        self._end_dual()
        self._end_speech()
        self._end_paragraph()

    def _row(self, at: int, row: Row) -> None:
        if row.more:
            self.more = True
            return
        if self._continues_heading(row) or self._continues_dual(row):
            return
        if self._is_heading(row) or self._begins_dual(row):
            return
        if self._is_transition(at, row):
            self._end_speech()
            self._end_paragraph()
            self.builder.transition(row.text, row.place)
        elif (name := self._name(at, row)) is not None:
            self._begin_speech(name, row)
        elif self._is_spoken(row):
            self._spoken(row)
        else:
            self._action(row)

    def _continues_heading(self, row: Row) -> bool:
        if self.heading is None:
            return False
        lines, number, place = self.heading
        same = abs(row.left - self.base) < _INDENTED and len(row.segments) == 1
        if same and not row.gap and is_capitals(row.text) and numbered_heading(row.text) is None:
            self.heading = ([*lines, row.text], number, place)
            return True
        self._end_heading()
        return False

    def _end_heading(self) -> None:
        if self.heading is not None:
            lines, number, place = self.heading
            self.builder.heading(" ".join(lines), number, place)
            self.heading = None

    def _is_heading(self, row: Row) -> bool:
        found = numbered_heading(row.text)
        if found is None and row.gap and is_mini_heading(row.text):
            found = heading(row.text)
        number = found.number if found else ""
        texts = [found.text] if found else []
        if found is None and is_numbered(row, self.base):
            number, texts = row.segments[0].text, [row.segments[1].text]
        if not texts or row.left - self.base >= _SPEECH_AT_LEAST:
            return False
        self._end_speech()
        self._end_paragraph()
        self.heading = (texts, number.rstrip(".)"), row.place)
        return True

    def _is_transition(self, at: int, row: Row) -> bool:
        if not row.gap or not is_capitals(row.text) or len(row.segments) > 1:
            return False
        if is_transition(row.text):
            return True
        alone = at + 1 >= len(self.rows) or self.rows[at + 1].gap
        return alone and row.left - self.base >= _RIGHT

    def _name(self, at: int, row: Row) -> Cue | None:
        if row.left - self.base < _INDENTED or len(row.segments) > 1 or at + 1 >= len(self.rows):
            return None
        found = cue(row.text)
        following = self.rows[at + 1]
        if found is None or following.gap or following.left - self.base < _INDENTED:
            return None
        if self.builder.in_speech and not row.gap:
            # Capitals inside a speech are shouting, unless they are in the column of names.
            deeper = self.speech_left is not None and row.left > self.speech_left + _SAME
            return found if deeper and abs(row.left - self.name_left) <= _SAME else None
        if is_capitals(following.text) and abs(_centre(row) - _centre(following)) < 1:
            return None  # a card of centred capitals
        return found if following.left <= row.left + _SAME else None

    def _begin_speech(self, name: Cue, row: Row) -> None:
        goes_on = self.more or (row.breaks and name.continued)
        self._end_speech()
        self._end_paragraph()
        if not (goes_on and name.continued and self.builder.resume(name.speaker)):
            self.builder.cue(name, row.place)
        self.more = False
        self.name_left = row.left

    def _is_spoken(self, row: Row) -> bool:
        indent = row.left - self.base
        if self.builder.in_speech:
            if indent < _INDENTED:
                return False
            return not row.gap or row.breaks or self._at_speech(row)
        return self.more and indent >= _INDENTED and self.builder.resume("")

    def _at_speech(self, row: Row) -> bool:
        """Whether a row after an empty one is in the column of the speech."""
        deep = row.left - self.base >= _SPEECH_AT_LEAST
        return deep and self.speech_left is not None and abs(row.left - self.speech_left) < 1

    def _spoken(self, row: Row) -> None:
        self.more = False
        text = " ".join(row.text.split())
        if self.bracket:
            closed = _CLOSED.match(text)
            self.bracket.append(closed[1] if closed else text)
            if closed:
                self._end_bracket()
            if closed is None or not closed[2]:
                return
            text = closed[2]
        if text.startswith(("(", "（")):
            inside = parenthetical(text)
            if inside is not None:
                self.builder.parenthetical(inside)
                return
            closed = _CLOSED.match(text)
            if closed is not None and not self.builder.has_words:
                self.builder.parenthetical(closed[1][1:-1])
                text = closed[2]
            elif not {")", "）"}.intersection(text):
                self.bracket = [text]
                return
        self.speech_left = row.left
        self.builder.add_speech(text, row.place)

    def _end_bracket(self) -> None:
        whole = " ".join(self.bracket)
        self.bracket = []
        inside = parenthetical(whole)
        if inside is not None:
            self.builder.parenthetical(inside)
        elif whole:
            self.builder.add_speech(whole, Place(0))

    def _end_speech(self) -> None:
        self._end_bracket()
        self.builder.end_speech()

    def _action(self, row: Row) -> None:
        self.more = False
        if self.builder.in_speech:
            self._end_speech()
        if row.gap and self.paragraph and not self._goes_on(row):
            self._end_paragraph()
        if not self.paragraph:
            self.paragraph_at = row.place
        self.paragraph.append(row.text)

    def _goes_on(self, row: Row) -> bool:
        """Whether the paragraph goes on after an empty row: over a page break, or in double-spaced action."""
        if not self._is_unfinished(row):
            return False
        full = len(self.paragraph[-1]) + len(f" {row.text}".split(" ")[1]) + 1
        return row.breaks or (self.spaced_width is not None and full > self.spaced_width)

    def _is_unfinished(self, row: Row) -> bool:
        if is_for_makers(self.paragraph[-1]) or is_for_makers(row.text):
            return False
        return not self.paragraph[-1].rstrip().endswith(_ENDS) or row.text[:1].islower()

    def _end_paragraph(self) -> None:
        if self.paragraph:
            self.builder.action(self.paragraph, self.paragraph_at)
            self.paragraph = []

    def _begins_dual(self, row: Row) -> bool:
        if len(row.segments) != 2 or not row.gap:
            return False
        first, second = (cue(segment.text) for segment in row.segments)
        if first is None or second is None or row.left - self.base < _INDENTED:
            return False
        self._end_speech()
        self._end_paragraph()
        middle = (row.segments[0].left + row.segments[1].left) / 2
        self.dual = _Dual((first, second), ([], []), middle, row.place)
        return True

    def _continues_dual(self, row: Row) -> bool:
        if self.dual is None:
            return False
        if row.gap:
            self._end_dual()
            return False
        for segment in row.segments:
            self.dual.texts[segment.left >= self.dual.middle].append(segment.text)
        return True

    def _end_dual(self) -> None:
        if self.dual is None:
            return
        dual, self.dual = self.dual, None
        for name, texts, at_once in zip(dual.cues, dual.texts, (False, True), strict=True):
            self.builder.cue(name._replace(dual=at_once), dual.place)
            for text in texts:
                self._spoken(Row((Segment(0.0, text),), dual.place))
            self._end_speech()
        self.speech_left = None

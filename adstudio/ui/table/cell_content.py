"""What a cell of the script table contains: as shown, for a screen reader, and for an editor."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from unicodedata import bidirectional

from PySide6.QtCore import Qt

from adstudio.core.counts import percent
from adstudio.core.timebase import tenths_down
from adstudio.core.words import count_words
from adstudio.ui.session.timing_confidence import confidence_words, drafted_words
from adstudio.ui.table.line_facts import Line, State, origin_word, pin_words, seen_word
from adstudio.ui.table.row_order import Column
from adstudio.ui.widgets.formatting import (
    NO_ROOM,
    PREDICTED_MARK,
    SOURCES,
    as_sentence,
    counted,
    drift_words,
    duration,
    free,
    lacking,
    salience,
)
from adstudio.ui.widgets.glyphs import Glyph

LINE_ROLE = Qt.ItemDataRole.UserRole
"""The whole `Line` of a row, for painting."""
NEWS_ROLE = Qt.ItemDataRole.UserRole + 1
"""How it differs from the plan before the describer's last act, a `RowChange` or None."""

NONE = "–"
SILENT = "  "
"""What a screen reader is given where it is to say nothing. Of a cell without a text Qt gives it what is shown, and of
one blank Orca says “space”."""
STOPS = ".!?…"


class RowChange(Enum):
    """How a line differs from the plan before the describer's last act, by the words that a screen reader says."""

    CAME = "just added"
    WENT = "just left out"
    MOVED = "just moved"
    REWORDED = "just reworded"


_RIGHT = frozenset({Column.NUMBER, Column.TIME, Column.OUT, Column.SECONDS, Column.ROOM, Column.DRIFT, Column.SALIENCE})


def alignment(column: Column) -> Qt.AlignmentFlag:
    """Figures are aligned right, words left."""
    side = Qt.AlignmentFlag.AlignRight if column in _RIGHT else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def value(line: Line, column: Column, role: int, news: RowChange | None = None) -> object:
    """A cell's data in a role."""
    answer = _ANSWERS.get(role)
    return None if answer is None else answer(line, column, news)


def shown(line: Line, column: Column) -> str:
    """The text of a cell."""
    return _SHOWN[column](line)


def text_shown(text: str, said_in: int = 0) -> str:
    """A wording as a cell shows it: in one paragraph, with the number of the line that says it in another's row."""
    words = " ".join(text.split()) or "(no words yet)"
    return f"{words} (said in line {said_in})" if said_in else words


def _wording_shown(line: Line) -> str:
    check = " · check" if _is_stale(line) else ""
    return f"{line.variant + 1}/{len(line.eventuality.variants)} · {percent(line.rate)}{check}"


def state_words(line: Line) -> str:
    """Whether the plan speaks a line, and what with."""
    if line.said_elsewhere:
        return f"Said in line {line.number}"
    fused = line.delivery.members if line.fused is not None and line.delivery is not None else ()
    if fused:
        return f"{line.state.value} · {len(fused)} in one"
    return line.state.value + (" · fits" if line.state is State.LEFT_OUT and line.fits else "")


def _is_stale(line: Line) -> bool:
    """Whether the wording is one that the full wording was changed after."""
    return line.wording.stale


def spoken(line: Line, column: Column, news: RowChange | None = None) -> str:
    """A cell for a screen reader, which reads the column's title itself; `SILENT` where there is nothing to say.

    The text says the state as well, unless it is simply spoken, and what the describer's last act has changed.
    """
    words = shown(line, column)
    match column:
        case Column.TIME if line.time is not None and not line.delivery:
            words = f"{'picture held' if line.state is State.HELD else 'happens'} at {words}"
        case Column.OUT if line.out is not None and not line.delivery:
            words = f"happens until {words}"
        case Column.STATE:
            words += f", {Glyph.ACCEPTED.value}" if line.eventuality.accepted else ""
            words += f", {Glyph.BREATH.value}" if line.eventuality.joined else ""
            words += f", {news.value}" if news is not None else ""
        case Column.TEXT:
            state = (
                ""
                if line.state is State.SPOKEN and not line.said_elsewhere
                else shown(line, Column.STATE).replace(" · ", ", ")
            )
            words = text_shown(line.text)
            remark = ", ".join(filter(None, (state, "" if news is None else news.value)))
            return f"{words}{'' if words[-1] in STOPS else '.'} {as_sentence(remark)}" if remark else words
        case Column.WORDING:
            if words != NONE:
                words = f"{line.variant + 1} of {len(line.eventuality.variants)}, {percent(line.rate)}"
                words += ", full wording changed since" if _is_stale(line) else ""
        case Column.SECONDS:
            words = length_words(line)
        case Column.ROOM:
            words = room_words(line)
        case Column.DRIFT:
            words = _distance_words(line)
        case Column.SURE:
            words = drafted_words(line.eventuality)
    return SILENT if words in ("", NONE) else words


def tip(line: Line, column: Column) -> str | None:
    """The tool tip, where the cell may not show everything."""
    match column:
        case Column.TEXT:
            return f"{line.text}\n{counted(count_words(line.text), 'word')}, {length_words(line)}"
        case Column.TIME if line.time is not None:
            at = shown(line, column)
            return at if line.delivery else f"{'Picture held' if line.state is State.HELD else 'Happens'} at {at}"
        case Column.STATE:
            accepted = "Accepted: you have checked it" if line.eventuality.accepted else ""
            joined = f"Joined: {Glyph.BREATH.value}" if line.eventuality.joined else ""
            return "\n".join(filter(None, (accepted, joined))) or None
        case Column.ROOM | Column.DRIFT | Column.SECONDS:
            say = {Column.ROOM: room_words, Column.DRIFT: _distance_words}.get(column, length_words)
            return say(line).capitalize() or None
        case Column.NOTE | Column.SURE:
            return (drafted_words(line.eventuality) if column is Column.SURE else line.eventuality.note) or None
    return None


def length_words(line: Line) -> str:
    """How long a line is, and in a project with a voice where that comes from."""
    words = duration(line.length)
    return f"{words}, {SOURCES[line.source]}" if line.voiced else words


def _distance_words(line: Line) -> str:
    """How early or late a line is, and whether that is far; empty where it has no action or is not spoken."""
    if line.drift is None:
        return ""
    return drift_words(line.drift) + (", far from its action" if line.far else "")


def _spare_shown(ms: int) -> str:
    """Milliseconds to spare; below 0 what is lacking, with a minus."""
    return f"−{lacking(-ms)}" if ms < 0 else free(ms)


def room_words(line: Line) -> str:
    """What a line has to spare or lacks while all others stay where they are."""
    if line.state is State.HELD:
        return f"the picture is held for {duration(line.length)}"
    if line.room is None:
        nowhere = "in conflict" if line.state is State.CONFLICT else "no gap in reach"
        return "over dialogue" if line.spoken else nowhere
    if line.spoken:
        return f"{free(line.room)} to spare"
    if tenths_down(line.room) <= 0:
        return f"{NO_ROOM}, it needs {duration(line.needs)}"
    lacks = f"{free(line.room - line.needs)} to spare" if line.fits else f"{lacking(line.needs - line.room)} too long"
    return f"room for {free(line.room)} beside the other lines, it needs {duration(line.needs)}: {lacks}"


_SHOWN: dict[Column, Callable[[Line], str]] = {
    Column.NUMBER: lambda line: str(line.number) if line.number else NONE,
    Column.TIME: lambda line: NONE if line.timecodes is None else line.timecodes[0],
    Column.OUT: lambda line: NONE if line.timecodes is None else line.timecodes[1],
    Column.STATE: state_words,
    Column.TEXT: lambda line: text_shown(line.text, line.number if line.said_elsewhere else 0),
    Column.WORDING: lambda line: NONE if line.fused or line.said_elsewhere else _wording_shown(line),
    Column.SECONDS: lambda line: (
        NONE if line.said_elsewhere else f"{PREDICTED_MARK if line.is_predicted else ''}{duration(line.length)}"
    ),
    Column.ROOM: lambda line: NONE if line.spare is None or line.said_elsewhere else _spare_shown(line.spare),
    Column.DRIFT: lambda line: NONE if line.drift is None else drift_words(line.drift),
    Column.SALIENCE: lambda line: salience(line.eventuality.salience),
    Column.PIN: lambda line: pin_words(line.pin),
    Column.ORIGIN: lambda line: origin_word(line.eventuality.origin),
    Column.SEEN: lambda line: seen_word(line.eventuality),
    Column.NOTE: lambda line: " ".join(line.eventuality.note.split()),
    Column.SURE: lambda line: confidence_words(line.eventuality),
}

EDITED: dict[Column, Callable[[Line], object]] = {
    Column.TEXT: lambda line: line.text,
    Column.WORDING: lambda line: line.variant,
    Column.SALIENCE: lambda line: line.eventuality.salience,
    Column.PIN: lambda line: line.pin,
    Column.NOTE: lambda line: line.eventuality.note,
}
"""What an editor begins with, in the columns that can be edited."""

_ANSWERS: dict[int, Callable[[Line, Column, RowChange | None], object]] = {
    Qt.ItemDataRole.DisplayRole: lambda line, column, _: shown(line, column),
    Qt.ItemDataRole.EditRole: lambda line, column, _: EDITED.get(column, _SHOWN[column])(line),
    Qt.ItemDataRole.TextAlignmentRole: lambda _, column, __: alignment(column),
    Qt.ItemDataRole.ToolTipRole: lambda line, column, _: tip(line, column),
    Qt.ItemDataRole.AccessibleTextRole: spoken,
    LINE_ROLE: lambda line, _, __: line,
    NEWS_ROLE: lambda _, __, news: news,
}


def is_right_to_left(text: str) -> bool:
    """Whether a paragraph of this text runs from right to left, by its first letter that has a direction."""
    for char in text:
        direction = bidirectional(char)
        if direction == "L":
            return False
        if direction in {"R", "AL"}:
            return True
    return False

"""The table of a film's gaps: who speaks in each, and what reference, plan and version say, beside each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView

from adstudio.core.film import Film
from adstudio.evaluation.gap_rows import GapRow, GapSpeech, Speaking
from adstudio.evaluation.row_scores import GapScore
from adstudio.ui.widgets.formatting import counted, duration, tenths, timecode
from adstudio.ui.widgets.row_table import KeyedTable, RowModel
from adstudio.ui.widgets.theme import UNIT
from adstudio.versions.descriptions import ORIGINS

HELP = "Return goes to the gap in the film"
SILENT = "silent"
NO_SCORE = "–"
_SPEAKING = {
    Speaking.BOTH: "Both",
    Speaking.REFERENCE: "Reference only",
    Speaking.PLAN: "Plan only",
    Speaking.NEITHER: "Neither",
}
SAME_WORDS = "Same words"
_SENTENCES = {
    "Both": "reference and plan speak",
    "Reference only": "only the reference speaks",
    "Plan only": "only the plan speaks",
    "Neither": "neither speaks",
    SAME_WORDS: "reference and plan say the same words",
}
_LEAST_ROWS = 4
"""So many rows, the headings among them, are always in view."""
_TEXT_EMS = 11
"""Texts have at least so much room before other columns give way."""


class Column(IntEnum):
    """What is shown of a gap."""

    GAP, LENGTH, SPEAKING, REFERENCE, REFERENCE_SIZE, PLAN, PLAN_SIZE, PLAN_BY = range(8)
    VERSION, VERSION_SIZE, VERSION_BY, METEOR, CIDER = range(8, 13)


TITLES = {
    Column.GAP: "Gap at",
    Column.LENGTH: "Length",
    Column.SPEAKING: "Speaks",
    Column.REFERENCE: "Reference",
    Column.REFERENCE_SIZE: "Words, time",
    Column.PLAN: "Plan",
    Column.PLAN_SIZE: "Words, time",
    Column.PLAN_BY: "By",
    Column.VERSION: "Version",
    Column.VERSION_SIZE: "Words, time",
    Column.VERSION_BY: "By",
    Column.METEOR: "METEOR",
    Column.CIDER: "CIDEr",
}
HELPS = {
    Column.GAP: "Where the gap begins; gaps last at least a second between dialogue.",
    Column.SPEAKING: "Who speaks in the gap, reference or plan.",
    Column.PLAN_BY: "Who worded it: a person or a machine.",
    Column.VERSION_BY: "Who worded it: a person or a machine.",
    Column.METEOR: "How close the plan’s words in the gap are to the reference’s, in per cent.",
    Column.CIDER: "The same by CIDEr, at most 1000, in which words that are rare in the reference count for more.",
}
_SAMPLES = {
    Column.GAP: "00:00:00:00",
    Column.LENGTH: "00.0 s",
    Column.SPEAKING: "Reference only",
    Column.REFERENCE_SIZE: "00 words, 00.0 s",
    Column.PLAN_SIZE: "00 words, 00.0 s",
    Column.PLAN_BY: "machine",
    Column.VERSION_SIZE: "00 words, 00.0 s",
    Column.VERSION_BY: "machine",
    Column.METEOR: "METEOR",
    Column.CIDER: "000.0",
}
_TEXTS = (Column.REFERENCE, Column.PLAN, Column.VERSION)
_SIZES = (Column.REFERENCE_SIZE, Column.PLAN_SIZE, Column.VERSION_SIZE)
_VERSION = (Column.VERSION, Column.VERSION_SIZE, Column.VERSION_BY)
_MEASURES = (Column.METEOR, Column.CIDER)
FIGURES = frozenset((Column.GAP, Column.LENGTH, *_SIZES, *_MEASURES))
_GIVING_WAY = (
    (Column.PLAN_BY, Column.VERSION_BY),
    _SIZES,
    (Column.CIDER,),
    (Column.LENGTH,),
    (Column.METEOR,),
)
"""Columns that are not shown where there is no room, those first that are missed least; each row still says it."""


def speaking_words(row: GapRow) -> str:
    """Who speaks in a gap, in a word or two."""
    return SAME_WORDS if row.speaking is Speaking.BOTH and not row.differs else _SPEAKING[row.speaking]


def size_words(speech: GapSpeech) -> str:
    """How much is said: “12 words, 4.1 s”; empty where nothing is."""
    return f"{counted(speech.words, 'word')}, {duration(speech.duration)}" if speech.lines else ""


def author_words(speech: GapSpeech) -> str:
    """Who worded what is said: “machine”, “person” or both; empty where that is not known."""
    return ", ".join(ORIGINS[origin] for origin in speech.origins)


def about(speech: GapSpeech) -> str:
    """How much is said and by whom; empty where nothing is."""
    return ", ".join(filter(None, (size_words(speech), author_words(speech))))


def place_words(row: GapRow, film: Film) -> str:
    """Where a gap is and how long it lasts; what is said in no gap by its first and last moment."""
    at = f"{timecode(film, row.span.start)} to {timecode(film, row.span.end)}, {duration(row.span.length)}"
    return f"Gap {at}" if row.is_gap else f"In no gap, {at}"


class GapModel(RowModel[Column]):
    """The gaps that are shown; `score` is that of a gap, None where there is none."""

    columns, titles, helps, figures = Column, TITLES, HELPS, FIGURES

    def __init__(self, score: Callable[[GapRow], GapScore | None]) -> None:
        super().__init__()
        self.rows: Sequence[GapRow] = ()
        self._score = score
        self.hidden: frozenset[Column] = frozenset()
        """The columns for which there is no room: what they say is read with the texts."""
        self._film = Film("", 0)

    def show(self, rows: Sequence[GapRow], film: Film) -> None:
        """Show these; times are written as the film has them."""
        self.beginResetModel()
        self.rows, self._film = rows, film
        self.endResetModel()

    def count(self) -> int:
        """One row for each gap."""
        return len(self.rows)

    def text(self, row: int, column: Column) -> str:
        """What a cell shows."""
        found = self.rows[row]
        match column:
            case Column.GAP:
                return timecode(self._film, found.span.start)
            case Column.LENGTH:
                return duration(found.span.length) if found.is_gap else "no gap"
            case Column.SPEAKING:
                return speaking_words(found)
            case Column.METEOR | Column.CIDER:
                score = self._score(found)
                return NO_SCORE if score is None else tenths(score.meteor if column is Column.METEOR else score.cider)
            case _:
                speech = self._speech(found, column)
        if column in _TEXTS:
            return speech.text
        return author_words(speech) if column in (Column.PLAN_BY, Column.VERSION_BY) else size_words(speech)

    def spoken(self, row: int, column: Column) -> str:
        """A row reads as a sentence: where the gap is, who speaks there, and what each says."""
        found = self.rows[row]
        if column is Column.GAP:
            return place_words(found, self._film)
        if column is Column.SPEAKING:
            return _SENTENCES[speaking_words(found)]
        if column in _TEXTS:
            speech = self._speech(found, column)
            if not speech.lines:
                return f"{TITLES[column]}: {SILENT}"
            unseen = self._unseen(found, column)
            return f"{TITLES[column]}: {speech.text}{f' ({unseen})' if unseen else ''}"
        if column in _MEASURES:
            score = self.text(row, column)
            return f"no {TITLES[column]}" if score == NO_SCORE else f"{TITLES[column]} {score}"
        return self.text(row, column)

    def title(self, row: int) -> str:
        """A row is called by its gap."""
        return place_words(self.rows[row], self._film)

    def row_of(self, start: int) -> int:
        """The row of the gap that begins then, or of the next one; the last one where there is none."""
        return next((row for row, each in enumerate(self.rows) if each.span.start >= start), len(self.rows) - 1)

    def scores(self, row: GapRow) -> str:
        """The scores of a gap; empty where there are none."""
        score = self._score(row)
        return "" if score is None else f"METEOR {tenths(score.meteor)}, CIDEr {tenths(score.cider)}"

    def _unseen(self, row: GapRow, column: Column) -> str:
        """What there is no column for, of those that say more of a text."""
        speech = self._speech(row, column)
        parts = (
            size_words(speech) if Column.PLAN_SIZE in self.hidden else "",
            author_words(speech) if column is Column.REFERENCE or Column.PLAN_BY in self.hidden else "",
            self.scores(row) if column is Column.PLAN and Column.METEOR in self.hidden else "",
        )
        return ", ".join(filter(None, parts))

    def _speech(self, row: GapRow, column: Column) -> GapSpeech:
        if column in _VERSION:
            return row.version
        return row.reference if column in (Column.REFERENCE, Column.REFERENCE_SIZE) else row.plan


class GapTable(KeyedTable):
    """The gaps; `keys` are what Return does here."""

    def __init__(self, rows: GapModel, keys: Mapping[Qt.Key, Callable[[], object]]) -> None:
        super().__init__("Gaps of the film", HELP, "Columns of gaps", rows, keys)
        self._rows = rows
        self._unused = frozenset((*_VERSION, *_MEASURES))
        self._widths: dict[Column, int] = {}
        self.setStyleSheet(f"QTableView::item {{ padding: 0 {2 * UNIT}px; }}")  # as the headings have
        for place in _TEXTS:
            self.horizontalHeader().setSectionResizeMode(place, QHeaderView.ResizeMode.Stretch)
        self.fit()

    def use(self, *, version: bool, scores: bool) -> None:
        """Have columns for a version, and for scores, or not."""
        unused = (*(() if version else _VERSION), *(() if scores else _MEASURES))
        if self._unused != frozenset(unused):
            self._unused = frozenset(unused)
            self._make_room()

    def fit(self) -> None:
        """Rows and columns for the font."""
        metrics = self.fontMetrics()
        self.set_row_height(metrics.height() + 2 * UNIT)
        for place, sample in _SAMPLES.items():
            widest = max(metrics.horizontalAdvance(sample), metrics.horizontalAdvance(TITLES[place]))
            self._widths[place] = widest + 6 * UNIT
        self.setMinimumHeight(_LEAST_ROWS * (metrics.height() + 2 * UNIT))
        self._make_room()

    def sizeHint(self) -> QSize:
        """It need not be higher than it must be."""
        return QSize(super().sizeHint().width(), self.minimumHeight())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where it becomes narrower, columns give way to the texts."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        hidden: set[Column] = set(self._unused)
        texts = sum(column not in hidden for column in _TEXTS)
        least = texts * _TEXT_EMS * self.fontMetrics().height()
        for group in ((), *_GIVING_WAY):
            hidden.update(group)
            taken = sum(width for place, width in self._widths.items() if place not in hidden)
            if self.viewport().width() - taken >= least:
                break
        for column in Column:
            self.setColumnHidden(column, column in hidden)
        for column in self._widths.keys() - hidden:
            self.horizontalHeader().resizeSection(column, self._widths[column])
        self._rows.hidden = frozenset(hidden)

"""The lexicon as a list: each word, how it is spoken, and in how many lines it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView

from adstudio.core.narration import Lexicon, Pronunciation
from adstudio.core.script import Eventuality, Script
from adstudio.core.words import folded
from adstudio.ui.widgets.formatting import counted
from adstudio.ui.widgets.row_table import KeyedTable, RowModel
from adstudio.ui.widgets.theme import UNIT

if TYPE_CHECKING:
    from adstudio.speech.lexicon import SpokenTexts


class Column(IntEnum):
    """What is shown of an entry."""

    WORD, SPOKEN, KIND, LINES = range(4)


TITLES = {Column.WORD: "Word", Column.SPOKEN: "Spoken as", Column.KIND: "Kind", Column.LINES: "Lines"}
HELPS = {
    Column.KIND: "Respelling: read like any text. Phonemes: IPA, or eSpeak’s.",
    Column.LINES: "In how many lines the word is, in any wording.",
}
SAMPLES = {Column.WORD: "Ballyvaughan’s bay", Column.KIND: "Respelling", Column.LINES: "0,000"}

HELP = "Return edits it, H speaks it, Delete removes it"


class WordPlaces:
    """In which lines words are; the texts are gathered when somebody asks, once for each state of the lines."""

    def __init__(self) -> None:
        self._lines: tuple[Eventuality, ...] = ()
        self._texts: SpokenTexts | None = None
        self._known: dict[str, tuple[str, ...]] = {}

    def of(self, script: Script, word: str) -> tuple[str, ...]:
        """The ids of the lines that have a word in a wording, in their order."""
        # Not needed before somebody looks at a lexicon, and slow to load.
        from adstudio.speech.lexicon import SpokenTexts

        if self._texts is None or self._lines is not script.eventualities:
            self._lines = script.eventualities
            self._texts = SpokenTexts([_texts(line) for line in script.eventualities])
            self._known = {}
        if word not in self._known:
            self._known[word] = tuple(self._lines[number].id for number in self._texts.having(word))
        return self._known[word]


class LexiconModel(RowModel[Column]):
    """The entries that have what is looked for."""

    columns = Column
    titles = TITLES
    helps = HELPS
    figures = frozenset({Column.LINES})

    def __init__(self, lines_of: Callable[[str], tuple[str, ...]]) -> None:
        super().__init__()
        self._lines_of = lines_of
        self.entries: Lexicon = ()

    def show_entries(self, entries: Lexicon) -> None:
        """Show these."""
        self.beginResetModel()
        self.entries = entries
        self.endResetModel()

    def count(self) -> int:
        """One row for each entry."""
        return len(self.entries)

    def text(self, row: int, column: Column) -> str:
        """What a cell shows."""
        entry = self.entries[row]
        match column:
            case Column.WORD:
                return entry.word
            case Column.SPOKEN:
                return entry.spoken
            case Column.KIND:
                return "Phonemes" if entry.phonemes else "Respelling"
            case Column.LINES:
                return f"{len(self._lines_of(entry.word)):,}"

    def spoken(self, row: int, column: Column) -> str:
        """The word's cell says the whole row."""
        if column is not Column.WORD:
            return self.text(row, column)
        entry = self.entries[row]
        kind = ", phonemes" if entry.phonemes else ""
        return f"{entry.word}, spoken as {entry.spoken}{kind}, in {counted(len(self._lines_of(entry.word)), 'line')}"

    def title(self, row: int) -> str:
        """A row is called by its word."""
        return self.entries[row].word

    def row_of(self, entry: Pronunciation | None) -> int:
        """The row of an entry; -1 where it is not shown."""
        return self.entries.index(entry) if entry in self.entries else -1


class LexiconTable(KeyedTable):
    """`keys` are what Return, Delete and H do here: Delete would otherwise take the selected line out of the script."""

    def __init__(self, rows: LexiconModel, keys: Mapping[Qt.Key, Callable[[], object]]) -> None:
        super().__init__("Pronunciations", HELP, "Columns of pronunciations", rows, keys)
        self.setStyleSheet(f"QTableView::item {{ padding: 0 {2 * UNIT}px; }}")  # as the headings have
        self.horizontalHeader().setSectionResizeMode(Column.SPOKEN, QHeaderView.ResizeMode.Stretch)
        self.fit()

    def fit(self) -> None:
        """Rows and columns for the font."""
        metrics = self.fontMetrics()
        self.set_row_height(metrics.height() + 2 * UNIT)
        for column, sample in SAMPLES.items():
            self.horizontalHeader().resizeSection(column, metrics.horizontalAdvance(sample) + 6 * UNIT)


def matching(lexicon: Lexicon, wanted: str) -> Lexicon:
    """The entries that have a text in the word or in how it is spoken; all for none."""
    part = folded(wanted.strip())
    return tuple(entry for entry in lexicon if part in folded(entry.word) or part in folded(entry.spoken))


def _texts(line: Eventuality) -> str:
    return " / ".join(" ".join(variant.text.split()) for variant in line.variants)

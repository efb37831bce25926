"""Marks under misspelled words in a text that is edited, and what its context menu offers for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QSyntaxHighlighter, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QMenu, QPlainTextEdit


class Spelling(QObject):
    """Who knows how words are spelled."""

    changed = Signal()
    """Other words are right now: whoever marks them asks again."""

    def spans(self, text: str) -> list[tuple[int, int]]:
        """From where to where the misspelled words of a text are."""
        raise NotImplementedError

    def suggestions(self, word: str) -> list[str]:
        """What may be meant by a word, the likeliest first."""
        raise NotImplementedError

    def ignore(self, word: str) -> None:
        """Take a word as right while this project is open."""
        raise NotImplementedError

    def add(self, word: str) -> None:
        """Take a word as right from now on, in every project."""
        raise NotImplementedError


Suggestion = tuple[str, Callable[[], object]]
"""What may be meant, and what choosing it does."""


class SpellingMarks(QSyntaxHighlighter):
    """Marks the misspelled words of a field."""

    def __init__(self, field: QPlainTextEdit, spelling: Spelling) -> None:
        super().__init__(field.document())
        self._spelling = spelling
        self._format = QTextCharFormat()
        self._format.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SpellCheckUnderline)
        spelling.changed.connect(self.rehighlight)

    def highlightBlock(self, text: str) -> None:
        """One paragraph."""
        for start, end in self._spelling.spans(text):
            # Qt counts UTF-16 code units.
            first, length = _units(text[:start]), _units(text[start:end])
            self.setFormat(first, length, self._format)

    def add_to_menu(self, menu: QMenu, cursor: QTextCursor) -> None:
        """Offer what may be meant by the misspelled word that the cursor is in, if it is in one."""
        block, at = cursor.block(), cursor.positionInBlock()
        text = block.text()
        spans = (
            (_units(text[:start]), _units(text[:end]), text[start:end]) for start, end in self._spelling.spans(text)
        )
        found = next((each for each in spans if each[0] <= at <= each[1]), None)
        if found is None:
            return
        first, end, word = found
        entries = [
            (each, lambda each=each: _put(cursor, block.position() + first, block.position() + end, each))
            for each in self._spelling.suggestions(word)
        ]
        others = menu.actions()
        for entry in spelling_entries(menu, self._spelling, word, entries):
            menu.insertAction(others[0], entry)


def spelling_entries(menu: QMenu, spelling: Spelling, word: str, suggestions: Sequence[Suggestion]) -> list[QAction]:
    """Add the entries for a misspelled word: the suggestions, and then what to do with the word."""
    found = [menu.addAction(shown, do) for shown, do in suggestions]
    if not suggestions:
        found.append(menu.addAction("No suggestions"))
        found[0].setEnabled(False)
    found.append(menu.addSeparator())
    found.append(menu.addAction(f"Ignore “{word}”", lambda: spelling.ignore(word)))
    found.append(menu.addAction(f"Add “{word}” to the dictionary", lambda: spelling.add(word)))
    found.append(menu.addSeparator())
    return found


def _put(cursor: QTextCursor, start: int, end: int, word: str) -> None:
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    cursor.insertText(word)


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2

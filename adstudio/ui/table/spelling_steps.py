"""From one misspelled word of the script to the next, and a menu of what may be meant."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMenu

from adstudio.editing.replacing import Where, replace_matches
from adstudio.editing.search import Search
from adstudio.ui.session.context import Context
from adstudio.ui.table.model import ScriptModel
from adstudio.ui.table.row_order import Column
from adstudio.ui.table.view import ScriptView
from adstudio.ui.widgets.spelling_marks import spelling_entries


class SpellingSteps(QObject):
    """Goes through the wordings that are shown, in the order of the rows."""

    line_wanted = Signal(str)

    def __init__(self, context: Context, view: ScriptView, rows: ScriptModel) -> None:
        super().__init__(view)
        self._context, self._session = context, context.session
        self._view, self._rows = view, rows
        self._last: tuple[str, str] = ("", "")
        """The line and the word that were gone to last: the next word of the line comes after it."""
        context.actions.connect("edit.misspelled", self.go_on, lambda: context.session.project is not None)
        context.spelling.changed.connect(view.viewport().update)

    def go_on(self) -> None:
        """Go to the next misspelled word, after the last one to the first, and offer what may be meant."""
        self._session.current_plan.catch_up()
        spelling, say = self._context.spelling, self._session.messages.say
        spelling.load()
        if spelling.problem:
            say(spelling.problem)
            return
        found = self._next()
        if found is None:
            say("No misspelled words.")
            return
        identity, word = self._last = found
        self.line_wanted.emit(identity)
        suggestions = spelling.suggestions(word)
        may_be = f": {', '.join(suggestions[:3])}" if suggestions else ", and nothing like it is"
        say(f"“{word}” is not in the dictionary{may_be}.")
        self._offer(identity, word, suggestions)

    def _next(self) -> tuple[str, str] | None:
        """The next misspelled word, with its line: the rest of the current line first, and its beginning last."""
        rows, current = self._rows, self._session.cursor.selection.current
        here = None if current is None else rows.row_of(current)
        start = 0 if here is None else here
        order = (*rows.ids[start:], *rows.ids[: start + 1])
        for place, identity in enumerate(order):
            text = rows.text(identity)
            words = [text[begin:end] for begin, end in self._context.spelling.spans(text)]
            line, last = self._last
            if place == 0 and line == identity and last in words:
                words = words[words.index(last) + 1 :]
            if words:
                return identity, words[0]
        return None

    def _offer(self, identity: str, word: str, suggestions: list[str]) -> None:
        menu = QMenu(self._view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setAccessibleName(f"For “{word}”")
        entries = [(each, lambda each=each: self._correct(identity, word, each)) for each in suggestions]
        spelling_entries(menu, self._context.spelling, word, entries)
        menu.addAction(self._context.actions["line.edit"])
        row = self._rows.row_of(identity)
        if row is not None:
            place = self._view.visualRect(self._rows.index(row, Column.TEXT))
            menu.popup(self._view.viewport().mapToGlobal(place.bottomLeft()))

    def _correct(self, identity: str, word: str, by: str) -> None:
        """Put a word right in every wording of a line: shorter ones have it from the same source."""
        search = Search(word, match_case=True, whole_words=True)
        variant, plan = self._rows.variant, self._session.plan
        if self._session.edits.attempt(
            lambda script: replace_matches(script, search, by, (identity,), Where.WORDINGS, variant, plan)
        ):
            self._session.messages.say(f"“{word}” is now “{by}”.")

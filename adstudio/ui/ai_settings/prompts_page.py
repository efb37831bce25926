"""Prompts: what models are told to do, by default or in the project's own wording."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QColor, QFont, QResizeEvent, QTextCharFormat
from PySide6.QtWidgets import QListWidgetItem, QTextEdit

from adstudio.core.errors import AdstudioError
from adstudio.core.prompt_titles import title_of
from adstudio.core.script import Script
from adstudio.core.steps import SetPrompts, Step
from adstudio.drafting.model.prompts import NAMES, Prompt, PromptError, prompts
from adstudio.ui.ai_settings.messages import NONE_OPEN, PURPOSES, Piece, counted_words, differences
from adstudio.ui.ai_settings.page import SettingsPage
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import button
from adstudio.ui.widgets.form import column, names_list, row
from adstudio.ui.widgets.formatting import counted
from adstudio.ui.widgets.text import Label, heading, note, note_text, say_in, sentence, tone, warning
from adstudio.ui.widgets.text_field import TypedText
from adstudio.ui.widgets.theme import UNIT

REST_MS = 600
"""The pause in typing after which the text is taken."""
MARK = " ✎"
REFUSED_MARK = " ⚠"
ABOUT = (
    "For this project. A custom prompt applies to everything drafted from then on, and is recorded with each line it "
    "produced. Undo reverts it."
)
OURS = "adstudio’s default."
PAPER = "The format of answers is enforced by the program, whatever the prompt says."


class PromptField(TypedText):
    """The text of a prompt."""

    def __init__(self) -> None:
        super().__init__("Prompt text", REST_MS)
        self.textChanged.connect(self._rest.start)

    def show_text(self, text: str) -> None:
        """Show a wording; what was typed since the last one stays."""
        if self.toPlainText() == self._known and text != self._known:
            with QSignalBlocker(self):
                self.setPlainText(text)
        self._known = text
        if self.toPlainText() == text:
            self._rest.stop()

    def show_other(self, text: str, typed: str | None = None) -> None:
        """Show the wording of another prompt, or what was typed for it and refused."""
        self._known = text
        with QSignalBlocker(self):
            self.setPlainText(text if typed is None else typed)
        self._rest.stop()
        self.typing_run.begin()

    def flush(self) -> None:
        """Take what was typed."""
        self._rest.stop()
        text = self.toPlainText()
        # Blanks at its ends are not part of a prompt.
        if text.strip() != self._known:
            self.entered.emit(text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the cursor in view: what is shown below may take some of the room."""
        super().resizeEvent(event)
        if self.hasFocus():
            self.ensureCursorVisible()


class PromptsPage(SettingsPage):
    """A list of the prompts, and the text of the selected one with its differences from the default."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._shown: object = self  # not a state, so the first renewal shows everything
        self._selected = NAMES[0]
        self._refused: dict[str, str] = {}
        """What was typed for a prompt and refused; it stays to be corrected."""
        self.list = names_list("Prompts")
        for name in NAMES:
            item = QListWidgetItem(title_of(name))
            item.setData(Qt.ItemDataRole.UserRole, name)
            self.list.addItem(item)
        self.hindrance = note("Why nothing can be changed")
        self.purpose = note("Purpose of the prompt")
        self.version = Label()
        self.version.setAccessibleName("Prompt version")
        self.version.setTextFormat(Qt.TextFormat.PlainText)
        self.field = PromptField()
        self.field.entered.connect(self._take)
        self.problem = warning("Why the prompt was not accepted")
        self.back_button = button("&Reset to default", "Reset to default", self.back)
        self.changes_title = heading("Differences from the default")
        self.changes = QTextEdit()
        self.changes.setReadOnly(True)
        self.changes.setTabChangesFocus(True)
        self.changes.setAccessibleName("Differences from the default")
        top = row(self.version, self.back_button, grows=self.version)
        right = column(self.purpose, top, self.field, self.problem, self.changes_title, self.changes, spacing=2 * UNIT)
        right.setStretchFactor(self.field, 3)
        right.setStretchFactor(self.changes, 2)
        work = row(self.list, right, spacing=5 * UNIT, grows=right)
        about = note_text("About prompts", f"{ABOUT} {PAPER}")
        self._lay_out("Prompts", about, self.hindrance, work, grows=work)
        self.list.setCurrentRow(0)
        self.list.currentRowChanged.connect(lambda _: self._turn())
        context.theme.changed.connect(self._show_changes)
        self.setFocusProxy(self.list)
        self._turn()

    @property
    def name(self) -> str:
        """The selected prompt."""
        return self._selected

    def renew(self) -> None:
        """Show the open project's prompts."""
        session = self._context.session
        is_open = session.project is not None
        state = (session.project, session.script.prompts)
        if state == self._shown:
            return
        other = not isinstance(self._shown, tuple) or self._shown[0] is not session.project
        self._shown = state
        say_in(self.hindrance, "" if is_open else NONE_OPEN)
        self.field.setReadOnly(not is_open)
        if other:
            self._refused.clear()
        self._mark()
        if other:
            self._show_other()
        else:
            self._show()

    def _mark(self) -> None:
        own = dict(self._context.session.script.prompts)
        for place, name in enumerate(NAMES):
            item = self.list.item(place)
            mark, said = (MARK, ", custom") if name in own else ("", "")
            if name in self._refused:
                mark, said = mark + REFUSED_MARK, said + ", not accepted"
            item.setText(f"{title_of(name)}{mark}")
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{title_of(name)}{said}")

    def flush(self) -> None:
        """Take what is being typed."""
        self.field.flush()

    def back(self) -> None:
        """Reset the prompt to the default, as one undo step."""
        name = self.name
        self._refused.pop(name, None)
        self._context.session.edits.attempt(lambda script: _with(script, name, None))
        self._mark()
        self._show_other()
        self.field.setFocus()

    def _prompt(self) -> Prompt:
        """The selected prompt as it is used."""
        name = self.name
        own = dict(self._context.session.script.prompts)
        try:
            return getattr(prompts({name: own[name]} if name in own else {}), name)
        except PromptError:
            # From a project of another program: it is shown as it is, and refused when it is used.
            return Prompt(name, 0, own[name], edited=True)

    def _turn(self) -> None:
        """Show another prompt; what was typed for the one before is taken, or remembered if it is refused."""
        self.field.flush()
        item = self.list.currentItem()
        self._selected = NAMES[0] if item is None else str(item.data(Qt.ItemDataRole.UserRole))
        self._show_other()

    def _show_other(self) -> None:
        typed = self._refused.get(self.name)
        self.field.show_other(self._prompt().text, typed)
        self.purpose.setText(PURPOSES.get(self.name, ""))
        say_in(self.problem, "" if typed is None else _why_not(self.name, typed))
        self._show()

    def _show(self) -> None:
        prompt = self._prompt()
        self.field.show_text(prompt.text)
        task = prompt.task
        version = f"Version {task.version}{f' edited {task.edited}' if task.edited else ''}"
        self.version.setText(version if prompt.edited else f"{version} · {OURS}")
        tone(self.version, quiet=True)
        is_own = prompt.edited or self.name in self._refused
        self.back_button.setEnabled(is_own and self._context.session.project is not None)
        self._show_changes()

    def _take(self, text: str) -> None:
        name = self.name
        if self._context.session.project is None:
            return
        why_not = _why_not(name, text)
        say_in(self.problem, why_not)
        if why_not:
            self._refused[name] = text
            self._mark()
            self.back_button.setEnabled(True)
            return
        self._refused.pop(name, None)
        self._context.session.edits.attempt(
            lambda script: _with(script, name, text), amends=f"{self.field.typing_run.key} {name}"
        )
        self._mark()
        self.renew()

    def _show_changes(self) -> None:
        prompt = self._prompt()
        pieces = differences(getattr(prompts(), self.name).text, prompt.text) if prompt.edited else ()
        for part in (self.changes_title, self.changes):
            part.setVisible(prompt.edited)
        self.changes.clear()
        cursor = self.changes.textCursor()
        before, first = "", 0
        for piece in pieces:
            if piece.how == "new" and before and not before[-1].isspace():
                cursor.insertText(" ", QTextCharFormat())
            before = piece.text if piece.how == "gone" else ""
            if piece.how != "same":
                first = first or cursor.position()
            cursor.insertText(piece.text, self._form(piece))
        cursor.setPosition(first)
        self.changes.setTextCursor(cursor)
        self.changes.ensureCursorVisible()
        new, gone = counted_words(pieces, "new"), counted_words(pieces, "gone")
        said = f"{counted(new, 'word')} new, {counted(gone, 'word')} removed"
        self.changes_title.setText(f"Differences from the default: {said}")
        self.changes.setAccessibleDescription(said)

    def _form(self, piece: Piece) -> QTextCharFormat:
        """New words are underlined and removed ones struck out, each in its own colour."""
        tokens = self._context.theme.tokens
        form = QTextCharFormat()
        form.setForeground(QColor({"same": tokens.quiet, "gone": tokens.warning, "new": tokens.good}[piece.how]))
        form.setFontStrikeOut(piece.how == "gone")
        form.setFontUnderline(piece.how == "new")
        if piece.how == "new":
            form.setFontWeight(QFont.Weight.DemiBold)
        return form


def _why_not(name: str, text: str) -> str:
    """Why a wording is refused; empty if it is accepted."""
    try:
        prompts({name: text})
    except AdstudioError as error:
        return f"{sentence(str(error))} Until then the previous one applies."
    return ""


def _with(script: Script, name: str, text: str | None) -> Step | None:
    """The step to the project's own wording of a prompt, or to none if it equals the default."""
    own = dict(script.prompts)
    if text is None or not getattr(prompts({name: text}), name).edited:
        own.pop(name, None)
    else:
        own[name] = text.replace("\r\n", "\n").strip()
    wordings = tuple(
        (each, own[each]) for each in (*NAMES, *(each for each in own if each not in NAMES)) if each in own
    )
    return None if wordings == script.prompts else SetPrompts(script.prompts, wordings)

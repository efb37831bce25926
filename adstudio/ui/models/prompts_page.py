"""What models are told to do: our wording of each prompt, and the project's own in its place."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFont, QKeyEvent, QKeySequence, QTextCharFormat
from PySide6.QtWidgets import QHBoxLayout, QLabel, QListWidgetItem, QPlainTextEdit, QTextEdit, QVBoxLayout, QWidget

from adstudio.candidates.model_draft.prompts import NAMES, Prompt, PromptError, prompts
from adstudio.core.errors import AdstudioError
from adstudio.core.script import Script
from adstudio.core.steps import SetPrompts, Step
from adstudio.ui.desk import Desk
from adstudio.ui.files.parts import button, heading, note, say_in, warning
from adstudio.ui.inspector.fields import Bout
from adstudio.ui.inspector.say import tone
from adstudio.ui.models.parts import NONE_OPEN, column, names_list, sentence, title, told
from adstudio.ui.models.prompt_words import Piece, counted_words, differences, name_of, purpose_of
from adstudio.ui.theme import UNIT
from adstudio.ui.words import counted

REST_MS = 600
"""A pause in typing after which the wording is taken."""
MARK = " ✎"
ABOUT = (
    "Of this project. A wording of its own holds for what is drafted from then on, and stands with each line that it "
    "made. Undo takes it back."
)
OURS = "As adstudio words it."
PAPER = "An answer’s form is bound by the program itself, whatever the wording says."


class PromptField(QPlainTextEdit):
    """A long text. It is taken after a rest and when it is left."""

    entered = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Wording of the prompt")
        self.setTabChangesFocus(True)
        self.bout = Bout()
        self._known = ""
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self.flush)
        self.textChanged.connect(self._rest.start)

    def show_text(self, text: str) -> None:
        """Show a wording; where the hand has typed since the last one, that stays."""
        if self.toPlainText() == self._known and text != self._known:
            with QSignalBlocker(self):
                self.setPlainText(text)
        self._known = text
        if self.toPlainText() == text:
            self._rest.stop()

    def show_other(self, text: str) -> None:
        """The wording of another prompt; what was refused goes."""
        self._known = text
        with QSignalBlocker(self):
            self.setPlainText(text)
        self._rest.stop()
        self.bout.begin()

    def flush(self) -> None:
        """Take what was typed."""
        self._rest.stop()
        text = self.toPlainText()
        # Blanks at its ends are no part of a prompt.
        if text.strip() != self._known:
            self.entered.emit(text)

    def event(self, event: QEvent) -> bool:
        """Undo and redo that would do nothing here are everybody's."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            undo, redo = event.matches(QKeySequence.StandardKey.Undo), event.matches(QKeySequence.StandardKey.Redo)
            document = self.document()
            if (undo and not document.isUndoAvailable()) or (redo and not document.isRedoAvailable()):
                event.ignore()
                return False
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """A bout begins."""
        super().focusInEvent(event)
        if event.reason() is not Qt.FocusReason.ActiveWindowFocusReason:
            self.bout.begin()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """What was typed is taken."""
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self.flush()


class PromptsPage(QWidget):
    """A list of the prompts, and the wording of the one in hand with what differs in it from ours."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._shown: object = self  # no prompts at all
        self.list = names_list("Prompts")
        for name in NAMES:
            item = QListWidgetItem(name_of(name))
            item.setData(Qt.ItemDataRole.UserRole, name)
            self.list.addItem(item)
        self.hindrance = note("Why nothing can be changed here")
        self.purpose = note("What the prompt is for")
        self.version = QLabel()
        self.version.setAccessibleName("Version of the prompt")
        self.version.setTextFormat(Qt.TextFormat.PlainText)
        self.field = PromptField()
        self.field.entered.connect(self._take)
        self.problem = warning("Why the wording was not taken")
        self.back_button = button("&Back to adstudio’s wording", "Back to adstudio’s wording", self.back)
        self.changes_title = heading("What differs from adstudio’s wording")
        self.changes = QTextEdit()
        self.changes.setReadOnly(True)
        self.changes.setTabChangesFocus(True)
        self.changes.setAccessibleName("What differs from adstudio’s wording")
        top = QHBoxLayout()
        top.addWidget(self.version, 1)
        top.addWidget(self.back_button)
        self.work = QWidget()
        right = column(self.purpose)
        right.addLayout(top)
        right.addWidget(self.field, 3)
        for part in (self.problem, self.changes_title):
            right.addWidget(part)
        right.addWidget(self.changes, 2)
        both = QHBoxLayout(self.work)
        both.setContentsMargins(0, 0, 0, 0)
        both.setSpacing(5 * UNIT)
        both.addWidget(self.list)
        both.addLayout(right, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(3 * UNIT)
        layout.addWidget(title("Prompts"))
        layout.addWidget(told("What prompts are", f"{ABOUT} {PAPER}"))
        layout.addWidget(self.hindrance)
        layout.addWidget(self.work, 1)
        self.list.setCurrentRow(0)
        self.list.currentRowChanged.connect(lambda _: self._turn())
        desk.theme.changed.connect(self._show_changes)
        self.setFocusProxy(self.list)
        self._turn()

    @property
    def name(self) -> str:
        """The prompt in hand."""
        item = self.list.currentItem()
        return NAMES[0] if item is None else str(item.data(Qt.ItemDataRole.UserRole))

    def renew(self) -> None:
        """Another project, or other wordings."""
        session = self._desk.session
        is_open = session.project is not None
        state = (session.project, session.script.prompts)
        if state == self._shown:
            return
        other = not isinstance(self._shown, tuple) or self._shown[0] is not session.project
        self._shown = state
        say_in(self.hindrance, "" if is_open else NONE_OPEN)
        self.field.setReadOnly(not is_open)
        own = dict(session.script.prompts)
        for row, name in enumerate(NAMES):
            item = self.list.item(row)
            edited = name in own
            item.setText(f"{name_of(name)}{MARK if edited else ''}")
            item.setData(
                Qt.ItemDataRole.AccessibleTextRole, f"{name_of(name)}{', of this project’s own' if edited else ''}"
            )
        if other:
            self._turn()
        else:
            self._show()

    def flush(self) -> None:
        """Take what is being typed."""
        self.field.flush()

    def back(self) -> None:
        """Our wording again, as one step."""
        name = self.name
        self._desk.session.attempt(lambda script: _with(script, name, None))
        self._show_other()
        self.field.setFocus()

    def _prompt(self) -> Prompt:
        """The prompt in hand as it is used."""
        name = self.name
        own = dict(self._desk.session.script.prompts)
        try:
            return getattr(prompts({name: own[name]} if name in own else {}), name)
        except PromptError:
            # A file that somebody else made: it is shown as it is, and refused where it would be used.
            return Prompt(name, 0, own[name], edited=True)

    def _turn(self) -> None:
        """Another prompt; of what was refused in the one before nothing stays."""
        self._show_other()
        self.purpose.setText(purpose_of(self.name))

    def _show_other(self) -> None:
        self.field.show_other(self._prompt().text)
        say_in(self.problem, "")
        self._show()

    def _show(self) -> None:
        prompt = self._prompt()
        self.field.show_text(prompt.text)
        self.version.setText(prompt.label if prompt.edited else f"{prompt.label} · {OURS}")
        tone(self.version, quiet=True)
        self.back_button.setEnabled(prompt.edited and self._desk.session.project is not None)
        self._show_changes()

    def _take(self, text: str) -> None:
        name = self.name
        if self._desk.session.project is None:
            return
        try:
            getattr(prompts({name: text}), name)
        except AdstudioError as error:
            say_in(self.problem, f"{sentence(str(error))} Until then the one before holds.")
            return
        say_in(self.problem, "")
        self._desk.session.attempt(lambda script: _with(script, name, text), amends=f"{self.field.bout.key} {name}")
        self.renew()

    def _show_changes(self) -> None:
        prompt = self._prompt()
        pieces = differences(getattr(prompts(), self.name).text, prompt.text) if prompt.edited else ()
        for part in (self.changes_title, self.changes):
            part.setVisible(prompt.edited)
        self.changes.clear()
        cursor = self.changes.textCursor()
        before = ""
        for piece in pieces:
            if piece.how == "new" and before and not before[-1].isspace():
                cursor.insertText(" ", QTextCharFormat())
            before = piece.text if piece.how == "gone" else ""
            cursor.insertText(piece.text, self._form(piece))
        new, gone = counted_words(pieces, "new"), counted_words(pieces, "gone")
        said = f"{counted(new, 'word')} new, {counted(gone, 'word')} of adstudio’s gone"
        self.changes_title.setText(f"What differs from adstudio’s wording: {said}")
        self.changes.setAccessibleDescription(said)

    def _form(self, piece: Piece) -> QTextCharFormat:
        """New words are underlined, those that are gone struck out, each in a colour of its own."""
        tokens = self._desk.theme.tokens
        form = QTextCharFormat()
        form.setForeground(QColor({"same": tokens.quiet, "gone": tokens.warning, "new": tokens.good}[piece.how]))
        form.setFontStrikeOut(piece.how == "gone")
        form.setFontUnderline(piece.how == "new")
        if piece.how == "new":
            form.setFontWeight(QFont.Weight.DemiBold)
        return form


def _with(script: Script, name: str, text: str | None) -> Step | None:
    """The project's own wording of a prompt; none where it says what ours does."""
    own = dict(script.prompts)
    if text is None or not getattr(prompts({name: text}), name).edited:
        own.pop(name, None)
    else:
        own[name] = text.replace("\r\n", "\n").strip()
    wordings = tuple(
        (each, own[each]) for each in (*NAMES, *(each for each in own if each not in NAMES)) if each in own
    )
    return None if wordings == script.prompts else SetPrompts(script.prompts, wordings)

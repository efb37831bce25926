"""Two versions side by side, line by line, and taking lines back from one into the script; the plan and a reference AD.

It stays open beside the work: what is edited meanwhile is compared anew.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QSizePolicy, QTextEdit, QWidget

from adstudio.core.errors import AdstudioError
from adstudio.store.version_rows import Version, VersionContent
from adstudio.ui.background.timers import single_shot
from adstudio.ui.session.context import Context
from adstudio.ui.versions.compared_rows import ComparedModel, ComparedTable
from adstudio.ui.versions.reference_page import ReferencePage
from adstudio.ui.widgets.controls import Button, Check, Choice, Picker
from adstudio.ui.widgets.form import add_row, column, form, in_text_size, row, scrolled
from adstudio.ui.widgets.formatting import as_sentence, quoted_line
from adstudio.ui.widgets.text import note, say_in, warning
from adstudio.ui.widgets.theme import UNIT
from adstudio.versions.comparing import ComparedLine, compare, line_state
from adstudio.versions.descriptions import spoken_words, summary, taken_back
from adstudio.versions.taking_back import take_back
from adstudio.versions.word_changes import In

CURRENT = "Current script"
_NOW = 0
"""What stands for the current script among the numbers of versions, which begin at 1."""
DELAY_MS = 300
VERSIONS, REFERENCE = "Compare versions", "Compare with a reference AD"
"""The dialog's title, by what it shows."""
PAGES = (
    ("Versions", "What has changed since a version, line by line."),
    ("Reference AD", "The plan beside a finished description of the film, gap by gap."),
)
NO_VERSIONS = "No version was kept yet: File › Keep a version keeps the script as it is."
INTO_THE_SCRIPT = "Lines are taken back into the current script: choose it as the newer one."


class CompareDialog(QDialog):
    """Compares; `rename` and `delete` do that with a version, and `titled` says how one is listed."""

    def __init__(
        self,
        context: Context,
        parent: QWidget | None,
        *,
        rename: Callable[[Version], object],
        delete: Callable[[Version], object],
        titled: Callable[[Version], str],
        reference: bool = False,
    ) -> None:
        """It begins with the versions, or with the reference AD."""
        super().__init__(parent)
        self._context, self._session = context, context.session
        self._rename, self._delete, self._titled = rename, delete, titled
        self._contents: dict[int, VersionContent] = {}
        """The versions that were compared last, by their numbers."""
        self._lines: tuple[ComparedLine, ...] = ()
        self.shows_reference = reference
        """Whether the page with the reference AD is shown, and not that with the versions."""
        self._build()
        self._renewal = single_shot(self, DELAY_MS, self.renew)
        self._session.current_plan.changed.connect(self._changed)
        # What was taken back by mistake is undone from here too.
        self.addActions([context.actions["edit.undo"], context.actions["edit.redo"]])
        self.list_versions()
        if not reference:
            self.table.setFocus()

    def _build(self) -> None:
        self.old_field, self.new_field = Picker("Older"), Picker("Newer")
        self.changes_field = Check("C&hanges only", lambda _: self._show())
        self.changes_field.setChecked(True)
        self.summary = note("What has changed")
        self.problem = warning("Why they cannot be compared")
        self.model = ComparedModel()
        self.table = ComparedTable(self.model, dict.fromkeys((Qt.Key.Key_Return, Qt.Key.Key_Enter), self.go_to_line))
        self.words = QTextEdit(readOnly=True, tabChangesFocus=True)
        self.words.setAccessibleName("What differs in the words")
        self.words.setFixedHeight(3 * self.fontMetrics().lineSpacing() + 4 * UNIT)
        self.take = Button("&Take this line back", self.take_line_back, "Have it as the older version has it.")
        self.lock_field = Check("&Lock as it was spoken", lambda _: None, "In that wording, at that time.")
        self.go = Button("&Go to line", self.go_to_line, "Select it in the script, with the playhead at it.")
        self.outcome = note("What was done")
        self.rename = Button("Rena&me…", lambda: self._with_version(self._rename), "Name and note of the older one.")
        self.delete = Button("&Delete…", lambda: self._with_version(self._delete), "Delete the older one.")
        for field in (self.old_field, self.new_field):
            field.currentIndexChanged.connect(lambda _: self.renew())
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._show_line())
        self.new_field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        fields = form(16 * UNIT)
        add_row(fields, "&Older", self.old_field, self.rename, self.delete)
        add_row(fields, "&Newer", self.new_field)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        close = buttons.button(QDialogButtonBox.StandardButton.Close)
        for each in (self.take, self.go, self.rename, self.delete, close):
            # Return elsewhere in the dialog must not press one of them.
            each.setAutoDefault(False)
        above = row(self.summary, self.changes_field, grows=self.summary)
        below = row(self.take, self.lock_field, self.go, None)
        self._versions = QWidget()
        inside = column(
            *(fields, above, self.problem, self.table, self.words, below, self.outcome),
            spacing=2 * UNIT,
            grows=self.table,
        )
        self._versions.setLayout(inside)
        self.reference = ReferencePage(self._context, self._titled)
        self.choice = Choice("Compare", PAGES)
        self.choice.chosen.connect(lambda place: self._turn(reference=place == 1))
        self._pages = self._versions, scrolled("Reference AD", self.reference)
        layout = column(self.choice, *self._pages, buttons, spacing=2 * UNIT)
        for page in self._pages:
            layout.setStretchFactor(page, 1)
        layout.setContentsMargins(6 * UNIT, 5 * UNIT, 6 * UNIT, 5 * UNIT)
        self.setLayout(layout)
        self._show_page()
        self.resize(in_text_size(self, QSize(240, 150) * UNIT, self.minimumSizeHint().width()))

    @property
    def old(self) -> int:
        """The number of the older version."""
        return self.old_field.currentData() or _NOW

    @property
    def new(self) -> int:
        """The number of the newer version."""
        return self.new_field.currentData() or _NOW

    @property
    def line(self) -> ComparedLine | None:
        """The chosen line."""
        place = self.table.currentIndex().row()
        return self.model.rows[place] if 0 <= place < self.model.count() else None

    def list_versions(self, chosen: int | None = None) -> None:
        """List the versions that there are now; the older one is `chosen`, else as before, else the newest."""
        versions = () if self._session.project is None else self._session.project.versions.all
        newest = versions[-1].number if versions else _NOW
        self.reference.list_versions(versions)
        wanted = {self.old_field: chosen or (self.old if self.old_field.count() else newest), self.new_field: self.new}
        for field, number in wanted.items():
            with QSignalBlocker(field):
                field.clear()
                field.addItem(CURRENT, _NOW)
                for version in reversed(versions):
                    field.addItem(self._titled(version), version.number)
                # What was chosen may have been deleted.
                place = field.findData(number)
                field.setCurrentIndex(place if place >= 0 else field.findData(newest))
        self.renew()

    def turn_to(self, *, reference: bool) -> None:
        """Show the reference AD, or the versions."""
        if reference != self.shows_reference:
            self._turn(reference=reference)
        if reference:
            self.reference.begin()
        else:
            self.table.setFocus()

    def renew(self) -> None:
        """Compare again."""
        self._renewal.stop()
        if self._session.project is None:
            return
        if self.shows_reference:
            self.reference.renew()
            return
        numbers = {self.old, self.new}
        self._contents = {number: content for number, content in self._contents.items() if number in numbers}
        try:
            old, new = self._content(self.old), self._content(self.new)
        except AdstudioError as error:
            self._lines = ()
            say_in(self.problem, as_sentence(str(error)))
        else:
            self._lines = compare(old, new)
            say_in(self.problem, "")
        self._show()

    def take_line_back(self) -> None:
        """Take the chosen line back into the script, as one step."""
        line, version = self.line, self._version
        if line is None or version is None:
            return
        self._session.flush()
        try:
            step = take_back(
                self._content(_NOW), self._content(version.number), line.id, locked=self.lock_field.isChecked()
            )
        except AdstudioError as error:
            self._say(as_sentence(str(error)))
            return
        self._session.edits.do(step)
        self.renew()
        if not self.take.isEnabled():
            # That was the last line: the keyboard would be at Close.
            self.table.setFocus()
        self._say(self._became(line.id, version))

    def go_to_line(self) -> None:
        """Select the chosen line in the script, with the playhead at it."""
        line = self.line
        if line is None or line.id not in self._session.script.eventuality_index:
            self._say("That line is not in the current script.")
            return
        self._session.cursor.select_line(line.id, go=True)
        window = self.parentWidget()
        if window is not None:
            window.activateWindow()

    def done(self, result: int) -> None:
        """Nothing is compared while it is closed."""
        self._renewal.stop()
        self.reference.stop()
        super().done(result)

    def _changed(self, event: object) -> None:
        del event
        if self.isVisible() and (self.shows_reference or _NOW in (self.old, self.new)):
            self._renewal.start()

    def _turn(self, *, reference: bool) -> None:
        """Show the other page: what it compares may have changed meanwhile."""
        self.shows_reference = reference
        self._show_page()
        self.renew()

    def _show_page(self) -> None:
        self.setWindowTitle(REFERENCE if self.shows_reference else VERSIONS)
        self.choice.show_choice(int(self.shows_reference))
        for number, page in enumerate(self._pages):
            page.setVisible(number == self.shows_reference)
        if self.shows_reference:
            self.reference.references.restore()

    @property
    def _version(self) -> Version | None:
        """The older version; None where that is the current script."""
        project = self._session.project
        versions = () if project is None else project.versions.all
        return next((version for version in versions if version.number == self.old), None)

    def _content(self, number: int) -> VersionContent:
        project = self._session.project
        if number == _NOW or project is None:
            return VersionContent(self._session.script, self._session.plan)
        if number not in self._contents:
            self._contents[number] = project.versions.content(number)
        return self._contents[number]

    def _with_version(self, do: Callable[[Version], object]) -> None:
        version = self._version
        if version is not None:
            do(version)

    def _show(self) -> None:
        line = self.line
        place = self.table.currentIndex().row()
        shown = [each for each in self._lines if each.changes or not self.changes_field.isChecked()]
        has_any = self._version is not None or self.old_field.count() > 1
        say_in(self.summary, as_sentence(summary(self._lines)) if has_any else NO_VERSIONS)
        films = [self._content(number).script.film for number in (self.old, self.new)] if self._lines else []
        self.model.show(shown, *(films or (self._session.script.film,) * 2))
        at = self.model.row_of(line.id) if line is not None else -1
        if at < 0:
            # A line that is the same now gave way to the next one.
            at = min(max(place, 0), len(shown) - 1)
        self.table.selectRow(at)
        self._show_line()

    def _show_line(self) -> None:
        line, version = self.line, self._version
        self.words.clear()
        cursor = QTextCursor(self.words.document())
        for text, where in () if line is None else line.words:
            form = QTextCharFormat()
            form.setFontStrikeOut(where is In.OLD)
            form.setFontUnderline(where is In.NEW)
            if where is not In.BOTH:
                tokens = self._context.theme.tokens
                form.setForeground(QColor(tokens.warning if where is In.OLD else tokens.good))
            cursor.insertText(text, form)
            cursor.insertText(" ", QTextCharFormat())
        self.words.setAccessibleDescription("" if line is None else spoken_words(line.words))
        is_there = line is not None and line.old is not None
        self.take.setEnabled(is_there and version is not None and self.new == _NOW)
        self.take.setToolTip("Have it as the older version has it." if self.new == _NOW else INTO_THE_SCRIPT)
        self.lock_field.setEnabled(self.take.isEnabled())
        self.go.setEnabled(line is not None and line.id in self._session.script.eventuality_index)
        self.rename.setEnabled(version is not None)
        self.delete.setEnabled(version is not None)

    def _became(self, identity: str, version: Version) -> str:
        """What a line that was taken back is now."""
        current, content = self._content(_NOW), self._content(version.number)
        text = line_state(current, identity).text
        return f"{quoted_line(text)} {taken_back(current, content, identity, version.name)}."

    def _say(self, sentence: str) -> None:
        say_in(self.outcome, sentence)
        self._session.messages.say(sentence)

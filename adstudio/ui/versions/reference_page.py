"""The plan beside a reference AD, gap by gap: a page of the dialog that compares versions.

What is edited meanwhile is compared anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from enum import Enum

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QFont, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit, QWidget

from adstudio.core.errors import AdstudioError
from adstudio.core.script import Cue
from adstudio.core.timebase import Span
from adstudio.evaluation.gap_rows import GapRow, GapSpeech, Speaking, film_gaps, gap_rows, spoken_lines
from adstudio.store.version_rows import Version, VersionContent
from adstudio.ui.files.script_reading import ColumnFields, offer
from adstudio.ui.session.context import Context
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.versions.gap_table import SILENT, GapModel, GapTable, about, place_words
from adstudio.ui.versions.references import References
from adstudio.ui.widgets.controls import Button, Chooser, Picker
from adstudio.ui.widgets.file_dialogs import ALL, SCRIPT_FILES, ask_open
from adstudio.ui.widgets.form import add_row, beside, column, form, row
from adstudio.ui.widgets.formatting import as_sentence, counted, shortened_list
from adstudio.ui.widgets.text import note, say_in, warning
from adstudio.ui.widgets.theme import UNIT

CHOOSE = "Choose a reference AD: any script that can be imported, its times brought to the film."
READING = "Reading…"
NONE = 0
"""What stands for no version among their numbers, which begin at 1."""
SHOWN_ODDITIES = 4


class Shown(Enum):
    """Which gaps are shown."""

    ALL = "All gaps"
    DIFFERING = "Only gaps that differ"
    REFERENCE = "Only the reference speaks"
    PLAN = "Only the plan speaks"


class ReferencePage(QWidget):
    """Compares; `content` is that of a version, by its number."""

    def __init__(
        self, context: Context, content: Callable[[int], VersionContent], titled: Callable[[Version], str]
    ) -> None:
        super().__init__()
        self._context, self._session = context, context.session
        self._content, self._titled = content, titled
        self.references = References(context, self)
        self._rows: tuple[GapRow, ...] = ()
        self._gaps: tuple[tuple[Cue, ...], int, tuple[Span, ...]] = (), -1, ()
        """The dialogue and the end of the film, and its gaps."""
        self._build()
        self.references.changed.connect(self._reference_changed)
        self._reference_changed()

    def _build(self) -> None:
        self.reference_field = Chooser("Reference")
        self.open = Button("Re&ference AD…", self.ask, "Compare the plan with a script from elsewhere.")
        self.close_reference = Button("Clos&e", self.references.close, "Close the reference.", "Close the reference")
        self.shown_field = Picker("Show")
        for shown in Shown:
            self.shown_field.addItem(shown.value, shown)
        self.shown_field.setCurrentIndex(self.shown_field.findData(Shown.DIFFERING))
        self.version_field = Picker("Also compare")
        self.columns = ColumnFields()
        self.problem = warning("Why the reference cannot be compared")
        self.mend = Button("", self.references.mend, name="Read the times otherwise")
        self.summary, self.odd = note("What the gaps hold"), note("What to know of the reference")
        self.model = GapModel()
        self.table = GapTable(self.model, dict.fromkeys((Qt.Key.Key_Return, Qt.Key.Key_Enter), self.go_to_gap))
        self.texts = QTextEdit(readOnly=True, tabChangesFocus=True)
        self.texts.setAccessibleName("What is said in the gap")
        self.texts.setMinimumHeight(4 * self.fontMetrics().lineSpacing() + 4 * UNIT)
        self.texts.setMaximumHeight(7 * self.fontMetrics().lineSpacing() + 4 * UNIT)
        self.go = Button("Go to ga&p", self.go_to_gap, "Select it in the film, with the playhead at its beginning.")
        self.reference_field.activated.connect(lambda _: self._choose())
        self.columns.chosen.connect(lambda: self.references.choose_columns(self.columns.choices))
        self.shown_field.currentIndexChanged.connect(lambda _: self._show())
        self.version_field.currentIndexChanged.connect(lambda _: self.renew())
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._show_gap())
        fields = form(16 * UNIT)
        add_row(fields, "&Reference", self.reference_field, self.open, self.close_reference)
        add_row(fields, "&Show", self.shown_field)
        add_row(fields, "&Also compare", self.version_field)
        parts = (fields, self.columns, self.problem, beside(self.mend), self.summary, self.odd, self.table, self.texts)
        layout = column(*parts, row(self.go, None), spacing=2 * UNIT, grows=self.table)
        layout.setContentsMargins(0, 2 * UNIT, 0, 0)
        self.setLayout(layout)

    @property
    def gap(self) -> GapRow | None:
        """The chosen row."""
        place = self.table.currentIndex().row()
        return self.model.rows[place] if 0 <= place < self.model.count() else None

    @property
    def version(self) -> int:
        """The number of the version that is compared too; 0 for none."""
        return self.version_field.currentData() or NONE

    def begin(self) -> None:
        """Show the references that were opened before; where there is none, ask for one."""
        self.references.restore()
        if self.references.all:
            self.table.setFocus()
        else:
            self.open.setFocus()
            self.ask()

    def ask(self) -> None:
        """Ask for a reference."""
        project, current = self._session.project, self.references.current
        if project is None:
            return
        start = project.path if current is None else current.path
        path = ask_open(self, "Reference AD", start, (SCRIPT_FILES, ALL))
        if path is not None:
            self.references.open(path)

    def list_versions(self, versions: Sequence[Version]) -> None:
        """List the versions that there are now."""
        number = self.version
        with QSignalBlocker(self.version_field):
            self.version_field.clear()
            self.version_field.addItem("No version", NONE)
            for version in reversed(versions):
                self.version_field.addItem(self._titled(version), version.number)
            # The one that was chosen may have been deleted.
            self.version_field.setCurrentIndex(max(0, self.version_field.findData(number)))
        if self.version != number:
            self.renew()

    def renew(self) -> None:
        """Compare again."""
        current, script = self.references.current, self._session.script
        self._rows = ()
        if current is not None and current.script is not None:
            plan, version = spoken_lines(script, self._session.plan), ()
            say_in(self.problem, "")
            try:
                if self.version != NONE:
                    content = self._content(self.version)
                    version = spoken_lines(content.script, content.plan)
            except AdstudioError as error:
                say_in(self.problem, as_sentence(str(error)))
            self._rows = gap_rows(self._film_gaps(), current.script.lines, plan, version)
        self._show()

    def go_to_gap(self) -> None:
        """Select the gap in the film, with the playhead at its beginning."""
        chosen = self.gap
        if chosen is None:
            return
        overlaps = ((chosen.span.overlap(gap), gap) for gap in self._session.gaps)
        _, gap = max(((each.length, gap) for each, gap in overlaps if each is not None), default=(0, None))
        if gap is not None:
            self._session.cursor.select(Selection(Kind.GAP, gap=gap))
        self._session.cursor.seek(chosen.span.start)
        window = self.window().parentWidget()
        if window is not None:
            window.activateWindow()

    def stop(self) -> None:
        """Nothing is read any more."""
        self.references.stop()

    def _choose(self) -> None:
        path = self.reference_field.path
        if path is not None:
            self.references.choose(path)

    def _film_gaps(self) -> tuple[Span, ...]:
        script = self._session.script
        cues, end, gaps = self._gaps
        if script.cues is not cues or script.film.end != end:
            gaps = film_gaps(script)
            self._gaps = script.cues, script.film.end, gaps
        return gaps

    def _reference_changed(self) -> None:
        opened, current = self.references.all, self.references.current
        paths = [each.path for each in opened]
        self.reference_field.show_files(paths, None if current is None else current.path, None if paths else "None")
        self.close_reference.setEnabled(current is not None)
        say_in(self.problem, "" if current is None else current.problem)
        fix = None if current is None else current.fix
        self.mend.setVisible(fix is not None)
        if fix is not None:
            self.mend.setText(offer(fix))
        if current is not None and current.unclear:
            self.columns.ask(current.unclear)
        else:
            self.columns.clear()
        read = None if current is None else current.script
        odd = () if read is None else read.oddities
        said = (f"Line {each.line}: {each.what}" if each.line else each.what for each in odd)
        notes = [] if read is None else [*read.notes, *said]
        say_in(self.odd, shortened_list([*map(as_sentence, notes)], SHOWN_ODDITIES))
        self.renew()

    def _show(self) -> None:
        chosen, wanted = self.gap, self.shown_field.currentData()
        kinds = {Shown.REFERENCE: Speaking.REFERENCE, Shown.PLAN: Speaking.PLAN}
        shown = [
            each
            for each in self._rows
            if wanted is Shown.ALL
            or (each.differs if wanted is Shown.DIFFERING else each.speaking is kinds.get(wanted))
        ]
        say_in(self.summary, self._summary())
        self.table.use(version=self.version != NONE, scores=bool(self.model.scores))
        self.model.show(shown, self._session.script.film)
        self.table.selectRow(0 if chosen is None else self.model.row_of(chosen.span.start))
        self._show_gap()

    def _summary(self) -> str:
        current = self.references.current
        if current is None:
            return CHOOSE
        if current.script is None:
            return READING if self.references.reading else ""
        gaps = [each for each in self._rows if each.is_gap]
        speaking = Counter(each.speaking for each in gaps)
        same = sum(not each.differs for each in gaps if each.speaking is Speaking.BOTH)
        both = f"both speak in {speaking[Speaking.BOTH]:,}" + (f" ({same:,} with the same words)" if same else "")
        only = f"only the reference in {speaking[Speaking.REFERENCE]:,}, only the plan in {speaking[Speaking.PLAN]:,}"
        found = [f"{counted(len(gaps), 'gap')}: {both}, {only}, neither in {speaking[Speaking.NEITHER]:,}."]
        outside = [each for each in self._rows if not each.is_gap]
        parts = [
            f"{counted(number, 'line')} of the {name}"
            for name, number in (
                ("reference", sum(len(each.reference.lines) for each in outside)),
                ("plan", sum(len(each.plan.lines) for each in outside)),
            )
            if number
        ]
        if parts:
            found.append(f"In no gap: {' and '.join(parts)}.")
        return " ".join(found)

    def _show_gap(self) -> None:
        chosen = self.gap
        self.texts.clear()
        self.go.setEnabled(chosen is not None)
        if chosen is None:
            self.texts.setAccessibleDescription("")
            return
        sides: list[tuple[str, GapSpeech]] = [("Reference", chosen.reference), ("Plan", chosen.plan)]
        if self.version != NONE:
            sides.append((self.version_field.currentText().partition(" · ")[0], chosen.version))
        cursor, bold = QTextCursor(self.texts.document()), QTextCharFormat()
        bold.setFontWeight(QFont.Weight.DemiBold)
        spoken = [place_words(chosen, self._session.script.film)]
        cursor.insertText(spoken[0], QTextCharFormat())
        for name, speech in sides:
            size = about(speech)
            title = f"{name} ({size}): " if size else f"{name}: "
            cursor.insertBlock()
            cursor.insertText(title, bold)
            cursor.insertText(speech.text or SILENT, QTextCharFormat())
            spoken.append(f"{title}{speech.text or SILENT}")
        self.texts.moveCursor(QTextCursor.MoveOperation.Start)
        self.texts.setAccessibleDescription(". ".join(part.rstrip(".") for part in spoken))

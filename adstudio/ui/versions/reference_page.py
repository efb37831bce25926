"""The plan beside a reference AD, gap by gap: a page of the dialog that compares versions.

What is edited meanwhile is compared anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from enum import Enum

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtGui import QFont, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QLabel, QTextEdit, QWidget

from adstudio.core.script import Cue
from adstudio.core.timebase import Span
from adstudio.evaluation.gap_rows import GapRow, GapSpeech, Speaking, film_gaps, gap_rows, spoken_lines
from adstudio.store.version_rows import Version
from adstudio.ui.background.timers import single_shot
from adstudio.ui.files.script_reading import ColumnFields, offer
from adstudio.ui.session.context import Context
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.versions.gap_scoring import GapScoring
from adstudio.ui.versions.gap_table import SILENT, GapModel, GapTable, about, place_words
from adstudio.ui.versions.references import NONE, ComparedVersion, OpenedReference, References
from adstudio.ui.widgets.controls import Button, Chooser, Picker
from adstudio.ui.widgets.file_dialogs import ALL, SCRIPT_FILES, ask_open
from adstudio.ui.widgets.form import add_row, beside, column, form, row, tie
from adstudio.ui.widgets.formatting import as_sentence, counted, shortened_list
from adstudio.ui.widgets.text import note, say_in, unmarked, warning
from adstudio.ui.widgets.theme import UNIT

CHOOSE = "Choose a reference AD: any script that can be imported, its times brought to the film."
READING = "Reading…"
SHOWN_ODDITIES = 4
_AT_ONCE = 100
"""Rows whose words are compared before others have their turn."""
_LEAST_LINES, _MOST_LINES = 3, 6


class Shown(Enum):
    """Which gaps are shown."""

    ALL = "All gaps"
    DIFFERING = "Only gaps that differ"
    REFERENCE = "Only the reference speaks"
    PLAN = "Only the plan speaks"


class _Texts(QTextEdit):
    """All that is said in a gap; a few lines of it are in view."""

    def __init__(self) -> None:
        super().__init__(readOnly=True, tabChangesFocus=True)
        self.setAccessibleName("What is said in the gap")
        self.setMaximumHeight(self._height(_MOST_LINES))
        self._pieces: Sequence[tuple[str, str]] = ()

    def show_pieces(self, pieces: Sequence[tuple[str, str]]) -> None:
        """Show these, each with its title; what is shown already stays, with its caret and what is selected in it."""
        if pieces == self._pieces:
            return
        self._pieces = pieces
        self.clear()
        cursor, bold = QTextCursor(self.document()), QTextCharFormat()
        bold.setFontWeight(QFont.Weight.DemiBold)
        for number, (title, text) in enumerate(pieces):
            if number:
                cursor.insertBlock()
            cursor.insertText(title, bold)
            cursor.insertText(text, QTextCharFormat())
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def sizeHint(self) -> QSize:
        """It need not be higher."""
        return QSize(super().sizeHint().width(), self._height(_LEAST_LINES))

    def minimumSizeHint(self) -> QSize:
        """It cannot be lower."""
        return QSize(super().minimumSizeHint().width(), self._height(_LEAST_LINES))

    def _height(self, lines: int) -> int:
        return lines * self.fontMetrics().lineSpacing() + 4 * UNIT


class ReferencePage(QWidget):
    """Compares, a piece of it at a time; `titled` says how a version is listed."""

    def __init__(self, context: Context, titled: Callable[[Version], str]) -> None:
        super().__init__()
        self._session, self._titled = context.session, titled
        self.references, self.compared = References(context, self), ComparedVersion(context, self)
        self.scoring = GapScoring(context.jobs, self)
        self._comparison: Iterator[None] | None = None
        self._next = single_shot(self, 0, self._go_on)
        self._rows: tuple[GapRow, ...] = ()
        self._scored: OpenedReference | None = None
        """The reference that the scores are of."""
        self._gaps: tuple[tuple[Cue, ...], int, tuple[Span, ...]] = (), -1, ()
        """The dialogue and the end of the film, and its gaps."""
        self._build()
        self.references.changed.connect(self._reference_changed)
        self.compared.changed.connect(self.renew)
        self.scoring.changed.connect(self._show)
        self._reference_changed()

    def _build(self) -> None:
        self.reference_field = Chooser("Reference")
        self.open = Button("Re&ference AD…", self.ask, "Compare the plan with a script from elsewhere.")
        self.remove = Button("Remov&e", self.references.remove, "Take it off the list.", "Remove the reference")
        self.shown_field = Picker("Show")
        for shown in Shown:
            self.shown_field.addItem(shown.value, shown)
        self.shown_field.setCurrentIndex(self.shown_field.findData(Shown.DIFFERING))
        self.version_field = Chooser("Also compare")
        self.columns = ColumnFields()
        self.problem = warning("Why the reference cannot be compared")
        self.mend = Button("", self.references.mend, name="Read the times differently")
        self.summary, self.odd = note("What the gaps hold"), note("Notes about the reference")
        self.model = GapModel(self.scoring.of)
        self.table = GapTable(self.model, dict.fromkeys((Qt.Key.Key_Return, Qt.Key.Key_Enter), self.go_to_gap))
        self.texts = _Texts()
        self.place = note("The chosen gap")
        self.score = Button("", self._score)
        self.go = Button("Go to ga&p", self.go_to_gap, "Select it in the film, with the playhead at its beginning.")
        for each in (self.open, self.remove, self.mend, self.go, self.score):
            # Return elsewhere in the dialog must not press one of them.
            each.setAutoDefault(False)
        self.reference_field.activated.connect(lambda _: self._choose())
        self.columns.chosen.connect(lambda: self.references.choose_columns(self.columns.choices))
        self.shown_field.currentIndexChanged.connect(lambda _: self._show())
        self.version_field.currentIndexChanged.connect(lambda _: self._choose_version())
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._show_gap())
        fields = form(16 * UNIT)
        add_row(fields, "&Reference", self.reference_field, self.open, self.remove)
        show = QLabel("&Show")
        tie(show, self.shown_field)
        add_row(fields, "&Also compare", self.version_field, show, self.shown_field)
        above = row(self.summary, self.score, grows=self.summary)
        below = row(self.go, self.place, grows=self.place)
        parts = (fields, self.columns, self.problem, beside(self.mend), above, self.odd, self.table, self.texts, below)
        layout = column(*parts, spacing=2 * UNIT, grows=self.table)
        layout.setStretchFactor(self.table, 3)
        layout.setStretchFactor(self.texts, 2)
        layout.setContentsMargins(0, 2 * UNIT, 2 * UNIT, 0)
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
            self._choose_version()

    def renew(self) -> None:
        """Compare again, soon."""
        self._comparison = self._compare()
        self._next.start()

    @property
    def busy(self) -> bool:
        """Whether something is being read or compared."""
        return self.references.reading or self.compared.reading or self._comparison is not None

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
        """Nothing is read and compared any more."""
        self._next.stop()
        self._comparison = None
        self.scoring.forget()
        self.references.stop()
        self.compared.stop()

    def _choose(self) -> None:
        path = self.reference_field.path
        if path is not None:
            self.references.choose(path)

    def _choose_version(self) -> None:
        self.compared.choose(self.version, self._version_name)

    @property
    def _version_name(self) -> str:
        project = self._session.project
        versions = () if project is None else project.versions.all
        return next((version.name for version in versions if version.number == self.version), "")

    def _compare(self) -> Iterator[None]:
        """Compare; between the pieces, others have their turn."""
        current, script = self.references.current, self._session.script
        rows: tuple[GapRow, ...] = ()
        if current is not None and current.script is not None:
            plan = spoken_lines(script, self._session.plan)
            yield
            gaps = self._film_gaps()
            yield
            rows = gap_rows(gaps, current.script.lines, plan, self.compared.lines)
            yield
            for number, row in enumerate(rows, 1):
                row.differs  # noqa: B018 - found out once
                if number % _AT_ONCE == 0:
                    yield
            yield
        self._rows = rows
        if current is not self._scored:
            self._scored = current
            self.scoring.forget()
        if rows and not self.scoring.tried:
            self.scoring.compute(rows, script.film.language)
        said = (self.compared.problem, "" if current is None else current.problem)
        say_in(self.problem, " ".join(filter(None, said)))
        self._show()

    def _go_on(self) -> None:
        """Do the next piece of the comparison."""
        if self._comparison is None:
            return
        try:
            next(self._comparison)
        except StopIteration:
            self._comparison = None
        else:
            self._next.start()

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
        self.remove.setEnabled(current is not None)
        fix = None if current is None else current.fix
        self.mend.setVisible(fix is not None)
        if fix is not None:
            self.mend.setText(offer(fix))
        if current is not None and current.unclear:
            self.columns.ask(current.unclear, current.columns)
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
        say_in(self.summary, " ".join(filter(None, (self._summary(), self.scoring.summary(self._rows)))))
        self.table.use(version=self.version != NONE, scores=self.scoring.any)
        self.model.show(shown, self._session.script.film)
        self.table.selectRow(0 if chosen is None else self.model.row_of(chosen.span.start))
        self.score.setText("Stop s&coring" if self.scoring.busy else "S&core again")
        self.score.setAccessibleName(unmarked(self.score.text()))
        self.score.setVisible(bool(self._rows))
        self._show_gap()

    def _score(self) -> None:
        """Stop computing the scores, or compute them again."""
        if self.scoring.busy:
            self.scoring.stop()
        else:
            self.scoring.compute(self._rows, self._session.script.film.language)

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
        self.go.setEnabled(chosen is not None)
        place = () if chosen is None else (place_words(chosen, self._session.script.film), self.model.scores(chosen))
        self.place.setText(" · ".join(filter(None, place)))
        sides: list[tuple[str, GapSpeech]] = []
        if chosen is not None:
            sides = [("Reference", chosen.reference), ("Plan", chosen.plan)]
            sides += [(self._version_name, chosen.version)] if self.version != NONE else []
        sizes = ((name, about(speech), speech.text or SILENT) for name, speech in sides)
        texts = [(f"{name} ({size}): " if size else f"{name}: ", text) for name, size, text in sizes]
        spoken = [self.place.text(), *map("".join, texts)]
        self.texts.setAccessibleDescription(". ".join(part.rstrip(".") for part in spoken))
        self.texts.show_pieces(texts)

"""A new cut of the open project's film: its files, what it did, and the one step that brings the script to it."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QLineEdit, QWidget

from adstudio.conform.events import CRASHED, PROTOCOL, CompareCuts, CutCompared, CutEvent, CutProgress
from adstudio.conform.messages import evidence_message, other_messages, report_rows, speed_message, summary
from adstudio.conform.new_cut import FormerCut, NewCut, NewCutRequest
from adstudio.core.counts import percent
from adstudio.core.errors import AdstudioError
from adstudio.core.script import Script
from adstudio.core.steps import Step
from adstudio.editing.ids import Ids
from adstudio.system.worker import Failed
from adstudio.ui.background.worker_clients import JobClient, JobTexts
from adstudio.ui.files.typed_path import typed_path
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.change_dialog import ChangeDialog
from adstudio.ui.widgets.controls import button, line
from adstudio.ui.widgets.file_dialogs import ALL, SUBTITLE_FILES, VIDEO_FILES, ask_open
from adstudio.ui.widgets.form import add_row, beside, form
from adstudio.ui.widgets.formatting import as_sentence, shortened_list
from adstudio.ui.widgets.row_table import RowTable, TextRows
from adstudio.ui.widgets.text import heading, note, say_in, warning
from adstudio.ui.widgets.theme import UNIT

CHOOSE = "Choose the new film, its subtitles, or both; then compare."
NOTHING = "Nothing changes: every time is the same in both cuts."
STOPPED = "The comparison was stopped."
SHOWN = 8
"""Sentences about the files, and about scenes and the like."""


class Column(IntEnum):
    """What the table shows of a stretch of film, or of a line."""

    WHAT = 0
    FORMER = 1
    NEW = 2
    DETAIL = 3


class NewCutDialog(ChangeDialog):
    """Chooses the files of a new cut, has it compared in the background and shows what it did; `step` conforms."""

    def __init__(self, context: Context, parent: QWidget | None, project: Path) -> None:
        super().__init__(parent, "New cut", "Conform")
        self._context, self._project = context, project
        self._script: Script = context.session.script
        self.cut: NewCut | None = None
        """What the comparison showed; None before it has, and where it failed."""
        self.film = line("New film", "Leave empty if only the dialogue has another time base")
        self.subtitles = line("New subtitles", "Leave empty to retime the present dialogue")
        self.compare = button("Co&mpare", "Compare the new cut with the present film", self._compare)
        self.problem = warning("Why the project cannot be conformed")
        self.state, self.odd = note("State of the comparison"), note("What to know of the new cut")
        self.rows = TextRows(Column, ("What", "Former cut", "New cut", "Details"), self)
        self.table = RowTable("What the new cut did", "Each stretch of film, and each line to look at.", "Columns")
        self.table.setModel(self.rows)
        fields = form()
        add_row(fields, "New &film", self.film, button("C&hoose…", "Choose the new film", self._ask_film))
        add_row(fields, "New &subtitles", self.subtitles, button("Ch&oose…", "Choose subtitles", self._ask_subtitles))
        self.lay_out(
            "New cut and what it did",
            *(fields, beside(self.compare), self.problem, 2 * UNIT),
            *(heading("What the new cut did"), self.state, self.odd, self.table),
            table=self.table,
            size=QSize(220 * UNIT, 160 * UNIT),
        )
        span = "00:00:00:00–00:00:00:00"
        self.table.fit_to({Column.WHAT: "Line without film", Column.FORMER: span, Column.NEW: span})
        self._client = JobClient[CompareCuts, CutEvent](context.jobs, self, PROTOCOL, (CutCompared,), JobTexts(CRASHED))
        self._client.received.connect(self._progressed)
        self._client.ended.connect(self._ended)
        for field in (self.film, self.subtitles):
            field.textChanged.connect(lambda _: self._changed())
        self._changed()
        self.film.setFocus()

    def step(self, script: Script, ids: Ids) -> Step | None:
        """The change of a script, as one undo step."""
        return None if self.cut is None else self.cut.conformed(script, ids).step

    def done(self, result: int) -> None:
        """However it ends, nothing is compared any more."""
        self._client.forget()
        super().done(result)

    def _ask_film(self) -> None:
        self._ask("New film", self.film, VIDEO_FILES)

    def _ask_subtitles(self) -> None:
        self._ask("New subtitles", self.subtitles, SUBTITLE_FILES)

    def _ask(self, title: str, field: QLineEdit, files: str) -> None:
        media = self._script.film.media
        near = Path(media.path).parent if media is not None and Path(media.path).parent.is_dir() else self._project
        path = ask_open(self, title, near, (files, ALL))
        if path is not None:
            field.setText(str(path))

    def _changed(self) -> None:
        """Other files were chosen: what was compared counts no more."""
        self._client.forget()
        self._show(None, CHOOSE)
        self.compare.setEnabled(bool(self.film.text().strip() or self.subtitles.text().strip()))

    def _compare(self) -> None:
        try:
            film, subtitles = (
                typed_path(field.text()) if field.text().strip() else None for field in (self.film, self.subtitles)
            )
        except AdstudioError as error:
            self._show(None, "", as_sentence(str(error)))
            return
        self._show(None, "Comparing…")
        self.compare.setEnabled(False)
        request = NewCutRequest(film, subtitles)
        self._client.start("Comparing cuts", CompareCuts(FormerCut.of(self._script), self._project, request))

    def _progressed(self, event: CutProgress) -> None:
        self._client.report(event.fraction, event.what)
        done = "" if event.fraction is None else f": {percent(event.fraction)}"
        say_in(self.state, f"{event.what.capitalize()}{done}")

    def _ended(self, answer: CutCompared | Failed | None) -> None:
        self.compare.setEnabled(True)
        match answer:
            case CutCompared(cut):
                self._show(cut)
            case Failed(message):
                self._show(None, "", as_sentence(message))
            case None:
                self._show(None, STOPPED)

    def _show(self, cut: NewCut | None, state: str = "", problem: str = "") -> None:
        self.cut = cut
        say_in(self.problem, problem)
        if cut is None:
            self.ok.setEnabled(False)
            self.rows.show(())
            say_in(self.state, state)
            say_in(self.odd, "")
            return
        # Ids of its own, so that none is taken for a step that may never be.
        done = cut.conformed(self._script, Ids(self._script))
        report = done.report
        self.ok.setEnabled(done.step is not None)
        self.rows.show(list(report_rows(report)))
        speed = speed_message(report.time_map)
        sentences = [evidence_message(cut.match), *([speed] if speed else []), summary(report)]
        say_in(self.state, " ".join(map(as_sentence, sentences)) if done.step is not None else NOTHING)
        known = [*(oddity.what for _, oddity in cut.oddities), *other_messages(report)]
        say_in(self.odd, shortened_list([*map(as_sentence, known)], SHOWN))

"""Importing a finished script into the open project: how it is read, and what will change, before anything does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import IntEnum
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from adstudio.core.errors import AdstudioError
from adstudio.core.film import Film
from adstudio.core.script import Script, Variant
from adstudio.core.steps import Step
from adstudio.editing.ids import Ids
from adstudio.importing.comparing import Change, ImportChoices, LineChange
from adstudio.importing.effects import effects_of
from adstudio.importing.findings import ScriptTimesError, TimeFix
from adstudio.importing.merging import import_step
from adstudio.importing.messages import further_changes, further_message, import_summary
from adstudio.importing.script_times import ScriptTimes, mended
from adstudio.importing.service import Comparison, ImportRequest, compare_import, texts_to_shorten
from adstudio.importing.wordings_messages import CRASHED, PROTOCOL, ShortenTexts, TextsShortened
from adstudio.script_files.finished_table import UnclearColumnsError
from adstudio.store.media import source_file
from adstudio.system.worker import Failed
from adstudio.ui.background.timers import single_shot
from adstudio.ui.background.worker_clients import JobClient, JobTexts
from adstudio.ui.files.encoding_field import EncodingField
from adstudio.ui.files.script_reading import ColumnFields, TimeFields, offer
from adstudio.ui.files.typed_path import typed_path
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.change_dialog import ChangeDialog
from adstudio.ui.widgets.controls import Check, button, line
from adstudio.ui.widgets.file_dialogs import ALL, SCRIPT_FILES, ask_open
from adstudio.ui.widgets.form import add_row, beside, form
from adstudio.ui.widgets.formatting import as_sentence, shortened_list, timecode
from adstudio.ui.widgets.row_table import RowTable, TextRows
from adstudio.ui.widgets.text import heading, note, say_in, warning
from adstudio.ui.widgets.theme import UNIT

CHOOSE = "Choose the script to import."
SHORTENING = "Shorter wordings are being made"
SHOWN_ODDITIES = 8
REST_MS = 400
"""The pause in typing after which the file is read."""
_LACKING = "Not in the script"


class Column(IntEnum):
    """What the table shows of a line that changes."""

    CHANGE = 0
    AT = 1
    NOW = 2
    NEW = 3


class ImportScriptDialog(ChangeDialog):
    """Chooses a finished script and shows what it changes; `step` makes the change."""

    def __init__(self, context: Context, parent: QWidget | None, project: Path, path: Path | None = None) -> None:
        super().__init__(parent, "Import script", "Import")
        self._context, self._project = context, project
        self._script: Script = context.session.script
        self.found: Comparison | None = None
        self.outcome = ""
        """What importing does, in the numbers that are shown, to be said after it."""
        self._fix: TimeFix | None = None
        self._path: Path | None = None
        self.field = line("Script", "SRT, WebVTT, DAPT, CSV, XLSX, DOCX or JSON")
        self._rest = single_shot(self, REST_MS, self._renew_file)
        self.encoding = EncodingField("Encoding of the script")
        self.encoding.activated.connect(lambda _: self._renew())
        self.field.textEdited.connect(lambda _: self._typed())
        self.columns = ColumnFields()
        self.columns.chosen.connect(self._renew)
        self.locked = Check("&Lock lines where the script has them", self._choose, "Otherwise they are planned anew.")
        self.locked.setChecked(True)
        self.text_lengths = Check("Lengths from the &text", self._choose, "Whatever the out times in the script.")
        self.shorter = Check(
            "S&horter wordings (English)", self._choose, "Spoken where a line does not fit; made in the background."
        )
        self.extended = Check(
            "Hold the picture for lines &without time", self._choose, "Those whose out time leaves no time to speak."
        )
        self._wordings: dict[tuple[tuple[str, ...], str], Mapping[str, tuple[Variant, ...]]] = {}
        self._client = JobClient[ShortenTexts, TextsShortened | Failed](
            context.jobs, self, PROTOCOL, (TextsShortened,), JobTexts(CRASHED)
        )
        self._client.ended.connect(self._shortened)
        self._asked: tuple[tuple[str, ...], str] | None = None
        self.only = Check("Lock out lines that the script l&acks", self._choose, "Otherwise they stay as they are.")
        self.mend = button("", "Read the times differently", self._mend)
        self.problem = warning("Why the script cannot be imported")
        self.odd, self.summary = note("What is odd about the script"), note("What changes")
        self.changes = TextRows(Column, ("Change", "At", "Now", "New"), self)
        self.table = RowTable("Lines that change", "Each line that is added, reworded or moved.", "Columns")
        self.table.setModel(self.changes)
        fields = form()
        add_row(fields, "&Script", self.field, button("Ch&oose…", "Choose the script", self._ask))
        add_row(fields, "&Encoding", self.encoding)
        self.times = TimeFields(self._script.film, fields, self)
        self.times.changed.connect(self._renew)
        self.lay_out(
            "Script and what it changes",
            *(fields, self.columns, self.locked, self.text_lengths, self.shorter, self.extended, self.only),
            *(self.problem, beside(self.mend), 2 * UNIT),
            *(heading("What changes"), self.summary, self.odd, self.table),
            table=self.table,
            size=QSize(200 * UNIT, 180 * UNIT),
        )
        self.table.fit_to({Column.CHANGE: "Changed text and moved", Column.AT: "00:00:00:00"})
        self.take(path)
        self.field.setFocus()

    def take(self, path: Path | None) -> None:
        """Read a file."""
        self.field.setText("" if path is None else str(path))
        self._renew_file()

    def step(self, script: Script, ids: Ids) -> Step | None:
        """The change of a script, as one undo step."""
        if self.found is None or self._path is None:
            return None
        source = source_file(self._path, self._project)
        return import_step(script, ids, self.found.diff, self._choices, own=self.found.own, source=source)

    @property
    def _choices(self) -> ImportChoices:
        return ImportChoices(unlocked=not self.locked.isChecked(), only=self.only.isChecked())

    def _ask(self) -> None:
        start = self._path or self._project
        path = ask_open(self, "Import script", start, (SCRIPT_FILES, ALL))
        if path is not None:
            self.take(path)

    def _choose(self, checked: bool) -> None:
        del checked
        self._renew()

    def _mend(self) -> None:
        """Read the times as it was offered."""
        fix = self._fix
        if fix is None:
            return
        self.times.show_times(mended(self.times.times, fix))
        self._renew()

    def _typed(self) -> None:
        # What is shown is of the file named before.
        self.ok.setEnabled(False)
        self._rest.start()

    def _renew_file(self) -> None:
        self.times.show_times(ScriptTimes())
        self.encoding.setCurrentIndex(0)
        self.columns.clear()
        self._renew()

    def _renew(self) -> None:
        self._rest.stop()
        self._client.forget()
        self.found, self._fix, self._path, problem = None, None, None, ""
        if self.field.text().strip():
            try:
                self._path = typed_path(self.field.text())
                self.found = self._compared(self._path)
            except ScriptTimesError as error:
                problem, self._fix = as_sentence(error.fix.why), error.fix
            except UnclearColumnsError as error:
                problem = as_sentence(error.why)
                self.columns.ask(error.columns, self.columns.choices)
            except AdstudioError as error:
                problem = as_sentence(str(error))
        say_in(self.problem, problem)
        self.mend.setVisible(self._fix is not None)
        if self._fix is not None:
            self.mend.setText(offer(self._fix))
        self._show()

    def _request(self, path: Path) -> ImportRequest:
        lengths = not self.text_lengths.isChecked()
        return ImportRequest(
            *(path, self.times.times, self.columns.choices, self._choices),
            own_lengths=lengths,
            extended=self.extended.isChecked(),
            encoding=self.encoding.encoding,
        )

    def _compared(self, path: Path) -> Comparison:
        """The comparison; shorter wordings take part once another process has made them, which is asked here."""
        request, plan = self._request(path), self._context.session.plan
        found = compare_import(request, self._script, plan)
        if not self.shorter.isChecked():
            return found
        texts = texts_to_shorten(self._script, found.finished)
        if texts not in self._wordings:
            self._asked = texts
            self._client.start("Shortening lines", ShortenTexts(*texts))
            return found
        return compare_import(replace(request, shorter=True, wordings=self._wordings[texts]), self._script, plan)

    def _shortened(self, answer: TextsShortened | Failed | None) -> None:
        if isinstance(answer, TextsShortened) and self._asked is not None:
            self._wordings[self._asked] = answer.wordings
            self._renew()
            return
        self.shorter.setChecked(False)
        self._renew()
        say_in(self.problem, as_sentence(answer.message) if isinstance(answer, Failed) else "")

    def done(self, result: int) -> None:
        """However it ends, nothing is shortened any more."""
        self._client.forget()
        super().done(result)

    def _show(self) -> None:
        found, film = self.found, self._script.film
        ids, choices = Ids(self._script), self._choices
        step = None if found is None else import_step(self._script, ids, found.diff, choices, own=found.own)
        self.ok.setEnabled(step is not None and not self._client.busy)
        if found is None:
            self.changes.show(())
            say_in(self.summary, "" if self.field.text().strip() else CHOOSE)
            say_in(self.odd, "")
            return
        summary = import_summary(found.diff, effects_of(self._script, step))
        self.outcome = as_sentence(f"Script imported: {summary}")
        doing = (SHORTENING,) if self._client.busy else ()
        say_in(self.summary, " ".join(map(as_sentence, (*doing, summary, *further_changes(found.diff)))))
        odd = (f"Line {each.line}: {each.what}" if each.line else each.what for each in found.oddities)
        say_in(self.odd, shortened_list([*map(as_sentence, (*found.notes, *odd))], SHOWN_ODDITIES))
        rows = [row for each in found.diff.changes if (row := _row(film, each, further_message(each, self._script)))]
        then = "Locked out" if self.only.isChecked() else ""
        rows += [(_LACKING, "", text, then) for text in found.diff.lacking_texts]
        self.changes.show(rows)


def _row(film: Film, change: LineChange, further: str) -> tuple[str, ...]:
    if change.change is Change.SAME and not further:
        return ()
    span = change.line.span
    now = change.before_text
    if change.before is not None and change.change in (Change.MOVED, Change.TEXT_AND_MOVED):
        now = f"{timecode(film, change.before.start)}  {now}"
    at = "No time" if span is None else timecode(film, span.start)
    new = further if change.change is Change.SAME else change.line.text
    return change.change.value.capitalize(), at, now, new

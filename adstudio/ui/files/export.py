"""The Export dialog: what is amiss, the format and its options, the file, and what will be written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, QSize
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from adstudio.core.errors import AdstudioError, BadInputError
from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.delivery.columns import COLUMNS, HEADINGS
from adstudio.delivery.export import Export, export_of
from adstudio.delivery.formats import FORMATS
from adstudio.delivery.known_shots import known_shots
from adstudio.delivery.options import ExportOptions, Option, Separator
from adstudio.store.source_guard import require_not_source
from adstudio.ui.files.document_fields import DocumentFields
from adstudio.ui.files.export_choices import store_choices, stored_choices, stored_columns
from adstudio.ui.files.export_findings import ExportFindings
from adstudio.ui.files.export_names import filter_of, form_of, proposed, with_ending_of
from adstudio.ui.files.file_preview import FilePreview
from adstudio.ui.files.typed_path import typed_path
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import Check, Picker, button, line
from adstudio.ui.widgets.default_key import take_ctrl_return
from adstudio.ui.widgets.file_dialogs import ask_replace, ask_save, is_there
from adstudio.ui.widgets.flow_layout import FlowLayout
from adstudio.ui.widgets.form import add_row, column, form, on_screen, scrolled
from adstudio.ui.widgets.formatting import as_sentence, counted, duration
from adstudio.ui.widgets.text import heading, note, say_in, warning
from adstudio.ui.widgets.theme import UNIT, text_scale

LABELS = 24 * UNIT
HEIGHT = 200 * UNIT
"""Of the format with most fields, the beginning of its file included, at the usual size of text."""
SHOWN_CHARACTERS = 4_000
"""Of the content of the file."""
ALL_SCENES = "Whole film"
SEPARATORS = {Separator.COMMA: "Comma", Separator.SEMICOLON: "Semicolon", Separator.TAB: "Tab"}


class ExportDialog(QDialog):
    """Exports a script with its plan. Where lines were asked for instead, `wanted` has their ids.

    `checked` is what the quality checks have found, as a sentence; empty for nothing.
    """

    def __init__(self, context: Context, parent: QWidget | None, project: Path, checked: str = "") -> None:
        super().__init__(parent)
        self.setWindowTitle("Export script")
        self._script: Script = context.session.script
        self._plan: Plan = context.session.plan
        self._project, self._preferences = project, context.preferences
        self.export: Export | None = None
        self.wanted: tuple[str, ...] = ()
        self.written: Path | None = None
        self._named = False
        """Whether the describer has named the file."""
        self._build_fields()
        self.findings = ExportFindings(self._script, checked, self._want)
        self.summary = note("What will be written")
        self.preview = FilePreview(self.font())
        self.replaces = note("An existing file")
        self.problem = warning("Why it cannot be exported")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        take_ctrl_return(self)
        self.ok = buttons.addButton("E&xport", QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        page = QWidget()
        inside = column(
            *(heading("Before you hand it in"), self.findings, 2 * UNIT),
            *(heading("File"), self._fields, self.replaces, 2 * UNIT),
            *(heading("What will be written"), self.summary, self.preview),
            spacing=2 * UNIT,
            grows=self.preview,
        )
        inside.setContentsMargins(0, 0, 2 * UNIT, 0)
        page.setLayout(inside)
        scroll = scrolled("Export", page)
        layout = column(scroll, self.problem, buttons, spacing=3 * UNIT, grows=scroll)
        layout.setContentsMargins(6 * UNIT, 5 * UNIT, 6 * UNIT, 5 * UNIT)
        self.setLayout(layout)
        self._renew()
        width = max(160 * UNIT, page.minimumSizeHint().width() + 24 * UNIT)
        more = page.sizeHint().height() - scroll.sizeHint().height()
        high = max(self.sizeHint().height() + max(more, 0) + UNIT, round(HEIGHT * text_scale()))
        self.resize(on_screen(self, QSize(width, high)))
        self.form_field.setFocus()

    @property
    def form(self) -> str:
        """The format's name."""
        return str(self.form_field.currentData())

    @property
    def options(self) -> ExportOptions:
        """What is chosen, as far as the format has it.

        Raises:
            BadInputError: where no column is chosen, or what is typed cannot be used.
            OutsideFailureError: where the template cannot be read.
        """
        chosen: dict[Option, object] = {
            Option.ACCEPTED_ONLY: self.accepted_field.isChecked(),
            Option.FROM_TIMECODE: bool(self.times_field.currentData()),
            Option.SEPARATOR: Separator(self.separator_field.currentData()),
            Option.COLUMNS: self._chosen_columns(),
            Option.SCENE: self.scene_field.currentData() or None,
        }
        having = {option for option in FORMATS[self.form].options if not self._is_decided(option)}
        chosen |= self.document.chosen(having, self._document)
        options = replace(ExportOptions(), **{each.value: value for each, value in chosen.items() if each in having})
        return replace(options, shots=self._shots) if self.form == "shots" else options

    @property
    def _document(self) -> Path:
        """The file, or the one that is proposed where none can be written to what is typed."""
        try:
            return self.path
        except BadInputError:
            return proposed(self._project, self.form)

    @property
    def path(self) -> Path:
        """The file, with the format's ending.

        Raises:
            BadInputError: for what is no file's name.
        """
        return with_ending_of(typed_path(self.path_field.text()), self.form)

    def accept(self) -> None:
        """Write the file; where that fails, say why and stay."""
        if self.export is None:
            return
        try:
            path = self.path
            require_not_source(path, *self._guarded_files, script=self._script, project=self._project)
            if is_there(path) and not ask_replace(self, path):
                return
            self.export.write(path, self._script, self._project)
        except AdstudioError as error:
            say_in(self.problem, as_sentence(str(error)))
            return
        self.written = path
        store_choices(self._preferences, self.form, self.options, self._columns)
        super().accept()

    def _build_fields(self) -> None:
        last, options = stored_choices(self._preferences)
        self.form_field = Picker("Format")
        for name, each in FORMATS.items():
            self.form_field.addItem(f"{each.title} ({each.ending})", name)
        self.form_field.setCurrentIndex(self.form_field.findData(last))
        self.accepted_field = Check("Accepted lines only", lambda _: None)
        self.times_field = Picker("Times count from")
        self.times_field.addItem("Start of the film", "")
        start = self._script.film.start_timecode
        if start:
            self.times_field.addItem(f"Start timecode ({start})", start)
        self.times_field.setCurrentIndex(1 if start and options.from_timecode else 0)
        self.separator_field = Picker("Cells separated by")
        for separator, name in SEPARATORS.items():
            self.separator_field.addItem(name, separator.value)
        self.separator_field.setCurrentIndex(self.separator_field.findData(options.separator.value))
        self.document = DocumentFields(self._script.film, self._project, self._renew)
        self.scene_field = Picker("Scene")
        self.scene_field.addItem(ALL_SCENES, "")
        for number, scene in enumerate(self._script.scenes, 1):
            self.scene_field.addItem(f"{number} {scene.title}".strip(), scene.id)
        self.column_fields = {name: Check(HEADINGS[name], lambda _: None) for name in COLUMNS}
        self._columns = stored_columns(self._preferences)
        """Those chosen of each format."""
        self._show_columns()
        self.path_field = line("File to write")
        self.path_field.setText(str(proposed(self._project, self.form)))
        self.choose = button("Ch&oose…", "Choose the file", self._ask)
        columns = QWidget()
        flow = FlowLayout(columns, 2 * UNIT)
        for box in self.column_fields.values():
            flow.addWidget(box)
        self._rows: dict[Option, QWidget] = {
            Option.FROM_TIMECODE: self.times_field,
            Option.SEPARATOR: self.separator_field,
            Option.COLUMNS: columns,
            Option.SCENE: self.scene_field,
            **self.document.rows,
            Option.ACCEPTED_ONLY: self.accepted_field,
        }
        self._fields = form(LABELS)
        add_row(self._fields, "&Format", self.form_field)
        add_row(self._fields, "&Times count from", self.times_field)
        add_row(self._fields, "&Separator", self.separator_field)
        add_row(self._fields, "Columns", columns)
        self.document.add_to(self._fields)
        add_row(self._fields, "S&cene", self.scene_field)
        add_row(self._fields, "Lines", self.accepted_field)
        add_row(self._fields, "F&ile", self.path_field, self.choose)
        self.form_field.currentIndexChanged.connect(self._form_chosen)
        for picker in (self.times_field, self.separator_field, self.scene_field):
            picker.currentIndexChanged.connect(lambda _: self._renew())
        self.accepted_field.toggled.connect(lambda _: self._renew())
        for box in self.column_fields.values():
            box.toggled.connect(lambda _: self._columns_chosen())
        self.path_field.textEdited.connect(lambda _: self._path_edited())
        self.path_field.editingFinished.connect(self._take_form_of_name)

    @cached_property
    def _shots(self) -> tuple[int, ...]:
        return known_shots(self._script.film, self._project)

    @property
    def _guarded_files(self) -> tuple[Path | None, ...]:
        """Files that are never written over, beside the film's own."""
        return self._project, None if self.export is None else self.export.template

    def _chosen_columns(self) -> tuple[str, ...] | None:
        """Those chosen, in the format's order; None for its own."""
        own = FORMATS[self.form].columns
        order = (*own, *(name for name in COLUMNS if name not in own))
        chosen = tuple(name for name in order if self.column_fields[name].isChecked())
        return None if chosen == own else chosen

    def _show_columns(self) -> None:
        chosen = self._columns.get(self.form, FORMATS[self.form].columns)
        for name, box in self.column_fields.items():
            with QSignalBlocker(box):
                box.setChecked(name in chosen)

    def _columns_chosen(self) -> None:
        self._columns[self.form] = tuple(name for name, box in self.column_fields.items() if box.isChecked())
        self._renew()

    def _form_chosen(self) -> None:
        """Another format: the name's ending follows it."""
        self._show_columns()
        text = self.path_field.text()
        if not self._named:
            text = str(proposed(self._project, self.form))
        else:
            endings = sorted((each.ending for each in FORMATS.values()), key=len, reverse=True)
            old = next((ending for ending in endings if text.lower().endswith(ending)), "")
            text = text[: len(text) - len(old)] + FORMATS[self.form].ending
        self.path_field.setText(text)
        self._renew()

    def _path_edited(self) -> None:
        self._named = True
        if Option.RECORDINGS in FORMATS[self.form].options and self.document.has_recordings:
            self._renew()  # recordings are referred to from where the file is
        else:
            self._renew_target()

    def _take_form_of_name(self) -> None:
        """A typed ending chooses its format."""
        named = form_of(self.path_field.text().strip(), self.form, FORMATS)
        if named != self.form:
            with QSignalBlocker(self.form_field):
                self.form_field.setCurrentIndex(self.form_field.findData(named))
            self._show_columns()
            self._renew()

    def _ask(self) -> None:
        start = self._document
        forms = sorted(FORMATS, key=lambda name: name != self.form)
        answer = ask_save(self, "Export script", start, [filter_of(name) for name in forms], confirm=False)
        if answer is None:
            return
        path, shown = answer
        chosen = next((name for name in forms if filter_of(name) == shown), self.form)
        if path == start and chosen != self.form:
            # Only the format was chosen: the proposed name follows it.
            path = path.with_name(path.name.removesuffix(FORMATS[self.form].ending) + FORMATS[chosen].ending)
        chosen = form_of(path.name, chosen, forms)
        self._named = True
        with QSignalBlocker(self.form_field):
            self.form_field.setCurrentIndex(self.form_field.findData(chosen))
        self.path_field.setText(str(with_ending_of(path, chosen)))
        self._show_columns()
        self._renew()

    def _is_decided(self, option: Option) -> bool:
        """Whether another field decides: times count from a start timecode that is typed; a template has columns."""
        match option:
            case Option.FROM_TIMECODE:
                return self.times_field.count() < 2 or self.document.has_start
            case Option.COLUMNS:
                return Option.TEMPLATE in FORMATS[self.form].options and self.document.has_template
            case _:
                return False

    def _renew(self) -> None:
        having = FORMATS[self.form].options
        for option, widget in self._rows.items():
            self._fields.setRowVisible(widget, option in having and not self._is_decided(option))
        self.export = None
        try:
            self.export = export_of(self.form, self._script, self._plan, self.options)
        except AdstudioError as error:
            say_in(self.problem, as_sentence(str(error)))
        else:
            say_in(self.problem, "")
        self._show_export()
        self._renew_target()

    def _renew_target(self) -> None:
        """What the name of the file means: a file that is replaced, or one that may not be."""
        replaces = wrong = ""
        try:
            path = self.path
            require_not_source(path, *self._guarded_files, script=self._script, project=self._project)
            if is_there(path):
                replaces = f"{path.name} already exists and will be replaced."
        except AdstudioError as error:
            wrong = as_sentence(str(error))
        say_in(self.replaces, replaces)
        if self.export is not None:
            say_in(self.problem, wrong)
        self.ok.setEnabled(self.export is not None and not wrong)

    def _show_export(self) -> None:
        found = self.export
        if found is None:
            say_in(self.summary, "")
            self.preview.show_text("")
            return
        size = f"{max(1, round(len(found.content) / 1000)):,} kB"
        parts = [FORMATS[found.form].title, size]
        if FORMATS[found.form].is_script:
            parts[:0] = [counted(found.lines, "line"), f"{duration(found.spoken)} spoken"]
        say_in(self.summary, " · ".join(parts))
        self.preview.show_text(found.preview[:SHOWN_CHARACTERS].decode("utf-8", "ignore").removeprefix("\ufeff"))
        self.findings.show_of(found)

    def _want(self, lines: Sequence[str]) -> None:
        self.wanted = tuple(lines)
        self.reject()


def ask_export(
    context: Context, window: QWidget, project: Path, select: Callable[[tuple[str, ...]], object], checked: str
) -> str:
    """Show the dialog; returns the name of the file that was written, "" for none.

    `select` gets lines to be shown; `checked` is as for the dialog.
    """
    dialog = ExportDialog(context, window, project, checked)
    dialog.exec()
    written, wanted = dialog.written, dialog.wanted
    dialog.deleteLater()
    if wanted:
        select(wanted)
    return "" if written is None else written.name

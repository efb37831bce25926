"""What the Export dialog asks about documents: how timecode counts, the version, a template, and recordings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QFormLayout, QWidget

from adstudio.core.film import Film
from adstudio.core.timebase import RATES
from adstudio.delivery.options import LONGEST_VERSION, Option
from adstudio.delivery.recorded_files import recordings_in
from adstudio.delivery.template_file import read_template
from adstudio.ui.files.typed_path import typed_folder, typed_path
from adstudio.ui.widgets.controls import Picker, button, line
from adstudio.ui.widgets.file_dialogs import ask_open
from adstudio.ui.widgets.form import add_row, row

TEMPLATES = "Word documents and spreadsheets (*.docx *.xlsx)"


class DocumentFields:
    """The fields, by the options that they are of; `renew` is called when one has been changed."""

    def __init__(self, film: Film, project: Path, renew: Callable[[], object]) -> None:
        self._folder, self._renew = project.parent, renew
        self.rate = Picker("Frame rate")
        self.rate.addItem(f"The film’s ({film.frame_rate.name})", "")
        for name in RATES:
            self.rate.addItem(name, name)
        self.start = line("Start timecode", film.start_timecode or "00:00:00:00")
        self.version = line("Version", "Such as “second draft”")
        self.version.setMaxLength(LONGEST_VERSION)
        self.template = line("Template", "None")
        choose = button("Choose…", "Choose a document of the house’s own that is filled in", self._ask)
        template = QWidget()
        template.setLayout(row(self.template, choose, grows=self.template))
        template.setFocusProxy(self.template)
        template.setAccessibleName("Template")
        self.recordings = line("Recordings", "None")
        folder = button("Choose…", "Choose the folder with a recording of each line", self._ask_folder)
        recordings = QWidget()
        recordings.setLayout(row(self.recordings, folder, grows=self.recordings))
        recordings.setFocusProxy(self.recordings)
        recordings.setAccessibleName("Recordings")
        recordings.setToolTip("A folder of sound files whose names begin with the number of their line.")
        self.rows: Mapping[Option, QWidget] = {
            Option.FRAME_RATE: self.rate,
            Option.START_TIMECODE: self.start,
            Option.VERSION: self.version,
            Option.TEMPLATE: template,
            Option.RECORDINGS: recordings,
        }
        self.rate.currentIndexChanged.connect(lambda _: renew())
        for field in (self.start, self.version, self.template, self.recordings):
            field.editingFinished.connect(renew)

    @property
    def has_start(self) -> bool:
        """Whether a start timecode is typed."""
        return bool(self.start.text().strip())

    @property
    def has_template(self) -> bool:
        """Whether a template is named."""
        return bool(self.template.text().strip())

    @property
    def has_recordings(self) -> bool:
        """Whether a folder of recordings is named."""
        return bool(self.recordings.text().strip())

    def add_to(self, form: QFormLayout) -> None:
        """Add the rows to a form."""
        add_row(form, "Frame &rate", self.rate)
        add_row(form, "Start timeco&de", self.start)
        add_row(form, "&Version", self.version)
        add_row(form, "Te&mplate", self.rows[Option.TEMPLATE])
        add_row(form, "Recordin&gs", self.rows[Option.RECORDINGS])

    def chosen(self, having: Collection[Option], document: Path) -> dict[Option, object]:
        """What is chosen, as far as a format has it; the `document` refers to recordings from its own folder.

        Raises:
            BadInputError: for a template that is none, or a folder without recordings.
            OutsideFailureError: for one that cannot be read.
        """
        found: dict[Option, object] = {
            Option.FRAME_RATE: RATES.get(self.rate.currentData()),
            Option.START_TIMECODE: self.start.text().strip(),
            Option.VERSION: self.version.text().strip(),
        }
        if Option.TEMPLATE in having and self.template.text().strip():
            found[Option.TEMPLATE] = read_template(typed_path(self.template.text()))
        if Option.RECORDINGS in having and self.has_recordings:
            found[Option.RECORDINGS] = recordings_in(typed_folder(self.recordings.text()), document)
        return found

    def _ask_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self.recordings, "Recordings", str(self._folder))
        if chosen:
            self.recordings.setText(chosen)
            self._renew()

    def _ask(self) -> None:
        chosen = ask_open(self.template, "Template", self._folder, [TEMPLATES])
        if chosen is not None:
            self.template.setText(str(chosen))
            self._renew()

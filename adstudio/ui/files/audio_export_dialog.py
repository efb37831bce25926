"""The Export audio dialog: what is rendered, how it is mixed and where it goes; then how loud it became."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFileDialog, QProgressBar, QWidget

from adstudio.core.errors import AdstudioError, BadInputError
from adstudio.core.fusions import wording_of
from adstudio.core.plan import Plan
from adstudio.core.progress import Progress, progress_text
from adstudio.core.script import Script
from adstudio.core.timebase import clock
from adstudio.delivery.export import export_findings
from adstudio.delivery.findings import finding_message
from adstudio.delivery.lines import extended_lines
from adstudio.delivery.options import ExportOptions
from adstudio.mix.job import MixFinished, MixJob, MixRemark
from adstudio.mix.messages import layout_name
from adstudio.mix.request import FILMS, MIXES, NOTHING_EXTENDED, MixKind, files_of
from adstudio.store.media import VideoState, find_video
from adstudio.store.source_guard import require_not_source
from adstudio.system.worker import Failed
from adstudio.ui.files.mix_fields import MixFields
from adstudio.ui.files.typed_path import typed_path
from adstudio.ui.session.context import Context
from adstudio.ui.session.mix_choices import store_mix, stored_mix
from adstudio.ui.session.voices import default_voice
from adstudio.ui.widgets.controls import Button, Check, Picker, button, line
from adstudio.ui.widgets.default_key import take_ctrl_return
from adstudio.ui.widgets.file_dialogs import ask_replace, ask_save, is_there
from adstudio.ui.widgets.form import add_row, align, column, form, on_screen, row, scrolled
from adstudio.ui.widgets.formatting import as_sentence, counted
from adstudio.ui.widgets.text import heading, note, say_in, tone, warning, words
from adstudio.ui.widgets.theme import UNIT

NO_VOICE = (
    "No voice is chosen in the project settings, so the plan does not know how long lines will be spoken: some may "
    "last longer than planned."
)
TITLE = "Export audio"
STEPS = 1000
SHOWN_FINDINGS = 5
KINDS = {
    "mix": "Full mix (film and narration)",
    "stem": "Narration alone, as long as the film",
    "lines": "Each line as a file of its own",
    "control": "Narration with control track (WHP 198)",
    "film": "Film with the mix as a further sound track",
    "extended": "Extended film (picture held for extended lines)",
}
"""By the values of `MixKind`."""
_ENDS = {
    "mix": "mix.wav",
    "stem": "narration.wav",
    "lines": "lines",
    "control": "control.wav",
    "film": "described",
    "extended": "extended",
}


def proposed(project: Path, kind: str, video: Path | None) -> Path:
    """A name beside the project; a film has the ending of the film that it is made of."""
    stem = project.stem.removesuffix(".ad")
    ending = ""
    if MixKind(kind) in FILMS:
        from adstudio.mix.film_files import suffix_for

        ending = ".mkv" if video is None else suffix_for(video)
        # It is encoded anew, as WebM cannot hold.
        if kind == "extended" and ending == ".webm":
            ending = ".mkv"
    return project.with_name(f"{stem}.{_ENDS[kind]}{ending}")


def loudness_rows(finished: MixFinished) -> list[tuple[str, str]]:
    """What was measured, each value with what it is called."""
    narration = "Narration" if MixKind(finished.kind) in MIXES else "Narration in the mix"
    values = (
        ("Loudness, integrated", None if finished.kind == "lines" else finished.loudness, "LUFS"),
        ("True peak", finished.true_peak, "dBTP"),
        ("Film before", finished.programme_loudness, "LUFS"),
        (narration, finished.narration_loudness, "LUFS"),
    )
    found = [(name, f"{value:.1f} {unit}".replace("-", "−")) for name, value, unit in values if value is not None]
    length = f"{clock(finished.length)[:-4]}, {layout_name(finished.channels)}, {counted(finished.lines, 'line')}"
    return [("Length", length), *found]


class AudioExportDialog(QDialog):
    """Asks, shows how far the render is, and what came of it."""

    requested = Signal(object)
    """This MixJob is to be rendered."""
    stop_asked = Signal()
    lines_asked = Signal(object)
    """These lines (ids) are to be selected."""

    def __init__(self, context: Context, parent: QWidget, project: Path) -> None:
        super().__init__(parent)
        self.setWindowTitle(TITLE)
        self._context, self._project = context, project
        self._busy = False
        self._named = False
        """Whether the describer has named the file."""
        self._find_video()
        self._build_fields()
        self._build_page()
        self._kind_chosen()
        self._renew_findings()
        self.kind_field.setFocus()

    def _find_video(self) -> None:
        self._followed = self._script, self._plan
        media = self._script.film.media
        found = None if media is None else find_video(media, self._project)
        self._video = None if found is None else found.path
        self._film_problem = ""
        if found is not None and found.state is not VideoState.FOUND:
            self._film_problem = (
                "The video of this project cannot be found, or is another one: use File › Relink video."
            )

    def event(self, event: QEvent) -> bool:
        """Whoever comes back has perhaps changed the script, or relinked its video."""
        if event.type() == QEvent.Type.WindowActivate and not self._busy:
            script, plan = self._followed
            if self._film_problem or script is not self._script or plan is not self._plan:
                self._find_video()
                self._renew_findings()
                self._kind_chosen()
        return super().event(event)

    def _build_fields(self) -> None:
        choices = stored_mix(self._context.preferences)
        self.kind_field = Picker("What to export")
        for kind, text in KINDS.items():
            self.kind_field.addItem(text, kind)
        self.kind_field.setCurrentIndex(max(0, self.kind_field.findData(choices.kind)))
        self.accepted_field = Check("Accepted lines only", lambda _: self._accepted_chosen())
        self.path_field = line("File to write")
        self.choose = button("Ch&oose…", "Choose the file", self._ask)
        self.fields = MixFields(self._script, choices)
        self.findings = note("Before you hand it in")
        self.replaces = note("An existing file")
        self.problem = warning("Why it cannot be exported")
        self.state = note("Progress")
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName("Progress of the export")
        self.stop = Button("&Stop", self.stop_asked.emit, "Stop rendering; nothing is written.")
        self.outcome = QWidget()
        self.outcome.setAccessibleName("What was rendered")
        self._rows = column(spacing=UNIT)
        self.outcome.setLayout(self._rows)
        self.kind_field.currentIndexChanged.connect(lambda _: self._kind_chosen())
        self.path_field.textEdited.connect(lambda _: self._path_edited())
        self.fields.changed.connect(self._renew)

    def _build_page(self) -> None:
        what = form()
        add_row(what, "&Export", self.kind_field)
        add_row(what, "Lines", self.accepted_field)
        add_row(what, "F&ile", self.path_field, self.choose)
        align(what, self.fields.form)
        page = QWidget()
        inside = column(
            *(self.outcome, what, self.findings, self.replaces, 2 * UNIT),
            *(heading("Mix"), self.fields),
            spacing=2 * UNIT,
        )
        inside.addStretch(1)
        inside.setContentsMargins(0, 0, 2 * UNIT, 0)
        page.setLayout(inside)
        self._scroll = scrolled(TITLE, page)
        self._running = QWidget()
        self._running.setLayout(row(self.bar, self.stop, grows=self.bar))
        self._running.hide()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        take_ctrl_return(self)
        self.ok = buttons.addButton("Export", QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = column(
            self._scroll, self.problem, self.state, self._running, buttons, spacing=2 * UNIT, grows=self._scroll
        )
        layout.setContentsMargins(6 * UNIT, 5 * UNIT, 6 * UNIT, 5 * UNIT)
        self.setLayout(layout)
        width = max(150 * UNIT, page.minimumSizeHint().width() + 24 * UNIT)
        more = page.sizeHint().height() - self._scroll.sizeHint().height()
        self.resize(on_screen(self, QSize(width, self.sizeHint().height() + max(more, 0) + UNIT)))

    @property
    def kind(self) -> str:
        """The value of the kind that is chosen."""
        return str(self.kind_field.currentData())

    @property
    def path(self) -> Path:
        """What is written; for lines, the folder.

        Raises:
            BadInputError: for what is no file's, or folder's, name.
        """
        text = self.path_field.text().strip()
        if self.kind == "lines":
            if not text:
                raise BadInputError("Enter the name of a folder.")
            return typed_path(f"{text.rstrip('/')}/line.wav").parent
        return typed_path(text)

    def accept(self) -> None:
        """Begin; where that is not possible, say why and stay."""
        if self._busy:
            return
        self.fields.flush()
        try:
            script, plan, path = self._script, self._plan, self.path
            self._require(path)
            if self.kind != "lines" and is_there(path) and not ask_replace(self, path):
                return
            choices = replace(self.fields.choices, kind=self.kind)
            job = MixJob(
                self.kind,
                script,
                plan,
                path,
                choices.settings(script),
                video=self._video,
                bits=choices.bits,
                accepted_only=self.accepted_field.isChecked(),
                voice=default_voice(self._context.preferences),
            )
        except AdstudioError as error:
            self.refuse(str(error))
            return
        store_mix(self._context.preferences, choices)
        self.requested.emit(job)

    def refuse(self, sentence: str) -> None:
        """Say why it cannot be exported."""
        say_in(self.problem, as_sentence(sentence))

    def show_progress(self, progress: Progress | None, *, stopping: bool = False) -> None:
        """A render is running: show how far it is."""
        began, self._busy = not self._busy, True
        fraction = None if progress is None else progress.fraction
        self.bar.setRange(0, STEPS if fraction is not None else 0)
        self.bar.setValue(round((fraction or 0) * STEPS))
        said = "Stopping" if stopping else progress_text(progress) if progress is not None else "Starting"
        say_in(self.state, as_sentence(said))
        self.stop.setEnabled(not stopping)
        if began:
            self._allow(running=True)
            self._show_result(None)
            self._renew()
            self.stop.setFocus()

    def show_answer(self, answer: MixFinished | Failed | None) -> None:
        """No render is running; show what came of the last one."""
        had_focus, self._busy = self.stop.hasFocus(), False
        self._allow(running=False)
        say_in(self.state, "")
        self._show_result(answer if isinstance(answer, MixFinished) else None)
        self._renew()
        if isinstance(answer, Failed):
            self.refuse(answer.message)
        if had_focus:
            self.ok.setFocus()

    def _allow(self, *, running: bool) -> None:
        self._running.setVisible(running)
        for each in (self.kind_field, self.accepted_field, self.path_field, self.choose, self.fields):
            each.setEnabled(not running)

    @property
    def _script(self) -> Script:
        return self._context.session.script

    @property
    def _plan(self) -> Plan:
        return self._context.session.plan

    @property
    def _options(self) -> ExportOptions:
        return ExportOptions(accepted_only=self.accepted_field.isChecked())

    def _kind_chosen(self) -> None:
        if not self._named:
            self.path_field.setText(str(proposed(self._project, self.kind, self._video)))
        self._renew()

    def _accepted_chosen(self) -> None:
        self._renew_findings()
        self._renew()

    def _path_edited(self) -> None:
        self._named = True
        self._renew()

    def _ask(self) -> None:
        try:
            start = self.path
        except BadInputError:
            start = proposed(self._project, self.kind, self._video)
        if self.kind == "lines":
            folder = QFileDialog.getExistingDirectory(self, TITLE, str(start.parent))
            chosen = Path(folder) if folder else None
        else:
            name = "Films" if MixKind(self.kind) in FILMS else "Broadcast WAV"
            answer = ask_save(self, TITLE, start, [f"{name} (*{start.suffix})"], confirm=False)
            chosen = None if answer is None else answer[0]
        if chosen is not None:
            self._named = True
            self.path_field.setText(str(chosen))
            self._renew()

    def _require(self, path: Path) -> None:
        """Raises BadInputError for what cannot be rendered, or not to there."""
        # numpy comes with it, which is not needed before.
        from adstudio.mix.service import require_name

        if self._film_problem:
            raise BadInputError(self._film_problem)
        if MixKind(self.kind) in FILMS and self._video is None:
            raise BadInputError("This project has no video, so there is no film to write: choose another kind.")
        accepted_only = self._options.accepted_only
        if self.kind == "extended" and not extended_lines(self._script, accepted_only=accepted_only):
            raise BadInputError(NOTHING_EXTENDED)
        require_name(MixKind(self.kind), path)
        for file in files_of(MixKind(self.kind), path):
            require_not_source(file, self._project, script=self._script, project=self._project)

    def _renew(self) -> None:
        """What can be exported as it is chosen, and what that means."""
        replaces = wrong = ""
        try:
            path = self.path
            self._require(path)
            for file in files_of(MixKind(self.kind), path):
                if self.kind != "lines" and is_there(file):
                    replaces += f"{file.name} already exists and will be replaced. "
        except AdstudioError as error:
            wrong = as_sentence(str(error))
        say_in(self.replaces, replaces.strip())
        say_in(self.problem, wrong)
        self.path_field.setAccessibleName("Folder to write" if self.kind == "lines" else "File to write")
        self.ok.setEnabled(not wrong and not self._busy)

    def _renew_findings(self) -> None:
        found = export_findings(self._script, self._plan, self._options)
        found = [*self._without_voice(), *(finding_message(self._script, each) for each in found)]
        more = len(found) - SHOWN_FINDINGS
        say_in(self.findings, " ".join(found[:SHOWN_FINDINGS]) + (f" And {more} more." if more > 0 else ""))

    def _without_voice(self) -> list[str]:
        """That lines are as long as a speaking rate makes them, where another voice than that will speak some."""
        wordings = (wording_of(self._script, each) for each in self._plan.deliveries)
        spoken = any(wording is not None and wording.chosen_take is None for wording in wordings)
        return [NO_VOICE] if spoken and not self._script.voice.engine else []

    def _show_result(self, finished: MixFinished | None) -> None:
        while (item := self._rows.takeAt(0)) is not None:
            gone = item.widget()
            if gone is not None:
                gone.setParent(None)
                gone.deleteLater()
        self.outcome.setVisible(finished is not None)
        if finished is None:
            return
        self._rows.addWidget(heading("Exported"))
        where = finished.files[0].parent if finished.kind == "lines" and finished.files else None
        files = [where] if where is not None else list(finished.files)
        for file in files:
            self._rows.addWidget(self._beside(str(file), Button("Show &folder", lambda file=file: _show_folder(file))))
        measured = "; ".join(f"{name} {value}" for name, value in loudness_rows(finished))
        self._rows.addWidget(words(f"{measured}.", wrap=True))
        for remark in finished.remarks:
            self._rows.addWidget(self._remark(remark))
        self._rows.addSpacing(2 * UNIT)
        self._scroll.verticalScrollBar().setValue(0)

    def _remark(self, remark: MixRemark) -> QWidget:
        sentence = as_sentence(remark.sentence)
        known = self._script.eventuality_index
        lines = tuple(each for each in remark.lines if each in known)
        show: Sequence[Button] = ()
        if lines:
            show = (Button("Show", lambda: self.lines_asked.emit(lines), "Select these lines.", f"Show: {sentence}"),)
        return self._beside(sentence, *show)

    @staticmethod
    def _beside(text: str, *buttons: Button) -> QWidget:
        label = words(text, wrap=True)
        tone(label)
        widget = QWidget()
        widget.setLayout(row(label, *buttons, grows=label))
        return widget


def _show_folder(file: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(file if file.is_dir() else file.parent)))

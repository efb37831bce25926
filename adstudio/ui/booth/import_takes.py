"""Importing a folder of sound files: what each would become is shown first, then all takes come in one step."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, QTemporaryDir
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QWidget,
)

from adstudio.core.errors import AdstudioError
from adstudio.core.script import Script
from adstudio.core.steps import Step
from adstudio.editing.fusions import as_own
from adstudio.editing.takes import add_spoken_takes
from adstudio.recording.import_messages import RENUMBERED, effect_messages, file_message, numbers_message, summary
from adstudio.recording.importing import (
    ImportedFile,
    LinePlace,
    as_take,
    import_effect,
    known_recordings,
    matched_files,
    new_takes,
    numbered_lines,
    renumbered_takes,
)
from adstudio.recording.messages import (
    LARGEST_RECORDING,
    PROTOCOL,
    READING_CRASHED,
    Answer,
    FileRead,
    NotImported,
    ReadFile,
    Request,
)
from adstudio.system.files import read_bounded
from adstudio.ui.background.worker_clients import CompanionClient
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import Check
from adstudio.ui.widgets.default_key import take_ctrl_return
from adstudio.ui.widgets.file_dialogs import documents, tell
from adstudio.ui.widgets.form import column, in_text_size
from adstudio.ui.widgets.formatting import as_sentence
from adstudio.ui.widgets.text import words
from adstudio.ui.widgets.theme import UNIT

FOLDER = "booth/import_folder"
MOST_SAID = 6
"""Lines that come in or go which are named after an import; the others are counted, and shown as any change is."""


class ImportTakesDialog(QDialog):
    """Reads the files of a folder, one after the other, in a process of its own."""

    def __init__(
        self, context: Context, parent: QWidget | None, files: tuple[ImportedFile, ...], places: tuple[LinePlace, ...]
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Import takes")
        self._context, self._session = context, context.session
        # With every fused line as the one that it becomes with a take.
        self._script, _ = as_own(self._session.script, self._session.plan)
        self._known = known_recordings(self._script, places)
        self._numbers = numbers_message(renumbered_takes(self._script, places))
        self._client = CompanionClient[Request, Answer](context.jobs, self, PROTOCOL, READING_CRASHED)
        self._scratch = QTemporaryDir()
        self._waiting = list(enumerate(files))
        self.files = list(files)
        """Each with what became of it so far."""
        self.state = words(wrap=True)
        # A long name does not make the dialog wider.
        self.state.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.state.setAccessibleName("What is imported")
        self.list = QListWidget()
        self.list.setAccessibleName("Files")
        for _ in files:
            self.list.addItem(QListWidgetItem())
        self.use = Check("&Use them: of several takes of a line, the last", lambda _: None)
        self.use.setChecked(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        take_ctrl_return(self)
        self.ok = buttons.addButton("Import", QDialogButtonBox.ButtonRole.AcceptRole)
        self.ok.setEnabled(False)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = column(self.state, self.list, self.use, buttons, spacing=3 * UNIT, grows=self.list)
        layout.setContentsMargins(6 * UNIT, 5 * UNIT, 6 * UNIT, 5 * UNIT)
        self.setLayout(layout)
        self.resize(in_text_size(self, QSize(190, 120) * UNIT))
        for number, file in enumerate(files):
            self._show(number, "" if file.is_sound else file_message(file))
        self._next()

    def _target(self, number: int) -> Path:
        return Path(self._scratch.filePath(f"{number}.flac"))

    def _next(self) -> None:
        """Read the next sound file."""
        while self._waiting:
            number, file = self._waiting.pop(0)
            if not file.is_sound:
                continue
            self.state.setText(f"Reading {number + 1:,} of {len(self.files):,}: {file.path.name}")
            self._client.ask(
                ReadFile(file.path, self._target(number)), lambda answer, number=number: self._read(number, answer)
            )
            return
        self._client.forget()
        count = len(new_takes(self.files))
        self.state.setText(" ".join(map(as_sentence, filter(None, (summary(self.files, dry_run=True), self._numbers)))))
        self.ok.setText(f"Import {count:,}" if count else "Import")
        self.ok.setEnabled(count > 0)

    def _read(self, number: int, answer: Answer) -> None:
        unreadable = FileRead(why=NotImported.UNREADABLE, detail=getattr(answer, "message", ""))
        found = answer if isinstance(answer, FileRead) else unreadable
        self.files[number] = as_take(self._script, self.files[number], found, self._known)
        new = self.files[number]
        if new.take is not None and new.place is not None:
            # In the folder twice, it is a take of one line all the same.
            self._known[new.take.sound] = new.place
        self._show(number, file_message(new))
        self._next()

    def _show(self, number: int, text: str) -> None:
        item = self.list.item(number)
        item.setText(text or f"{self.files[number].path.name}: to be read")
        item.setToolTip(text)

    def store(self) -> bool:
        """Store the recordings and add the takes; False, and said, where that cannot be."""
        project = self._session.project
        if project is None:
            return False
        try:
            for number, file in enumerate(self.files):
                if file.take is not None:
                    project.store_sound(read_bounded(self._target(number), LARGEST_RECORDING, "recording"))
        except AdstudioError as error:
            self._session.messages.report(error)
            return False

        def step(script: Script) -> Step | None:
            plan = self._session.plan
            return add_spoken_takes(script, plan, new_takes(self.files), choose=self.use.isChecked())

        return self._session.edits.attempt(step)

    def done(self, result: int) -> None:
        """However it ends, nothing is read any more."""
        self._client.forget()
        super().done(result)


def import_takes(context: Context, parent: QWidget) -> None:
    """Ask for a folder, show what would come of it, and import the takes."""
    session = context.session
    project = session.project
    if project is None:
        return
    if project.read_only:
        session.messages.say("The project was opened read-only: save a copy under another name to import takes.")
        return
    session.flush_asked.emit()
    start = context.preferences.text(FOLDER) or str(documents())
    name = QFileDialog.getExistingDirectory(parent, "Import takes from a folder", start)
    if not name:
        return
    context.preferences.store(FOLDER, name)
    try:
        script, plan = as_own(session.script, session.plan)
        places = numbered_lines(script, plan)
        files = matched_files(Path(name), script, places)
    except AdstudioError as error:
        tell(parent, str(error))
        return
    if not files:
        tell(parent, f"There are no files in {name}.")
        return
    dialog = ImportTakesDialog(context, parent, files, places)
    if dialog.exec() and dialog.store():
        effect = import_effect(places, numbered_lines(session.script, session.plan))
        changes = effect_messages(effect, dialog.files)
        more = [f"{len(changes) - MOST_SAID:,} more lines"] if len(changes) > MOST_SAID else []
        said = [summary(dialog.files), *changes[:MOST_SAID], *more, *[RENUMBERED] * effect.renumbered]
        session.messages.say(as_sentence("; ".join(said)))
    dialog.deleteLater()

"""The dialogue of a new project: the subtitles, their encoding, and a preview."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from adstudio.core.errors import AdstudioError, Oddity
from adstudio.core.script import Cue
from adstudio.core.timebase import clock
from adstudio.subtitles.dialogue import dialogue, require_dialogue
from adstudio.subtitles.reading import read_subtitles
from adstudio.ui.files.encoding_field import AS_FOUND, EncodingField
from adstudio.ui.widgets.controls import Check, Chooser, button
from adstudio.ui.widgets.file_dialogs import ALL, SUBTITLE_FILES, ask_open
from adstudio.ui.widgets.form import add_row, column, form
from adstudio.ui.widgets.formatting import counted
from adstudio.ui.widgets.text import note, say_in, warning
from adstudio.ui.widgets.theme import UNIT

SHOWN_CUES = 40
NONE = "None"
NO_DIALOGUE = "There is no dialogue, so the whole film is one gap."


class SubtitleFields(QWidget):
    """Chooses the subtitles and reads them at once. `preview` shows the first cues, wherever it is placed."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.cues: tuple[Cue, ...] = ()
        self.oddities: tuple[Oddity, ...] = ()
        self.language = ""
        self.problem = ""
        self.found_encoding = ""
        """The encoding that the file was read in; empty without one."""
        self.field = Chooser("Subtitles")
        self.encoding_field = EncodingField("Encoding of the subtitles")
        self._sound = False
        self.detection_field = Check("Detect dialogue from audio", lambda _: None)
        self.detection_field.setChecked(True)
        self.detection_field.toggled.connect(lambda _: self._read())
        self.without_field = Check("The film has no dialogue", lambda _: None)
        self.without_field.toggled.connect(lambda _: self._read())
        self.preview = QPlainTextEdit()
        self.preview.setAccessibleName("Dialogue preview")
        self.preview.setReadOnly(True)
        self.preview.setTabChangesFocus(True)
        self.preview.setMinimumHeight(24 * UNIT)
        self.preview.setPlaceholderText("The first cues appear here.")
        self._what = note("Contents of the subtitles")
        self._wrong = warning("Problem with the subtitles")
        fields = form()
        add_row(fields, "&Subtitles", self.field, button("&Choose…", "Choose the subtitles", self._ask))
        add_row(fields, "&Encoding", self.encoding_field)
        self.setLayout(
            column(fields, self.detection_field, self._what, self._wrong, self.without_field, spacing=2 * UNIT)
        )
        self.offer(())
        self.field.currentIndexChanged.connect(self._chosen)
        self.encoding_field.currentIndexChanged.connect(self._read)

    @property
    def path(self) -> Path | None:
        """The file; None if there is none."""
        return self.field.path

    @property
    def encoding(self) -> str | None:
        """The chosen encoding; None for the one that the file states or seems to have."""
        return self.encoding_field.encoding

    @property
    def listening(self) -> bool:
        """Whether speech detected in the film's sound is to stand for the dialogue."""
        return self.path is None and self._sound and self.detection_field.isChecked()

    @property
    def without_dialogue(self) -> bool:
        """Whether subtitles without any dialogue are to be used."""
        return self.without_field.isChecked()

    def set_sound(self, *, sound: bool) -> None:
        """Set whether the film has sound in which dialogue could be detected."""
        if sound != self._sound:
            self._sound = sound
            self._read()

    def offer(self, found: Sequence[Path], chosen: Path | None = None) -> None:
        """Offer files, and read the chosen one, else the first."""
        paths = [*found, *([chosen] if chosen is not None and chosen not in found else [])]
        self.field.show_files(paths, chosen or next(iter(paths), None), NONE)
        self._chosen()

    def take(self, path: Path) -> None:
        """Choose a file by its path."""
        offered = [Path(str(self.field.itemData(place))) for place in range(1, self.field.count())]
        self.offer(offered, path)

    def _ask(self) -> None:
        near = self.path
        path = ask_open(self, "Choose the subtitles", near.parent if near else Path.cwd(), (SUBTITLE_FILES, ALL))
        if path is not None:
            self.take(path)

    def _chosen(self) -> None:
        # Another file has its own encoding, and a dialogue of its own.
        with QSignalBlocker(self.encoding_field), QSignalBlocker(self.without_field):
            self.encoding_field.setCurrentIndex(0)
            self.without_field.setChecked(False)
        self._read()

    def _read(self) -> None:
        path = self.path
        self.cues, self.oddities, self.language, self.problem, self.found_encoding = (), (), "", "", ""
        self.encoding_field.setItemText(0, AS_FOUND)
        self.encoding_field.setEnabled(path is not None)
        what, shown, silent = "", "", False
        if path is not None:
            try:
                file = read_subtitles(path, encoding=self.encoding)
                spoken = dialogue(file)
                silent = bool(spoken.silence)
                self.cues = spoken.cues
                self.oddities = (*file.oddities, *spoken.oddities)
                self.language = file.language or ""
                self.found_encoding = file.encoding
                if self.encoding is None:
                    self.encoding_field.setItemText(0, f"{file.encoding}{', a guess' if file.guessed else ''}")
                what = f"{file.format.title} · {counted(len(file.cues), 'cue')}"
                shown = "\n".join(_shown(cue) for cue in self.cues[:SHOWN_CUES])
                if not self.without_dialogue:
                    require_dialogue(spoken, path)
            except AdstudioError as error:
                self.problem = str(error)
        elif self._sound and not self.detection_field.isChecked():
            what = NO_DIALOGUE
        self.detection_field.setVisible(path is None and self._sound)
        self.without_field.setVisible(silent)
        say_in(self._what, what)
        say_in(self._wrong, self.problem)
        self.preview.setPlainText(shown)
        self.changed.emit()


def _shown(cue: Cue) -> str:
    speaker = f"{cue.speaker}: " if cue.speaker else ""
    return f"{clock(cue.start)[:-4]}  {speaker}{' / '.join(cue.text.splitlines())}"

"""What a new project is drafted from: prepared lines, a screenplay, a description in prose, a model, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QWidget

from adstudio.connections.saved_connections import SavedConnection, read_connections
from adstudio.core.errors import AdstudioError, Oddity
from adstudio.core.script import Cue
from adstudio.core.timebase import MAX_TIME_MS
from adstudio.drafting.companion_files import (
    DESCRIPTIONS,
    SCREENPLAYS,
    candidates_beside,
    descriptions_beside,
    says_candidates,
    screenplays_beside,
)
from adstudio.subtitles.dialogue import spoken_texts
from adstudio.ui.widgets.controls import Check, Chooser, Picker, button
from adstudio.ui.widgets.file_dialogs import (
    ALL,
    CAST_LIST_FILES,
    DESCRIPTION_FILES,
    JSON_FILES,
    SCREENPLAY_FILES,
    ask_open,
)
from adstudio.ui.widgets.form import add_row, column, form
from adstudio.ui.widgets.formatting import as_sentence, counted
from adstudio.ui.widgets.text import note, say_in, warning
from adstudio.ui.widgets.theme import UNIT

READ_AT_ONCE = 4_000_000
"""Bytes of prepared lines that are read at once; larger files only when the project is created."""
TEXT_READ_AT_ONCE = 400_000
"""The same for a screenplay or a description: enough for two hours of film. PDFs always wait."""


class SourceKind(Enum):
    """The source of description."""

    CANDIDATES = "Prepared lines (JSON)"
    SCREENPLAY = "Screenplay"
    DESCRIPTION = "Description in prose"
    MODEL = "AI model"
    NOTHING = "Blank script"


# What the paper found of all its systems (its table of ablations, row 11).
THEN_A_MODEL = (
    "A model can redraft the scenes afterwards, in the Drafts tab: as measured, that conveys most of a story."
)
SCREENPLAY_FIRST = "There is a screenplay beside the film: choose it first, and the model follows it and conveys more."
NO_CONNECTION = "To draft with a model, first add a connection to it: File → AI services…"
KINDS = tuple(SourceKind)
TEXT_ROW, MODEL_ROW = 1, 2
NO_CAST_LIST = "None"
_FILTERS = {
    SourceKind.CANDIDATES: JSON_FILES,
    SourceKind.SCREENPLAY: SCREENPLAY_FILES,
    SourceKind.DESCRIPTION: DESCRIPTION_FILES,
}
Contents = tuple[str, tuple[Oddity, ...]]
"""A summary of a file, and what is odd in it."""
_TITLES = {
    SourceKind.CANDIDATES: "Choose the prepared lines",
    SourceKind.SCREENPLAY: "Choose the screenplay",
    SourceKind.DESCRIPTION: "Choose the description",
}


def kind_of(path: Path) -> SourceKind | None:
    """The kind of source that a file is by its name; None if it is none."""
    ending = path.suffix.lower()
    if ending == ".json":
        return SourceKind.CANDIDATES
    if ending in DESCRIPTIONS and (ending not in SCREENPLAYS or "description" in path.stem.casefold()):
        return SourceKind.DESCRIPTION
    return SourceKind.SCREENPLAY if ending in SCREENPLAYS else None


class ModelField(Chooser):
    """Lists the connections. One that was removed meanwhile stays listed, as a problem, until another is chosen."""

    def __init__(self, preferred: str) -> None:
        super().__init__("Drafting model")
        self._preferred = preferred
        self._unreadable = ""
        self.known: tuple[SavedConnection, ...] = ()

    @property
    def named(self) -> SavedConnection | None:
        """The chosen model; None if it was removed, or there is none."""
        return next((each for each in self.known if each.name == self.currentData()), None)

    @property
    def problem(self) -> str:
        """Why no model can be used, as a sentence; empty if one can."""
        if self._unreadable or not self.known:
            return self._unreadable or NO_CONNECTION
        gone = "The connection “{}” no longer exists: choose another model, or start with a blank script."
        return gone.format(self.currentData()) if self.named is None else ""

    @property
    def about(self) -> str:
        """Which server will be sent something, and when."""
        named = self.named
        if named is None:
            return ""
        return f"Nothing is sent to {named.host} until you allow it in the Drafts tab."

    def read(self, *, chosen: bool) -> None:
        """Read the connections again; a `chosen` one is not silently replaced by another."""
        try:
            self.known, self._unreadable = read_connections(), ""
        except AdstudioError as error:
            self.known, self._unreadable = (), as_sentence(str(error))
        names, before = [each.name for each in self.known], self.currentData() or ""
        gone = chosen and before and before not in names
        wanted = before if before in names else self._preferred
        with QSignalBlocker(self):
            self.clear()
            if gone:
                self.addItem(f"{before} (removed)", before)
            for name in names:
                self.addItem(name, name)
            self.setCurrentIndex(0 if gone or wanted not in names else names.index(wanted))


class DraftSourceFields(QWidget):
    """Chooses the kind of source and the file.

    `end` returns the film's length, if known, `near` a file to start looking from, `cues` the film's dialogue, which
    shows what is spoken in a screenplay; `model` was chosen last.
    """

    changed = Signal()

    def __init__(
        self,
        end: Callable[[], int | None],
        near: Callable[[], Path | None],
        cues: Callable[[], Sequence[Cue]],
        model: str,
    ) -> None:
        super().__init__()
        self.oddities: tuple[Oddity, ...] = ()
        self.problem = ""
        self._end, self._near, self._cues = end, near, cues
        self._files: dict[SourceKind, list[Path]] = {kind: [] for kind in SourceKind}
        self._refused: Path | None = None
        self._is_chosen = False
        self.kind_field = Picker("Source of description")  # as wide as its longest entry
        for kind in SourceKind:
            self.kind_field.addItem(kind.value)
        self.model_field = ModelField(model)
        self.file_field = Chooser("Source file")
        self._choose = button("Choose…", "Choose the source file", self._ask)
        self._what = note("Contents of the source file")
        self._about = note("About drafting with a model")
        self._wrong = warning("Problem with the source file")
        self.anyway = Check("Use this screenplay although it hardly matches the film", lambda _: self.changed.emit())
        self.anyway.hide()
        tip = "For lines that repeat or require one another. Otherwise the rules are only offered in the draft report."
        self.rules = Check("Apply suggested rules", lambda _: self.changed.emit(), tip)
        self.rules.setAccessibleDescription(tip)
        fields = self._fields = form()
        add_row(fields, "&Draft from", self.kind_field)
        add_row(fields, "Te&xt", self.file_field, self._choose)
        # All letters of the next two are taken as mnemonics.
        add_row(fields, "Model", self.model_field)
        self.cast_field = Chooser("Cast list")
        self.cast_field.show_files((), None, NO_CAST_LIST)
        self.cast_field.setToolTip("Characters join the project’s cast, beside those that the other sources name.")
        add_row(fields, "Cast list", self.cast_field, button("Choose…", "Choose the cast list", self._ask_cast_list))
        notes = (self._what, self._about, self._wrong)
        self.setLayout(column(fields, *notes, self.anyway, self.rules, spacing=2 * UNIT))
        self.model_field.read(chosen=False)
        self._show(SourceKind.NOTHING)
        for box in (self.kind_field, self.file_field):
            box.activated.connect(self._set_chosen)
        self.kind_field.currentIndexChanged.connect(lambda _: self._show(self.kind))
        self.file_field.currentIndexChanged.connect(lambda _: self.read())
        self.model_field.currentIndexChanged.connect(lambda _: self.read())

    @property
    def kind(self) -> SourceKind:
        """The kind of source."""
        return KINDS[self.kind_field.currentIndex()]

    @property
    def path(self) -> Path | None:
        """The file; None if the kind has none, or none is chosen yet."""
        return self.file_field.path if self.kind in _FILTERS else None

    def of(self, kind: SourceKind) -> Path | None:
        """The file, if it is of that kind."""
        return self.path if self.kind is kind else None

    @property
    def cast_list(self) -> Path | None:
        """The chosen list of the film’s characters; None without one."""
        return self.cast_field.path

    @property
    def named(self) -> SavedConnection | None:
        """The model that is to draft the lines, if any."""
        return self.model_field.named if self.kind is SourceKind.MODEL else None

    @property
    def any_screenplay(self) -> bool:
        """Whether a screenplay that was refused is to be used anyway."""
        return self._is_refused and self.anyway.isChecked()

    @property
    def suggested_rules(self) -> bool:
        """Whether suggested rules are to be applied."""
        return self.kind in (SourceKind.SCREENPLAY, SourceKind.DESCRIPTION) and self.rules.isChecked()

    def offer(self, video: Path) -> None:
        """Offer the files beside a video, and take the likeliest, unless the describer has chosen already."""
        mine, path = self.kind if self._is_chosen else None, self.path
        self._files |= {
            SourceKind.CANDIDATES: list(candidates_beside(video)),
            SourceKind.SCREENPLAY: list(screenplays_beside(video)),
            SourceKind.DESCRIPTION: list(descriptions_beside(video)),
        }
        if mine is not None:
            if path is not None and path not in self._files[mine]:
                self._files[mine].append(path)
            self._show(mine, path)
            return
        # What people wrote goes first; a JSON file may be anything, unless its name says what it is.
        sure = next(filter(says_candidates, self._files[SourceKind.CANDIDATES]), None)
        texts = (kind for kind in (SourceKind.SCREENPLAY, SourceKind.DESCRIPTION) if self._files[kind])
        kind = next(texts, SourceKind.NOTHING if sure is None else SourceKind.CANDIDATES)
        self._show(kind, sure if kind is SourceKind.CANDIDATES else None)

    def take(self, path: Path, kind: SourceKind | None = None) -> None:
        """Take a file, as the given kind of source, else as what its name suggests."""
        self._is_chosen = True
        kind = kind or kind_of(path) or SourceKind.SCREENPLAY
        if path not in self._files[kind]:
            self._files[kind].append(path)
        self._show(kind, path)

    def refuse(self) -> None:
        """Offer to use the screenplay anyway, which was refused as another film's."""
        self._refused = self.of(SourceKind.SCREENPLAY)
        self.anyway.setChecked(False)
        self._show_choices()

    def read(self) -> None:
        """Read the file again: the film's length or its dialogue may have changed."""
        path, kind = self.path, self.kind
        summary, self.oddities, self.problem = "", (), ""
        if kind is SourceKind.MODEL:
            self.problem = self.model_field.problem
        elif kind in _FILTERS and path is None:
            self.problem = f"{_TITLES[kind]}, or start with a blank script."
        elif path is not None:
            try:
                summary, self.oddities = _read(path, kind, self._end(), self._cues())
            except OSError:
                self.problem = f"{path} cannot be read: check that the file exists"
            except AdstudioError as error:
                self.problem = str(error)
        say_in(self._what, summary)
        self._show_models()
        say_in(self._wrong, self.problem if path is not None else "")
        self._show_choices()
        self.changed.emit()

    def read_models(self) -> None:
        """Read the connections again: they may have changed."""
        self.model_field.read(chosen=self.kind is SourceKind.MODEL)
        self.read()

    def _show_models(self) -> None:
        """Let a model be chosen if there is one, else say how to add one."""
        known = bool(self.model_field.known)
        why = "" if known else self.model_field.problem
        items = self.kind_field.model()
        if isinstance(items, QStandardItemModel):
            item = items.item(KINDS.index(SourceKind.MODEL))
            item.setText(SourceKind.MODEL.value if known else f"{SourceKind.MODEL.value} (none known yet)")
            item.setEnabled(known)
            item.setToolTip(why)
        self.kind_field.setAccessibleDescription(why)
        first = SCREENPLAY_FIRST if self._files[SourceKind.SCREENPLAY] else ""
        abouts = {
            SourceKind.MODEL: f"{self.model_field.about} {first}".strip(),
            SourceKind.SCREENPLAY: THEN_A_MODEL if known else "",
            SourceKind.NOTHING: why,
        }
        say_in(self._about, abouts.get(self.kind, ""))

    def _set_chosen(self) -> None:
        self._is_chosen = True

    def _show(self, kind: SourceKind, chosen: Path | None = None) -> None:
        paths = self._files[kind]
        with QSignalBlocker(self.kind_field):
            self.kind_field.setCurrentIndex(KINDS.index(kind))
        none = "" if kind is SourceKind.NOTHING else "None yet"
        self.file_field.show_files(paths, chosen, None if paths else none)
        self.file_field.setEnabled(kind in _FILTERS)
        self._choose.setEnabled(kind in _FILTERS)
        self._fields.setRowVisible(TEXT_ROW, kind is not SourceKind.MODEL)
        self._fields.setRowVisible(MODEL_ROW, kind is SourceKind.MODEL)
        self.read()

    @property
    def _is_refused(self) -> bool:
        return self._refused is not None and self._refused == self.of(SourceKind.SCREENPLAY)

    def _show_choices(self) -> None:
        self.anyway.setVisible(self._is_refused)
        self.rules.setVisible(self.kind in (SourceKind.SCREENPLAY, SourceKind.DESCRIPTION))

    def _ask(self) -> None:
        kind, near = self.kind, self.path or self._near()
        start = near.parent if near else Path.home()
        path = ask_open(self, _TITLES[kind], start, (_FILTERS[kind], ALL))
        if path is not None:
            self.take(path, kind)

    def _ask_cast_list(self) -> None:
        near = self.cast_list or self.path or self._near()
        path = ask_open(self, "Choose the cast list", near.parent if near else Path.home(), (CAST_LIST_FILES, ALL))
        if path is not None:
            self.cast_field.show_files((path,), path, NO_CAST_LIST)
            self.changed.emit()


def _read(path: Path, kind: SourceKind, end: int | None, cues: Sequence[Cue]) -> Contents:
    """The contents of a file, unless it is too large to be read at once.

    Raises:
        OSError, AdstudioError: for a file that cannot be used.
    """
    size = path.stat().st_size
    if kind is SourceKind.CANDIDATES:
        return _candidates(path, end) if size <= READ_AT_ONCE else ("", ())
    if size > TEXT_READ_AT_ONCE or path.suffix.lower() == ".pdf":
        return "", ()
    return _screenplay(path, cues) if kind is SourceKind.SCREENPLAY else _description(path)


def _candidates(path: Path, end: int | None) -> Contents:
    from adstudio.drafting.candidates_file.reading import read_candidates

    found = read_candidates(path, film_end=end or MAX_TIME_MS)
    lines, scenes = len(found.eventualities), len(found.scenes)
    summary = f"{counted(lines, 'item')} in {counted(scenes, 'scene')}"
    # Until the length is known, nothing can be said to lie outside the film.
    return summary, found.oddities if end else ()


def _screenplay(path: Path, cues: Sequence[Cue]) -> Contents:
    from adstudio.screenplay.file import read_screenplay
    from adstudio.screenplay.parsed_screenplay import Action, Speech

    found = read_screenplay(path, subtitles=spoken_texts(cues))
    parts = [part for scene in found.scenes for part in scene.parts]
    action, speeches = (sum(isinstance(part, kind) for part in parts) for kind in (Action, Speech))
    summary = [
        counted(len(found.scenes), "scene"),
        f"{counted(action, 'paragraph')} of action",
        counted(speeches, "speech", "speeches"),
    ]
    return " · ".join(summary), found.oddities


def _description(path: Path) -> Contents:
    from adstudio.drafting.text.ground.prose import read_prose

    found = read_prose(path)
    times = "with times" if found.timed else "without times: the times of the action will be guesses"
    return f"{counted(len(found.sections), 'paragraph')}, {times}", found.oddities

"""Setting up a project: everything on one page, with the resulting gaps and free time as it is filled in."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QListWidget, QProgressBar, QPushButton, QWidget

from adstudio.core.errors import AdstudioError
from adstudio.core.progress import StageState, stage_name
from adstudio.drafting.companion_files import SUBTITLES
from adstudio.drafting.events import Failed, Finished, OtherFilm
from adstudio.drafting.film_time import labels_of
from adstudio.drafting.report import Report
from adstudio.drafting.request import DraftRequest, Sources, stages_of
from adstudio.gaps.gaps import find_gaps
from adstudio.media.messages import Probed
from adstudio.store.project import ProjectFile
from adstudio.ui.drafts.draft_process import DraftProcess
from adstudio.ui.files.dialogue_in_film import DialogueInFilm, dialogue_of
from adstudio.ui.files.draft_source_fields import SourceKind, kind_of
from adstudio.ui.files.film_fields import FilmFields
from adstudio.ui.files.plan_fields import PlanFields, free_time
from adstudio.ui.files.preset_picker import LAST_USED, last_used
from adstudio.ui.files.project_path_field import ProjectPathField
from adstudio.ui.files.source_fields import SourceFields, located
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.careful_dialog import CarefulDialog
from adstudio.ui.widgets.controls import button
from adstudio.ui.widgets.default_key import take_ctrl_return
from adstudio.ui.widgets.file_dialogs import documents
from adstudio.ui.widgets.form import column, in_text_size, row, scrolled
from adstudio.ui.widgets.formatting import counted
from adstudio.ui.widgets.stage_list import StageList
from adstudio.ui.widgets.text import Label, heading, note, note_text, say_in, warning
from adstudio.ui.widgets.theme import UNIT, text_scale, time_font

MOST_ODDITIES = 500
ODD_ROWS = 4
BAR_STEPS = 1000
LOSES = "What you filled in here is lost."
STOPS = "Creating the project stops; what is finished by then is used when you start again."
STOPPED = "Stopped. Finished work is saved: “Create project” continues from there."
ABOUT_STOPPING = "You can stop at any time: finished work is saved, and the next attempt continues from there."
NO_WORDS = "Dialogue counts from first word to last only where the video and its subtitles are chosen."
LATER = "The gaps will be known once speech has been detected."


class NewProjectDialog(CarefulDialog, QDialog):
    """Creates a project. After `exec` it is in `project`, open, with the draft's `report`; None if it was cancelled.

    It can go on `in_background`: hidden until `exec` shows it again; `ended` then says how it ended.
    """

    ended = Signal(object)
    """Finished, OtherFilm, Failed, or None if it was stopped: it ended while in the background."""

    def __init__(self, context: Context, parent: QWidget | None = None, path: Path | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("New project")
        self.project: ProjectFile | None = None
        self._context = context
        self.report: Report | None = None
        self.in_background = False
        self._drafter = DraftProcess(context.jobs, self)
        self._stopped_sources: Sources | None = None
        self.sources = SourceFields(context.jobs, context.preferences.text("model", ""))
        self.film = FilmFields()
        self.plan = PlanFields(last_used(context.preferences.text(LAST_USED)).settings)
        self.free = Label()
        self.free.setAccessibleName("Gaps and free time")
        self._oddities: list[str] | None = None
        self.odd_count = note("Issues in the sources, in brief")
        self.odd = QListWidget()
        self.odd.setAccessibleName("Issues in the sources")
        self.odd.setWordWrap(True)
        self.place = ProjectPathField()
        self.wrong = warning("Why the project cannot be created")
        self.missing = note("What is missing")
        self._dialogue = DialogueInFilm()
        self.bar = QProgressBar()
        self.bar.setAccessibleName("Progress")
        self.bar.setRange(0, 0)
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(50 * UNIT)
        self.doing = note("Current step")
        self.doing.setWordWrap(False)
        self._stages_title = heading("")
        self.stages = StageList("Draft stages")
        self._progress = QWidget()
        about_stopping = note_text("About stopping", ABOUT_STOPPING)
        self._progress.setLayout(column(self._stages_title, self.stages, about_stopping, None, spacing=2 * UNIT))
        self.stop = button("Stop", "Stop creating the project", self._stop)
        self.background_button = button(
            "Continue in background", "Create the project in the background", self._go_to_background
        )
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.make = QPushButton("Create project")
        self.make.setDefault(True)
        # Or it would be the default while the other one is disabled.
        buttons.button(QDialogButtonBox.StandardButton.Cancel).setAutoDefault(False)
        buttons.addButton(self.make, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self._create)
        buttons.rejected.connect(self.reject)
        self._build(buttons)
        self._show_working("")
        self._listen()
        self.place.propose(documents() / "Film")
        self._sources_changed()
        if path is not None:
            self._take(path)

    def _listen(self) -> None:
        take_ctrl_return(self)
        self._drafter.progressed.connect(self._show_progress)
        self._drafter.ended.connect(self._creation_ended)
        self.sources.changed.connect(self._sources_changed)
        self.sources.probed.connect(self._probed)
        self.sources.film_named.connect(self._film_named)
        self.film.changed.connect(self._film_changed)
        self.plan.changed.connect(self._renew)
        self.place.changed.connect(self._renew)

    def _build(self, buttons: QDialogButtonBox) -> None:
        right = column(heading("Project"), self.film, 2 * UNIT, self.plan, None, spacing=2 * UNIT)
        scale = text_scale()  # large text has the room of the margins too
        columns = row(self.sources, right, spacing=round(8 * UNIT / scale))
        columns.setContentsMargins(0, 0, 2 * UNIT, 0)
        columns.setStretchFactor(self.sources, 3)
        columns.setStretchFactor(right, 2)
        self._page = QWidget()
        self._page.setLayout(columns)
        self._scroll = scrolled("Sources and settings", self._page)
        working = (self.bar, self.doing, self.stop, self.background_button)
        last = row(self.free, *working, None, buttons, spacing=3 * UNIT)
        self.use_guess = button("", "Use the guessed start timecode", self._use_guess)
        wrong = row(self.wrong, self.use_guess, grows=self.wrong)
        findings = (self.odd_count, self.odd, self.place, wrong, self.missing)
        layout = column(self._scroll, self._progress, *findings, last, spacing=3 * UNIT)
        layout.setStretchFactor(self._scroll, 1)
        layout.setStretchFactor(self._progress, 1)
        beside = round(6 * UNIT / scale)
        layout.setContentsMargins(beside, 5 * UNIT, beside, 5 * UNIT)
        self.setLayout(layout)
        least = self._page.minimumSizeHint().width() + 16 * UNIT
        self.resize(in_text_size(self, QSize(250, 200) * UNIT, least))

    def _take(self, path: Path) -> None:
        if path.suffix.lower() in SUBTITLES:
            self.sources.subtitles.take(path)
        elif kind_of(path) is not None:
            self.sources.text.take(path)
        else:
            self.sources.take_video(path)

    @property
    def model(self) -> str:
        """The name of the model that is to draft the lines of the new project; empty if none is."""
        named = self.sources.text.named
        return "" if named is None else named.name

    @property
    def problem(self) -> str:
        """Why the project cannot be created, in a sentence; empty if it can."""
        return (
            self.sources.problem
            or self.film.problem
            or self._dialogue.problem
            or self.plan.problem
            or self._words_problem
            or self.place.problem
        )

    @property
    def _words_problem(self) -> str:
        """Why dialogue cannot count by its words; they are found in the film's sound while the project is created."""
        without = self.sources.video is None or self.sources.subtitles.path is None
        return NO_WORDS if self.plan.settings.gaps.word_edges and without else ""

    def is_changed(self) -> bool:
        """Whether something was filled in, or is being created."""
        self.loses = STOPS if self._drafter.busy else LOSES
        return self._drafter.busy or not self.sources.untouched

    def done(self, result: int) -> None:
        """However it ends, stop all background work."""
        self.sources.stop()
        self._drafter.forget()
        super().done(result)

    def _say_free(self, text: str, *, figures: bool = False) -> None:
        """Show figures large, words in the normal size."""
        self.free.setFont(time_font(self.font().pointSizeF() * 1.3) if figures else self.font())
        self.free.setText(text)

    def _renew(self) -> None:
        """Count the gaps again, and say what is still missing."""
        dialogue = self._dialogue = dialogue_of(self.sources, self.film)
        self._show_oddities()
        end = self.sources.stated_end
        if end is None and self.sources.video is None:
            end = max((cue.end for cue in dialogue.cues), default=0) or None
        if end is None:
            self._say_free("Inspecting the video…" if self.sources.looking else "")
        elif dialogue.problem:
            # What it would be is not known until the start timecode is.
            self._say_free("")
        elif self.sources.subtitles.listening:
            self._say_free(LATER)
        else:
            gaps = find_gaps(dialogue.cues, (), end, self.plan.settings.gaps)
            self._say_free(free_time(gaps.gaps, end), figures=True)
        problem = self.problem
        # Before anything is filled in, nothing is wrong: what is missing is said quietly.
        untouched = self.sources.untouched
        say_in(self.wrong, "" if untouched else problem)
        say_in(self.missing, problem if untouched else "")
        guess = dialogue.guess if problem == dialogue.problem else ""
        self.use_guess.setText(f"Start at {guess}")
        self.use_guess.setVisible(bool(guess))
        self.make.setEnabled(not problem and end is not None and not self._drafter.busy)

    def _use_guess(self) -> None:
        self.film.start_field.setText(self._dialogue.guess)
        self.film.start_field.setFocus()

    def _show_oddities(self) -> None:
        oddities = [*self.sources.oddities, *located(self.sources.subtitles.path, self._dialogue.oddities)]
        if oddities == self._oddities:
            return
        self._oddities = oddities
        self.odd.clear()
        self.odd.addItems(oddities[:MOST_ODDITIES])
        row = max(self.odd.sizeHintForRow(0), self.fontMetrics().height())
        self.odd.setFixedHeight(min(len(oddities), ODD_ROWS) * row + UNIT)
        self.odd.setVisible(bool(oddities))
        say_in(self.odd_count, f"{counted(len(oddities), 'issue')} in the sources" if oddities else "")

    def _sources_changed(self) -> None:
        if self.sources.subtitles.language:
            self.film.propose_language(self.sources.subtitles.language)
        self._renew()

    def _probed(self, probed: Probed) -> None:
        self.film.propose_rate(labels_of(None, probed.probe, self.film.start))
        self._renew()

    def _film_changed(self) -> None:
        if self.sources.found is not None:
            # With colons in the start timecode, 29.97 is non-drop.
            self.film.blockSignals(True)
            self.film.propose_rate(labels_of(None, self.sources.found.probe, self.film.start))
            self.film.blockSignals(False)
        self._renew()

    def _film_named(self, film: Path) -> None:
        self.film.propose_title(film.stem)
        self.place.propose(film)

    def _create(self) -> None:
        self.sources.text.read_models()
        if self._drafter.busy or self.problem:
            self._renew()
            return
        if self.plan.preset:
            self._context.preferences.store(LAST_USED, self.plan.preset)
        sources, path = self._given, self.place.path
        self._drafter.start(f"Creating {path.name}", DraftRequest(path, sources), stages=stages_of(sources))
        continues = sources == self._stopped_sources
        self._stopped_sources = sources
        self._renew()
        self._show_working("Continuing…" if continues else "Starting…")
        self._stages_title.setText(f"Creating {path.name}")
        self.stages.show_stages(self._drafter.stages)
        self.stop.setFocus()

    @property
    def _given(self) -> Sources:
        film, subtitles, text = self.film, self.sources.subtitles, self.sources.text
        return Sources(
            subtitles=subtitles.path,
            candidates=text.of(SourceKind.CANDIDATES),
            video=self.sources.video,
            end=None if self.sources.video is not None else self.sources.stated_end,
            title=film.title or self.place.path.stem,
            language=film.language,
            encoding=subtitles.encoding,
            frame_rate=film.rate,
            start_timecode=film.start,
            settings=self.plan.settings,
            screenplay=text.of(SourceKind.SCREENPLAY),
            description=text.of(SourceKind.DESCRIPTION),
            any_screenplay=text.any_screenplay,
            suggested_rules=text.suggested_rules,
            listening=subtitles.listening,
            without_dialogue=subtitles.without_dialogue,
            in_scenes=text.kind is SourceKind.MODEL,
            sound_track=self.sources.sound_track,
            cast_list=text.cast_list,
        )

    def _show_progress(self) -> None:
        stages = self._drafter.stages
        self.stages.show_stages(stages)
        now = next((stage for stage in stages if stage.state is StageState.RUNNING), None)
        if now is not None:
            name = stage_name(now.stage)
            self._show_working(f"{name[:1].upper()}{name[1:]}…")
            self.bar.setRange(0, 0 if now.fraction is None else BAR_STEPS)
            self.bar.setValue(round((now.fraction or 0.0) * BAR_STEPS))

    def _stop(self) -> None:
        self._drafter.stop()
        self.doing.setText("Stopping…")

    def _go_to_background(self) -> None:
        self.in_background = True
        self.hide()

    def showEvent(self, event: QShowEvent) -> None:
        """Come back from the background."""
        self.in_background = False
        super().showEvent(event)

    def _creation_ended(self, answer: Finished | OtherFilm | Failed | None) -> None:
        self._show_working("")
        self._renew()
        match answer:
            case Finished():
                if not self.in_background:
                    self._open(answer)
            case Failed(message=message):
                say_in(self.wrong, message)
            case OtherFilm(message=message):
                say_in(self.wrong, message)
                self.sources.text.refuse()
                self.sources.text.anyway.setFocus()
                self._scroll.ensureWidgetVisible(self.sources.text.anyway)
            case None:
                say_in(self.missing, STOPPED)
                self.make.setFocus()
        if self.in_background:
            self.ended.emit(answer)

    def _open(self, done: Finished) -> None:
        try:
            self.project = ProjectFile.open(done.project)
        except AdstudioError as error:
            say_in(self.wrong, str(error))
            return
        self.report = done.report
        self.accept()

    def _show_working(self, doing: str) -> None:
        working = bool(doing)
        self.doing.setText(doing)
        for widget in (self.bar, self.doing, self.stop, self.background_button):
            widget.setVisible(working)
        self._progress.setVisible(working)
        for widget in (self.free, self._scroll):
            widget.setVisible(not working)
        for widget in (self._page, self.place):
            widget.setEnabled(not working)

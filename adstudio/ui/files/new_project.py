"""Setting up a project: everything on one page, with what comes of it in gaps and free seconds as it is filled in."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QListWidget,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from adstudio.core.errors import AdstudioError
from adstudio.core.progress import StageState, stage_name
from adstudio.drafting.companion_files import SUBTITLES
from adstudio.drafting.draft import labels_of
from adstudio.drafting.draft_stages import stages_of
from adstudio.drafting.events import Failed, Finished, OtherFilm
from adstudio.drafting.report import Report
from adstudio.drafting.request import DraftRequest, Sources
from adstudio.gaps.gaps import find_gaps
from adstudio.media.messages import Probed
from adstudio.store.project import ProjectFile
from adstudio.ui.drafts.draft_process import DraftProcess
from adstudio.ui.files.creation_progress import CreationProgress
from adstudio.ui.files.draft_source_fields import SourceKind, kind_of
from adstudio.ui.files.film_fields import FilmFields
from adstudio.ui.files.free_time_summary import free_time
from adstudio.ui.files.plan_fields import PlanFields
from adstudio.ui.files.project_path_field import ProjectPathField
from adstudio.ui.files.source_fields import SourceFields
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import button
from adstudio.ui.widgets.file_dialogs import documents
from adstudio.ui.widgets.form import on_screen, scrolled
from adstudio.ui.widgets.formatting import counted
from adstudio.ui.widgets.text import Label, heading, note, say_in, warning
from adstudio.ui.widgets.theme import UNIT, time_font

MOST_ODDITIES = 500
ODD_ROWS = 4
BAR_STEPS = 1000
STOPPED = "Stopped. Finished work is saved: “Create project” continues from there."
LATER = "The gaps will be known once speech has been detected."


class NewProjectDialog(QDialog):
    """Makes a project. After `exec` it is in `project`, open; None where the describer has thought better of it.

    `report` is what came of the draft then. While it works, the describer may put it `behind`: it is hidden then and
    goes on, `came` tells how it ended, and `exec` shows it again as it stands.
    """

    came = Signal(object)
    """Finished, OtherFilm, Failed, or None where it was stopped: it ended while it was behind."""

    def __init__(self, context: Context, parent: QWidget | None = None, path: Path | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("New project")
        self.project: ProjectFile | None = None
        self._context = context
        self.report: Report | None = None
        self.behind = False
        self._drafter = DraftProcess(context.jobs, self)
        self._broken_off: Sources | None = None
        self.sources = SourceFields(context.jobs, context.preferences.text("model", ""))
        self.film = FilmFields()
        self.plan = PlanFields()
        self.free = Label()
        self.free.setAccessibleName("Gaps and free time")
        self.odd_count = note("Issues in the sources, in brief")
        self.odd = QListWidget()
        self.odd.setAccessibleName("Issues in the sources")
        self.odd.setWordWrap(True)
        self.place = ProjectPathField()
        self.wrong = warning("Why the project cannot be created")
        self.missing = note("What is missing")
        self.bar = QProgressBar()
        self.bar.setAccessibleName("Progress")
        self.bar.setRange(0, 0)
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(50 * UNIT)
        self.doing = note("Current step")
        self.doing.setWordWrap(False)
        self.course = CreationProgress()
        self.stop = button("Stop", "Stop creating the project", self._stop)
        self.put_behind = button("Continue in background", "Create the project in the background", self._go_behind)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.make = QPushButton("Create project")
        self.make.setDefault(True)
        # Else it is proposed while the other one cannot be chosen.
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
        self._drafter.progressed.connect(self._went_on)
        self._drafter.ended.connect(self._creation_ended)
        self.sources.changed.connect(self._sources_changed)
        self.sources.probed.connect(self._probed)
        self.sources.film_named.connect(self._film_named)
        self.film.changed.connect(self._film_changed)
        self.plan.changed.connect(self._renew)
        self.place.changed.connect(self._renew)

    def _build(self, buttons: QDialogButtonBox) -> None:
        right = QVBoxLayout()
        right.setSpacing(2 * UNIT)
        right.addWidget(heading("Description"))
        right.addWidget(self.film)
        right.addSpacing(2 * UNIT)
        right.addWidget(self.plan)
        right.addStretch(1)
        columns = QHBoxLayout()
        columns.setContentsMargins(0, 0, 2 * UNIT, 0)
        columns.setSpacing(8 * UNIT)
        columns.addWidget(self.sources, 3)
        columns.addLayout(right, 2)
        self._page = QWidget()
        self._page.setLayout(columns)
        self._scroll = scrolled("Sources and settings", self._page)
        last = QHBoxLayout()
        last.setSpacing(3 * UNIT)
        last.addWidget(self.free)
        last.addWidget(self.bar)
        last.addWidget(self.doing)
        last.addWidget(self.stop)
        last.addWidget(self.put_behind)
        last.addStretch(1)
        last.addWidget(buttons)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6 * UNIT, 5 * UNIT, 6 * UNIT, 5 * UNIT)
        layout.setSpacing(3 * UNIT)
        layout.addWidget(self._scroll, 1)
        layout.addWidget(self.course, 1)
        layout.addWidget(self.odd_count)
        layout.addWidget(self.odd)
        layout.addWidget(self.place)
        layout.addWidget(self.wrong)
        layout.addWidget(self.missing)
        layout.addLayout(last)
        self.resize(on_screen(self, QSize(250 * UNIT, 200 * UNIT)))

    def _take(self, path: Path) -> None:
        if path.suffix.lower() in SUBTITLES:
            self.sources.subtitles.take(path)
        elif kind_of(path) is not None:
            self.sources.text.take(path)
        else:
            self.sources.take_video(path)

    @property
    def model(self) -> str:
        """The name of the model that is to draft the lines once the project is made; empty where none is."""
        named = self.sources.text.named
        return "" if named is None else named.name

    @property
    def problem(self) -> str:
        """What keeps the project from being made, in a sentence; empty where nothing does."""
        return self.sources.problem or self.film.problem or self.plan.problem or self.place.problem

    def reject(self) -> None:
        """Leave; what is being made is stopped."""
        self._leave()
        super().reject()

    def done(self, result: int) -> None:
        """However it ends, nothing goes on in the background."""
        self._leave()
        super().done(result)

    def _leave(self) -> None:
        self.sources.stop()
        self._drafter.forget()

    def _say_free(self, text: str, *, figures: bool = False) -> None:
        """Figures are large; words are as all others."""
        self.free.setFont(time_font(self.font().pointSizeF() * 1.3) if figures else self.font())
        self.free.setText(text)

    def _renew(self) -> None:
        """Count again, and say what is still missing."""
        end = self.sources.end
        if end is None:
            self._say_free("Inspecting the video…" if self.sources.looking else "")
        elif self.sources.subtitles.listening:
            self._say_free(LATER)
        else:
            gaps = find_gaps(self.sources.subtitles.cues, (), end, self.plan.settings.gaps)
            self._say_free(free_time(gaps.gaps, end), figures=True)
        problem = self.problem
        # While nothing has been given yet, nothing is wrong; what is missing is said quietly.
        untouched = self.sources.untouched
        say_in(self.wrong, "" if untouched else problem)
        say_in(self.missing, problem if untouched else "")
        self.make.setEnabled(not problem and end is not None and not self._drafter.busy)

    def _sources_changed(self) -> None:
        oddities = self.sources.oddities
        self.odd.clear()
        self.odd.addItems(oddities[:MOST_ODDITIES])
        row = max(self.odd.sizeHintForRow(0), self.fontMetrics().height())
        self.odd.setFixedHeight(min(len(oddities), ODD_ROWS) * row + UNIT)
        self.odd.setVisible(bool(oddities))
        say_in(self.odd_count, f"{counted(len(oddities), 'oddity', 'oddities')} in the sources" if oddities else "")
        if self.sources.subtitles.language:
            self.film.propose_language(self.sources.subtitles.language)
        self._renew()

    def _probed(self, probed: Probed) -> None:
        self.film.propose_rate(labels_of(None, probed.probe, self.film.start))
        self._renew()

    def _film_changed(self) -> None:
        if self.sources.found is not None:
            # A start timecode with colons counts 29.97 without dropping.
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
        sources, path = self._given, self.place.path
        self._drafter.start(f"Creating {path.name}", DraftRequest(path, sources), stages_of(sources))
        again = sources == self._broken_off
        self._broken_off = sources
        self._renew()
        self._show_working("Continuing…" if again else "Starting…")
        self.course.begin(f"Creating {path.name}", self._drafter.stages)
        self.stop.setFocus()

    @property
    def _given(self) -> Sources:
        film, subtitles, text = self.film, self.sources.subtitles, self.sources.text
        return Sources(
            subtitles=subtitles.path,
            candidates=text.of(SourceKind.CANDIDATES),
            video=self.sources.video,
            end=None if self.sources.video is not None else self.sources.end,
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
            in_scenes=text.kind is SourceKind.MODEL,
        )

    def _went_on(self) -> None:
        stages = self._drafter.stages
        self.course.stages.show_stages(stages)
        now = next((stage for stage in stages if stage.state is StageState.RUNNING), None)
        if now is not None:
            name = stage_name(now.stage)
            self._show_working(f"{name[:1].upper()}{name[1:]}…")
            self.bar.setRange(0, 0 if now.fraction is None else BAR_STEPS)
            self.bar.setValue(round((now.fraction or 0.0) * BAR_STEPS))

    def _stop(self) -> None:
        self._drafter.stop()
        self.doing.setText("Stopping…")

    def _go_behind(self) -> None:
        self.behind = True
        self.hide()

    def showEvent(self, event: QShowEvent) -> None:
        """It is in front again."""
        self.behind = False
        super().showEvent(event)

    def _creation_ended(self, answer: Finished | OtherFilm | Failed | None) -> None:
        self._show_working("")
        self._renew()
        self._tell(answer)
        if self.behind:
            self.came.emit(answer)

    def _tell(self, answer: Finished | OtherFilm | Failed | None) -> None:
        match answer:
            case Finished():
                if not self.behind:
                    self._open(answer)
            case Failed():
                say_in(self.wrong, answer.message)
            case OtherFilm():
                say_in(self.wrong, answer.message)
                self.sources.text.refuse()
                self.sources.text.anyway.setFocus()
                self._scroll.ensureWidgetVisible(self.sources.text.anyway)
            case None:
                say_in(self.missing, STOPPED)
                self.make.setFocus()

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
        for widget in (self.bar, self.doing, self.stop, self.put_behind):
            widget.setVisible(working)
        self.course.setVisible(working)
        for widget in (self.free, self._scroll):
            widget.setVisible(not working)
        for widget in (self._page, self.place):
            widget.setEnabled(not working)

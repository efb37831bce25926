"""Projects as files: new, open, save, export, close. Nothing is lost without asking."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from adstudio.core.errors import AdstudioError
from adstudio.drafting.companion_files import PROJECT, is_script_file
from adstudio.store.content import RestorePoint
from adstudio.store.opening import is_project
from adstudio.store.project import ProjectFile
from adstudio.store.source_guard import same_file
from adstudio.ui.files.open_project import ask_recovery, open_project, set_aside
from adstudio.ui.files.relink import Relink
from adstudio.ui.files.sample_film import SampleFilmAction
from adstudio.ui.files.typed_path import shown
from adstudio.ui.session.context import Context
from adstudio.ui.session.current_plan import ChangeEvent
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.widgets.file_dialogs import (
    ALL,
    PROJECTS,
    ask,
    ask_open,
    ask_save,
    documents,
    tell,
    with_ending,
)

if TYPE_CHECKING:
    from adstudio.drafting.events import Failed, Finished, OtherFilm
    from adstudio.drafting.report import Report
    from adstudio.ui.files.audio_export import AudioExport
    from adstudio.ui.files.new_project import NewProjectDialog

log = logging.getLogger(__name__)
QUIT = "Quit before the audio is exported?"
QUIT_DETAIL = "The export stops, and nothing is written."


class ProjectFiles(QObject):
    """Does the actions of the File menu that concern projects."""

    drafted = Signal(object, bool)
    """A project that was created in this session is open: its Report, and whether to show that, being new."""
    for_model = Signal(str)
    """A project that was created in this session is open for the first time; the model of this name is to draft it."""

    def __init__(self, context: Context, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._session = context.session
        self._window = window
        self._announced: ProjectFile | None = None
        """The project last announced to be read-only."""
        self._in_background: NewProjectDialog | None = None
        self._created: dict[Path, tuple[Report | None, str]] = {}
        """The projects created in this session: the draft's report, and the model that is to draft the lines, or ""."""
        self._opened: set[Path] = set()
        """Those of them that have been opened."""
        self._findings = ""
        self.audio: AudioExport | None = None
        """What renders audio, once it was asked for."""
        self._relink = Relink(context, window)
        self._sample = SampleFilmAction(context, self)
        self._sample.ready.connect(self._sample_ready)
        for name, do, enabled in (
            ("file.new", self.new, None),
            ("file.open", self.open, None),
            ("file.sample", self.sample, None),
            ("file.save", self.save, self._is_open),
            ("file.save_as", self.save_as, self._is_open),
            ("file.export", self.export, self._is_open),
            ("file.audio", self.export_audio, self._is_open),
            ("file.relink", self._relink.ask, self._is_open),
            ("file.dialogue", self.replace_dialogue, self._is_open),
            ("file.new_cut", self.new_cut, self._is_open),
            ("file.import", self.import_script, self._is_open),
            ("file.settings", self.settings, self._is_open),
            ("file.close", self.close, self._is_open),
        ):
            context.actions.connect(name, do, enabled)
        self._session.current_plan.changed.connect(self._changed)

    def new(self, path: Path | None = None) -> None:
        """Set up a project in the assistant, filled in from a file if there is one, and open it.

        An assistant that is working in the background, or failed there, is shown again instead of an empty one.
        """
        from adstudio.ui.files.new_project import NewProjectDialog

        assistant, self._in_background = (self._in_background if path is None else None), None
        if assistant is None:
            assistant = NewProjectDialog(self._context, self._window, path)
            assistant.ended.connect(lambda answer, assistant=assistant: self._creation_ended(assistant, answer))
        accepted = assistant.exec()
        if assistant.in_background:
            self._in_background = assistant
            return
        project, created = assistant.project, (assistant.report, assistant.model)
        assistant.deleteLater()
        if not accepted or project is None:
            return
        self._context.preferences.remember(project.path)
        self._created[project.path] = created
        if self.may_leave():
            self._enter(project, RestorePoint.LAST_SAVE)
        else:
            project.close()

    def _creation_ended(self, assistant: NewProjectDialog, answer: Finished | OtherFilm | Failed | None) -> None:
        """A project was created in the background, or could not be; the describer is not interrupted."""
        from adstudio.drafting.events import Failed, Finished, OtherFilm

        match answer:
            case Finished(project=path, report=report):
                self._in_background = None if self._in_background is assistant else self._in_background
                assistant.deleteLater()
                self._context.preferences.remember(path)
                self._created[path] = (report, assistant.model)
                if self._session.project is None:
                    self.open_path(path)
                else:
                    self._session.messages.say(f"{path.name} is ready: open it from the File menu.")
            case Failed(message=sentence) | OtherFilm(message=sentence):
                self._session.messages.say(f"{sentence.rstrip('.')}. “New project” shows it again.")
            case None:
                self._session.messages.say("The project was not created; “New project” continues where it stopped.")

    def open(self) -> None:
        """Ask for a project and open it."""
        recent = self._context.preferences.recent
        folder = recent[0].parent if recent and recent[0].parent.is_dir() else documents()
        path = ask_open(self._window, "Open a project", folder, (PROJECTS, ALL))
        if path is not None:
            self.open_path(path)

    def take(self, path: Path) -> None:
        """Open a project that was dropped or named; any other file becomes the source of a new one.

        A finished script comes into the project that is open.
        """
        path = Path(os.path.normpath(path.absolute()))
        try:
            is_dir, is_one = path.is_dir(), path.suffix.lower() == PROJECT or is_project(path)
        except (OSError, ValueError):
            tell(self._window, f"{shown(path.name)} cannot be opened: choose another file.")
            return
        if is_dir:
            tell(self._window, f"{path.name or path} is a folder: choose a project or a video.")
        elif is_one:
            self.open_path(path)
        elif self._session.project is not None and is_script_file(path):
            self.import_script(path)
        else:
            self.new(path)

    def open_path(self, path: Path) -> bool:
        """Open a project; asks if it was not closed properly, and says why if it cannot be opened."""
        path = Path(os.path.normpath(path.absolute()))
        if self._is_this(path):
            self._session.messages.say(f"{path.name} is open already.")
            return True
        opened = open_project(path, self._window)
        if opened is None:
            return False
        (project, message), at = opened, RestorePoint.LAST_STEP
        if project.recoverable and not project.read_only:
            at = ask_recovery(project, self._window)
        # Only now that the other project is sure to open may this one be left.
        if at is None or not self.may_leave():
            project.close()
            return False
        self._enter(project, at)
        if message:
            self._session.messages.say(message)
        return True

    def sample(self) -> None:
        """Open the sample film; if it is not there yet, prepare it in the background first."""
        if self._sample.project.exists():
            self.open_path(self._sample.project)
        else:
            self._sample.make()

    def save(self) -> bool:
        """Save the project; if that fails, offer another name."""
        project = self._session.project
        if project is None:
            return False
        if project.read_only:
            return self.save_as()
        reasons: list[str] = []
        listening = self._session.messages.said.connect(reasons.append)
        saved = self._session.save()
        self._session.messages.said.disconnect(listening)
        if saved:
            return True
        answer = ask(
            self._window,
            f"{project.path.name} could not be saved.",
            f"{reasons[-1] if reasons else ''}. Nothing is lost: your work is still here, and can be saved elsewhere.",
            ("Save as…",),
            otherwise="Not now",
        )
        return answer is not None and self.save_as()

    def save_as(self) -> bool:
        """Continue in a file of another name; the former one stays as it was last saved."""
        self._session.flush()
        project = self._session.project
        if project is None:
            return False
        answer = ask_save(self._window, "Save as", project.path, (PROJECTS,))
        path = None if answer is None else with_ending(self._window, answer[0], PROJECT)
        if path is None:
            return False
        if self._is_this(path):
            if project.read_only:
                tell(self._window, f"{path.name} is read-only: choose another name.")
                return False
            return self.save()
        return self.save_to(path)

    def save_to(self, path: Path) -> bool:
        """Write the script to a file, and continue in that one."""

        def go_on() -> None:
            script, plan = self._session.script, self._session.plan
            self._session.go_on_in(ProjectFile.create(path, script, plan=plan, like=self._session.project))
            self._context.preferences.remember(path)

        return self._try(go_on, f"Saved as {path.name}.")

    def export(self) -> None:
        """Show what is amiss with the script, and export it as the describer chooses."""
        self._session.flush()
        from adstudio.ui.files.export import ask_export

        project = self._session.project
        if project is None:
            return
        select = self._session.cursor.select
        show = lambda ids: select(Selection(Kind.LINE, ids))  # noqa: E731 - a way to show lines, to hand on
        name = ask_export(self._context, self._window, project.path, show, self._findings)
        if name:
            self._session.messages.say(f"Written: {name}.")

    def show_findings(self, findings: str) -> None:
        """What the quality checks have found, as a sentence: said before a script is exported."""
        self._findings = findings

    def export_audio(self) -> None:
        """Ask what is to be rendered of the narration, and render it beside other work."""
        from adstudio.ui.files.audio_export import AudioExport

        if self.audio is None:
            select = self._session.cursor.select
            self.audio = AudioExport(self._context, self._window, lambda ids: select(Selection(Kind.LINE, ids)))
        self.audio.ask()

    def replace_dialogue(self) -> None:
        """Use other subtitles in this project, as one undo step, once the describer has seen what changes."""
        from adstudio.ui.files.replace_dialogue import ReplaceDialogueDialog

        self._session.flush()
        if self._session.project is None:
            return
        dialog = ReplaceDialogueDialog(self._context, self._window, self._session.project.path)
        if dialog.exec():
            self._try(lambda: self._session.edits.attempt(lambda script: dialog.step(script, self._session.edits.ids)))
        dialog.deleteLater()

    def new_cut(self) -> None:
        """Bring this project to a new cut of its film, as one undo step, once the describer has seen what it did."""
        from adstudio.ui.files.new_cut import NewCutDialog

        self._session.flush()
        if self._session.project is None:
            return
        dialog = NewCutDialog(self._context, self._window, self._session.project.path)
        if dialog.exec():
            self._try(lambda: self._session.edits.attempt(lambda script: dialog.step(script, self._session.edits.ids)))
        dialog.deleteLater()

    def import_script(self, path: Path | None = None) -> None:
        """Bring a finished script into this project, as one undo step, once the describer has seen what changes."""
        from adstudio.ui.files.import_script import ImportScriptDialog

        self._session.flush()
        if self._session.project is None:
            return
        dialog = ImportScriptDialog(self._context, self._window, self._session.project.path, path)
        if dialog.exec():
            self._try(lambda: self._session.edits.attempt(lambda script: dialog.step(script, self._session.edits.ids)))
            current = self._session.current_plan
            current.catch_up()
            if not current.outcome.conflicts:
                self._session.messages.say(dialog.outcome)
        dialog.deleteLater()

    def settings(self) -> None:
        """Change the project's settings, as one undo step."""
        from adstudio.ui.files.project_settings import ProjectSettingsDialog

        dialog = ProjectSettingsDialog(self._session.script, self._window, self._context)
        if dialog.exec():
            self._session.edits.do(dialog.step)
        dialog.deleteLater()

    def close(self) -> bool:
        """Return to the welcome page; asks about unsaved work."""
        if not self.may_leave():
            return False
        self._session.close_project()
        return True

    def may_quit(self) -> bool:
        """Ask about unsaved work, or about audio that is being exported. If True, the program may end, and must."""
        self._session.flush()
        changed = self._is_open() and self._session.edits.document.changed
        if not changed and self.audio is not None and self.audio.client.busy and not self.audio.client.stopping:
            return ask(self._window, QUIT, QUIT_DETAIL, ("Quit",), careful=True) == 0
        return self.may_leave()

    def may_leave(self) -> bool:
        """Ask about unsaved work. If True, the project may be left, and must be."""
        self._session.flush()
        project = self._session.project
        if project is None or not self._session.edits.document.changed:
            return True
        save, lost = "Save", "Otherwise your changes since the last save are lost."
        if project.read_only:
            save, lost = "Save as…", "The project is read-only: save it under another name to keep your changes."
        left = dict.fromkeys(job.abandoned for job in self._context.jobs.running if job.abandoned and not job.stopped)
        detail = "\n\n".join([lost, *left])
        answer = ask(self._window, f"Save the changes in {project.path.name}?", detail, (save, "Don’t save"))
        if answer == 0:
            return self.save()
        if answer == 1 and not project.read_only:
            try:
                project.discard()
            except AdstudioError as error:
                # Then they stay in the file, and are offered when it is opened again.
                self._session.messages.report(error)
        return answer == 1

    def _enter(self, project: ProjectFile, at: RestorePoint) -> None:
        if not self._try(lambda: self._show(project, at)):
            return
        self._context.preferences.remember(project.path)
        from adstudio.drafting.report import report_from

        report, model = self._created.get(project.path, (None, ""))
        report = report or report_from(project.report)
        fresh = project.path in self._created and project.path not in self._opened
        if project.path in self._created:
            self._opened.add(project.path)
        if report is not None:
            self.drafted.emit(report, fresh and not model)
        if model and fresh:
            self.for_model.emit(model)
        if project.oddities:
            tell(self._window, "\n\n".join(f"{oddity.what}." for oddity in project.oddities))

    def _show(self, project: ProjectFile, at: RestorePoint) -> None:
        try:
            self._session.open_project(project, at)
        except AdstudioError:
            raise
        except Exception:
            # A recovery that crashes the program must not do so every time (the last save may be sound).
            log.exception("%s could not be shown", project.path)
            self._session.close_project()
            project.close()
            if at is not RestorePoint.LAST_STEP or not project.recoverable:
                raise
            copy = set_aside(project.path)
            self._session.open_project(ProjectFile.open(project.path), RestorePoint.LAST_SAVE)
            tell(
                self._window,
                f"The unsaved work in {project.path.name} could not be opened. The last save is open, "
                f"and a copy of the file was saved as {copy.name}.",
            )

    def _changed(self, event: ChangeEvent) -> None:
        project = self._session.project
        if event.change is None or project is None or not project.read_only or project is self._announced:
            return
        self._announced = project
        self._session.messages.say(
            f"{project.path.name} is open read-only: save it under another name to keep your changes."
        )

    def _sample_ready(self) -> None:
        if self._session.project is None:
            self.open_path(self._sample.project)
        else:
            self._session.messages.say("The sample film is ready: open it from the File menu.")

    def _try(self, do: Callable[[], object], said: str = "") -> bool:
        try:
            do()
        except AdstudioError as error:
            self._session.messages.report(error)
            tell(self._window, f"{error}.")
            return False
        if said:
            self._session.messages.say(said)
        return True

    def _is_open(self) -> bool:
        return self._session.project is not None

    def _is_this(self, path: Path) -> bool:
        return self._session.project is not None and same_file(path, self._session.project.path)

"""Projects as files: new, open, save, hand in, close. Nothing here is lost without being asked about."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from platformdirs import user_data_path, user_documents_path
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from adstudio.core.errors import AdstudioError
from adstudio.store.content import At
from adstudio.store.project import ProjectFile
from adstudio.ui.desk import Desk
from adstudio.ui.files.assistant import Assistant
from adstudio.ui.files.recovery import Choice, ask_recovery
from adstudio.ui.jobs import python_command

PROJECTS = "adstudio projects (*.adproj)"
EXPORTS = {
    "srt": "SubRip subtitles (*.srt)",
    "vtt": "WebVTT (*.vtt)",
    "csv": "Table (*.csv)",
    "json": "Script as JSON (*.json)",
    "reframed": "REFRAMED predictions (*.reframed.json)",
    "problem": "Planning problem (*.problem.json)",
    "plan": "Plan (*.plan.json)",
}
SAMPLE = "sample.adproj"


class Files:
    """Does the actions of the File menu."""

    def __init__(self, desk: Desk, window: QWidget) -> None:
        self._desk = desk
        self._session = desk.session
        self._window = window
        actions = desk.actions
        for name, do, enabled in (
            ("file.new", self.new, None),
            ("file.open", self.open, None),
            ("file.sample", self.sample, None),
            ("file.save", self._session.save, self._can_save),
            ("file.save_as", self.save_as, self._is_open),
            ("file.export", self.export, self._is_open),
            ("file.close", self.close, self._is_open),
            ("file.quit", window.close, None),
        ):
            actions.connect(name, do, enabled)

    def new(self) -> None:
        """Set up a project with the assistant and open it."""
        assistant = Assistant(self._desk, self._window)
        if assistant.exec() and assistant.project is not None and self.may_leave():
            self._opened(assistant.project, At.LAST_SAVE)

    def open(self) -> None:
        """Ask for a project and open it."""
        name, _ = QFileDialog.getOpenFileName(self._window, "Open a project", str(self._folder()), PROJECTS)
        if name:
            self.open_path(Path(name))

    def open_path(self, path: Path) -> bool:
        """Open a project; a question where it was not closed in order, one sentence where it cannot be opened."""
        if not self.may_leave():
            return False
        project = self._open_file(path)
        if project is None:
            return False
        at = At.LAST_STEP
        if project.recoverable and not project.read_only:
            match ask_recovery(project, self._window):
                case Choice.LAST_STEP:
                    at = At.LAST_STEP
                case Choice.LAST_SAVE:
                    at = At.LAST_SAVE
                case Choice.NOT_NOW:
                    project.close()
                    return False
        self._opened(project, at)
        return True

    def sample(self) -> None:
        """Make the sample film in the background and open it; at once where it is there already."""
        folder = user_data_path("adstudio") / "sample"
        if (folder / SAMPLE).exists():
            self.open_path(folder / SAMPLE)
            return
        command = [*python_command("adstudio"), "demo", "--headless", "--out", str(folder)]

        def ended(code: int, said: str) -> None:
            if code == 0:
                self.open_path(folder / SAMPLE)
            elif not job.stopped:
                self._session.say(said or "The sample film could not be made: see the log.")

        self._session.say("Making the sample film; it opens when it is ready.")
        job = self._desk.jobs.start("Making the sample film", command, lambda _: None, ended)

    def save_as(self) -> bool:
        """Go on in a file of another name."""
        project = self._session.project
        if project is None:
            return False
        name, _ = QFileDialog.getSaveFileName(self._window, "Save as", str(project.path), PROJECTS)
        if not name:
            return False
        path = Path(name).with_suffix(".adproj")

        def go_on() -> None:
            project.save_copy(path)
            self._session.go_on_in(ProjectFile.open(path))
            self._desk.preferences.remember(path)

        return self._tried(go_on)

    def export(self) -> None:
        """Write the script in one of the formats of the trade."""
        project = self._session.project
        if project is None:
            return
        start = str(project.path.with_suffix(".srt"))
        name, chosen = QFileDialog.getSaveFileName(
            self._window, "Export the script", start, ";;".join(EXPORTS.values())
        )
        if not name:
            return
        form = next((form for form, shown in EXPORTS.items() if shown == chosen), "srt")
        by_suffix = [form for form in EXPORTS if name.lower().endswith(f".{form}")]
        self.export_to(Path(name), by_suffix[0] if form == "srt" and by_suffix else form)

    def export_to(self, path: Path, form: str) -> bool:
        """Write the script as it stands now."""
        from adstudio.delivery.formats import deliver  # noqa: PLC0415 - only a hand-in needs the writers

        session = self._session
        media = session.script.film.media
        own = {session.project.path if session.project else None, Path(media.path) if media else None}
        if path.resolve() in {each.resolve() for each in own if each is not None}:
            session.say(f"{path.name} is the project or its video: choose another name.")
            return False
        script, plan = session.script, session.plan
        return self._tried(lambda: deliver(path, form, script, plan), f"Written: {path.name}")

    def close(self) -> bool:
        """Back to the welcome page; asks about unsaved work."""
        if not self.may_leave():
            return False
        self._session.close_project()
        return True

    def may_leave(self) -> bool:
        """Ask about unsaved work. True when the project may be let go."""
        project = self._session.project
        if project is None or not self._session.document.changed:
            return True
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Question)
        box.setText(f"Save the changes in {project.path.name}?")
        box.setInformativeText("Without saving, what you did since the last save is gone.")
        buttons = QMessageBox.StandardButton
        box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        box.setDefaultButton(buttons.Save)
        match box.exec():
            case buttons.Save:
                return self._session.save()
            case buttons.Discard:
                return self._tried(project.discard)
            case _:
                return False

    def _open_file(self, path: Path) -> ProjectFile | None:
        backups = user_data_path("adstudio") / "backups"
        try:
            return ProjectFile.open(path, backups=backups)
        except AdstudioError as error:
            first = error
        try:
            project = ProjectFile.open(path, read_only=True)
        except AdstudioError:
            self._desk.preferences.forget(path)
            self._complain(str(first))
            return None
        self._session.say(f"{first}. Opened to read: save it under another name to work on it.")
        return project

    def _opened(self, project: ProjectFile, at: At) -> None:
        def go() -> None:
            self._session.open_project(project, at)

        if self._tried(go):
            self._desk.preferences.remember(project.path)

    def _tried(self, do: Callable[[], object], said: str = "") -> bool:
        try:
            do()
        except AdstudioError as error:
            self._complain(str(error))
            return False
        if said:
            self._session.say(said)
        return True

    def _complain(self, sentence: str) -> None:
        self._session.say(sentence)
        QMessageBox.warning(self._window, "adstudio", sentence)

    def _folder(self) -> Path:
        recent = self._desk.preferences.recent
        return recent[0].parent if recent else user_documents_path()

    def _is_open(self) -> bool:
        return self._session.project is not None

    def _can_save(self) -> bool:
        return self._is_open() and self._session.document.changed


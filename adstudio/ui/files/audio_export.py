"""Export audio: a render beside other work, its dialog, and what came of it.

Rendering goes on among the tasks when the dialog is closed; what came of it is shown when it is opened again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from adstudio.core.errors import AdstudioError
from adstudio.core.narration import Take
from adstudio.core.plan import Plan
from adstudio.core.progress import Progress
from adstudio.core.script import Script
from adstudio.mix.job import CRASHED, PROTOCOL, MixEvent, MixFinished, MixJob
from adstudio.system.codec import CodecError
from adstudio.system.worker import Failed
from adstudio.ui.background.worker_clients import JobClient, JobTexts
from adstudio.ui.files.audio_export_dialog import TITLE, AudioExportDialog
from adstudio.ui.session.context import Context
from adstudio.ui.session.recording_folder import RecordingFolder
from adstudio.ui.widgets.formatting import as_sentence, counted

Select = Callable[[tuple[str, ...]], object]


def spoken_takes(script: Script, plan: Plan) -> list[Take | None]:
    """The chosen takes of what is spoken: in the plan, or while the picture is held."""
    found = [
        script.eventuality(each.element).variants[each.variant].chosen_take
        for each in plan.deliveries
        if each.element in script.eventuality_index
    ]
    extended = (line for line in script.eventualities if line.extended)
    return found + [variant.chosen_take for line in extended for variant in line.variants]


class AudioExport(QObject):
    """Runs one render at a time and shows its dialog; `select` gets lines to be shown."""

    def __init__(self, context: Context, window: QWidget, select: Select) -> None:
        super().__init__(window)
        self._context, self._window, self._select = context, window, select
        self.client = JobClient[MixJob, MixEvent](
            context.jobs, self, PROTOCOL, (MixFinished,), JobTexts(CRASHED, abandoned="The audio is not exported yet.")
        )
        self._recordings = RecordingFolder(context.session)
        self.client.received.connect(self._progressed)
        self.client.ended.connect(self._ended)
        self.dialog: AudioExportDialog | None = None
        self.progress: Progress | None = None
        self.answer: MixFinished | Failed | None = None
        """What came of the render last asked for."""
        context.session.opened.connect(self._opened)

    def ask(self) -> None:
        """Show the dialog: of the render that is running, or with what came of the last one."""
        session = self._context.session
        session.flush()
        if session.project is None:
            return
        if self.dialog is None:
            self.dialog = AudioExportDialog(self._context, self._window, session.project.path)
            self.dialog.finished.connect(self._closed)
            self.dialog.requested.connect(self.start)
            self.dialog.stop_asked.connect(self._stop)
            self.dialog.lines_asked.connect(self._want)
            self._show()
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()

    def start(self, job: MixJob) -> None:
        """Render."""
        try:
            recordings = self._recordings.with_recordings(spoken_takes(job.script, job.plan))
            self.client.start(f"{TITLE}: {job.target.name}", replace(job, recordings=recordings))
        except (AdstudioError, CodecError) as error:
            if self.dialog is not None:
                self.dialog.refuse(str(error))
            return
        self.progress = self.answer = None
        self._show()

    def _stop(self) -> None:
        self.client.stop()
        self._show()

    def _want(self, lines: tuple[str, ...]) -> None:
        self._select(lines)
        self._window.activateWindow()

    def _show(self) -> None:
        if self.dialog is None:
            return
        if self.client.busy:
            self.dialog.show_progress(self.progress, stopping=self.client.stopping)
        else:
            self.dialog.show_answer(self.answer)

    def _progressed(self, event: object) -> None:
        if isinstance(event, Progress):
            self.progress = event
            self.client.report_progress(event)
            self._show()

    def _ended(self, answer: MixFinished | Failed | None) -> None:
        self.answer = answer
        self._recordings.clear()
        match answer:
            case MixFinished(kind="lines"):
                said = f"Audio exported: {counted(answer.lines, 'line')}."
            case MixFinished():
                said = f"Audio exported: {answer.files[0].name}"
                if answer.loudness is not None:
                    said += f", {answer.loudness:.1f} LUFS".replace("-", "−")
                said += "."
            case Failed(message):
                said = as_sentence(message)
            case _:
                said = "Audio export stopped: nothing was written."
        self._context.session.messages.say(said)
        self._show()

    def _closed(self, _result: int) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.deleteLater()

    def _opened(self) -> None:
        """Another project: its dialog is another one; a render that is running goes on."""
        if not self.client.busy:
            self.answer = None
        if self.dialog is not None:
            self.dialog.reject()

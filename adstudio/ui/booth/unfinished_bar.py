"""Recordings that a crash has left, one at a time: kept as a take, or deleted."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from adstudio.recording.messages import Answer, Recorded, Recover
from adstudio.recording.unfinished import Unfinished, remove_recording
from adstudio.system.worker import Failed
from adstudio.ui.booth.take_files import TakeFiles
from adstudio.ui.booth.take_recorder import TakeRecorder
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import Button
from adstudio.ui.widgets.flow_layout import FlowLayout
from adstudio.ui.widgets.formatting import as_sentence
from adstudio.ui.widgets.text import words
from adstudio.ui.widgets.theme import UNIT

SHOWN = 40
"""Characters of a line."""


class UnfinishedBar(QWidget):
    """Hidden where there is nothing left."""

    def __init__(
        self, context: Context, recorder: TakeRecorder, files: TakeFiles, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._recorder, self._files = context.session, recorder, files
        self.text = words()
        self.text.setAccessibleName("Unfinished recording")
        self.keep = Button("Keep it", self.keep_it, "Make it a take of its line.", "Keep the unfinished recording")
        self.drop = Button("Delete it", self.delete_it, name="Delete the unfinished recording")
        layout = FlowLayout(self, spacing=2 * UNIT)
        for widget in (self.text, self.keep, self.drop):
            layout.addWidget(widget)
        self.hide()

    @property
    def found(self) -> Unfinished | None:
        """The oldest recording that was left; None where there is none, or one is being made."""
        return None if self._recorder.busy else next(iter(self._files.unfinished()), None)

    def renew(self) -> str:
        """Look for what is left; returns the sentence that is shown."""
        found = self.found
        sentence = ""
        if found is not None:
            text = found.text if len(found.text) <= SHOWN else f"{found.text[: SHOWN - 1]}…"
            sentence = f"A recording of {found.length / 1000:.1f} s of “{text}” was not finished."
        self.text.setText(sentence)
        self.setVisible(found is not None)
        return sentence

    def keep_it(self) -> None:
        """Make it a take, which is used."""
        found = self.found
        if found is None:
            return

        def answered(answer: Answer) -> None:
            if isinstance(answer, Recorded):
                self._files.add(answer, found.line, found.variant, found.text, "recovered")
            elif isinstance(answer, Failed):
                self._session.messages.say(as_sentence(answer.message))
            self.renew()

        self._recorder.client.ask(Recover(found.path), answered)

    def delete_it(self) -> None:
        """Delete it for good."""
        found = self.found
        if found is not None:
            remove_recording(found.path)
        self.renew()

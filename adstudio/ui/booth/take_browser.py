"""The takes of the current line: shown, played over the picture, chosen, trimmed, levelled, named and deleted."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSignalBlocker, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QWidget

from adstudio.core.narration import Take
from adstudio.core.plan import Delivery
from adstudio.core.script import Eventuality, Script, Variant
from adstudio.core.steps import Step
from adstudio.editing.fusions import spoken_line
from adstudio.editing.takes import choose_take, remove_take, rename_take, set_take_level, trim_take
from adstudio.recording.messages import Answer, Cut, Inspect, Waveform
from adstudio.system.worker import Failed
from adstudio.ui.booth.labelled import Labelled
from adstudio.ui.booth.take_audition import TakeAudition
from adstudio.ui.booth.take_files import TakeFiles
from adstudio.ui.booth.take_list import TakeList
from adstudio.ui.booth.take_recorder import TakeRecorder
from adstudio.ui.booth.take_waveform import TakeWaveform
from adstudio.ui.hearing.film_level import chosen_envelope
from adstudio.ui.hearing.film_narration import wording
from adstudio.ui.picture.player import Player
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import Slider, of_action
from adstudio.ui.widgets.flow_layout import FlowLayout
from adstudio.ui.widgets.form import column
from adstudio.ui.widgets.formatting import as_sentence
from adstudio.ui.widgets.input_dialog import InputDialog
from adstudio.ui.widgets.text import words
from adstudio.ui.widgets.theme import UNIT

LOUDEST_DB = 24
WIDEST = "+24 dB "
Edit = Callable[[Script, str, int, str], Step | None]


class TakeBrowser(QWidget):
    """Follows the current line. What is done to a take is one step each."""

    current_changed = Signal()
    """Another line or take is shown."""

    def __init__(
        self, context: Context, player: Player, recorder: TakeRecorder, files: TakeFiles, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._context, self._session = context, context.session
        self._recorder, self._files = recorder, files
        self.audition = TakeAudition(player, self._session.messages.say, self)
        self.held: str | None = None
        """The line that is shown instead of the current one: playing selects the lines that are spoken."""
        self._shown: tuple[str, int] | None = None
        self._waves: dict[str, Waveform] = {}
        self.takes = TakeList()
        self.wave = TakeWaveform(context.theme)
        self.level = Slider("Level of the take, in dB", LOUDEST_DB)
        self.level.setRange(-LOUDEST_DB, LOUDEST_DB)
        self.level.setPageStep(3)
        self.level.setFixedWidth(30 * UNIT)
        self.level_text = words("0 dB", figures=True)
        actions = context.actions
        both = QHBoxLayout()
        both.setSpacing(2 * UNIT)
        both.addWidget(self.takes, 2)
        both.addWidget(self.wave, 3)
        below = FlowLayout(spacing=2 * UNIT)
        buttons = [
            of_action(actions[name], text)
            for name, text in (
                ("booth.play", "Play"), ("booth.choose", "Use"), ("booth.leave", "Use none"),
                ("booth.rename", "Rename…"), ("booth.delete", "Delete"),
            )
        ]  # fmt: skip
        for widget in (*buttons, Labelled("Level", self.level, self.level_text, beside=buttons[0])):
            below.addWidget(widget)
        layout = column(both, below, spacing=UNIT)
        layout.setStretch(0, 1)
        self.setLayout(layout)
        has_take = lambda: self.take is not None  # noqa: E731 - a predicate to hand on
        actions.connect("booth.play", self.play, has_take)
        actions.connect("booth.choose", self.choose, has_take)
        actions.connect("booth.leave", self.leave, self._has_choice)
        actions.connect("booth.rename", self.rename, has_take)
        actions.connect("booth.delete", self.delete, has_take)
        actions["hear.stop"].triggered.connect(lambda *_: self.audition.stop())
        self.takes.currentRowChanged.connect(lambda _: self._show_take())
        self.takes.itemActivated.connect(lambda _: self.choose())
        self.wave.trimmed.connect(self._trim)
        self.wave.moved.connect(self._session.messages.say)
        self.level.valueChanged.connect(self._level_chosen)
        self._fit()

    @property
    def line(self) -> Eventuality | None:
        """The current line, or the one that is held; a fused one as the line that it becomes with a take."""
        found = self._spoken
        return None if found is None else found[0]

    @property
    def _spoken(self) -> tuple[Eventuality, Delivery | None] | None:
        script, current = self._session.script, self._session.cursor.line
        name = self.held if self.held in script.eventuality_index else None if current is None else current.id
        return None if name is None else spoken_line(script, self._session.plan, name)

    @property
    def variant(self) -> int:
        """The number of its wording that is spoken, or would be."""
        found = self._spoken
        return 0 if found is None else wording(*found)

    @property
    def wording(self) -> Variant | None:
        """That wording; None where there is no line."""
        line = self.line
        return None if line is None else line.variants[self.variant]

    @property
    def take(self) -> Take | None:
        """The take that is current in the list."""
        found, row = self.wording, self.takes.currentRow()
        return found.takes[row] if found is not None and 0 <= row < len(found.takes) else None

    @property
    def cue(self) -> int:
        """Where in the film the line begins; without one, the playhead."""
        line = self.line
        return self._session.cursor.playhead if line is None else self.cue_of(line)

    def cue_of(self, line: Eventuality) -> int:
        """Where in the film a line begins: as planned, locked or at its action; else at the playhead."""
        delivery = self._session.plan.by_line.get(line.id)
        if delivery is not None:
            return delivery.start
        if line.pin.start is not None:
            return line.pin.start
        return self._session.cursor.playhead if line.occurrence is None else line.occurrence.start

    def forget(self) -> None:
        """Another project is open."""
        self._waves.clear()
        self._shown = None

    def renew(self) -> None:
        """Show the current line; a take that was just added is current, else the one that was, else the one used."""
        line, found = self.line, self.wording
        where = None if line is None else (line.id, self.variant)
        with QSignalBlocker(self.takes):
            before, row = self.takes.count(), self.takes.currentRow() if where == self._shown else -1
            self.takes.show_takes(found)
            count = self.takes.count()
            if found is not None and count:
                used = next((place for place, take in enumerate(found.takes) if take.id == found.take), count - 1)
                added = where == self._shown and count > before
                self.takes.setCurrentRow(count - 1 if added else used if row < 0 else min(row, count - 1))
        self._shown = where
        self._show_take()

    def play(self) -> None:
        """Hear the take over the picture, or stop it."""
        line, take = self.line, self.take
        if self.audition.busy:
            self.audition.stop()
            return
        path = None if take is None or self._recorder.busy else self._files.file_of(take)
        if line is None or take is None or path is None:
            return
        target, start, number = self._files.scratch("take.wav"), self.cue, self.variant

        def answered(answer: Answer) -> None:
            if isinstance(answer, Waveform):
                spoken = Delivery(line.id, number, start, start + answer.length)
                self.silence_voice()
                self.audition.play(target, start, spoken.end, chosen_envelope(self._context, (spoken,)))
                self.current_changed.emit()
            elif isinstance(answer, Failed):
                self._session.messages.say(as_sentence(answer.message))

        self._recorder.client.ask(Cut(path, target, take.start, take.end, take.level), answered)

    def silence_voice(self) -> None:
        """While a take is recorded or played, the voice speaks no lines along with the film."""
        for name, on in (("hear.stop", QAction.isEnabled), ("hear.film", QAction.isChecked)):
            action = self._context.actions[name]
            if on(action):
                action.trigger()

    def choose(self) -> None:
        """Use the take for its wording."""
        self._edit(choose_take, unchanged="That take is used already.")

    def leave(self) -> None:
        """Use no take: the voice speaks the line."""
        line, number = self.line, self.variant
        if line is not None:
            self._session.edits.attempt(lambda script: choose_take(script, line.id, number, None))

    def rename(self) -> None:
        """Give the take a name."""
        take = self.take
        if take is None:
            return
        name, agreed = InputDialog.ask_text(self, "Rename take", "&Name:", take.name)
        if agreed:
            self._edit(lambda script, line, number, found: rename_take(script, line, number, found, name))

    def delete(self) -> None:
        """Delete the take; undo brings it back."""
        self._edit(remove_take)

    def _has_choice(self) -> bool:
        found = self.wording
        return found is not None and found.take is not None

    def _show_take(self) -> None:
        take = self.take
        with QSignalBlocker(self.level):
            self.level.setValue(0 if take is None else round(take.level / 10))
        self.level.setEnabled(take is not None)
        self._show_level(self.level.value())
        wave = None if take is None else self._waves.get(take.sound)
        if take is None or wave is None:
            self.wave.show_take(None)
        else:
            self.wave.show_take(wave, take.start, take.length if take.end is None else take.end)
        if take is not None and wave is None and self.isVisible():
            self._inspect(take)
        self.current_changed.emit()

    def _inspect(self, take: Take) -> None:
        path = self._files.file_of(take)
        if path is None:
            return

        def answered(answer: object) -> None:
            if isinstance(answer, Waveform):
                self._waves[take.sound] = answer
                self._show_take()

        self._recorder.client.ask(Inspect(path), answered)

    def _trim(self, start: int, end: int) -> None:
        trim = lambda script, line, number, take: trim_take(script, line, number, take, start, end)  # noqa: E731
        self._edit(trim, amends="trim take")
        self._show_take()

    def _level_chosen(self, level: int) -> None:
        self._show_level(level)
        set_level = lambda script, line, number, take: set_take_level(script, line, number, take, level * 10)  # noqa: E731
        self._edit(set_level, amends="take level")

    def _show_level(self, level: int) -> None:
        self.level_text.setText(f"{'+' if level > 0 else '−' if level < 0 else ''}{abs(level)} dB")

    def _edit(self, make: Edit, *, unchanged: str = "", amends: str = "") -> None:
        line, take, number = self.line, self.take, self.variant
        if line is not None and take is not None:
            run = f"{amends} {line.id} {take.id}" if amends else ""
            step: Callable[[Script], Step | None] = lambda script: make(script, line.id, number, take.id)  # noqa: E731
            self._session.edits.attempt(step, amends=run, unchanged=unchanged)

    def _fit(self) -> None:
        self.level_text.setFixedWidth(self.level_text.fontMetrics().horizontalAdvance(WIDEST) + UNIT)

    def changeEvent(self, event: QEvent) -> None:
        """Text of another size needs another width."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

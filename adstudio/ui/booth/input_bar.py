"""The booth's settings: the device and its level, how much of the film is played before the cue, and the count-in."""

from __future__ import annotations

from contextlib import suppress

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QWidget

from adstudio.recording.messages import Inputs, Level, Listen
from adstudio.ui.booth.labelled import Labelled
from adstudio.ui.booth.level_meter import LevelMeter
from adstudio.ui.booth.take_recorder import Phase, TakeRecorder
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import Check, Picker, of_action
from adstudio.ui.widgets.flow_layout import FlowLayout
from adstudio.ui.widgets.number_field import NumberField
from adstudio.ui.widgets.theme import UNIT

DEVICE, PRE_ROLL, COUNT_IN = "booth/device", "booth/pre_roll", "booth/count_in"
DEFAULT_PRE_ROLL = "4"
AGAIN = "Look again"
NO_DEVICE = f"There is no microphone: connect one, then choose “{AGAIN}”. Takes can be imported without one."


class InputBar(QWidget):
    """Opens the chosen device of the recorder, and shows its level."""

    opened = Signal()
    """The device is open."""
    refused = Signal(str)
    """There is none, and why."""

    def __init__(self, context: Context, recorder: TakeRecorder, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._preferences, self._recorder = context.preferences, recorder
        self.source: Listen | None = None
        """What is recorded from instead of the chosen device; for tests."""
        self.device = Picker("Input device")
        self.device.addItem(AGAIN, None)
        self.meter = LevelMeter(context.theme)
        self.pre_roll = NumberField("Pre-roll in seconds", greatest=30, decimals=1, suffix=" s", step=0.5)
        with suppress(ValueError):
            self.pre_roll.setValue(float(self._preferences.text(PRE_ROLL, DEFAULT_PRE_ROLL)))
        self.tones = Check("Count-in", self._tones_chosen, "A tone on each of the three seconds before the cue.")
        self.tones.setChecked(self._preferences.flag(COUNT_IN, default=True))
        layout = FlowLayout(self, spacing=2 * UNIT)
        load = of_action(context.actions["booth.import"], "Import…")
        for widget in (
            Labelled("Input", self.device, self.meter, beside=load),
            Labelled("Pre-roll", self.pre_roll, beside=load),
            Labelled("", self.tones, beside=load),
            load,
        ):
            layout.addWidget(widget)
        self.device.activated.connect(self._chosen)
        self.meter.clicked.connect(lambda _: recorder.reset_clip())
        self.pre_roll.valueChanged.connect(lambda value: self._preferences.store(PRE_ROLL, f"{value:g}"))
        recorder.inputs_listed.connect(self._listed)
        recorder.level_changed.connect(self._level_read)
        recorder.failed.connect(lambda _: self._show_closed())
        recorder.phase_changed.connect(lambda phase: self.device.setEnabled(phase is Phase.IDLE))
        self._is_open = False

    @property
    def pre_roll_ms(self) -> int:
        """How much of the film is played before the cue."""
        return round(self.pre_roll.value() * 1000)

    def open(self) -> None:
        """Open the chosen device; `opened` or `refused` follows."""
        self._is_open = False
        name = self.device.currentData()
        if self.source is not None:
            self._recorder.listen(self.source)
        elif name:
            self._recorder.listen(Listen(str(name)))
        else:
            self._recorder.list_inputs()

    def close_input(self) -> None:
        """Let go of the device."""
        self._recorder.close_input()
        self._show_closed()

    def _listed(self, answer: object) -> None:
        found = answer if isinstance(answer, Inputs) else Inputs((), "")
        wanted = self._preferences.text(DEVICE)
        chosen = wanted if wanted in found.devices else found.default
        with QSignalBlocker(self.device):
            self.device.clear()
            for name in found.devices:
                self.device.addItem(name, name)
            if not found.devices:
                self.device.addItem("No microphone", "")
            self.device.addItem(AGAIN, None)
            self.device.setCurrentIndex(max(0, self.device.findData(chosen)))
        if found.devices:
            self._recorder.listen(Listen(chosen))
        else:
            message = getattr(answer, "message", "")
            self.refused.emit(f"{message}. Takes can be imported without one." if message else NO_DEVICE)

    def _chosen(self, _place: int) -> None:
        name = self.device.currentData()
        self.close_input()
        if name is None:
            self._recorder.list_inputs()
        elif name:
            self._preferences.store(DEVICE, name)
            self._recorder.listen(Listen(name))
        else:
            self.refused.emit(NO_DEVICE)

    def _level_read(self, level: Level) -> None:
        self.meter.show_level(level)
        if self._recorder.is_open and not self._is_open:
            self._is_open = True
            self.opened.emit()

    def _show_closed(self) -> None:
        if not self._recorder.is_open:
            self._is_open = False
            self.meter.show_level(None)

    def _tones_chosen(self, on: bool) -> None:
        self._preferences.store_flag(COUNT_IN, on)

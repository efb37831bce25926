"""The strip above the polished lines: which model, which lines, start and stop, and what is done with a proposal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from adstudio.ui.drafts.model_picker import ModelPicker
from adstudio.ui.drafts.scene_widgets import Elided
from adstudio.ui.polish.proposal_rows import ProposalState
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import Button, Picker
from adstudio.ui.widgets.header_strip import HeaderStrip
from adstudio.ui.widgets.theme import UNIT

SCENE, FILM = range(2)
Do = Callable[[], object]


@dataclass(frozen=True)
class HeaderCallbacks:
    """What its parts do: another choice was made, and each button."""

    choose: Do
    start: Do
    stop: Do
    go_out: Do
    accept: Do
    leave: Do
    hear: Do


class PolishHeader(HeaderStrip):
    """Shows what it is told; knows the models."""

    def __init__(self, desk: Context, does: HeaderCallbacks) -> None:
        super().__init__()
        tip = "The model to be asked; it is sent words alone: the lines, and the dialogue around them"
        self.model = ModelPicker(desk, tip, does.choose)
        self.which = Picker("Lines to polish")
        self.which.setToolTip("Lines that you have worded, accepted or chosen the wording of stay as they are")
        self.which.setMinimumWidth(44 * UNIT)
        self.which.activated.connect(lambda _: does.choose())
        self.start_button = Button("Polish", does.start, "Have the model write these lines again, each in its time")
        self.stop_button = Button("Stop", does.stop, "Stop the model; what has come is kept", "Stop the model")
        self.progress = Elided()
        self.progress.setAccessibleName("How the polishing stands")
        self.out_button = Button("", does.go_out)
        self.accept_button = Button("Accept", does.accept, "Take the proposal over (A)", "Accept the proposal")
        self.leave_button = Button("Leave", does.leave, "Keep the line as it is (X)", "Leave the line as it is")
        self.hear_button = Button("Hear", does.hear, "Speak the polished line (H)", "Hear the polished line")
        self.lines.setContentsMargins(2 * UNIT, UNIT, 2 * UNIT, UNIT)
        asked = (self.model, self.which, self.start_button, self.stop_button)
        self.fill(asked, self.progress, (self.out_button, self.accept_button, self.leave_button, self.hear_button))

    def show_choices(self, *texts: str) -> None:
        """What there is to polish."""
        place = max(self.which.currentIndex(), 0)
        if list(texts) != [self.which.itemText(each) for each in range(self.which.count())]:
            self.which.clear()
            self.which.addItems(texts)
            self.which.setCurrentIndex(place)

    def show_state(self, *, busy: bool, stopping: bool, ready: bool, way_out: str) -> None:
        """Whether a model is at work, whether it could be, and what leads out where it could not."""
        self.model.let(not busy)
        self.which.setEnabled(not busy)
        self.start_button.setVisible(not busy)
        self.start_button.setEnabled(ready)
        self.stop_button.setVisible(busy)
        self.stop_button.setEnabled(not stopping)
        self.out_button.setVisible(not busy and bool(way_out))
        self.out_button.setText(way_out)
        self.out_button.setAccessibleName(way_out)

    def show_row(self, state: ProposalState | None, *, some: bool) -> None:
        """How the proposal in hand stands, None for none; whether there are any at all."""
        can = state in (ProposalState.OPEN, ProposalState.LEFT)
        for button in (self.accept_button, self.leave_button, self.hear_button):
            button.setVisible(some)
        self.accept_button.setEnabled(can)
        self.leave_button.setEnabled(can)
        self.leave_button.setText("Open again" if state is ProposalState.LEFT else "Leave")
        self.leave_button.setAccessibleName(
            "Open the proposal again" if state is ProposalState.LEFT else "Leave the line as it is"
        )
        self.hear_button.setEnabled(state is not None)

"""What the panels that ask a model share: which model, what it is asked for, start and stop, and how far it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QProgressBar, QSizePolicy, QWidget

from adstudio.connections.saved_connections import SavedConnection, read_connections
from adstudio.core.errors import AdstudioError
from adstudio.ui.drafts.model_request import LIMIT_HELP, Obstacle, OpenModels, limit_for
from adstudio.ui.session.context import Context
from adstudio.ui.session.preferences import Preferences
from adstudio.ui.session.session import Session
from adstudio.ui.widgets.controls import Button, Picker
from adstudio.ui.widgets.header_strip import HeaderStrip
from adstudio.ui.widgets.text import Label, tone
from adstudio.ui.widgets.theme import UNIT

STEPS = 1000


@dataclass(frozen=True)
class PanelTexts:
    """What the shared parts of a panel are called, and their tooltips."""

    model_tip: str
    which: str
    which_tip: str
    start: str
    start_tip: str
    progress: str
    bar: str


class ModelPicker(Picker):
    """The models that are known; the one that was chosen last, in whichever panel, stays chosen."""

    def __init__(self, session: Session, preferences: Preferences, chosen: Callable[[], object]) -> None:
        super().__init__("Model")
        self._session, self._preferences, self._chosen = session, preferences, chosen
        self._connections: tuple[SavedConnection, ...] = ()
        self.setMinimumWidth(30 * UNIT)
        self.activated.connect(self._choose)

    @property
    def named(self) -> SavedConnection | None:
        """The model that is chosen."""
        place = self.currentIndex()
        return self._connections[place] if 0 <= place < len(self._connections) else None

    def read(self) -> None:
        """Offer the models that are known now."""
        try:
            connections = read_connections()
        except AdstudioError as error:
            connections = ()
            self._session.messages.report(error)
        chosen, names = self._preferences.text("model", ""), [each.name for each in connections]
        if connections != self._connections or not self.count():
            self._connections = connections
            self.clear()
            self.addItems(names or ["No model yet"])
        self.setCurrentIndex(names.index(chosen) if chosen in names else 0)

    def let(self, change: bool) -> None:
        """Let it be changed, where there is anything to choose."""
        self.setEnabled(change and bool(self._connections))

    def _choose(self) -> None:
        if self.named is not None:
            self._preferences.store("model", self.named.name)
        self._chosen()


class Elided(Label):
    """A sentence on one line, cut where there is no room; all of it is in the tooltip, and read to screen readers."""

    def __init__(self) -> None:
        super().__init__(textFormat=Qt.TextFormat.PlainText)
        self.setMinimumWidth(12 * UNIT)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.whole = ""

    def show_text(self, text: str) -> None:
        """Show a sentence."""
        if text != self.whole:
            self.whole = text
            self.setToolTip(text)
            self.setAccessibleDescription(text)
            self._cut()

    def resizeEvent(self, event: object) -> None:
        """Cut anew."""
        del event
        self._cut()

    def _cut(self) -> None:
        QLabel.setText(self, self.fontMetrics().elidedText(self.whole, Qt.TextElideMode.ElideRight, self.width()))


class ModelPanel(QWidget):
    """The base of a panel whose list a model fills. `header` goes above the list; a panel puts the parts into it."""

    counted = Signal(int)
    """How many entries need attention: the number on the tab."""

    def __init__(self, context: Context, open_models: OpenModels, texts: PanelTexts) -> None:
        super().__init__()
        self._context, self._session, self._open_models = context, context.session, open_models
        self._way_out: Obstacle | None = None
        self.header = HeaderStrip()
        self.model = ModelPicker(context.session, context.preferences, self.choice_changed)
        self.model.setToolTip(texts.model_tip)
        self.which = Picker(texts.which)
        self.which.setToolTip(texts.which_tip)
        self.which.activated.connect(lambda _: self.choice_changed())
        self.start_button = Button(texts.start, self.start, texts.start_tip)
        self.stop_button = Button("Stop", self.stop, "Stop the model; results so far are kept", "Stop the model")
        self.out_button = Button("", self._leave_obstacle)
        self.progress = Elided()
        self.progress.setAccessibleName(texts.progress)
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName(texts.bar)
        self.bar.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def start(self) -> None:
        """Ask the model for what is chosen."""
        raise NotImplementedError

    def stop(self) -> None:
        """Ask the run to end; what has come is kept."""
        raise NotImplementedError

    def renew(self) -> None:
        """Read everything again: the known models, the policy, what there is to ask for."""
        raise NotImplementedError

    def choice_changed(self) -> None:
        """Another model was chosen, or something else to ask it for."""
        raise NotImplementedError

    def open_limit(self) -> None:
        """Let the describer change how much the film may cost."""
        raise NotImplementedError

    @property
    def is_unseen(self) -> bool:
        """Whether nothing of it is on the screen: hidden, or behind another tab."""
        return not self.isVisible() or self.visibleRegion().isEmpty()

    @property
    def limit(self) -> int | None:
        """What the film may cost with the chosen model, in millionths of a US dollar; None without a limit."""
        project = self._session.project
        return limit_for(self._context.preferences, "" if project is None else project.identity, self.model.named)

    def show_choices(self, texts: Sequence[str]) -> int:
        """Offer these; the place of the chosen one, which stays chosen."""
        place = max(self.which.currentIndex(), 0)
        if list(texts) != [self.which.itemText(each) for each in range(self.which.count())]:
            self.which.clear()
            self.which.addItems(list(texts))
            self.which.setCurrentIndex(place)
        return place

    def show_run(self, *, busy: bool, stopping: bool, ready: bool, way_out: Obstacle | None) -> None:
        """Whether a model is at work, whether it could be, and what leads out where it could not."""
        focused = self.window().focusWidget() is self.out_button
        self._way_out = way_out
        self.model.let(not busy)
        self.which.setEnabled(not busy)
        self.start_button.setVisible(not busy)
        self.start_button.setEnabled(ready and not busy)
        self.stop_button.setVisible(busy)
        self.stop_button.setEnabled(not stopping)
        self.out_button.setVisible(not busy and way_out is not None and bool(way_out.button))
        self.out_button.setText("" if way_out is None else way_out.button)
        self.out_button.setToolTip(LIMIT_HELP if way_out is not None and way_out.limit else "")
        self.out_button.setAccessibleName(self.out_button.text())
        if focused and self.out_button.isHidden() and self.start_button.isEnabled():
            # What it led to is done, in another window: the focus comes back to what is next.
            self.start_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_progress(self, text: str, *, quiet: bool, share: float | None) -> None:
        """Show how far it is, as a sentence and a share; None where that cannot be measured."""
        self.progress.show_text(text)
        tone(self.progress, quiet=quiet)
        self.bar.setRange(0, 0 if share is None else STEPS)
        self.bar.setValue(round((share or 0.0) * STEPS))
        self.bar.setAccessibleDescription(text)

    def _leave_obstacle(self) -> None:
        """Open what leads out of what keeps the model from being asked."""
        way = self._way_out
        if way is not None and way.limit:
            self.open_limit()
            return
        if way is not None and way.page:
            self._open_models(way.page)
        elif way is not None and way.action:
            self._context.actions[way.action].trigger()
        self.renew()

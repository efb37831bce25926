"""What is seldom changed of how a model is asked, behind a small button: how long it thinks, what the film may cost."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from adstudio.connections.saved_connections import SavedConnection
from adstudio.core.errors import BadInputError
from adstudio.drafting.limits import THINKING, cost_limit
from adstudio.llm.messages import Thinking
from adstudio.ui.drafts.messages import exact_money
from adstudio.ui.drafts.model_request import limit_key, stored_limit
from adstudio.ui.session.preferences import Preferences
from adstudio.ui.widgets.controls import Picker, Tool, line
from adstudio.ui.widgets.form import add_row, form
from adstudio.ui.widgets.formatting import as_sentence
from adstudio.ui.widgets.text import note, say_in, warning
from adstudio.ui.widgets.theme import UNIT

NAME = "How the model is asked"
LEVELS: dict[Thinking, str] = {"off": "Not at all", "low": "A little", "medium": "Some", "high": "Long"}
COST_IS = "For all requests about this film, in US dollars. At the limit no more is requested; results so far stay."
NO_PRICE = "The price of this model is not known, so no limit can be kept."
NO_COST = "This model costs nothing by the token: no limit stops it."
WIDE = 76 * UNIT
THINKING_KEY = "draft_thinking"


class ModelOptionsButton(Tool):
    """The button, and what it opens; `changed` hears of a change. Both choices are remembered on this machine.

    The limit is the project's own, which `project` names by its identity (empty where none is open).
    """

    def __init__(
        self, preferences: Preferences, changed: Callable[[], object], project: Callable[[], str] = lambda: ""
    ) -> None:
        super().__init__("⋯", NAME, self.open)
        self._preferences, self._changed, self._identity = preferences, changed, project
        self._shown_of = project()
        self._priced, self._free = True, False
        self.setFixedWidth(6 * UNIT)
        self.thinking_pick = Picker("How long the model thinks")
        self.thinking_pick.setMinimumWidth(32 * UNIT)
        for level, words in LEVELS.items():
            self.thinking_pick.addItem(words, level)
        self.thinking_pick.activated.connect(self._chosen)
        self.limit_field = line("What the film may cost, US dollars", "No limit")
        self.limit_field.setAccessibleDescription(COST_IS)
        self.limit_field.editingFinished.connect(self.flush)
        self.explained = note("What the limit means")
        self.wrong = warning("What is wrong with the limit")
        self.popup = _Popup(self, self.flush)
        fields = form(20 * UNIT)
        add_row(fields, "&Thinks", self.thinking_pick)
        add_row(fields, "May &cost $", self.limit_field)
        layout = QVBoxLayout(self.popup)
        layout.setContentsMargins(3 * UNIT, 3 * UNIT, 3 * UNIT, 3 * UNIT)
        layout.setSpacing(2 * UNIT)
        layout.addLayout(fields)
        layout.addWidget(self.explained)
        layout.addWidget(self.wrong)
        self._show()

    @property
    def thinking(self) -> Thinking:
        """How long the model may think."""
        stored = self._preferences.text(THINKING_KEY, "off")
        return THINKING[THINKING.index(stored)] if stored in THINKING else "off"

    @property
    def most_micro_usd(self) -> int | None:
        """What the film may cost, in millionths of a US dollar; None without a limit, or where none can be kept.

        Nor does one stop a model that costs nothing.
        """
        return self._stored_limit if self._priced and not self._free else None

    @property
    def _stored_limit(self) -> int | None:
        return stored_limit(self._preferences, self._identity())

    @property
    def summary(self) -> str:
        """What is to be known of it before anything is asked, to be put behind an estimate; empty where nothing is."""
        stored = self._stored_limit
        if stored is None or self._free:
            return ""
        return f" · stops at {exact_money(stored)} for the film" if self._priced else " · no limit can be kept"

    def show_model(self, named: SavedConnection | None) -> None:
        """Another model may be chosen, which may have no price, or another project be open."""
        priced = named is None or named.capabilities.price_known
        free = named is not None and named.capabilities.free
        now = (priced, free, self._identity())
        # What is being typed stays, whatever else is renewed meanwhile.
        if now != (self._priced, self._free, self._shown_of):
            self._priced, self._free, self._shown_of = now
            self._show()

    def open(self) -> None:
        """Open it below the button, with the focus in it; Escape leads back."""
        self._show()
        self.popup.setFixedWidth(WIDE)
        self.popup.adjustSize()
        room = self.screen().availableGeometry()
        place = self.mapToGlobal(QPoint(0, self.height()))
        above = self.mapToGlobal(QPoint(0, 0)).y() - self.popup.height()
        y = place.y() if place.y() + self.popup.height() <= room.bottom() else above
        x = min(place.x(), room.right() - self.popup.width())
        self.popup.move(max(x, room.left()), max(y, room.top()))
        self.popup.show()
        self.thinking_pick.setFocus(Qt.FocusReason.PopupFocusReason)

    def open_limit(self) -> None:
        """Open it with the focus in the limit, which is to be changed."""
        self.open()
        self.limit_field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.limit_field.selectAll()

    def flush(self) -> None:
        """Take the limit that is being typed, unless it is none."""
        if not self._priced or not self._identity():
            return
        text = self.limit_field.text().strip()
        try:
            limit = cost_limit(text)
        except BadInputError as error:
            say_in(self.wrong, as_sentence(str(error)))
            self.popup.adjustSize()
            return
        if limit != self._stored_limit:
            self._preferences.store(limit_key(self._identity()), "" if limit is None else f"{limit / 1_000_000:.6f}")
            self._changed()
        self._show()

    def _chosen(self) -> None:
        self._preferences.store(THINKING_KEY, str(self.thinking_pick.currentData()))
        self._show()
        self._changed()

    def _show(self) -> None:
        """Show what is stored in the fields, and in the button's description."""
        thinking, limit = self.thinking, self._stored_limit if self._priced else None
        self.thinking_pick.setCurrentIndex(self.thinking_pick.findData(thinking))
        self.limit_field.setEnabled(self._priced and bool(self._identity()))
        self.limit_field.setText("" if limit is None else exact_money(limit).removeprefix("$").replace(",", ""))
        self.limit_field.setPlaceholderText("No limit" if self._priced else "Price not known")
        say_in(self.explained, NO_COST if self._free else COST_IS if self._priced else NO_PRICE)
        say_in(self.wrong, "")
        costs = "no limit of cost" if limit is None or self._free else f"stops at {exact_money(limit)} for the film"
        chosen = f"Thinks: {LEVELS[thinking].lower()}; {costs if self._priced else 'no limit can be stored'}"
        self.setToolTip(f"{NAME}. {chosen}.")
        self.setAccessibleDescription(f"{chosen}.")


class _Popup(QFrame):
    """What the button opens; `closed` is called when it goes, however it does."""

    def __init__(self, parent: QWidget, closed: Callable[[], object]) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._closed = closed
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAccessibleName(NAME)

    def hideEvent(self, event: QHideEvent) -> None:
        """Take what was typed; the focus returns to the button."""
        super().hideEvent(event)
        self._closed()
        parent = self.parentWidget()
        if parent is not None and parent.isVisible():
            parent.setFocus(Qt.FocusReason.PopupFocusReason)

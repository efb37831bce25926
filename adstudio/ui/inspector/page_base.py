"""What every page of the inspector is: shown, brought up to date, filled when the hand rests, flushed at its end."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from adstudio.core.script import Script
from adstudio.core.steps import Step
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import Button
from adstudio.ui.widgets.text_field import TextField
from adstudio.ui.widgets.theme import UNIT
from adstudio.ui.widgets.value_field import ValueField, time_field

TIME_WIDTH = 23 * UNIT


class Page(QWidget):
    """One kind of thing in hand."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        self.session = context.session
        self._identity = ""  # what is shown

    def show_now(self) -> None:
        """Bring everything up to date with the session."""

    def fill(self) -> None:
        """Add what takes a while to work out; called when the hand rests."""

    def forget(self) -> None:
        """Another document is open: ids mean other things, and what was half typed belongs to none of them."""
        self._identity = ""

    def flush(self) -> None:
        """Take what is being typed."""
        for field in self.findChildren(ValueField):
            field.flush()

    def attempt(self, make: Callable[[Script], Step | None], *, amends: str = "") -> None:
        """Take a step; where nothing came of it, the fields show again what holds."""
        if not self.session.edits.attempt(make, amends=amends):
            self.show_now()

    def give_up(self, field: TextField, shown: Callable[[], str | None]) -> None:
        """Typing in a field was cancelled: what was taken of it goes; `shown` is what then holds, where it is there."""
        self.session.edits.give_up(f"{field.bout.key} {self._identity}")
        text = shown()
        if text is not None:
            field.show_other(text)

    def time(self, name: str, *, optional: bool = False) -> ValueField:
        """A field for a time of the film."""
        field = time_field(name, lambda: self.session.script.film, optional=optional)
        field.setFixedWidth(TIME_WIDTH)
        field.refused.connect(self.session.messages.say)
        return field

    def here(self, field: ValueField) -> Button:
        """A button that puts the playhead's time into a field."""
        name = f"{field.accessibleName()} at the playhead"
        return Button("Here", lambda: field.take(self.session.cursor.playhead), "Take the time of the playhead", name)

"""What every page of the inspector is: shown, brought up to date, filled when the user is idle, flushed at its end."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QWidget

from adstudio.core.script import Script
from adstudio.core.steps import Step
from adstudio.core.timebase import Span
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import Button
from adstudio.ui.widgets.fitted_width import TIME_SAMPLE, FittedWidth
from adstudio.ui.widgets.form import Form
from adstudio.ui.widgets.formatting import timecode
from adstudio.ui.widgets.text_field import TextField, TypingRun
from adstudio.ui.widgets.value_field import ValueField, time_field

Make = Callable[[Script], Step | None]
Edit = Callable[..., Step | None]
"""An edit of `adstudio/editing`: script, ids (or one id), and its own arguments."""


class Page(QWidget):
    """One kind of thing that can be selected; `first` is what has the focus when it is gone to by a key."""

    first: QWidget | None = None

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        self.session = context.session
        self._identity = ""  # what is shown
        self._is_other = False  # than what was shown before

    @property
    def ids(self) -> tuple[str, ...]:
        """What is shown, and edited."""
        return (self._identity,)

    def show_now(self) -> None:
        """Bring everything up to date with the session."""

    def fill(self) -> None:
        """Add what takes a while to work out; called when the user is idle."""

    def forget(self) -> None:
        """Another document is open: ids mean other things, and what was half typed belongs to none of them."""
        self._identity = ""

    def flush(self) -> None:
        """Take what is being typed."""
        for field in (*self.findChildren(TextField), *self.findChildren(ValueField)):
            field.flush()

    def show_in(self, field: TextField | ValueField, value: str | int | None) -> None:
        """Show a text or a value in its field; what is being typed there stays, unless the item is another."""
        match field, value:
            case TextField(), str(text):
                (field.show_other if self._is_other else field.show_text)(text)
            case ValueField(), int() | None:
                (field.show_other if self._is_other else field.show_value)(value)

    def attempt(self, make: Make, run: TypingRun | None = None) -> None:
        """Take a step, one with the others of its typing run; if nothing came of it, the fields show what holds."""
        if not self.session.edits.attempt(make, amends="" if run is None else self._amends(run)):
            self.show_now()

    def apply(self, edit: Edit, *values: object, run: TypingRun | None = None, **options: object) -> None:
        """Apply an edit to everything shown."""
        self.attempt(lambda script: edit(script, self.ids, *values, **options), run)

    def text_field(
        self, name: str, hint: str, edit: Edit, current: Callable[[], str | None], *, needs_words: bool = False
    ) -> TextField:
        """A field for a text of the item shown: `edit` changes it, `current` is what the script says now."""
        field = TextField(name, needs_words=needs_words)
        field.setPlaceholderText(hint)
        field.entered.connect(
            lambda text: self.attempt(lambda script: edit(script, self._identity, text), field.typing_run)
        )

        def cancel() -> None:
            self.session.edits.give_up(self._amends(field.typing_run))
            text = current()
            if text is not None:
                field.show_other(text)

        field.cancelled.connect(cancel)
        return field

    def time(self, name: str, *, optional: bool = False) -> ValueField:
        """A field for a time of the film."""
        field = time_field(name, lambda: self.session.script.film, optional=optional)
        FittedWidth(field, TIME_SAMPLE)
        field.refused.connect(self.session.messages.say)
        return field

    def here(self, field: ValueField) -> Button:
        """A button that puts the playhead's time into a field."""
        name = f"{field.accessibleName()} at the playhead"
        return Button("Here", lambda: field.take(self.session.cursor.playhead), "Take the time of the playhead", name)

    def add_span(self, form: Form, edit: Edit) -> tuple[ValueField, ValueField]:
        """Fields for start and end of the item shown, which `edit` changes."""
        fields = self.time("From"), self.time("Until")

        def set_edge(side: str, run: TypingRun, t: int) -> None:
            self.attempt(lambda script: edit(script, self._identity, **{side: t}), run)

        for field, side in zip(fields, ("start", "end"), strict=True):
            form.add(field.accessibleName(), field, self.here(field))
            field.entered.connect(partial(set_edge, side, field.typing_run))
        return fields

    def span_text(self, span: Span) -> str:
        """A span in the film's timecode."""
        film = self.session.script.film
        return f"{timecode(film, span.start)} – {timecode(film, span.end)}"

    def _turn_to(self, identity: str) -> None:
        """Show this item from now on."""
        self._is_other, self._identity = identity != self._identity, identity

    def _amends(self, run: TypingRun) -> str:
        return f"{run.key} {self._identity}"

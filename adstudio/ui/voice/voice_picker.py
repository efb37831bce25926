"""The list of voices: those of the film's language first, engine by engine, then the others."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, QSize, Signal
from PySide6.QtWidgets import QComboBox

from adstudio.ui.session.voices import Voices
from adstudio.ui.widgets.controls import Picker

LEAST_LETTERS, USUAL_LETTERS = 9, 18
"""How much of a voice's name is shown at least, and where there is room."""
MOST_SHOWN = 20
BEST = "Best for the film’s language"
_BETWEEN = "\n"


class VoicePicker(Picker):
    """A choice of an engine and a voice; `none` is what the first entry says, which is neither.

    A voice of an `engine` alone is chosen where one is given: lines speak with the project's. What is chosen and not
    there any more stays in the list.
    """

    picked = Signal(str, str)
    """Somebody chose this engine and voice; both are empty for none."""

    def __init__(self, name: str, voices: Voices, none: str) -> None:
        super().__init__(name)
        self._voices, self._none = voices, none
        self._chosen = ("", "")
        self._engine: str | None = None
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(USUAL_LETTERS)
        self.setMaxVisibleItems(MOST_SHOWN)
        self.setStyleSheet(f"{self.styleSheet()} QComboBox {{ combobox-popup: 0; }}")  # or the list fills the screen
        self.activated.connect(lambda _: self._pick())
        voices.changed.connect(self._fill)
        self._fill()

    @property
    def choice(self) -> tuple[str, str]:
        """The engine and the voice; both are empty for none."""
        return self._chosen

    def show_choice(self, engine: str, voice: str) -> None:
        """Choose without a signal."""
        if (engine, voice) != self._chosen:
            self._chosen = engine, voice
            self._fill()

    def show_none(self, none: str) -> None:
        """Say something else in the first entry."""
        if none != self._none:
            self._none = none
            with QSignalBlocker(self):
                self.setItemText(0, none)

    def show_engine(self, engine: str) -> None:
        """Offer the voices of one engine only, of this computer's first where it has no name."""
        if engine != self._engine:
            self._engine = engine
            self._fill()

    def minimumSizeHint(self) -> QSize:
        """It may be narrower than is comfortable."""
        least = super().minimumSizeHint()
        spared = (self.minimumContentsLength() - LEAST_LETTERS) * self.fontMetrics().horizontalAdvance("X")
        return QSize(least.width() - max(0, spared), least.height())

    def _pick(self) -> None:
        engine, _, voice = str(self.currentData()).partition(_BETWEEN)
        if (engine, voice) != self._chosen:
            self._chosen = engine, voice
            self.picked.emit(engine, voice)

    def _fill(self) -> None:
        voices, engine = self._voices, self._engine
        several = engine is None
        with QSignalBlocker(self):
            self.clear()
            self.addItem(self._none, _BETWEEN)
            listed = [each for each in voices.engines if each.voices and (several or each.engine == engine)]
            if engine == "":
                first = voices.of("")
                listed = [] if first is None else [first]
            there: set[tuple[str, str]] = set()
            for each in listed:
                if several:
                    self.addItem(f"{BEST} · {each.engine}", f"{each.engine}{_BETWEEN}")
                for voice in each.voices:
                    there.add((each.engine, voice.id))
                    self._add(f"{voice.name} · {each.engine}" if several else voice.name, each.engine, voice.id)
            others = [
                (each.engine, voice)
                for each in voices.all_engines
                if several or each.engine in {one.engine for one in listed} or each.engine == engine
                for voice in each.voices
                if (each.engine, voice.id) not in there
            ]
            if others and self.count() > 1:
                self.insertSeparator(self.count())
            for name, voice in others:
                shown = f"{voice.name} ({voice.language})"
                self._add(f"{shown} · {name}" if several else shown, name, voice.id)
            self._select()

    def _add(self, text: str, engine: str, voice: str) -> None:
        self.addItem(text, f"{engine if self._engine is None else ''}{_BETWEEN}{voice}")

    def _select(self) -> None:
        """Mark what is chosen; without an engine, the voice of that name is meant, whoever has it."""
        engine, voice = self._chosen
        place = self.findData(f"{engine}{_BETWEEN}{voice}")
        if place < 0 and not engine:
            ends = f"{_BETWEEN}{voice}"
            place = next((n for n in range(self.count()) if str(self.itemData(n)).endswith(ends)), -1)
        if place < 0:
            name = self._voices.name_of(engine, voice) if voice else BEST
            missing = " – not on this computer" if self._voices.known and self._voices.all_engines else ""
            self.insertItem(1, f"{name}{f' · {engine}' if engine else ''}{missing}", f"{engine}{_BETWEEN}{voice}")
            place = 1
        self.setCurrentIndex(place)

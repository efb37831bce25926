"""The choices that hold for every project: theme, text size, planning engine and its limit, voice and keys."""

from __future__ import annotations

from importlib.util import find_spec

from PySide6.QtCore import QLocale, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from adstudio.core.narration import VoiceSettings
from adstudio.ui.session.context import Context
from adstudio.ui.session.preferences import GREATEST_LIMIT, LEAST_LIMIT
from adstudio.ui.session.spelling import OFF
from adstudio.ui.session.spelling import PREFERENCE as SPELLING
from adstudio.ui.session.voices import DEFAULT_ENGINE, DEFAULT_VOICE, default_voice
from adstudio.ui.voice.voice_picker import VoicePicker
from adstudio.ui.widgets.careful_dialog import CarefulDialog
from adstudio.ui.widgets.controls import Check, Picker, button
from adstudio.ui.widgets.default_key import take_ctrl_return
from adstudio.ui.widgets.form import add_row, column, form
from adstudio.ui.widgets.number_field import WholeField, add_number
from adstudio.ui.widgets.text import heading, note, say_in
from adstudio.ui.widgets.theme import TEXT_SIZES, UNIT, Look

LOOKS = {Look.SYSTEM: "System", Look.LIGHT: "Light", Look.DARK: "Dark", Look.CONTRAST: "High contrast"}
ENGINES = {
    "auto": "Automatic: exact, confirmed by CP-SAT",
    "exact": "Exact only; CP-SAT where rules need it",
    "cpsat": "CP-SAT for every change",
    "gurobi": "Gurobi, where it is licensed",
}
BEST = "Best voice on this computer"
VOICE_TIP = "Speaks in projects without a voice of their own, whose lines are timed by the speaking rate."
HOLD_TIP = "With narration while playing: the film pauses until the line has been spoken, then continues."


class PreferencesDialog(CarefulDialog, QDialog):
    """Shows the choices and remembers them on OK."""

    keys_asked = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Preferences")
        self._context = context
        self._voices = voices = context.voices
        preferences = context.preferences
        self.look = _box("Theme", {look.value: shown for look, shown in LOOKS.items()}, preferences.look.value)
        sizes = {str(size): "As the system" if size == 100 else f"{size} %" for size in TEXT_SIZES}
        self.text_size = _box("Text size", sizes, str(preferences.text_size))
        engines = {
            name: shown for name, shown in ENGINES.items() if name != "gurobi" or find_spec("gurobipy") is not None
        }
        self.engine = _box("Planning engine", engines, preferences.backend)
        self.limit = WholeField(
            "Planning time limit per scene, in seconds", least=LEAST_LIMIT, greatest=GREATEST_LIMIT, suffix=" s"
        )
        self.limit.setValue(round(preferences.limit))
        self.voice = VoicePicker("Default voice", voices, BEST)
        self.voice.setToolTip(VOICE_TIP)
        chosen = default_voice(preferences)
        self.voice.show_choice(chosen.engine, chosen.voice)
        self._voice_problem = note("Why the default voice cannot speak")
        self._show_problem()
        voices.changed.connect(self._show_problem)
        self.voice.picked.connect(lambda *_: self._show_problem())
        self.spelling = _box("Spelling", self._dictionaries(), context.spelling.choice)
        self.hold = Check("Pause the picture for lines longer than their gap", lambda _: None, HOLD_TIP)
        self.hold.setChecked(preferences.flag("hear/hold", default=False))
        fields = form(36 * UNIT)
        add_row(fields, "T&heme", self.look)
        add_row(fields, "Text si&ze", self.text_size)
        add_row(fields, "Planning &engine", self.engine)
        add_number(fields, "Planning &time limit per scene", self.limit)
        add_row(fields, "Default &voice", self.voice)
        add_row(fields, "&Spelling", self.spelling)
        add_row(fields, "Listening", self.hold)
        add_row(fields, "Keys", button("&Keyboard…", "Look up and assign keys", self.keys_asked.emit))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        take_ctrl_return(self)
        buttons.accepted.connect(self._keep)
        buttons.rejected.connect(self.reject)
        ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.limit.refused.connect(lambda: ok.setEnabled(not self.limit.problem))
        layout = column(heading("For every project"), fields, self._voice_problem, spacing=3 * UNIT)
        layout.setContentsMargins(6 * UNIT, 5 * UNIT, 6 * UNIT, 5 * UNIT)
        layout.addStretch(1)
        layout.addWidget(buttons)
        self.setLayout(layout)
        self.resize(110 * UNIT, self.sizeHint().height())
        self._at_first = self._choices

    def _dictionaries(self) -> dict[str, str]:
        """The dictionaries that can be chosen, by their tags."""
        spelling = self._context.spelling
        spelling.load()
        there = spelling.available
        first = f" ({spelling.tag}{' first' if spelling.asks_others else ''})" if spelling.tag else ""
        best = f"Dictionary for the film’s language{first}"
        names = {tag: f"{QLocale(tag).nativeLanguageName() or tag} ({tag})" for tag in there.tags}
        return {"": there.problem or best, **names, OFF: "Off"}

    def _show_problem(self) -> None:
        say_in(self._voice_problem, self._voices.problem_of(VoiceSettings(*self.voice.choice)))

    def is_changed(self) -> bool:
        """Whether a choice differs."""
        return self._choices != self._at_first

    @property
    def _choices(self) -> tuple[object, ...]:
        boxes = (self.look, self.text_size, self.engine, self.spelling)
        chosen = (str(box.currentData()) for box in boxes)
        return (*chosen, self.limit.value(), self.voice.choice, self.hold.isChecked())

    def _keep(self) -> None:
        preferences = self._context.preferences
        preferences.store("backend", str(self.engine.currentData()))
        preferences.store("limit", str(self.limit.value()))
        engine, voice = self.voice.choice
        preferences.store(DEFAULT_ENGINE, engine)
        preferences.store(DEFAULT_VOICE, voice)
        preferences.store(SPELLING, str(self.spelling.currentData()))
        preferences.store_flag("hear/hold", self.hold.isChecked())
        preferences.store("text_size", str(self.text_size.currentData()))
        self._context.theme.wear(Look(self.look.currentData()))
        self.accept()


def _box(name: str, choices: dict[str, str], chosen: str) -> Picker:
    box = Picker(name)
    for value, shown in choices.items():
        box.addItem(shown, value)
    box.setCurrentIndex(max(0, box.findData(chosen)))
    return box

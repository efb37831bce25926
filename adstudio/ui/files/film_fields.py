"""The fields about the film itself: its title, the language described in, its frame rate and first timecode."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from adstudio.core.errors import BadInputError
from adstudio.core.film import Film
from adstudio.core.timebase import RATES, FrameRate, parse_rate
from adstudio.system.languages import canonical_language, require_language
from adstudio.ui.widgets.controls import Picker, line
from adstudio.ui.widgets.form import add_row, column, form
from adstudio.ui.widgets.text import say_in, warning
from adstudio.ui.widgets.theme import UNIT

LANGUAGES = {
    "en": "English",
    "en-GB": "English, British",
    "en-US": "English, American",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "it": "Italian",
    "pt": "Portuguese",
    "pt-BR": "Portuguese, Brazilian",
    "nl": "Dutch",
    "sv": "Swedish",
    "da": "Danish",
    "nb": "Norwegian",
    "fi": "Finnish",
    "pl": "Polish",
    "cs": "Czech",
    "el": "Greek",
    "tr": "Turkish",
    "ja": "Japanese",
    "ko": "Korean",
    "zh": "Chinese",
}
LONGEST_TITLE = 500


def shown_rate(rate: FrameRate) -> str:
    """A rate by its usual name, or as a fraction if it has none."""
    if rate.name in RATES or rate.rate.denominator == 1:
        return rate.name
    return f"{rate.rate.numerator}/{rate.rate.denominator}"


class FilmFields(QWidget):
    """Title, language, frame rate and start timecode. A proposal changes nothing that the describer has entered."""

    changed = Signal()

    def __init__(self, labels: int = 36 * UNIT) -> None:
        super().__init__()
        self._entered: set[QWidget] = set()
        self.title_field = line("Title")
        self.title_field.setMaxLength(LONGEST_TITLE)
        self.language_field = Picker("Language of the description")
        for tag, name in LANGUAGES.items():
            self.language_field.addItem(f"{name} ({tag})", tag)
        self.rate_field = Picker("Frame rate")
        self.rate_field.addItems(list(RATES))
        self.start_field = line("Start timecode")
        self.start_field.setMaxLength(16)
        self._wrong = warning("Problem with the film’s details")
        self.form = fields = form(labels)
        add_row(fields, "&Title", self.title_field)
        add_row(fields, "&Language", self.language_field)
        add_row(fields, "Frame &rate", self.rate_field)
        add_row(fields, "Start ti&mecode", self.start_field)
        self.setLayout(column(fields, self._wrong))
        self.rate_field.setFixedWidth(44 * UNIT)
        self.start_field.setFixedWidth(44 * UNIT)
        for field in (self.title_field, self.start_field):
            field.textEdited.connect(lambda _, field=field: self._entered.add(field))
            field.textChanged.connect(self._edited)
        for box in (self.language_field, self.rate_field):
            box.setEditable(True)
            box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
            edit = box.lineEdit()
            if edit is not None:
                edit.textEdited.connect(lambda _, box=box: self._entered.add(box))
            box.activated.connect(lambda _, box=box: self._entered.add(box))
            box.editTextChanged.connect(self._edited)
        self.show_language("en")
        self.show_rate(RATES["25"])
        self._edited()

    @property
    def title(self) -> str:
        """The film's title."""
        return " ".join(self.title_field.text().split())

    @property
    def language(self) -> str:
        """The language tag, in its usual form; as it was typed where that is no language."""
        text = self.language_field.currentText().strip()
        place = self.language_field.findText(text)
        return str(self.language_field.itemData(place)) if place >= 0 else canonical_language(text) or text

    @property
    def rate(self) -> FrameRate | None:
        """The frame rate; None while the field has none."""
        try:
            return parse_rate(self.rate_field.currentText(), self.start)
        except BadInputError:
            return None

    @property
    def start(self) -> str:
        """The timecode of the first frame; empty for all zeros."""
        return self.start_field.text().strip()

    @property
    def problem(self) -> str:
        """What is wrong, in a sentence; empty if nothing is."""
        try:
            require_language(self.language)
            rate = parse_rate(self.rate_field.currentText(), self.start)
            if self.start:
                rate.frame_of_label(self.start)
        except BadInputError as error:
            return str(error)
        return ""

    def propose_title(self, title: str) -> None:
        """Fill in a title, unless the describer has typed one."""
        if self.title_field not in self._entered:
            self.title_field.setText(title)

    def propose_language(self, tag: str) -> None:
        """Fill in a language, unless the describer has chosen one."""
        if self.language_field not in self._entered:
            self.show_language(tag)

    def propose_rate(self, rate: FrameRate) -> None:
        """Fill in a frame rate, unless the describer has chosen one."""
        if self.rate_field not in self._entered:
            self.show_rate(rate)

    def show_film(self, film: Film) -> None:
        """Show the details of an existing film."""
        self.title_field.setText(film.title)
        self.show_language(film.language)
        self.show_rate(film.frame_rate)
        self.start_field.setText(film.start_timecode)

    def show_language(self, tag: str) -> None:
        """Show a language by its name, or by its tag."""
        name = LANGUAGES.get(tag)
        self.language_field.setEditText(f"{name} ({tag})" if name else tag)

    def show_rate(self, rate: FrameRate) -> None:
        """Show a frame rate."""
        self.rate_field.setEditText(shown_rate(rate))

    def _edited(self) -> None:
        rate = self.rate
        self.start_field.setPlaceholderText("00:00:00;00" if rate is not None and rate.drop else "00:00:00:00")
        say_in(self._wrong, self.problem)
        self.changed.emit()

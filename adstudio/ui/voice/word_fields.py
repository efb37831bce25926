"""The entry of one word: word, spoken as, phonemes; to be tried, saved and removed. Nothing is taken before Save."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from adstudio.core.narration import MAX_PRONUNCIATION_LENGTH, Pronunciation
from adstudio.ui.widgets.controls import RETURN, Button, Check, NameField
from adstudio.ui.widgets.flow_layout import FlowLayout
from adstudio.ui.widgets.form import Form, column
from adstudio.ui.widgets.text import note, say_in, warning
from adstudio.ui.widgets.text_field import takes_escape
from adstudio.ui.widgets.theme import UNIT

SPOKEN_TIP = "As it would be spelt to be read right: shiv-AWN; with “Phonemes”, IPA or eSpeak’s: ʃɪˈvɔːn"


class EntryField(NameField):
    """A field that Return and Escape leave."""

    returned = Signal()
    escaped = Signal()

    def __init__(self, name: str, hint: str) -> None:
        super().__init__(name)
        self.setPlaceholderText(hint)
        self.setMaxLength(MAX_PRONUNCIATION_LENGTH)

    def event(self, event: QEvent) -> bool:
        """Escape is this field's while it has the focus."""
        return takes_escape(event) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return saves, Escape gives up."""
        if event.key() in RETURN:
            self.returned.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)


class WordFields(QWidget):
    """Fields and buttons; whoever uses them knows the lexicon."""

    word_changed = Signal()
    changed = Signal()
    """What stands in the fields has changed."""

    def __init__(self) -> None:
        super().__init__()
        self.word = EntryField("Word", "a name, or any word")
        self.spoken = EntryField("Spoken as", "for example shiv-AWN")
        self.spoken.setToolTip(SPOKEN_TIP)
        self.phonemes = Check("Phonemes", lambda _: self.changed.emit(), "It is written in phonemes: IPA, or eSpeak’s")
        self.hear = Button("Hear", lambda: None, "Speak the word as it stands here", "Hear the word")
        self.hear_line = Button("Hear in line", lambda: None, "Speak a line that has it", "Hear the word in a line")
        self.save = Button("Save", lambda: None, "Speak it so everywhere", "Save the pronunciation")
        self.remove = Button("Remove", lambda: None, "Speak it as it is spelt again", "Remove the pronunciation")
        self.where = note("Where the word is")
        self.problem = warning("Problem with the pronunciation")
        buttons = FlowLayout()
        for each in (self.phonemes, self.hear, self.hear_line, self.save, self.remove):
            buttons.addWidget(each)
        form = Form()
        form.add("Word", self.word, stretch=True)
        form.add("Spoken as", self.spoken, stretch=True)
        form.add_layout("", buttons)
        self.setLayout(column(form, self.where, self.problem, None, spacing=UNIT))
        self.word.textEdited.connect(lambda _: self.word_changed.emit())
        self.spoken.textEdited.connect(lambda _: self.changed.emit())

    @property
    def wanted(self) -> tuple[str, str, bool]:
        """Word, spoken as, and whether that is in phonemes, as they stand here."""
        return self.word.text().strip(), self.spoken.text().strip(), self.phonemes.isChecked()

    def show_word(self, word: str) -> None:
        """Another word, with nothing said of it yet."""
        self.word.setText(word)
        self.spoken.clear()
        self.phonemes.setChecked(False)

    def show_entry(self, entry: Pronunciation) -> None:
        """An entry of the lexicon."""
        if self.word.text().strip() != entry.word:
            self.word.setText(entry.word)
        self.spoken.setText(entry.spoken)
        self.phonemes.setChecked(entry.phonemes)

    def say_problem(self, sentence: str) -> None:
        """What is wrong; it is read with the field too."""
        say_in(self.problem, sentence)
        self.spoken.setAccessibleDescription(sentence)

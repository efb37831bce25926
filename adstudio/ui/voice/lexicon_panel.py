"""The panel of the lexicon: all pronunciations, and the entry of one word, which a key leads to."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QSplitter, QWidget
from shiboken6 import isValid

from adstudio.core.errors import AdstudioError, Oddity
from adstudio.core.narration import Lexicon, Pronunciation
from adstudio.core.script import Script
from adstudio.core.steps import SetLexicon
from adstudio.core.words import folded
from adstudio.editing.change import EditRefused
from adstudio.editing.voicing import import_pronunciations, pronunciation_of, set_pronunciation
from adstudio.system.files import read_bounded, write_atomically
from adstudio.ui.session.context import Context
from adstudio.ui.session.voices import speaking_voice
from adstudio.ui.voice.lexicon_table import LexiconModel, LexiconTable, WordPlaces, matching
from adstudio.ui.voice.word_fields import WordFields
from adstudio.ui.widgets.controls import RETURN, Button, NameField
from adstudio.ui.widgets.file_dialogs import ALL, ask_open, ask_save, documents, tell, with_ending
from adstudio.ui.widgets.flow_layout import FlowLayout
from adstudio.ui.widgets.form import LABEL_DROP, column, scrolled
from adstudio.ui.widgets.formatting import as_sentence, counted, quoted
from adstudio.ui.widgets.text import words
from adstudio.ui.widgets.theme import UNIT

CSV_FILES, TEXT_FILES = "Comma-separated values (*.csv)", "Text (*.txt)"
LISTS = "Lists of words (*.csv *.tsv *.txt)"
MOST_LISTED = 12
ALL_THERE = "The lexicon has all of them already."
NOT_PHONEMES = "These are no phonemes of IPA or eSpeak."
SEARCH_WIDTH = 40 * UNIT


class LexiconPanel(QWidget):
    """What is saved or removed is one step, and heard at once."""

    counted = Signal(int)
    hear_asked = Signal(str, str, object)
    """This text is to be spoken, in the voice of a line (its id, or nothing), by this lexicon."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context, self._session = context, context.session
        self._places = WordPlaces()
        self._shown: Lexicon = ()
        self._came_from: QWidget | None = None
        self.rows = LexiconModel(lambda word: self._places.of(self._session.script, word))
        self.table = LexiconTable(
            self.rows,
            {
                **dict.fromkeys(RETURN, self._edit_chosen),
                Qt.Key.Key_Delete: self.remove,
                Qt.Key.Key_H: self.hear,
            },
        )
        self.search = NameField("Search the pronunciations")
        self.search.setPlaceholderText("Search")
        self.search.setClearButtonEnabled(True)
        self.search.setMaximumWidth(SEARCH_WIDTH)
        self.export_button = Button("Export…", self.export_file, "Write them to a file", "Export pronunciations")
        self.number = words(quiet=True, figures=True)
        self.number.setAccessibleName("Number of pronunciations")
        self.number.setContentsMargins(UNIT, LABEL_DROP, 0, 0)
        self.fields = WordFields()
        strip = FlowLayout()
        for each in (
            self.search,
            Button("New", self._begin_new, "Another word", "New pronunciation"),
            Button("Import…", self.import_file, "Add the words of a CSV or text file", "Import pronunciations"),
            self.export_button,
            self.number,
        ):
            strip.addWidget(each)
        left, right = QWidget(), QWidget()
        listed, entered = column(strip, self.table, grows=self.table), column(self.fields)
        listed.setContentsMargins(3 * UNIT, UNIT, 2 * UNIT, UNIT)
        entered.setContentsMargins(2 * UNIT, UNIT, 3 * UNIT, UNIT)
        left.setLayout(listed)
        right.setLayout(entered)
        both = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        both.addWidget(left)
        both.addWidget(scrolled("Pronunciation of a word", right))
        both.setStretchFactor(0, 3)
        both.setStretchFactor(1, 2)
        self.setLayout(column(both, spacing=0))
        self.setFocusProxy(self.fields.word)
        self._connect()
        self._renew()

    def _connect(self) -> None:
        fields, session = self.fields, self._session
        fields.word_changed.connect(self._word_typed)
        fields.changed.connect(self._show_state)
        for field in (fields.word, fields.spoken):
            field.returned.connect(self.save)
            field.escaped.connect(self._give_up)
        fields.hear.clicked.connect(lambda *_: self.hear())
        fields.hear_line.clicked.connect(lambda *_: self.hear_in_line())
        fields.save.clicked.connect(lambda *_: self.save())
        fields.remove.clicked.connect(lambda *_: self.remove())
        self.search.textChanged.connect(lambda _: self._renew())
        self.table.selectionModel().currentRowChanged.connect(lambda current, _: self._choose(current.row()))
        self.table.doubleClicked.connect(lambda _: self._edit_chosen())
        session.opened.connect(self._opened)
        session.current_plan.announcement_turn().connect(lambda _: self._follow())
        self._context.voices.changed.connect(self._show_state)

    @property
    def count(self) -> int:
        """How many words the lexicon has."""
        return len(self._session.script.lexicon)

    @property
    def _entry(self) -> Pronunciation | None:
        """The lexicon's entry of the word in the fields."""
        word = self.fields.wanted[0]
        return pronunciation_of(self._session.script, word) if word else None

    def open_for(self, word: str, came_from: QWidget | None = None) -> None:
        """Go to the entry of a word, or to a new one; the focus goes back once it is saved or given up."""
        self._came_from = came_from
        self.search.clear()
        self.fields.show_word(word)
        self._show_entry()
        field = self.fields.spoken if word else self.fields.word
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        field.selectAll()

    def save(self) -> None:
        """Have the word spoken so from now on."""
        word, spoken, phonemes = self.fields.wanted
        if not word or not spoken:
            (self.fields.spoken if word else self.fields.word).setFocus()
            self._session.messages.say("Write how it is spoken." if word else "Write the word.")
            return
        make = lambda script: set_pronunciation(script, word, spoken, phonemes=phonemes)  # noqa: E731 - to hand on
        is_same = self._entry == Pronunciation(word, spoken, phonemes) if self._is_valid() else False
        if self._session.edits.attempt(make):
            self._session.messages.say(f"{quoted(word)} is spoken {quoted(spoken)} in {self._lines(word)}.")
        elif not is_same:
            return  # it was refused, which has been said
        self._follow()
        self._go_back()

    def remove(self) -> None:
        """Have the word spoken as it is spelt."""
        entry = self._entry
        if entry is None:
            self._session.messages.say("Choose a pronunciation to remove.")
            return
        if self._session.edits.attempt(lambda script: set_pronunciation(script, entry.word, "")):
            self.fields.show_word(entry.word)
            self._follow()
            self._session.messages.say(f"{quoted(entry.word)} is spoken as it is spelt.")

    def hear(self) -> None:
        """Speak the word as it stands in the fields."""
        word = self.fields.wanted[0]
        if word:
            self._hear(word, self._line_with(word))

    def hear_in_line(self) -> None:
        """Speak the selected line, or the first that has the word."""
        line = self._line_with(self.fields.wanted[0])
        if line:
            eventuality = self._session.script.eventuality(line)
            delivery = self._session.plan.by_line.get(line)
            spoken = eventuality.variants[0 if delivery is None else delivery.variant].text
            word = self.fields.wanted[0]
            texts = [spoken, *(variant.text for variant in eventuality.variants)]
            self._hear(next((text for text in texts if folded(word) in folded(text)), spoken), line)

    def import_file(self) -> None:
        """Add the words of a file."""
        path = ask_open(self.window(), "Import pronunciations", documents(), (LISTS, ALL))
        if path is None:
            return
        # Files are seldom read, and reading them needs what nothing else here does.
        from adstudio.speech.lexicon_files import LARGEST, read_lexicon

        try:
            found = read_lexicon(read_bounded(path, LARGEST, "the list of words"), path.name)
        except AdstudioError as error:
            self._session.messages.say(as_sentence(str(error)))
            return
        there = {folded(entry.word) for entry in self._session.script.lexicon}
        replaced = sum(folded(entry.word) in there for entry in found.entries)
        if self._session.edits.attempt(
            lambda script: import_pronunciations(script, found.entries),
            unchanged=ALL_THERE,
        ):
            rest = f", {replaced:,} of them in place of others" if replaced else ""
            self._session.messages.say(f"{counted(len(found.entries), 'pronunciation')} imported{rest}.")
            self._follow()
        if found.oddities:
            tell(self.window(), _listed(path, found.oddities))

    def export_file(self) -> None:
        """Write all words to a file."""
        project = self._session.project
        start = documents() if project is None else project.path.parent
        chosen = ask_save(
            self.window(), "Export pronunciations", start / "pronunciations.csv", (CSV_FILES, TEXT_FILES), confirm=False
        )
        if chosen is None:
            return
        from adstudio.speech.lexicon_files import lexicon_as_csv, lexicon_as_text

        path, kind = chosen
        as_text = path.suffix.lower() == ".txt" or (kind == TEXT_FILES and path.suffix.lower() != ".csv")
        whole = with_ending(self.window(), path, ".txt" if as_text else ".csv")
        if whole is None:
            return
        lexicon = self._session.script.lexicon
        try:
            write_atomically(whole, lexicon_as_text(lexicon) if as_text else lexicon_as_csv(lexicon))
        except AdstudioError as error:
            self._session.messages.say(as_sentence(str(error)))
        else:
            self._session.messages.say(f"{counted(len(lexicon), 'pronunciation')} written to {whole.name}.")

    # What is shown

    def _opened(self) -> None:
        self._came_from = None
        self.fields.show_word("")
        self.search.clear()
        self._follow()

    def _follow(self) -> None:
        """The script has changed."""
        if self._session.script.lexicon is not self._shown:
            entry = self._entry
            if entry is not None and not self._is_typing():
                self.fields.show_entry(entry)
            self._renew()
        else:
            self._show_state()
            self.table.viewport().update()

    def showEvent(self, event: QShowEvent) -> None:
        """Say what has changed while it was not seen."""
        super().showEvent(event)
        self._show_state()

    def _is_typing(self) -> bool:
        return self.fields.spoken.hasFocus() or self.fields.word.hasFocus()

    def _renew(self) -> None:
        self._shown = self._session.script.lexicon
        entries = matching(self._shown, self.search.text())
        chosen = self._entry
        self.rows.show_entries(entries)
        self._select(chosen)
        of = "" if len(entries) == len(self._shown) else f" of {len(self._shown):,}"
        self.number.setText(f"{len(entries):,}{of} {'word' if len(self._shown) == 1 else 'words'}")
        self.export_button.setEnabled(bool(self._shown))
        self.counted.emit(self.count)
        self._show_state()

    def _select(self, entry: Pronunciation | None) -> None:
        """Mark an entry in the list, without its being chosen by that."""
        row, model = self.rows.row_of(entry), self.table.selectionModel()
        blocked = model.blockSignals(True)
        self.table.setCurrentIndex(self.rows.index(row, 0) if row >= 0 else self.table.rootIndex())
        model.blockSignals(blocked)
        self.table.viewport().update()

    def _choose(self, row: int) -> None:
        if 0 <= row < len(self.rows.entries):
            self.fields.show_entry(self.rows.entries[row])
            self._show_state()

    def _edit_chosen(self) -> None:
        if self.table.currentIndex().isValid():
            self._choose(self.table.currentIndex().row())
            self._came_from = self.table
            self.fields.spoken.setFocus(Qt.FocusReason.OtherFocusReason)
            self.fields.spoken.selectAll()

    def _begin_new(self) -> None:
        self.open_for("")

    def _word_typed(self) -> None:
        """Another word: how it is spoken is shown, if that is known."""
        if self._entry is not None:
            self._show_entry()
        else:
            self._select(None)
            self._show_state()

    def _show_entry(self) -> None:
        entry = self._entry
        if entry is not None:
            self.fields.show_entry(entry)
        self._select(entry)
        self._show_state()

    def _show_state(self) -> None:
        """What can be done with what stands in the fields, and what is to be said of it, where that is seen."""
        if not self.isVisible():
            return  # all lines are searched for the word
        fields, entry = self.fields, self._entry
        word, spoken, phonemes = fields.wanted
        fields.hear.setEnabled(bool(word))
        fields.hear_line.setEnabled(bool(word) and bool(self._line_with(word)))
        fields.remove.setEnabled(entry is not None)
        same = entry is not None and (entry.spoken, entry.phonemes) == (spoken, phonemes)
        fields.save.setEnabled(bool(word and spoken) and not same)
        fields.where.setText(f"In {self._lines(word)}." if word else "")
        fields.say_problem(self._problem(spoken, phonemes=phonemes))

    def _problem(self, spoken: str, *, phonemes: bool) -> str:
        if not phonemes or not spoken:
            return ""
        from adstudio.speech.engine import Notation
        from adstudio.speech.phonemes import in_notation

        if not in_notation(spoken, Notation.IPA):
            return NOT_PHONEMES
        voices = self._context.voices
        engine = voices.of(speaking_voice(self._session.script, self._context.preferences).engine)
        if engine is not None and not engine.phonemes:
            return f"{engine.engine} takes no phonemes: it speaks the word as it is spelt."
        return ""

    def _lines(self, word: str) -> str:
        found = len(self._places.of(self._session.script, word))
        return counted(found, "line") if found else "no line"

    def _line_with(self, word: str) -> str:
        """The selected line if it has a word, else the first line that has it."""
        found = self._places.of(self._session.script, word) if word else ()
        line = self._session.cursor.line
        return line.id if line is not None and line.id in found else next(iter(found), "")

    def _is_valid(self) -> bool:
        try:
            Pronunciation(*self.fields.wanted)
        except ValueError:
            return False
        return True

    def _hear(self, text: str, line: str) -> None:
        self.hear_asked.emit(text, line, self._draft(self._session.script))

    def _draft(self, script: Script) -> Lexicon:
        """The lexicon with what stands in the fields, as far as that makes sense."""
        word, spoken, phonemes = self.fields.wanted
        try:
            step = set_pronunciation(script, word, spoken, phonemes=phonemes) if spoken else None
        except EditRefused as refusal:
            self._session.messages.say(str(refusal))
            step = None
        return step.new if isinstance(step, SetLexicon) else script.lexicon

    def _give_up(self) -> None:
        """What was typed goes first, then the focus."""
        word = self.fields.wanted[0]
        if not self.fields.save.isEnabled():
            self._go_back()
            return
        self.fields.show_word(word)
        self._show_entry()

    def _go_back(self) -> None:
        came_from, self._came_from = self._came_from, None
        there = came_from is not None and isValid(came_from) and came_from.isVisible()
        target = came_from if there and came_from is not None else self.table
        target.setFocus(Qt.FocusReason.OtherFocusReason)


def _listed(path: Path, oddities: tuple[Oddity, ...]) -> str:
    """What of a file was not taken, in a few lines."""
    lines = [f"Line {each.line:,}: {each.what}." if each.line else as_sentence(each.what) for each in oddities]
    more = len(lines) - MOST_LISTED
    rest = [f"And {more} more."] if more > 0 else []
    return "\n".join([f"Not everything in {path.name} was taken.", *lines[:MOST_LISTED], *rest])

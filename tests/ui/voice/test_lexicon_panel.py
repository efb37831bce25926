"""The lexicon in the window: from a word straight to its entry, tried, saved, removed, searched, imported, exported."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from desks import desk_on, small_script, window_on
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from adstudio.core.narration import Pronunciation
from adstudio.core.script import Script, Variant
from adstudio.core.steps import Replace
from adstudio.editing.voicing import set_pronunciation, set_voice
from adstudio.speech.engine import EngineVoices, Voice
from adstudio.ui.session.context import Context
from adstudio.ui.session.voices import Voices
from adstudio.ui.voice import lexicon_panel
from adstudio.ui.voice.lexicon_panel import NOT_PHONEMES, LexiconPanel
from adstudio.ui.voice.lexicon_table import Column
from adstudio.ui.voice.word_choice import likely_name, selected_word, word_at

TEXTS = {
    "a": "Siobhan parks below Ballyvaughan.",
    "b": "She sees Siobhan’s van.",
    "c": "Mikael waits.",
    "d": "No name here.",
    "e": "A gull.",
}
SIOBHAN = Pronunciation("Siobhan", "shiv-AWN")


def named_script() -> Script:
    script = small_script()
    lines = tuple(replace(line, variants=(Variant(TEXTS[line.id], duration=3_000),)) for line in script.eventualities)
    return replace(script, eventualities=lines)


@pytest.fixture
def desk(qapp, tmp_path, monkeypatch):
    monkeypatch.setattr(Voices, "ask", lambda self, **_: None)
    with desk_on(tmp_path, named_script()) as made:
        yield made


@pytest.fixture
def said(desk: Context) -> list[str]:
    found: list[str] = []
    desk.session.messages.said.connect(found.append)
    return found


@pytest.fixture
def panel(desk: Context, qtbot) -> LexiconPanel:
    made = LexiconPanel(desk)
    qtbot.addWidget(made)
    made.resize(1000, 240)
    made.show()
    qtbot.waitExposed(made)
    made.activateWindow()
    return made


def lexicon(desk: Context) -> tuple[Pronunciation, ...]:
    return desk.session.script.lexicon


def write(panel: LexiconPanel, word: str, spoken: str) -> None:
    panel.open_for(word)
    QTest.keyClicks(panel.fields.spoken, spoken)


@pytest.mark.parametrize(
    ("text", "offset", "word"),
    [
        ("Siobhan parks.", 0, "Siobhan"),
        ("Siobhan parks.", 7, "Siobhan"),
        ("Siobhan parks.", 8, "parks"),
        ("Siobhan’s van", 3, "Siobhan"),
        ("O’Brien-like", 4, "O’Brien-like"),
        ("no – dash", 4, ""),
        ("", 0, ""),
        ("😀 Zoë", 5, "Zoë"),
    ],
)
def test_the_word_at_the_cursor(text: str, offset: int, word: str):
    assert word_at(text, offset) == word


@pytest.mark.parametrize(
    ("selection", "word"),
    [
        (" Siobhan ", "Siobhan"),
        ("“Siobhan’s”", "Siobhan"),
        ("Tadhg Ó Cinnéide", "Tadhg Ó Cinnéide"),
        ("She takes the small package", ""),
        ("…", ""),
    ],
)
def test_a_selection_of_a_few_words_is_a_word(selection: str, word: str):
    assert selected_word(selection) == word


def test_the_name_that_most_likely_needs_a_pronunciation():
    text = "Then Anna sees Tadhg and Siobhan."
    assert likely_name(text, [], [], []) == "Anna"
    assert likely_name(text, [(15, 20)], [], []) == "Tadhg"
    assert likely_name(text, [], ["siobhan"], []) == "Siobhan"
    assert likely_name(text, [], [], ["anna"]) == "Tadhg"
    assert likely_name(text, [], [], ["Anna", "Tadhg", "SIOBHAN"]) == "Anna"
    assert likely_name("Then it rains. It pours.", [], [], []) == ""


def test_lines_are_searched_only_while_it_is_seen(desk: Context, panel: LexiconPanel, monkeypatch):
    write(panel, "Siobhan", "shiv-AWN")
    asked: list[str] = []
    of = panel._places.of
    monkeypatch.setattr(panel._places, "of", lambda script, word: (asked.append(word), of(script, word))[1])
    panel.hide()
    line = desk.session.script.eventuality("d")
    desk.session.edits.do(Replace(line, replace(line, variants=(Variant("Siobhan again.", duration=3_000),))))
    assert asked == []
    panel.show()
    assert panel.fields.where.text() == "In 3 lines."


def test_an_entry_is_saved_by_return_as_one_step(desk: Context, panel: LexiconPanel, said: list[str]):
    write(panel, "Siobhan", "shiv-AWN")
    assert panel.fields.where.text() == "In 2 lines."
    QTest.keyClick(panel.fields.spoken, Qt.Key.Key_Return)
    assert lexicon(desk) == (SIOBHAN,)
    assert len(desk.session.edits.document.past) == 1
    assert said[-1] == "“Siobhan” is spoken “shiv-AWN” in 2 lines."
    desk.session.undo()
    assert lexicon(desk) == ()


def test_an_entry_that_is_there_is_shown_changed_and_removed(desk: Context, panel: LexiconPanel):
    desk.session.edits.attempt(lambda script: set_pronunciation(script, "Siobhan", "shiv-AWN"))
    panel.open_for("SIOBHAN")
    assert panel.fields.wanted == ("Siobhan", "shiv-AWN", False)
    assert not panel.fields.save.isEnabled()
    assert panel.fields.remove.isEnabled()
    panel.fields.spoken.selectAll()
    QTest.keyClicks(panel.fields.spoken, "SHEE-vawn")
    panel.fields.save.click()
    assert lexicon(desk) == (Pronunciation("Siobhan", "SHEE-vawn"),)
    panel.fields.remove.click()
    assert lexicon(desk) == ()
    assert panel.fields.wanted == ("Siobhan", "", False)


def test_what_cannot_be_saved_is_said_and_stays(desk: Context, panel: LexiconPanel, said: list[str]):
    panel.open_for("Siobhan")
    panel.save()
    assert said[-1] == "Write how it is spoken."
    panel.open_for("")
    panel.save()
    assert said[-1] == "Write the word."
    panel.open_for("Siobhan")
    panel.fields.spoken.setText("shiv\x07AWN")
    panel.save()
    assert lexicon(desk) == ()
    assert "200 characters" in said[-1]
    assert panel.fields.spoken.text() == "shiv\x07AWN"


def test_escape_gives_up_what_was_typed_and_then_the_focus(desk: Context, panel: LexiconPanel):
    desk.session.edits.attempt(lambda script: set_pronunciation(script, "Siobhan", "shiv-AWN"))
    panel.open_for("Siobhan", panel.search)
    QTest.keyClicks(panel.fields.spoken, "other")
    QTest.keyClick(panel.fields.spoken, Qt.Key.Key_Escape)
    assert panel.fields.wanted == ("Siobhan", "shiv-AWN", False)
    assert panel.fields.spoken.hasFocus()
    QTest.keyClick(panel.fields.spoken, Qt.Key.Key_Escape)
    assert panel.search.hasFocus()


def test_it_is_heard_as_it_stands_before_it_is_saved(desk: Context, panel: LexiconPanel):
    heard_: list[tuple[str, str, tuple[Pronunciation, ...]]] = []
    panel.hear_asked.connect(lambda *asked: heard_.append(asked))
    write(panel, "Siobhan", "shiv-AWN")
    panel.fields.hear.click()
    assert heard_[-1] == ("Siobhan", "a", (SIOBHAN,))
    panel.fields.hear_line.click()
    assert heard_[-1] == (TEXTS["a"], "a", (SIOBHAN,))
    desk.session.cursor.select_line("b")
    panel.fields.hear_line.click()
    assert heard_[-1] == (TEXTS["b"], "b", (SIOBHAN,))
    write(panel, "Nowhere", "x")
    assert not panel.fields.hear_line.isEnabled()
    assert panel.fields.where.text() == "In no line."
    assert lexicon(desk) == ()


def test_phonemes_that_nobody_knows_or_the_engine_does_not_take_are_named(desk: Context, panel: LexiconPanel):
    engine = EngineVoices("one", (Voice("v", "V", "en"),))
    desk.voices.engines = desk.voices.all_engines = (engine,)
    panel.open_for("Siobhan")
    panel.fields.spoken.setText("ʃɪˈvɔːn")
    panel.fields.phonemes.click()
    assert "one takes no phonemes" in panel.fields.problem.text()
    desk.voices.engines = (replace(engine, phonemes=True),)
    desk.voices.changed.emit()
    assert panel.fields.problem.isHidden()
    panel.fields.spoken.setText("☃☃")
    panel.fields.changed.emit()
    assert panel.fields.problem.text() == NOT_PHONEMES
    panel.fields.phonemes.click()
    assert panel.fields.problem.isHidden()


def filled(desk: Context, panel: LexiconPanel) -> None:
    for word, spoken in (("Siobhan", "shiv-AWN"), ("Mikael", "MEE-kah-el"), ("Tadhg", "tige")):
        desk.session.edits.attempt(lambda script, word=word, spoken=spoken: set_pronunciation(script, word, spoken))
    panel._follow()


def test_the_list_says_where_each_word_is_and_can_be_searched(desk: Context, panel: LexiconPanel):
    filled(desk, panel)
    shown = [[panel.rows.text(row, column) for column in Column] for row in range(panel.rows.count())]
    assert shown == [
        ["Mikael", "MEE-kah-el", "Respelling", "1"],
        ["Siobhan", "shiv-AWN", "Respelling", "2"],
        ["Tadhg", "tige", "Respelling", "0"],
    ]
    assert panel.rows.spoken(1, Column.WORD) == "Siobhan, spoken as shiv-AWN, in 2 lines"
    assert panel.count == 3
    panel.search.setText("SHIV")
    assert [entry.word for entry in panel.rows.entries] == ["Siobhan"]
    assert panel.number.text() == "1 of 3 words"
    panel.search.clear()
    assert panel.rows.count() == 3


def test_the_list_s_own_keys_act_on_its_entry_and_not_on_the_script(desk: Context, panel: LexiconPanel):
    filled(desk, panel)
    desk.session.cursor.select_line("a")
    panel.table.setFocus()
    panel.table.selectRow(2)
    assert panel.fields.wanted[0] == "Tadhg"
    asked: list[str] = []
    panel.hear_asked.connect(lambda text, *_: asked.append(text))
    QTest.keyClick(panel.table, Qt.Key.Key_H)
    assert asked == ["Tadhg"]
    QTest.keyClick(panel.table, Qt.Key.Key_Delete)
    assert [entry.word for entry in lexicon(desk)] == ["Mikael", "Siobhan"]
    assert "a" in desk.session.script.eventuality_index
    panel.table.selectRow(0)
    QTest.keyClick(panel.table, Qt.Key.Key_Return)
    assert panel.fields.spoken.hasFocus()
    assert panel.fields.wanted[0] == "Mikael"


@pytest.mark.parametrize("ending", [".csv", ".txt"])
def test_export_and_import_bring_back_the_same(desk: Context, panel: LexiconPanel, said, tmp_path, monkeypatch, ending):
    filled(desk, panel)
    path = tmp_path / f"words{ending}"
    monkeypatch.setattr(lexicon_panel, "ask_save", lambda *_, **__: (path, ""))
    panel.export_file()
    before = lexicon(desk)
    assert said[-1] == f"3 pronunciations written to words{ending}."
    for entry in before:
        desk.session.edits.attempt(lambda script, word=entry.word: set_pronunciation(script, word, ""))
    desk.session.edits.attempt(lambda script: set_pronunciation(script, "tadhg", "teeg"))
    steps = len(desk.session.edits.document.past)
    monkeypatch.setattr(lexicon_panel, "ask_open", lambda *_, **__: path)
    panel.import_file()
    assert lexicon(desk) == before
    assert len(desk.session.edits.document.past) == steps + 1
    assert said[-1] == "3 pronunciations imported, 1 of them in place of others."


def test_what_of_a_file_is_not_taken_is_shown(desk: Context, panel: LexiconPanel, said, tmp_path: Path, monkeypatch):
    told: list[str] = []
    monkeypatch.setattr(lexicon_panel, "tell", lambda _, sentence: told.append(sentence))
    path = tmp_path / "words.txt"
    monkeypatch.setattr(lexicon_panel, "ask_open", lambda *_, **__: path)
    path.write_text("Siobhan\tshiv-AWN\n" + "bad\n" * 40, "utf-8")
    panel.import_file()
    assert lexicon(desk) == (SIOBHAN,)
    assert "Line 2: " in told[0]
    assert told[0].endswith("And 28 more.")
    for content, sentence in ((b"\0\0", "not a text file"), (b"x" * 5_000_000, "words.txt")):
        path.write_bytes(content)
        panel.import_file()
        assert sentence in said[-1]
    path.unlink()
    panel.import_file()
    assert "words.txt" in said[-1]
    assert lexicon(desk) == (SIOBHAN,)


def test_a_key_leads_from_the_text_cursor_to_the_entry_and_back(qapp, tmp_path, monkeypatch):
    monkeypatch.setattr(Voices, "ask", lambda self, **_: None)
    with window_on(tmp_path) as window:
        session, editor, action = window.session, window.editor, window.context.actions["line.pronounce"]
        session.cursor.select_line("a")
        editor.inspector.edit_text()
        field = editor.inspector.line.wordings.rows[0].text
        field.setPlainText("Tell Siobhan the news")
        cursor = field.textCursor()
        cursor.setPosition(8)
        field.setTextCursor(cursor)
        action.trigger()
        assert editor.lexicon.isVisible()
        assert editor.lexicon.fields.word.text() == "Siobhan"
        assert editor.lexicon.fields.spoken.hasFocus()
        QTest.keyClicks(editor.lexicon.fields.spoken, "shiv-AWN")
        QTest.keyClick(editor.lexicon.fields.spoken, Qt.Key.Key_Return)
        assert session.script.lexicon == (SIOBHAN,)
        assert field.hasFocus()


def test_a_key_leads_from_a_line_to_its_first_unknown_name(qapp, tmp_path, monkeypatch):
    monkeypatch.setattr(Voices, "ask", lambda self, **_: None)
    with window_on(tmp_path) as window:
        session, editor = window.session, window.editor
        session.edits.attempt(lambda script: set_voice(script, script.voice))
        session.cursor.select_line("c")
        line = session.script.eventuality("c")
        from adstudio.core.steps import Replace

        session.edits.do(Replace(line, replace(line, variants=(Variant("Here waits Mikael.", duration=3_000),))))
        editor.table.view.setFocus()
        window.context.actions["line.pronounce"].trigger()
        assert editor.lexicon.fields.word.text() == "Mikael"
        QTest.keyClick(editor.lexicon.fields.spoken, Qt.Key.Key_Escape)
        assert editor.table.view.hasFocus()

"""Misspelled words are marked in table and fields, gone to by a key, and put right by a choice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from desks import desk_on, small_script
from pending_events import run_pending_events
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPlainTextEdit

from adstudio.core.script import Variant
from adstudio.core.steps import SetFilm
from adstudio.spelling.checker import dictionaries
from adstudio.ui.app.preferences_dialog import PreferencesDialog
from adstudio.ui.session.context import Context
from adstudio.ui.table.panel import ScriptTable
from adstudio.ui.table.row_order import Column

TAG = "la_VA"
"""A language for which no system has a dictionary; ours knows a few English words."""
TEXTS = {"a": "The helmt opens", "b": "Anna sees", "c": "door opns the helmt", "d": "the door", "e": "the door"}


@pytest.fixture
def desk(qapp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("enchant", reason="Enchant is not installed; packaging/test.sh installs it")
    monkeypatch.setenv("ENCHANT_CONFIG_DIR", str(tmp_path))
    folder = tmp_path / "hunspell"
    folder.mkdir()
    (folder / f"{TAG}.aff").write_text("SET UTF-8\nTRY esianrtolcdugmphbyfvkwz\n", encoding="utf-8")
    words = ["the", "helmet", "opens", "door", "sees"]
    (folder / f"{TAG}.dic").write_text("\n".join([str(len(words)), *words]) + "\n", encoding="utf-8")
    if TAG not in dictionaries().tags:
        pytest.skip("Enchant does not find a dictionary of Hunspell's form here")
    script = small_script()
    lines = tuple(
        replace(line, variants=tuple(Variant(TEXTS[line.id], each.rate) for each in line.variants))
        for line in script.eventualities
    )
    script = replace(script, film=replace(script.film, language="la"), eventualities=lines)
    with desk_on(tmp_path, script) as made:
        made.preferences.store("spelling", "")
        made.spelling.load()
        yield made


@pytest.fixture
def said(desk: Context) -> list[str]:
    found: list[str] = []
    desk.session.messages.said.connect(found.append)
    return found


def open_menu(table: ScriptTable) -> dict[str, object]:
    menu = next(each for each in table.view.findChildren(QMenu) if each.isVisible())
    return {entry.text(): entry for entry in menu.actions() if entry.text()}


def text_picture(table: ScriptTable, row: int):
    return table.view.viewport().grab(table.view.visualRect(table.model.index(row, Column.TEXT))).toImage()


def test_misspelled_words_have_a_wave_in_the_table(desk: Context, table: ScriptTable):
    assert desk.spelling.tag == TAG
    wrong, right = text_picture(table, 0), text_picture(table, 3)
    desk.preferences.store("spelling", "off")
    desk.spelling.load()
    assert text_picture(table, 0) != wrong
    assert text_picture(table, 3) == right
    assert desk.spelling.spans("helmt") == []


def test_a_key_goes_from_word_to_word_and_a_choice_puts_it_right_in_every_wording(
    desk: Context, table: ScriptTable, said: list[str]
):
    desk.actions["edit.misspelled"].trigger()
    assert desk.session.cursor.selection.lines() == ("a",)
    assert said == ["“helmt” is not in the dictionary: helmet."]
    entries = open_menu(table)
    past = len(desk.session.edits.document.past)
    entries["helmet"].trigger()
    line = desk.session.script.eventuality("a")
    assert [each.text for each in line.variants] == ["The helmet opens"] * 2
    assert line.pin.variant is None
    assert len(desk.session.edits.document.past) == past + 1
    assert said[-1] == "“helmt” is now “helmet”."
    next(each for each in table.view.findChildren(QMenu) if each.isVisible()).close()
    # Anna speaks in the film; in c there are two.
    went = []
    for _ in range(3):
        desk.actions["edit.misspelled"].trigger()
        went.append((desk.session.cursor.selection.current, said[-1].split()[0]))
        next(each for each in table.view.findChildren(QMenu) if each.isVisible()).close()
        run_pending_events()
    assert went == [("c", "“opns”"), ("c", "“helmt”"), ("c", "“opns”")]


def test_when_all_is_right_that_is_said(desk: Context, table: ScriptTable, said: list[str]):
    for word in ("helmt", "opns"):
        desk.spelling.ignore(word)
    desk.actions["edit.misspelled"].trigger()
    assert said == ["No misspelled words."]


def test_without_a_dictionary_it_says_so_and_nothing_else_is_hindered(desk: Context, table: ScriptTable, said):
    film = replace(desk.session.script.film, language="xx")
    desk.session.edits.do(SetFilm(desk.session.script.film, film))
    desk.actions["edit.misspelled"].trigger()
    assert said == ["Spelling is not checked: there is no dictionary for “xx”. Install one (hunspell-…)."]
    assert desk.spelling.spans("helmt") == []
    table.view.setCurrentIndex(table.model.index(0, Column.TEXT))
    QTest.keyClick(table.view, Qt.Key.Key_Return)
    field = table.view.viewport().findChild(QPlainTextEdit)
    QTest.keyClicks(field, " zzz")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert desk.session.script.eventuality("a").variants[0].text == "The helmt opens zzz"


def begin(table: ScriptTable, row: int) -> QPlainTextEdit:
    table.view.setCurrentIndex(table.model.index(row, Column.TEXT))
    QTest.keyClick(table.view, Qt.Key.Key_Return)
    return next(each for each in table.view.viewport().findChildren(QPlainTextEdit) if each.isVisible())


def marked(field: QPlainTextEdit) -> list[str]:
    run_pending_events()  # a highlighter begins with the next event
    block = field.document().firstBlock()
    units = block.text().encode("utf-16-le")
    return [
        units[2 * each.start : 2 * (each.start + each.length)].decode("utf-16-le") for each in block.layout().formats()
    ]


def test_words_are_marked_while_they_are_typed(desk: Context, table: ScriptTable):
    field = begin(table, 0)
    assert marked(field) == ["helmt"]
    field.selectAll()
    QTest.keyClicks(field, "the dor ")
    assert marked(field) == ["dor"]
    field.setPlainText("😀😀 the helmt")
    assert marked(field) == ["helmt"]
    desk.spelling.ignore("helmt")
    assert marked(field) == []
    assert len(desk.session.edits.document.past) == 0


def test_the_menu_of_a_field_offers_what_may_be_meant_by_keyboard_too(desk: Context, table: ScriptTable):
    field = begin(table, 2)
    field.moveCursor(QTextCursor.MoveOperation.End)  # in “helmt”
    place = field.cursorRect().center()  # where Qt says that it was asked for
    QApplication.sendEvent(field, QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, place, field.mapToGlobal(place)))
    menu = next(each for each in field.findChildren(QMenu) if each.isVisible())
    texts = [entry.text() for entry in menu.actions()]
    assert texts[0] == "helmet"
    assert "Add “helmt” to the dictionary" in texts
    menu.actions()[0].trigger()
    menu.close()
    assert field.toPlainText() == "door opns the helmet"
    QTest.keyClick(field, Qt.Key.Key_Escape)


def test_an_ignored_word_stays_right_when_dialogue_or_title_change(desk: Context):
    desk.spelling.ignore("helmt")
    film = desk.session.script.film
    desk.session.edits.do(SetFilm(film, replace(film, title="Opns")))
    desk.spelling.load()
    assert desk.spelling.spans("helmt") == []
    assert desk.spelling.spans("Opns") == []  # the title's word is a name now


def test_a_language_without_a_country_is_checked_by_all_its_dictionaries(desk: Context, tmp_path: Path):
    (tmp_path / "hunspell" / "la_XX.aff").write_text("SET UTF-8\n", encoding="utf-8")
    (tmp_path / "hunspell" / "la_XX.dic").write_text("2\ngrey\nlabelled\n", encoding="utf-8")
    text = "grey door opns"
    wrong = {}
    desk.spelling._there = None  # as when the editor is begun again
    for language, chosen in (("la", ""), ("la-VA", ""), ("la-XX", ""), ("la", TAG), ("la", "la_XX")):
        film = desk.session.script.film
        if film.language != language:
            desk.session.edits.do(SetFilm(film, replace(film, language=language)))
        desk.preferences.store("spelling", chosen)
        desk.spelling._loaded_for = ()
        desk.spelling.load()
        assert desk.spelling.asks_others == ((language, chosen) == ("la", ""))
        wrong[language, chosen] = [text[start:end] for start, end in desk.spelling.spans(text)]
    assert wrong == {
        ("la", ""): ["opns"],
        ("la-VA", ""): ["grey", "opns"],
        ("la-XX", ""): ["door", "opns"],
        ("la", TAG): ["grey", "opns"],
        ("la", "la_XX"): ["door", "opns"],
    }


def test_the_preferences_say_which_of_several_dictionaries_is_first(qtbot, desk: Context, tmp_path: Path):
    for kind in ("aff", "dic"):
        (tmp_path / "hunspell" / f"la_XX.{kind}").write_text((tmp_path / "hunspell" / f"{TAG}.{kind}").read_text())
    desk.spelling._there, desk.spelling._loaded_for = None, ()
    dialog = PreferencesDialog(desk)
    qtbot.addWidget(dialog)
    assert dialog.spelling.itemText(0) == f"Dictionary for the film’s language ({TAG} first)"


def test_dictionaries_are_chosen_in_the_preferences(qtbot, desk: Context):
    dialog = PreferencesDialog(desk)
    qtbot.addWidget(dialog)
    box = dialog.spelling
    assert box.itemText(0) == f"Dictionary for the film’s language ({TAG})"
    assert box.findData(TAG) > 0
    box.setCurrentIndex(box.findData("off"))
    dialog._keep()
    desk.spelling.load()
    assert desk.spelling.problem == "Spelling is not checked: it is switched off in Preferences."

"""Fields of the inspector: what is typed is read right, and never lost."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QVBoxLayout, QWidget

from adstudio.core.errors import BadInputError
from adstudio.core.film import Film
from adstudio.core.timebase import RATES
from adstudio.ui.widgets.controls import Button, Check
from adstudio.ui.widgets.text_field import TextField
from adstudio.ui.widgets.value_field import (
    ValueField,
    read_length,
    read_salience,
    salience_field,
    time_field,
    write_length,
    write_salience,
)


@pytest.fixture
def pair(qtbot):
    """A text field, a salience field and somewhere else to go, in a window."""
    window = QWidget()
    text, number = TextField("Text"), salience_field("Salience")
    layout = QVBoxLayout(window)
    layout.addWidget(text)
    layout.addWidget(number)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    window.activateWindow()
    yield text, number
    window.close()


@pytest.mark.parametrize(
    ("typed", "millionths"), [("1,5", 1_500_000), ("1.5", 1_500_000), (" -2 ", -2_000_000), ("0,1234567", 123_457)]
)
def test_saliences_as_people_type_them(typed: str, millionths: int):
    assert read_salience(typed) == millionths


@pytest.mark.parametrize("typed", ["", "x", "1,2,3", "nan", "inf", "10001", "1e99"])
def test_what_is_no_salience(typed: str):
    with pytest.raises(BadInputError):
        read_salience(typed)


def test_saliences_and_lengths_as_they_are_edited(qapp):
    assert write_salience(300_000) == "0.30"
    assert write_salience(10_000_000_000) == "10000.00"
    assert write_length(3250) == "3.25 s"
    assert read_length("3,25 s") == 3250
    with pytest.raises(BadInputError):
        read_length("0")
    QLocale.setDefault(QLocale("de_DE"))
    try:
        assert write_salience(300_000) == "0,30"
    finally:
        QLocale.setDefault(QLocale.c())


@pytest.mark.parametrize(
    ("typed", "ms"),
    [("00:00:02:12", 2480), ("2,5", 2500), ("2.5", 2500), ("1:02.5", 62_500), ("10:00:00:00", 36_000_000)],
)
def test_times_are_timecode_or_seconds(qtbot, typed: str, ms: int):
    field = time_field("From", lambda: Film("f", 40_000_000, frame_rate=RATES["25"]))
    qtbot.addWidget(field)
    taken: list[int] = []
    field.entered.connect(taken.append)
    QTest.keyClicks(field, typed)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert taken == [ms]


def test_typing_is_taken_after_a_rest(qtbot, pair):
    text, _ = pair
    text.show_other("old")
    taken: list[str] = []
    text.entered.connect(taken.append)
    text.setFocus()
    QTest.keyClicks(text, "new ")
    assert taken == []
    qtbot.waitUntil(lambda: taken == ["new old"])


def test_typing_is_taken_when_the_field_is_left_and_on_return(pair):
    text, number = pair
    taken: list[str] = []
    text.entered.connect(taken.append)
    text.setFocus()
    QTest.keyClicks(text, "one")
    number.setFocus()
    assert taken == ["one"]
    text.setFocus()
    text.selectAll()
    QTest.keyClicks(text, "two")
    QTest.keyClick(text, Qt.Key.Key_Return)
    assert taken == ["one", "two"]


def test_escape_gives_the_text_back_as_it_was_when_the_field_was_entered(qtbot, pair):
    text, _ = pair
    text.show_other("as it was")
    taken: list[str] = []
    text.entered.connect(taken.append)
    text.cancelled.connect(lambda: taken.append("cancelled"))
    text.setFocus()
    QTest.keyClicks(text, "x")
    qtbot.waitUntil(lambda: len(taken) == 1)
    QTest.keyClick(text, Qt.Key.Key_Escape)
    assert text.toPlainText() == "as it was"
    assert taken == ["xas it was", "cancelled"]
    # Where nothing was taken yet, there is nothing to be given up.
    QTest.keyClicks(text, "y")
    QTest.keyClick(text, Qt.Key.Key_Escape)
    assert text.toPlainText() == "as it was"
    assert len(taken) == 2


def test_what_is_being_typed_is_not_overwritten(pair):
    text, number = pair
    text.show_other("old")
    text.setFocus()
    QTest.keyClicks(text, "half ")
    text.show_text("from elsewhere")
    assert text.toPlainText() == "half old"
    number.show_other(500_000)
    number.setFocus()
    number.selectAll()
    QTest.keyClicks(number, "0.")
    number.show_value(700_000)
    assert number.text() == "0."
    number.restore()
    assert number.text() == "0.70"


def test_arrows_step_a_number(pair):
    _, number = pair
    number.show_other(500_000)
    taken: list[int] = []
    number.entered.connect(taken.append)
    number.setFocus()
    QTest.keyClick(number, Qt.Key.Key_Up)
    QTest.keyClick(number, Qt.Key.Key_Down)
    QTest.keyClick(number, Qt.Key.Key_Down)
    assert taken == [550_000, 500_000, 450_000]
    assert number.text() == "0.45"


def test_nonsense_is_marked_while_it_is_typed_and_given_up_when_the_field_is_left(pair):
    text, number = pair
    number.show_other(500_000)
    refused: list[str] = []
    number.refused.connect(refused.append)
    number.setFocus()
    number.selectAll()
    QTest.keyClicks(number, "very")
    assert number.property("warning")
    assert "is not a salience" in number.accessibleDescription()
    text.setFocus()
    assert number.text() == "0.50"
    assert len(refused) == 1
    assert not number.property("warning")


def test_escape_brings_back_the_text_as_the_field_was_entered_last(pair):
    text, number = pair
    text.setFocus()
    QTest.keyClicks(text, "First. ")
    number.setFocus()
    taken = text.toPlainText()
    text.setFocus()
    QTest.keyClicks(text, "Second. ")
    QTest.keyClick(text, Qt.Key.Key_Escape)
    assert text.toPlainText() == taken


def test_each_typing_run_has_a_key_of_its_own(pair):
    text, number = pair
    text.setFocus()
    first = text.typing_run.key
    assert text.typing_run.key == first
    number.setFocus()
    text.setFocus()
    assert text.typing_run.key != first


def test_spaces_and_letters_are_typed_in_every_field(qtbot, pair):
    text, _ = pair
    text.setFocus()
    QTest.keyClicks(text, "a x p")
    assert text.toPlainText() == "a x p"


def test_hebrew_runs_from_right_to_left_in_the_field(pair):
    text, _ = pair
    text.show_other("שלום, Tom!\nTom waits.")
    document = text.document()
    assert document.defaultTextOption().textDirection() is Qt.LayoutDirection.LayoutDirectionAuto
    first, second = document.firstBlock(), document.firstBlock().next()
    assert first.textDirection() is Qt.LayoutDirection.RightToLeft
    assert second.textDirection() is Qt.LayoutDirection.LeftToRight
    assert text.toPlainText() == "שלום, Tom!\nTom waits."


def test_return_presses_buttons_and_ticks_boxes(qtbot):
    done: list[object] = []
    button, check = Button("Do it", lambda: done.append("pressed")), Check("On", lambda on: done.append(("ticked", on)))
    for each in (button, check):
        qtbot.addWidget(each)
        each.show()
        QTest.keyClick(each, Qt.Key.Key_Return)
    assert done == ["pressed", ("ticked", True)]


def test_an_empty_field_is_none_only_where_that_is_allowed(qtbot):
    film = Film("f", 10_000)
    free, needed = time_field("Start", lambda: film, optional=True), time_field("From", lambda: film)
    taken: list[object] = []
    for field in (free, needed):
        qtbot.addWidget(field)
        field.show_other(2000)
        field.entered.connect(taken.append)
        field.selectAll()
        QTest.keyClick(field, Qt.Key.Key_Delete)
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert taken == [None]
    assert isinstance(needed, ValueField)
    assert needed.text() == "00:00:02:00"

"""Fields for numbers read a comma and a point, in every language, and refuse the rest with a sentence."""

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QValidator

from adstudio.ui.files.plan_fields import PlanFields
from adstudio.ui.widgets.number_field import NumberField, SecondsField, WholeField


@pytest.fixture(params=["de_DE", "en_US", "fr_FR", "C"])
def language(request):
    before = QLocale()
    QLocale.setDefault(QLocale(request.param))
    yield request.param
    QLocale.setDefault(before)


@pytest.fixture
def margin(qtbot):
    """0 to 60 seconds, 1 s to begin with."""
    field = SecondsField("Margin", greatest=60_000)
    qtbot.addWidget(field)
    field.show_ms(1000)
    return field


@pytest.mark.parametrize(("typed", "ms"), [("1,5", 1500), ("1.5", 1500), ("0,001", 1), (".25", 250), ("12", 12_000)])
def test_a_comma_and_a_point_are_read_right(qtbot, language, typed: str, ms: int):
    field = SecondsField("Margin", greatest=60_000)
    qtbot.addWidget(field)
    field.selectAll()
    qtbot.keyClicks(field, typed)
    assert field.ms == ms
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert field.ms == ms
    assert field.problem == field.wrong.text() == ""


def test_it_is_shown_as_the_language_writes_it(qtbot, language):
    field = SecondsField("Margin", greatest=60_000)
    qtbot.addWidget(field)
    field.show_ms(1500)
    assert field.text() == ("1,5 s" if language in ("de_DE", "fr_FR") else "1.5 s")
    field.show_ms(2000)
    assert field.text() == "2 s"
    field.show_ms(10_000)
    assert field.text() == "10 s"


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("-5", "“-5” is not from 0 to 60 s; 1 s stays."),
        ("99", "“99” is not from 0 to 60 s; 1 s stays."),
        ("1e309", "“1e309” is no number: give one from 0 to 60 s; 1 s stays."),
        ("1,2,3", "“1,2,3” is no number: give one from 0 to 60 s; 1 s stays."),
        ("nan", "“nan” is no number: give one from 0 to 60 s; 1 s stays."),
        ("∞", "“∞” is no number: give one from 0 to 60 s; 1 s stays."),
        ("1.2345", "“1.2345” has more than 3 decimals; 1 s stays."),
        ("9" * 400, "“9999999999999999999…” is no number: give one from 0 to 60 s; 1 s stays."),
        ("", "Give a number from 0 to 60 s; 1 s stays."),
    ],
)
def test_what_is_refused_is_read_as_a_whole_and_the_value_stays(qtbot, margin, typed: str, sentence: str):
    margin.selectAll()
    qtbot.keyClick(margin, Qt.Key.Key_Delete)
    for letter in typed:
        margin.lineEdit().insert(letter)
    assert margin.lineEdit().text().removesuffix(" s") == typed  # nothing is swallowed
    assert margin.problem == sentence
    assert margin.ms == 1000
    qtbot.keyClick(margin, Qt.Key.Key_Return)
    assert (margin.text(), margin.ms, margin.problem) == ("1 s", 1000, "")
    assert margin.wrong.text() == margin.accessibleDescription() == sentence
    margin.selectAll()
    qtbot.keyClicks(margin, "2")
    assert (margin.wrong.text(), margin.ms) == ("", 2000)


def test_only_what_is_sure_to_be_wrong_is_told_while_it_is_typed(qtbot):
    field = WholeField("Rate", least=50, greatest=400, suffix=" words per minute")
    qtbot.addWidget(field)
    field.setValue(160)
    field.selectAll()
    qtbot.keyClicks(field, "12")
    assert field.wrong.text() == ""
    assert field.value() == 160
    qtbot.keyClicks(field, "0")
    assert field.value() == 120
    qtbot.keyClicks(field, "00")
    assert field.wrong.text() == "“12000” is not from 50 to 400 words per minute; 160 words per minute stays."
    assert field.value() == 160
    field.selectAll()
    qtbot.keyClicks(field, "1.5")
    assert "no whole number" in field.wrong.text()


def test_the_arrows_go_on_from_the_value(qtbot, margin):
    margin.selectAll()
    qtbot.keyClicks(margin, "99")
    margin.stepUp()
    assert margin.ms == 1100
    assert margin.wrong.text() == ""


def test_a_number_is_taken_only_within_its_bounds(qtbot):
    field = NumberField("Share", greatest=100, decimals=3)
    qtbot.addWidget(field)
    assert field.validate("100", 0)[0] is QValidator.State.Acceptable
    for text in ("x", "-1", "1,2,3", "1.2345", "1e5", "100.1", ""):
        assert field.validate(text, 0)[0] is QValidator.State.Intermediate


def test_the_fields_of_a_plan_say_which_number_is_refused(qtbot):
    fields = PlanFields()
    qtbot.addWidget(fields)
    fields.show()
    before, told = fields.settings, []
    fields.changed.connect(lambda: told.append(fields.problem))
    plan = (fields.rate, fields.pause, fields.share, fields.early, fields.late)
    fields.far.setValue(100)
    fields.far.setValue(80)
    before = fields.settings
    near = (fields.near_early, fields.near_late, fields.far)
    for field in (fields.before, fields.after, fields.least, *plan, *near):
        field.setFocus()
        field.selectAll()
        qtbot.keyClicks(field, "99999999")
        assert fields.problem == field.wrong.text() != ""
        assert field.wrong.isVisible()
        assert field.wrong.y() >= field.y() + field.height()
        assert fields.settings == before
        fields.scope.setFocus()
        field.clearFocus()
        qtbot.keyClick(field, Qt.Key.Key_Return)
        assert fields.problem == told[-1] == ""
        assert field.wrong.isVisible()

"""How lines are voiced, in the inspector: own rate, pitch and volume, the film's level under them, held pictures."""

from __future__ import annotations

from dataclasses import replace

import pytest
from desks import desk_on, small_script
from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QTest

from adstudio.core.errors import BadInputError
from adstudio.core.narration import LineVoice
from adstudio.core.script import Script
from adstudio.core.steps import Replace
from adstudio.editing.pins import set_accepted
from adstudio.editing.voicing import change_line_voice, set_extended
from adstudio.ui.inspector.panel import Inspector
from adstudio.ui.inspector.voice_controls import VARIOUS, VoiceControls
from adstudio.ui.session.context import Context
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.table.cell_content import spoken
from adstudio.ui.table.line_facts import Filter, State, lines_of
from adstudio.ui.table.row_order import Column
from adstudio.ui.timeline.item_descriptions import facts
from adstudio.ui.timeline.rows import Rows
from adstudio.ui.widgets.level_field import LevelField, duck_field, pitch_field, rate_field, volume_field


@pytest.fixture
def desk(qapp, tmp_path):
    with desk_on(tmp_path) as made:
        yield made


@pytest.fixture
def inspector(desk: Context, qtbot) -> Inspector:
    made = Inspector(desk)
    qtbot.addWidget(made)
    made.resize(400, 1400)
    made.show()
    qtbot.waitExposed(made)
    desk.session.cursor.select_line("a")
    return made


@pytest.fixture
def controls(inspector: Inspector) -> VoiceControls:
    found = inspector.line.voicing
    found.fold.open()
    return found


def type_in(field: LevelField, text: str) -> None:
    field.setFocus()
    field.setText(text)
    field.setModified(True)
    QTest.keyClick(field, Qt.Key.Key_Return)


def voice_of(desk: Context, identity: str = "a") -> LineVoice | None:
    return desk.session.script.eventuality(identity).voice


@pytest.mark.parametrize(
    ("make", "typed", "value"),
    [
        (rate_field, "170", 170),
        (rate_field, " 170 wpm", 170),
        (pitch_field, "-5", -5),
        (pitch_field, "−5 %", -5),
        (pitch_field, "+12", 12),
        (volume_field, "-3,5", -35),
        (volume_field, "−3.5 dB", -35),
        (volume_field, "10", 100),
        (duck_field, "18", 180),
        (duck_field, "0", 0),
    ],
)
def test_levels_as_people_type_them(qtbot, make, typed: str, value: int):
    field = make("Level")
    qtbot.addWidget(field)
    taken: list[int] = []
    field.entered.connect(taken.append)
    field.show_value(99)
    type_in(field, typed)
    assert taken == [value]


@pytest.mark.parametrize(
    ("make", "typed"),
    [
        (rate_field, "39"),
        (rate_field, "601"),
        (rate_field, "120.5"),
        (rate_field, "fast"),
        (rate_field, "1e9999"),
        (pitch_field, "51"),
        (pitch_field, "nan"),
        (volume_field, "-20.1"),
        (volume_field, "10.1"),
        (duck_field, "-1"),
        (duck_field, "60.1"),
        (duck_field, "9" * 5000),
    ],
)
def test_what_is_no_such_level_is_refused_in_a_sentence(qtbot, make, typed: str):
    field = make("Level")
    qtbot.addWidget(field)
    said: list[str] = []
    field.refused.connect(said.append)
    field.setText(typed)
    field.setModified(True)
    field.flush()
    assert len(said) == 1
    assert said[0].endswith(".")
    assert len(said[0]) < 120
    assert field.value is None


def test_up_and_down_begin_at_what_is_inherited_and_stay_within_the_bounds(qtbot):
    field = rate_field("Rate", optional=True)
    qtbot.addWidget(field)
    field.inherit(590)
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Up)
    assert field.value == 595
    for _ in range(3):
        QTest.keyClick(field, Qt.Key.Key_Up)
    assert field.value == 600


def test_a_level_is_written_as_the_describer_s_language_does(qapp):
    QLocale.setDefault(QLocale("de_DE"))
    try:
        field = volume_field("Volume")
        field.show_value(-35)
        assert field.text() == "−3,5 dB"
    finally:
        QLocale.setDefault(QLocale.c())


def test_empty_fields_show_what_the_project_has(desk: Context, controls: VoiceControls):
    assert controls.rate.text() == ""
    assert controls.rate.placeholderText() == "200 wpm"
    assert controls.pitch.placeholderText() == "0 %"
    # The depth of the preset that the mix uses, 9 dB in the project's own one.
    assert controls.duck.placeholderText() == "9 dB"
    desk.preferences.store("mix", '{"changes": {"duck_depth": 125}}')
    assert controls.duck.placeholderText() == "12.5 dB"
    assert not controls.extended.isChecked()
    assert controls.fold.summary.isHidden()


def test_each_field_is_one_step_that_undo_takes_back(desk: Context, controls: VoiceControls):
    for field, typed in ((controls.rate, "170"), (controls.pitch, "-10"), (controls.volume, "-3")):
        type_in(field, typed)
    type_in(controls.duck, "18")
    assert voice_of(desk) == LineVoice(rate=170, pitch=-10, volume=-30)
    assert desk.session.script.eventuality("a").duck == 180
    assert len(desk.session.edits.document.past) == 4
    desk.session.undo()
    assert desk.session.script.eventuality("a").duck is None
    assert controls.duck.text() == ""
    desk.session.undo()
    assert voice_of(desk) == LineVoice(rate=170, pitch=-10)
    desk.session.redo()
    assert controls.volume.text() == "−3 dB"
    type_in(controls.rate, "")
    assert voice_of(desk) == LineVoice(pitch=-10, volume=-30)


def test_a_line_s_rate_sets_how_long_it_takes(tmp_path, qapp):
    script = small_script()
    line = replace(
        script.eventuality("c"),
        variants=(replace(script.eventuality("c").variants[0], text="One two three", duration=None),),
    )
    lines = tuple(line if each.id == "c" else each for each in script.eventualities)
    with desk_on(tmp_path, replace(script, eventualities=lines)) as desk:
        make = lambda script: change_line_voice(script, ("c",), lambda own: replace(own, rate=60))
        desk.session.edits.attempt(make)
        # Three words at sixty a minute.
        assert desk.session.plan.by_element["c"].end - desk.session.plan.by_element["c"].start == 3_000


def test_several_lines_show_what_they_share_and_keep_what_they_do_not(desk: Context, inspector: Inspector):
    desk.session.edits.attempt(lambda script: change_line_voice(script, ("a",), lambda own: replace(own, pitch=5)))
    desk.session.cursor.select(Selection(Kind.LINE, ("a", "c")))
    controls = inspector.several.voicing
    controls.fold.open()
    assert controls.pitch.text() == ""
    assert controls.pitch.placeholderText() == VARIOUS
    before = len(desk.session.edits.document.past)
    type_in(controls.rate, "150")
    assert voice_of(desk, "a") == LineVoice(rate=150, pitch=5)
    assert voice_of(desk, "c") == LineVoice(rate=150)
    assert len(desk.session.edits.document.past) == before + 1
    assert controls.rate.text() == "150 wpm"


def test_what_is_folded_away_is_said_in_short(desk: Context, inspector: Inspector):
    controls = inspector.line.voicing
    type_in(controls.rate, "170")
    type_in(controls.duck, "12")
    controls.fold.open(on=False)
    assert controls.fold.summary.text() == "170 wpm · film down 12 dB"
    assert controls.fold.head.accessibleDescription() == "170 wpm · film down 12 dB"
    assert controls.fold.head.accessibleName() == "Voice and level"


def test_the_part_stays_folded_or_open_in_both_pages(desk: Context, inspector: Inspector):
    assert not inspector.line.voicing.fold.is_open
    inspector.line.voicing.fold.head.click()
    assert inspector.several.voicing.fold.is_open


def held(desk: Context, inspector: Inspector) -> None:
    inspector.line.voicing.extended.click()
    assert desk.session.script.eventuality("a").extended


def test_a_line_that_holds_the_picture_is_in_no_gap_and_not_left_out(desk: Context, inspector: Inspector):
    assert "a" in desk.session.plan.by_element
    said: list[str] = []
    desk.session.messages.said.connect(said.append)
    held(desk, inspector)
    assert "a" not in desk.session.plan.by_element
    row = lines_of(desk.session).of("a")
    assert row.state is State.HELD
    assert spoken(row, Column.STATE) == "Picture held"
    assert spoken(row, Column.TIME).startswith("picture held at ")
    assert lines_of(desk.session).filters(row.eventuality) >= {Filter.HELD}
    assert Filter.DROPPED not in lines_of(desk.session).filters(row.eventuality)
    assert inspector.line.state.text() == "Picture held"
    assert inspector.line.where.text().endswith("the picture is held for 6.0 s")
    inspector.line.fill()
    assert "held" in inspector.line.why.why.text()
    assert inspector.line.why.force.isHidden()
    assert inspector.line.why.leave.isHidden()
    assert "a" not in desk.session.current_plan.changes.dropped
    rows = Rows()
    rows.update(desk.session.script, desk.session.current_plan.outcome, desk.session.gaps)
    assert facts(rows, row.eventuality)[0] == "spoken while the picture is held"
    assert rows.mark("a").spoken
    inspector.line.voicing.extended.click()
    assert "a" in desk.session.plan.by_element


def test_an_accepted_line_that_holds_the_picture_has_not_departed(desk: Context, inspector: Inspector):
    plan = desk.session.plan
    desk.session.edits.attempt(lambda script: set_accepted(script, ("a",), on=True, plan=plan))
    held(desk, inspector)
    assert desk.session.current_plan.departures == ()


def test_without_an_action_the_picture_cannot_be_held(desk: Context, inspector: Inspector, tmp_path):
    script: Script = desk.session.script
    line = replace(script.eventuality("a"), occurrence=None)
    desk.session.edits.do(Replace(script.eventuality("a"), line))
    said: list[str] = []
    desk.session.messages.said.connect(said.append)
    inspector.line.voicing.extended.click()
    assert not inspector.line.voicing.extended.isChecked()
    assert any("action" in each for each in said)
    with pytest.raises(BadInputError):
        set_extended(desk.session.script, ("a",), on=True)

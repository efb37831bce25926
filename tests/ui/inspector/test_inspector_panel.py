"""The inspector: what it shows of each thing, that each edit is one step, and that no reason is ever stale."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from desks import desk_on, line, small_script
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractSlider, QComboBox, QLineEdit, QPlainTextEdit

from adstudio.core.script import CueKind, Origin, Pin, Silence
from adstudio.core.steps import SetSettings
from adstudio.core.timebase import Span
from adstudio.editing import lines, pins, rules
from adstudio.editing.fit import outside_gaps
from adstudio.planning.film import reasons
from adstudio.store.project import ProjectFile
from adstudio.ui.commands.answers import where
from adstudio.ui.inspector.page_base import Page
from adstudio.ui.inspector.panel import Inspector
from adstudio.ui.session.context import Context
from adstudio.ui.session.free_time import free_time_used, gap_used
from adstudio.ui.session.reason_texts import APART, GAP_TIED, NOT_IN_TIME, WORKING
from adstudio.ui.session.selection import NOTHING, Kind, Selection


@pytest.fixture
def desk(qapp, tmp_path: Path):
    with desk_on(tmp_path) as made:
        yield made


@pytest.fixture
def inspector(qtbot, desk: Context) -> Inspector:
    return shown(qtbot, desk)


def shown(qtbot, desk: Context) -> Inspector:
    found = Inspector(desk)
    qtbot.addWidget(found)
    found.resize(340, 900)
    found.show()
    qtbot.waitExposed(found)
    found.activateWindow()
    return found


def steps(desk: Context) -> int:
    return len(desk.session.edits.document.past)


def write(field: QPlainTextEdit | QLineEdit, text: str) -> None:
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)


def test_nothing_in_hand_shows_the_film_in_numbers(desk: Context, inspector: Inspector):
    inspector._fill()
    # a 6 s and b 4 s, c 3 s, d 4 s and e 3 s of gaps of 10, 4 and 8 s.
    assert inspector.film.share.text() == "20.0 s of 22.0 s free time used"
    numbers = {name: label.text() for name, label in inspector.film.values.items()}
    assert numbers["Items"] == "5"
    assert numbers["Spoken"] == "5, in 5 lines"
    assert numbers["Unseen"] == "5"
    assert numbers["Gaps"] == "3"
    assert inspector.film.proof.text().startswith("Proven optimal")


def test_a_line_shows_each_wording_with_words_seconds_and_fit(desk: Context, inspector: Inspector):
    desk.session.cursor.select_line("b")
    first, second = inspector.line.wordings.rows
    # b has what a leaves of the gap of 10 s: 4 s. "b in 6000 ms" are 4 words and 6 s.
    assert first.numbers.text() == "4 words · 2.0 s too long"
    assert second.numbers.text() == "4 words · nothing to spare"
    assert first.numbers.property("warning")
    assert not second.numbers.property("warning")
    assert first.bar.accessibleName() == "6.0 s of 4.0 s, 2.0 s too long"
    assert second.mark.accessibleName() == "Wording 2, spoken now"
    assert inspector.line.state.text() == "Spoken"


def test_looking_at_things_marks_nothing(desk: Context, inspector: Inspector):
    for selection in (
        Selection(Kind.LINE, ("a",)),
        Selection(Kind.LINE, ("a", "b")),
        Selection(Kind.GAP, gap=desk.session.gaps[0]),
        Selection(Kind.CUE, ("c1",)),
        Selection(Kind.SCENE, ("s1",)),
        NOTHING,
    ):
        desk.session.cursor.select(selection)
        inspector._fill()
    assert not desk.session.edits.document.changed
    assert steps(desk) == 0


def test_typing_is_one_step_with_its_fit_as_it_goes(qtbot, desk: Context, inspector: Inspector):
    desk.session.cursor.select_line("b")
    row = inspector.line.wordings.rows[1]
    write(row.text, "She waits here.")
    assert row.numbers.text() == "3 words · 3.1 s to spare"  # 0.9 s at 200 words per minute
    qtbot.waitUntil(lambda: steps(desk) == 1)
    QTest.keyClicks(row.text, " Alone.")
    qtbot.waitUntil(lambda: desk.session.script.eventuality("b").variants[1].text.endswith("here. Alone."))
    assert steps(desk) == 1
    assert desk.session.script.eventuality("b").origin is Origin.HUMAN
    desk.session.undo()
    assert row.text.toPlainText() == "b in 4000 ms"
    assert steps(desk) == 0


def test_typing_something_and_taking_it_back_leaves_no_step(qtbot, desk: Context, inspector: Inspector):
    desk.session.cursor.select_line("b")
    row = inspector.line.wordings.rows[1]
    row.text.setFocus()
    QTest.keyClicks(row.text, "x")
    qtbot.waitUntil(lambda: steps(desk) == 1)
    QTest.keyClick(row.text, Qt.Key.Key_Escape)
    assert steps(desk) == 0
    assert desk.session.script.eventuality("b").variants[1].text == "b in 4000 ms"


def test_what_was_just_written_is_what_is_spoken(desk: Context, inspector: Inspector):
    desk.session.cursor.select_line("a")
    before = desk.session.script
    field = inspector.line.wordings.rows[1].text
    write(field, "She lets go")
    field.flush()
    QTest.keyClicks(field, " of it")
    field.flush()
    assert desk.session.script.eventuality("a").pin == Pin(variant=1)
    assert desk.session.plan.by_element["a"].variant == 1
    assert inspector.line.wordings.rows[1].hold.isChecked()
    assert inspector.line.wordings.rows[1].mark.accessibleName() == "Wording 2, spoken now, locked"
    assert steps(desk) == 1
    # Typed back, the hold goes with it: there is nothing to undo.
    write(field, "a in 4000 ms")
    field.flush()
    assert (desk.session.script, steps(desk)) == (before, 0)


def test_what_was_typed_is_taken_for_its_line_when_another_is_selected(desk: Context, inspector: Inspector):
    desk.session.cursor.select_line("b")
    write(inspector.line.wordings.rows[0].text, "First.")
    write(inspector.line.note, "A note")
    write(inspector.line.wordings.rows[1].text, "Second.")
    desk.session.cursor.select_line("c")
    texts = [variant.text for variant in desk.session.script.eventuality("b").variants]
    assert texts == ["First.", "Second."]
    assert desk.session.script.eventuality("b").note == "A note"
    assert inspector.line.wordings.rows[0].text.toPlainText() == "c in 3000 ms"
    assert desk.session.script.eventuality("c") == small_script().eventuality("c")


def test_a_wording_of_no_words_is_refused_and_comes_back(desk: Context, inspector: Inspector):
    said: list[str] = []
    desk.session.messages.said.connect(said.append)
    desk.session.cursor.select_line("b")
    row = inspector.line.wordings.rows[1]
    row.text.setFocus()
    row.text.selectAll()
    QTest.keyClick(row.text, Qt.Key.Key_Delete)
    row.text.flush()  # as after a rest
    assert row.text.toPlainText() == ""
    assert said == []
    inspector.line.note.setFocus()
    assert row.text.toPlainText() == "b in 4000 ms"
    assert steps(desk) == 0
    assert len(said) == 1


def test_wordings_are_pinned_and_removed(desk: Context, inspector: Inspector):
    desk.session.cursor.select_line("a")
    first, second = inspector.line.wordings.rows
    second.hold.click()
    assert desk.session.script.eventuality("a").pin == Pin(variant=1)
    assert second.mark.accessibleName() == "Wording 2, spoken now, locked"
    first.remove.click()
    assert [variant.text for variant in desk.session.script.eventuality("a").variants] == ["a in 4000 ms"]
    assert len(inspector.line.wordings.rows) == 1
    assert not first.remove.isEnabled()
    assert steps(desk) == 2


def test_a_wordings_own_length_is_seconds_with_a_comma_or_a_point(desk: Context, inspector: Inspector):
    desk.session.cursor.select_line("c")
    row = inspector.line.wordings.rows[0]
    write(row.length, "2,5")
    QTest.keyClick(row.length, Qt.Key.Key_Return)
    assert desk.session.script.eventuality("c").variants[0].duration == 2500
    write(row.length, "")
    QTest.keyClick(row.length, Qt.Key.Key_Delete)
    QTest.keyClick(row.length, Qt.Key.Key_Return)
    assert desk.session.script.eventuality("c").variants[0].duration is None
    assert row.length.placeholderText() == "1.2 s"  # four words


def test_holds_salience_and_occurrence_are_one_step_each(desk: Context, inspector: Inspector):
    session, holding = desk.session, inspector.line.holding
    session.cursor.select_line("e")
    done = []
    session.current_plan.changed.connect(lambda _: done.append(1))
    holding.hold.group.button(2).click()
    assert session.script.eventuality("e").pin.selected is False
    holding.hold.group.button(0).click()
    assert session.script.eventuality("e").pin == Pin()
    write(holding.salience, "1,5")
    QTest.keyClick(holding.salience, Qt.Key.Key_Return)
    assert session.script.eventuality("e").salience == 1_500_000
    write(holding.happens_from, "25,5")
    QTest.keyClick(holding.happens_from, Qt.Key.Key_Return)
    assert session.script.eventuality("e").occurrence == Span(25_500, 28_000)
    holding.not_before.click()
    within = session.script.eventuality("e").within
    assert within is not None
    assert within.start == 25_500
    write(holding.start, "00:00:26:00")
    QTest.keyClick(holding.start, Qt.Key.Key_Return)
    assert session.script.eventuality("e").pin.start == 26_000
    assert session.plan.by_element["e"].start == 26_000
    holding.override.click()
    assert session.script.eventuality("e").pin.override
    assert steps(desk) == len(done) == 7


def test_here_takes_the_playhead(desk: Context, inspector: Inspector):
    desk.session.cursor.select_line("d")
    desk.session.cursor.show_playhead(23_000)
    buttons = {each.accessibleName(): each for each in inspector.line.findChildren(QAbstractButton)}
    buttons["Locked start at the playhead"].click()
    assert desk.session.script.eventuality("d").pin.start == 23_000
    buttons["Action out at the playhead"].click()
    assert desk.session.script.eventuality("d").occurrence == Span(22_000, 23_000)
    assert steps(desk) == 2


def test_the_slider_is_one_step_for_a_pull(desk: Context, inspector: Inspector):
    desk.session.cursor.select_line("d")
    slider = inspector.line.holding.slider
    for value in (60, 55, 50):
        slider.setValue(value)
    assert desk.session.script.eventuality("d").salience == 500_000
    assert steps(desk) == 1
    slider.setSliderDown(True)
    for value in (40, 30):
        slider.setValue(value)
    slider.setSliderDown(False)
    assert steps(desk) == 2
    desk.session.undo()
    assert desk.session.script.eventuality("d").salience == 500_000
    assert slider.value() == 50


def test_a_refused_time_is_said_and_the_old_one_comes_back(desk: Context, inspector: Inspector):
    said: list[str] = []
    desk.session.messages.said.connect(said.append)
    desk.session.cursor.select(Selection(Kind.CUE, ("c1",)))
    write(inspector.cue.end, "5")
    QTest.keyClick(inspector.cue.end, Qt.Key.Key_Return)
    assert len(said) == 1
    assert inspector.cue.end.value == 14_000
    assert steps(desk) == 0


def test_reasons_come_when_the_hand_rests_and_go_at_once(qtbot, desk: Context, inspector: Inspector):
    why = inspector.line.why
    desk.session.cursor.select_line("b")
    assert why.explained is None
    assert why.why.text() == ""
    qtbot.waitUntil(lambda: why.explained is not None)
    # Without b the plan loses 0.5·4 = 2; a is said in full already. A second more in the gap brings nothing, for b
    # needs two more to be said in full.
    assert why.why.text() == "Without it, its 4.0 s would stay silent."
    qtbot.waitUntil(lambda: why.gap.text() == "One more second of its gap would bring nothing.")
    desk.session.edits.attempt(lambda script: lines.set_salience(script, ("b",), 400_000))
    assert why.explained is None
    assert why.why.text() == ""
    qtbot.waitUntil(lambda: why.explained is not None)
    assert why.why.text() == "Without it, its 4.0 s would stay silent."
    assert why.why.toolTip().startswith("−1.60. ")
    desk.session.undo()
    assert why.why.text() == ""


def test_forcing_in_names_who_would_go_and_does_it(qtbot, tmp_path: Path, qapp):
    small = small_script()
    rival = line("f", 15_000, 17_000, 0.25, 3_000)
    events = (*small.eventualities[:3], rival, *small.eventualities[3:])
    with desk_on(tmp_path, replace(small, eventualities=events)) as desk:
        inspector = shown(qtbot, desk)
        session, why = desk.session, inspector.line.why
        assert "f" not in session.plan.by_element
        session.cursor.select_line("f")
        inspector._fill()
        # f in place of e costs 0.3·3 − 0.25·3 = 0.15; in place of c it would be 0.8·3 − 0.25·3.
        assert why.why.text() == "Locking it in would cost 3.0 s of “e in 3000 ms”, which would go."
        assert why.why.toolTip().startswith("−0.15. ")
        assert [link.isVisible() for link in why.links][:2] == [True, False]
        assert "e in 3000 ms" in why.links[0].accessibleName()
        assert why.force.text() == "Lock in"
        why.force.click()
        assert session.script.eventuality("f").pin.selected is True
        assert "e" not in session.plan.by_element
        inspector._fill()
        assert why.why.text() == (
            "Locked in. Without it the plan would bring in 3.0 s of “e in 3000 ms”."
            " That matters more to the story than this line."
        )
        assert why.release.isVisible()
        why.release.click()
        assert "e" in session.plan.by_element
        inspector._fill()
        why.links[0].click()
        assert session.cursor.selection.lines() == ("e",)
        assert steps(desk) == 2


def test_a_cost_is_a_number_in_the_tip_only(qtbot, desk: Context, inspector: Inspector):
    desk.session.cursor.select_line("b")
    inspector._fill()
    why = inspector.line.why.why
    # b has 4 s at 0.5; nothing else has room for its 4 s but a, which is said in full already.
    assert why.text() == "Without it, its 4.0 s would stay silent."
    assert why.accessibleDescription() == why.text()
    assert why.toolTip().startswith("−2.00. ")


def test_a_line_in_conflict_says_which_locks(qtbot, desk: Context, inspector: Inspector):
    desk.session.edits.attempt(lambda script: pins.pin_starts(script, {"d": 23_000, "e": 23_500}))
    assert {"d", "e"} & {line.element for line in desk.session.current_plan.outcome.overlay}
    for name in ("d", "e"):
        desk.session.cursor.select_line(name)
        inspector._fill()
        assert inspector.line.why.why.text().startswith(f"{APART}: “d in")
        qtbot.waitUntil(lambda: not inspector.line.why.gap.isVisible())


def test_what_goes_is_named_in_full_for_a_screen_reader(qtbot, tmp_path: Path, qapp):
    many = [line(f"x{number}", 0, 2_000, 0.5, 1_000) for number in range(10)]
    whole = line("whole", 0, 2_000, 0.1, 10_000)
    with desk_on(tmp_path, replace(small_script(), eventualities=(*many, whole))) as desk:
        inspector = shown(qtbot, desk)
        desk.session.cursor.select_line("whole")
        inspector._fill()
        why = inspector.line.why
        assert why.why.text().startswith(
            "Locking it in would cost 1.0 s of “x0 in 1000 ms”, 1.0 s of “x1 in 1000 ms” and 8 more"
        )
        for text in (
            why.why.accessibleDescription(),
            why.more.accessibleDescription(),
            why.force.accessibleDescription(),
        ):
            assert all(f"“x{number} in 1000 ms”" in text for number in range(10))
        assert "“x9 in 1000 ms”" in why.why.toolTip()
        assert why.more.text() == "and 4 more"
        assert why.links[0].accessibleName() == "Go to “x0 in 1000 ms” at 00:00:00:00: 1.0 s goes"


def test_what_takes_long_says_that_it_is_being_worked_out(qtbot, desk: Context, inspector: Inspector, monkeypatch):
    planner = desk.session.current_plan.planner
    monkeypatch.setattr(planner, "reason", lambda identity: None)
    desk.session.cursor.select_line("b")
    inspector._fill()
    assert inspector.line.why.why.text() == WORKING
    assert inspector.line.why.why.accessibleDescription() == WORKING
    desk.session.current_plan.unexplained.emit("a")
    assert inspector.line.why.why.text() == WORKING
    desk.session.current_plan.unexplained.emit("b")
    assert inspector.line.why.why.text() == NOT_IN_TIME


def test_a_gap_says_in_words_what_a_second_would_bring(desk: Context, inspector: Inspector, monkeypatch):
    # b is 2 s short of being spoken in full; so nothing yet. With 9.5 s, a and b have half a second less than they use.
    desk.session.cursor.select(Selection(Kind.GAP, gap=desk.session.gaps[0]))
    inspector._fill()
    assert inspector.gap.worth.text() == "One more second at its end would bring nothing."
    desk.session.edits.attempt(lambda script: pins.pin_out(script, ("b",)))
    desk.session.edits.attempt(lambda script: rules.make_alternatives(script, ("a", "c")))
    desk.session.cursor.select(Selection(Kind.GAP, gap=desk.session.gaps[0]))
    inspector._fill()
    # a is out for c, or c for a: either way its scene is planned by itself.
    assert (
        inspector.gap.worth.text() == "One more second at its end would bring nothing, other scenes left as they are."
    )
    monkeypatch.setattr(reasons, "AT_ONCE", 0)
    desk.session.edits.attempt(lambda script: lines.set_salience(script, ("a",), 880_000))
    inspector._fill()
    assert inspector.gap.worth.text() == GAP_TIED
    assert inspector.gap.worth.accessibleDescription() == GAP_TIED


def test_pins_that_cannot_hold_together_are_named(desk: Context, inspector: Inspector):
    desk.session.edits.attempt(lambda script: pins.pin_starts(script, {"d": 23_000, "e": 23_500}))
    desk.session.cursor.select_line("e")
    conflict = inspector.line.holding.conflict
    assert conflict.isVisible()
    # d takes at least 3 s, from 23 s on; e is put half a second after its start.
    assert (
        conflict.text()
        == "“d in 4000 ms” at 00:00:23:00 runs 2.5 s into “e in 3000 ms” at 00:00:23:13, even in its shortest wording."
    )
    desk.session.undo()
    assert not conflict.isVisible()


def test_rules_are_listed_and_removed(desk: Context, inspector: Inspector):
    desk.session.edits.attempt(lambda script: rules.make_requires(script, "e", "d"))
    desk.session.cursor.select_line("e")
    (row,) = inspector.line.rule_rows
    buttons = {each.accessibleName(): each for each in row.findChildren(QAbstractButton)}
    assert set(buttons) == {"Remove the rule: Only if this is spoken", "“d in 4000 ms”"}
    buttons["Remove the rule: Only if this is spoken"].click()
    assert not desk.session.script.rules
    assert inspector.line.rule_rows == []


def test_review_and_note(desk: Context, inspector: Inspector):
    desk.session.cursor.select_line("a")
    inspector.line.seen.click()
    assert desk.session.script.eventuality("a").seen
    inspector.line.accepted.click()
    assert desk.session.script.eventuality("a").accepted
    write(inspector.line.note, "Ask the director")
    inspector.flush()
    assert desk.session.script.eventuality("a").note == "Ask the director"
    assert inspector.line.scene.text() == "Inside"
    assert steps(desk) == 3


def test_one_breath_is_ticked_and_says_how_it_stands(desk: Context, inspector: Inspector):
    page = inspector.line
    desk.session.cursor.select_line("a")
    assert not page.breath.isEnabled()  # nothing stands before it
    desk.session.cursor.select_line("b")
    assert page.breath.isEnabled()
    assert not page.breath.isChecked()
    assert not page.breath_now.isVisible()
    QTest.keyClick(page.breath, Qt.Key.Key_Return)
    assert desk.session.script.eventuality("b").joined
    assert (steps(desk), page.breath.isChecked()) == (1, True)
    assert page.breath_now.text() == "Spoken together with “a in 6000 ms”."
    desk.session.edits.attempt(lambda script: pins.pin_out(script, ("a",)))
    assert page.breath_now.text().endswith("not spoken together: no line is spoken before it.")
    QTest.keyClick(page.breath, Qt.Key.Key_Return)
    assert not desk.session.script.eventuality("b").joined


def test_several_lines_show_what_they_have_in_common_and_change_together(desk: Context, inspector: Inspector):
    page = inspector.several
    desk.session.cursor.select(Selection(Kind.LINE, ("c", "d", "e")))
    assert page.title.text() == "3 items"
    assert page.numbers.text() == "3 spoken, 10.0 s · 0 left out"
    assert page.salience.text() == ""
    write(page.salience, "0.6")
    QTest.keyClick(page.salience, Qt.Key.Key_Return)
    assert {each.salience for each in desk.session.script.eventualities[2:]} == {600_000}
    assert page.salience.text() == "0.60"
    page.hold.group.button(2).click()
    assert page.numbers.text() == "0 spoken, 0.0 s · 3 left out"
    assert steps(desk) == 2
    desk.session.edits.attempt(lambda script: pins.unpin_placement(script, ("c",)))
    assert page.hold.group.checkedId() == -1


def test_what_a_gap_has_left_is_what_may_be_filled_and_both_figures_are_named(desk: Context, inspector: Inspector):
    """Of the gap of 8 s, 90 % may be filled: 7.2 s, of which the lines of 7 s leave 0.2 s."""
    settings = desk.session.script.settings
    desk.session.edits.attempt(lambda _: SetSettings(settings, replace(settings, max_share=900_000)))
    gap = desk.session.gaps[2]
    desk.session.cursor.select(Selection(Kind.GAP, gap=gap))
    inspector._fill()
    said = "7.0 s of 8.0 s used · 0.2 s free (may be filled to 90 %, 7.2 s)"
    assert (inspector.gap.numbers.text(), gap_used(desk.session.rooms, gap)) == (said, said)
    desk.session.cursor.select(NOTHING)
    inspector._fill()
    assert inspector.film.share.text().startswith(free_time_used(desk.session.rooms, desk.session.gaps))
    assert where(desk.session).detail  # the gap at the playhead, by the same figures
    here = desk.session.current_plan.gap_at(desk.session.cursor.playhead)
    assert here is None or gap_used(desk.session.rooms, here).replace(" · ", ", ") in where(desk.session).detail


def test_a_gap_shows_what_it_has_left_and_who_is_in_it(desk: Context, inspector: Inspector):
    page = inspector.gap
    desk.session.cursor.select(Selection(Kind.GAP, gap=desk.session.gaps[2]))
    inspector._fill()
    assert page.numbers.text() == "7.0 s of 8.0 s used · 1.0 s free"
    assert page.worth.text() == "One more second at its end would bring nothing."
    names = [row.accessibleName() for row in page._rows if row.isVisible()]
    assert names == ["Go to “d in 4000 ms”", "Go to “e in 3000 ms”"]
    page._rows[1].click()
    assert desk.session.cursor.selection.lines() == ("e",)


def test_a_silence_is_moved_and_noted(qtbot, tmp_path: Path, qapp):
    script = replace(small_script(), silences=(Silence("x1", Span(2000, 4000)),))
    with desk_on(tmp_path, script) as desk:
        inspector = shown(qtbot, desk)
        page = inspector.region
        desk.session.cursor.select(Selection(Kind.SILENCE, ("x1",)))
        assert page.title.text() == "Silence"
        assert page.length.text() == "2.0 s"
        write(page.end, "5")
        QTest.keyClick(page.end, Qt.Key.Key_Return)
        write(page.note, "Birdsong")
        page.note.flush()
        assert desk.session.script.silences == (Silence("x1", Span(2000, 5000), "Birdsong"),)
        page.delete.click()
        assert desk.session.script.silences == ()
        assert inspector.page is inspector.film
        assert steps(desk) == 3


def test_a_cue_is_taken_for_something_else(desk: Context, inspector: Inspector):
    desk.session.cursor.select(Selection(Kind.CUE, ("c1",)))
    assert inspector.cue.speaker.text() == "ANNA"
    inspector.cue.kind.activated.emit(1)
    assert desk.session.script.cues[0].kind is CueKind.SOUND
    assert desk.session.gaps[0] == Span(0, 18_000)
    assert steps(desk) == 1


def test_a_scene_is_named_and_reviewed(desk: Context, inspector: Inspector):
    desk.session.cursor.select(Selection(Kind.SCENE, ("s2",)))
    inspector._fill()
    assert inspector.scene.numbers.text() == "2 of 2 items described"
    write(inspector.scene.name, "In the yard")
    inspector.flush()
    inspector.scene.reviewed.click()
    assert desk.session.script.scenes[1].title == "In the yard"
    assert desk.session.script.scenes[1].reviewed


def test_the_cursor_goes_to_the_wording_spoken_or_just_added(desk: Context, inspector: Inspector):
    from adstudio.editing import wordings

    desk.session.cursor.select_line("b")
    inspector.edit_text()
    assert inspector.line.wordings.rows[1].text.hasFocus()
    desk.session.edits.attempt(lambda script: wordings.add_wording(script, "b", "Brief."))
    inspector.edit_text()
    assert inspector.line.wordings.rows[2].text.hasFocus()


def test_undo_in_a_field_where_nothing_was_typed_is_everybodys(qtbot, desk: Context, inspector: Inspector):
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QKeyEvent

    desk.session.cursor.select_line("b")
    field = inspector.line.wordings.rows[0].text
    field.setFocus()

    def takes_undo() -> bool:
        key = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        key.ignore()
        field.event(key)
        return key.isAccepted()

    assert not takes_undo()
    QTest.keyClicks(field, "x")
    assert takes_undo()


def test_every_control_has_a_name(desk: Context, inspector: Inspector):
    desk.session.edits.attempt(lambda script: rules.make_together(script, ("d", "e")))
    for selection in (
        Selection(Kind.LINE, ("e",)),
        Selection(Kind.LINE, ("a", "b")),
        Selection(Kind.GAP, gap=desk.session.gaps[0]),
        Selection(Kind.CUE, ("c1",)),
        Selection(Kind.SCENE, ("s1",)),
    ):
        desk.session.cursor.select(selection)
        inspector._fill()
        for kind in (QAbstractButton, QLineEdit, QPlainTextEdit, QComboBox, QAbstractSlider):
            for control in inspector.page.findChildren(kind):
                if control.isVisible() and "scroll" not in type(control).__name__.lower():
                    assert control.accessibleName(), f"{type(control).__name__} on {type(inspector.page).__name__}"


@pytest.mark.parametrize("width", [280, 340, 420])
def test_nothing_sticks_out_of_a_narrow_panel(desk: Context, inspector: Inspector, width: int):
    inspector.resize(width, 700)
    desk.session.cursor.select_line("b")
    inspector._fill()
    for page in inspector.pages:
        assert page.minimumSizeHint().width() <= 280 - 24 - 12
    assert inspector.widget().width() <= inspector.viewport().width()


def test_the_tab_key_goes_down_the_page(desk: Context, inspector: Inspector):
    desk.session.cursor.select_line("a")
    first, second = inspector.line.wordings.rows
    begin = inspector.line.why.force
    chain = [begin]
    while len(chain) < 400 and chain[-1].nextInFocusChain() is not begin:
        chain.append(chain[-1].nextInFocusChain())
    line_page = inspector.line
    wanted = [
        begin,
        first.text,
        first.length,
        first.hold,
        first.remove,
        second.text,
        second.remove,
        line_page.wordings.add,
        line_page.holding.start,
        line_page.holding.salience,
        line_page.holding.happens_from,
        line_page.accepted,
        line_page.note,
    ]
    assert [each for each in chain if each in wanted] == wanted


def test_what_is_half_typed_never_reaches_another_document(desk: Context, inspector: Inspector, tmp_path: Path):
    desk.session.cursor.select_line("b")
    row = inspector.line.wordings.rows[0]
    write(row.text, "Half a sen")
    desk.session.open_project(ProjectFile.create(tmp_path / "other.adproj", small_script()))
    desk.session.cursor.select_line("b")
    assert row.text.toPlainText() == "b in 6000 ms"
    inspector.flush()
    assert desk.session.script == small_script()
    assert not desk.session.edits.document.changed


def test_a_page_is_made_when_it_is_first_wanted_and_only_once(desk: Context, qtbot):
    fresh = Inspector(desk)
    qtbot.addWidget(fresh)
    assert [type(page).__name__ for page in fresh.findChildren(Page)] == ["FilmPage"]
    desk.session.cursor.select(Selection(Kind.CUE, ("c1",)))
    assert fresh.page is fresh.cue
    assert {type(page).__name__ for page in fresh.findChildren(Page)} == {"FilmPage", "CuePage"}
    qtbot.waitUntil(lambda: "LinePage" in [type(page).__name__ for page in fresh.findChildren(Page)])
    built = [type(page).__name__ for page in fresh.findChildren(Page)]
    assert built.count("LinePage") == 1
    desk.session.cursor.select_line("a")
    assert fresh.page is fresh.line
    # The rows of the line's wordings are built when it is shown.
    assert [name for page in fresh.findChildren(Page) if (name := type(page).__name__) != "WordingRow"] == built


def test_a_line_in_conflict_is_never_said_to_have_room(desk: Context, inspector: Inspector):
    # 11 s is in the dialogue of 10 to 14 s.
    desk.session.edits.attempt(lambda script: pins.pin_start(script, "a", 11_000))
    desk.session.cursor.select_line("a")
    page = inspector.line
    assert page.where.text() == "Locked to 00:00:11:00 – 00:00:15:00 · in conflict"
    for row in page.wordings.rows:
        assert row.numbers.text().endswith("its lock cannot hold")
        assert row.numbers.property("warning")
        assert row.bar.accessibleName().endswith("its lock cannot hold")
        assert row.bar._room == 0
    desk.session.undo()
    desk.session.edits.attempt(lambda script: pins.pin_starts(script, {"d": 23_000, "e": 23_500}))
    desk.session.cursor.select_line("e")
    assert page.wordings.rows[0].numbers.text() == "4 words · conflicts with other locks"
    assert page.where.text().endswith("in conflict")


def test_a_line_overridden_outside_its_gap_says_by_how_much(desk: Context, inspector: Inspector):
    desk.session.edits.attempt(lambda script: pins.pin_start(script, "c", 16_500))
    desk.session.edits.attempt(lambda script: pins.set_override(script, ("c",), on=True))
    desk.session.cursor.select_line("c")
    page = inspector.line
    # From 16.5 to 19.5 s, and the gap ends at 18 s.
    assert page.where.text() == "00:00:16:12 – 00:00:19:13 · 1.5 s outside its gap"
    (row,) = page.wordings.rows
    assert row.numbers.text() == "4 words · 1.5 s outside its gap, as you allowed"
    assert (row.bar._used, row.bar._room) == (3_000, 1_500)
    assert row.numbers.property("warning")


def test_how_much_of_a_delivery_is_outside_its_gap():
    gaps = (Span(0, 10_000), Span(14_000, 18_000))
    assert outside_gaps(gaps, Span(2_000, 10_000)) == 0
    assert outside_gaps(gaps, Span(9_000, 12_000)) == 2_000
    assert outside_gaps(gaps, Span(11_000, 13_000)) == 2_000
    # 1 s in the first gap, 2 s in the second: it is in the second, and 5 s are outside.
    assert outside_gaps(gaps, Span(9_000, 16_000)) == 5_000


def test_a_reason_is_worked_out_once_the_plan_is_settled(desk: Context, inspector: Inspector, qtbot, monkeypatch):
    session = desk.session
    session.cursor.select_line("b")
    unsettled: list[bool] = []
    kind = type(session.current_plan.planner)
    told = kind.reason

    def reason(planner, identity):
        unsettled.append(planner.settle_some())
        return told(planner, identity)

    monkeypatch.setattr(kind, "reason", reason)
    session.edits.do(pins.pin_out(session.script, ("a",)))
    qtbot.waitUntil(lambda: inspector.line.why.explained is not None)
    assert unsettled == [False]


def test_what_no_hand_waits_for_is_shown_a_turn_later_unless_it_is_of_the_line(
    desk: Context, inspector: Inspector, qtbot
):
    session = desk.session
    session.cursor.select_line("b")
    qtbot.waitUntil(lambda: session.idle.is_idle)
    # Away from the line in hand: "b" gets the whole gap once "a" has gone, 10 s for its 6 s.
    away = lines.delete_lines(session.script, ("a",))
    assert away is not None
    while session.current_plan.ahead is not away:
        session.current_plan.look_ahead(away)
    first = inspector.line.wordings.rows[0]
    session.edits.do(away)
    assert first.numbers.text() == "4 words · 2.0 s too long"
    qtbot.waitUntil(lambda: first.numbers.text() == "4 words · 4.0 s to spare")
    # The line in hand itself: there is nothing to show of it any more, from that moment on.
    qtbot.waitUntil(lambda: session.idle.is_idle)
    itself = lines.delete_lines(session.script, ("b",))
    assert itself is not None
    while session.current_plan.ahead is not itself:
        session.current_plan.look_ahead(itself)
    session.edits.do(itself)
    assert inspector.page is inspector.film

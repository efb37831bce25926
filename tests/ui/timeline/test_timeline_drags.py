"""Drags: each is one step with the times it should have, Escape leaves none. 60 ms a pixel, snapping within 480 ms."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from timeline_hand import Hand
from timeline_scripts import odd_script

from adstudio.core.timebase import Span
from adstudio.editing import pins
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.timeline.lanes import Lane
from adstudio.ui.timeline.pointer import Gesture

ALT, CTRL, SHIFT = (
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)


@pytest.fixture
def session(timeline, desk):
    assert {d.element: d.start for d in desk.session.plan.deliveries} == {"e1": 0, "e2": 3_500, "e3": 23_000}
    return desk.session


def steps(session) -> int:
    return len(session.edits.document.past)


def by(at: QPointF, pixels: float) -> QPointF:
    return QPointF(at.x() + pixels, at.y())


def test_dragging_a_delivery_pins_its_start_in_one_step(hand: Hand, session) -> None:
    at = hand.centre(Lane.NARRATION, "e3")
    hand.drag(at, by(at, 50))
    assert session.script.eventuality("e3").pin.start == 26_000  # 23 s + 50 pixels of 60 ms
    assert session.plan.by_element["e3"].start == 26_000
    assert steps(session) == 1
    session.undo()
    assert session.script.eventuality("e3").pin.start is None
    assert session.plan.by_element["e3"].start == 23_000


def test_its_end_sticks_to_the_end_of_the_gap(hand: Hand, session) -> None:
    at = hand.centre(Lane.NARRATION, "e3")
    hand.drag(at, by(at, 115))  # 6.9 s on: the end is at 33.9 s, the gap's at 34 s
    assert session.script.eventuality("e3").pin.start == 30_000


def test_a_modifier_suspends_snapping(hand: Hand, session) -> None:
    at = hand.centre(Lane.NARRATION, "e3")
    hand.drag(at, by(at, 115), ALT, press=Qt.KeyboardModifier.NoModifier)
    assert session.script.eventuality("e3").pin.start == 29_900


def test_snapping_can_be_switched_off(hand: Hand, session, desk) -> None:
    desk.actions["view.snap"].trigger()
    at = hand.centre(Lane.NARRATION, "e3")
    hand.drag(at, by(at, 115))
    assert session.script.eventuality("e3").pin.start == 29_900


def test_a_delivery_sticks_to_its_neighbour_and_to_the_playhead(hand: Hand, session) -> None:
    session.cursor.show_playhead(28_000)
    at = hand.centre(Lane.NARRATION, "e3")
    hand.drag(at, by(at, 82))  # 4,920 on: 27,920, the playhead stands at 28,000
    assert session.script.eventuality("e3").pin.start == 28_000
    at = hand.centre(Lane.NARRATION, "e2")
    hand.drag(at, by(at, -22))  # 1,320 back: 2,180, e1 ends at 2,000
    assert session.script.eventuality("e2").pin.start == 2_000


def test_several_selected_lines_move_together_in_one_step(hand: Hand, session) -> None:
    hand.click(hand.centre(Lane.NARRATION, "e1"))
    hand.click(hand.centre(Lane.NARRATION, "e2"), CTRL)
    at = hand.centre(Lane.NARRATION, "e1")
    hand.drag(at, by(at, 20))
    starts = [session.script.eventuality(key).pin.start for key in ("e1", "e2")]
    assert starts == [1_200, 4_700]
    assert steps(session) == 1


def test_a_group_never_leaves_the_film(hand: Hand, session) -> None:
    session.cursor.select(Selection(Kind.LINE, ("e1", "e2")))
    at = hand.centre(Lane.NARRATION, "e2")
    hand.drag(at, by(at, -200))
    assert steps(session) == 0  # e1 stands at the very start
    assert hand.canvas.overlay.ghost is None


@pytest.mark.parametrize(
    ("part", "pixels", "expected"),
    [("body", 50, (27_000, 29_000)), ("start", -50, (21_000, 26_000)), ("end", 50, (24_000, 29_000))],
)
def test_an_occurrence_is_moved_and_stretched(hand: Hand, session, part, pixels, expected) -> None:
    found = hand.box(Lane.ACTION, "e3")
    at = QPointF({"body": found.centre, "start": found.left + 1, "end": found.right - 1}[part], found.middle)
    hand.drag(at, by(at, pixels))
    assert session.script.eventuality("e3").occurrence == Span(*expected)
    assert steps(session) == 1


def test_an_edge_cannot_pass_the_other(hand: Hand, session) -> None:
    found = hand.box(Lane.ACTION, "e3")
    at = QPointF(found.left + 1, found.middle)
    hand.drag(at, by(at, 300))
    assert session.script.eventuality("e3").occurrence == Span(26_000, 26_000)


def test_a_gap_is_made_smaller_by_its_edge(hand: Hand, session) -> None:
    found = hand.box(Lane.GAPS, "20000-34000")
    at = QPointF(found.left + 1, found.middle)
    hand.drag(at, by(at, 30))
    assert Span(21_800, 34_000) in session.gaps
    assert steps(session) == 1
    assert session.script.silences[0].span == Span(20_000, 21_800)


def test_a_gap_is_made_larger_over_dialogue(hand: Hand, session) -> None:
    found = hand.box(Lane.GAPS, "20000-34000")
    at = QPointF(found.left + 1, found.middle)
    hand.drag(at, by(at, -20))
    assert Span(18_800, 34_000) in session.gaps
    assert [opening.span for opening in session.script.openings] == [Span(18_800, 20_000)]


def test_a_silence_is_moved_and_stretched(hand: Hand, session) -> None:
    found = hand.box(Lane.GAPS, "20000-34000")
    middle = found.middle
    at = QPointF(hand.canvas.view.x(35_000), middle)
    hand.drag(at, by(at, 20))
    assert session.script.silences[0].span == Span(35_200, 37_200)
    at = QPointF(hand.canvas.view.x(37_200) - 2, middle)
    hand.drag(at, by(at, 15))
    assert session.script.silences[0].span == Span(35_200, 38_100)
    assert steps(session) == 2


def test_a_silence_is_drawn_with_shift(hand: Hand, session) -> None:
    start, end = QPointF(870, hand.point(0, Lane.GAPS).y()), QPointF(920, hand.point(0, Lane.GAPS).y())
    hand.drag(start, end, SHIFT)
    assert session.script.silences[-1].span == Span(52_200, 55_200)
    assert steps(session) == 1


def test_an_opening_is_drawn_with_control_and_shift_and_sticks_where_it_begins(hand: Hand, session) -> None:
    y = hand.point(0, Lane.GAPS).y()
    hand.drag(QPointF(170, y), QPointF(220, y), SHIFT | CTRL)  # from 10.2 s, the cue begins at 10 s
    assert session.script.openings[0].span == Span(10_000, 13_200)


def test_a_slip_of_the_hand_is_no_drag(hand: Hand, session) -> None:
    at = hand.centre(Lane.NARRATION, "e3")
    hand.drag(at, by(at, 3))
    y = hand.point(0, Lane.GAPS).y()
    hand.drag(QPointF(870, y), QPointF(872, y), SHIFT)
    assert steps(session) == 0
    assert not session.edits.document.changed


def test_escape_leaves_no_step_and_no_ghost(hand: Hand, session, qtbot) -> None:
    at = hand.centre(Lane.NARRATION, "e3")
    hand.press(at)
    hand.move(by(at, 50))
    assert hand.canvas.overlay.ghost is not None
    qtbot.keyClick(hand.canvas, Qt.Key.Key_Escape)
    assert hand.canvas.overlay.ghost is None
    hand.move(by(at, 60))
    hand.release(by(at, 60))
    assert steps(session) == 0
    assert hand.timeline.pointer.doing is Gesture.NOTHING


def test_back_where_it_began_is_no_step(hand: Hand, session) -> None:
    at = hand.centre(Lane.NARRATION, "e3")
    hand.press(at)
    hand.move(by(at, 50))
    hand.move(at)
    hand.release(at)
    assert steps(session) == 0


def test_a_pause_and_a_plan_that_comes_meanwhile_change_nothing(hand: Hand, session, qtbot) -> None:
    at = hand.centre(Lane.NARRATION, "e3")
    hand.press(at)
    hand.move(by(at, 20))
    qtbot.wait(150)
    session.current_plan.accept_outcome(session.current_plan.outcome)
    hand.move(by(at, 50))
    session.current_plan.accept_outcome(session.current_plan.outcome)
    hand.release(by(at, 50))
    assert session.script.eventuality("e3").pin.start == 26_000
    assert steps(session) == 1


def test_an_edit_of_another_line_meanwhile_is_a_step_of_its_own(hand: Hand, session) -> None:
    at = hand.centre(Lane.NARRATION, "e3")
    hand.press(at)
    hand.move(by(at, 50))
    session.edits.attempt(lambda script: pins.pin_out(script, ("e1",)))
    hand.release(by(at, 50))
    assert session.script.eventuality("e3").pin.start == 26_000
    assert steps(session) == 2


def test_what_is_gone_cannot_be_dragged_on(hand: Hand, session) -> None:
    y = hand.point(0, Lane.GAPS).y()
    hand.drag(QPointF(870, y), QPointF(920, y), SHIFT)
    at = QPointF(895, y)
    hand.press(at)
    hand.move(by(at, 30))
    session.undo()
    hand.move(by(at, 40))
    hand.release(by(at, 40))
    assert steps(session) == 0
    assert hand.timeline.pointer.doing is Gesture.NOTHING


def test_the_ghost_says_where_and_whether_it_fits(hand: Hand, session) -> None:
    at = hand.centre(Lane.NARRATION, "e3")
    hand.press(at)
    hand.move(by(at, 50))
    ghost = hand.canvas.overlay.ghost
    assert ghost is not None
    assert ghost.label.startswith("00:00:26")
    assert not ghost.warning
    hand.move(by(at, -100))
    ghost = hand.canvas.overlay.ghost
    assert ghost is not None
    assert ghost.warning == "not in one gap"
    hand.canvas.grab()
    hand.timeline.pointer.cancel()


def test_a_drag_at_the_border_scrolls_the_film(hand: Hand, session, qtbot) -> None:
    hand.canvas.show_view(hand.canvas.view.zoomed(4, 300))
    left = hand.canvas.view.left
    at = hand.centre(Lane.NARRATION, "e3")
    hand.press(at)
    hand.move(QPointF(hand.canvas.width() - 2, at.y()))
    qtbot.waitUntil(lambda: hand.canvas.view.left > left + 100)
    ghost = hand.canvas.overlay.ghost
    assert ghost is not None
    here = hand.canvas.view.time(hand.canvas.width() - 2)
    assert abs((ghost.spans[0].start + ghost.spans[0].end) / 2 - here) < 500  # it stays under the hand
    qtbot.keyClick(hand.canvas, Qt.Key.Key_Escape)
    left = hand.canvas.view.left
    qtbot.wait(60)
    assert hand.canvas.view.left == left
    hand.release(at)
    assert steps(session) == 0


@pytest.mark.parametrize(("key", "start"), [("c4", 8_000), ("c5", 9_000)])
def test_a_cue_without_length_is_mended_by_pulling_its_end_out(open_script, desk, key, start) -> None:
    hand = Hand(open_script(odd_script(), ms_per_px=20))
    at = hand.centre(Lane.DIALOGUE, key)
    hand.drag(at, by(at, 75), ALT, press=Qt.KeyboardModifier.NoModifier)
    cue = next(cue for cue in desk.session.script.cues if cue.id == key)
    assert (cue.start, cue.end) == (start, start + 1_500)
    assert steps(desk.session) == 1


def test_other_dialogue_never_moves(hand: Hand, session) -> None:
    at = hand.centre(Lane.DIALOGUE, "c1")
    hand.drag(at, by(at, 60))
    assert steps(session) == 0

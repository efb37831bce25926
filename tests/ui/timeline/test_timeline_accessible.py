"""What a screen reader meets: a list of all items with names, the current one, its states."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QAccessible, QAccessibleInterface
from timeline_hand import Hand
from timeline_scripts import odd_script

from adstudio.core.timebase import Span
from adstudio.editing import lines, pins
from adstudio.ui.session.reason_texts import reason_text
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.timeline.item_descriptions import sentence, tip
from adstudio.ui.timeline.items import Item
from adstudio.ui.timeline.lanes import Lane

NAME, DETAILS, VALUE = QAccessible.Text.Name, QAccessible.Text.Description, QAccessible.Text.Value


@pytest.fixture
def whole(timeline) -> QAccessibleInterface:
    return QAccessible.queryAccessibleInterface(timeline.canvas)


def names(whole: QAccessibleInterface) -> list[str]:
    return [whole.child(n).text(NAME) for n in range(whole.childCount())]


def test_every_item_is_a_child_with_a_name_lane_by_lane(whole) -> None:
    assert whole.role() == QAccessible.Role.List
    assert whole.text(NAME) == "Timeline"
    assert names(whole) == [
        "Inside, Scenes",
        "Outside, Scenes",
        "ANNA  Where have you been?, Dialogue",
        "TOM  Out., Dialogue",
        "Gap of 10.0 s, Gaps",
        "Gap of 14.0 s, Gaps",
        "Silence of 2.0 s, Gaps",
        "Gap of 4.0 s, Gaps",
        "Gap of 10.0 s, Gaps",
        "e1 is seen., Action",
        "e2 is seen., Action",
        "e3 is seen., Action",
        "e4 is seen., Action",
        "e1 is seen., Narration",
        "e2 is seen., Narration",
        "e3 is seen., Narration",
    ]
    assert whole.child(16) is None
    assert whole.child(-1) is None


def test_the_value_says_all_that_is_to_be_seen(whole, desk) -> None:
    assert whole.child(4).text(DETAILS) == "00:00:00:00 to 00:00:10:00, 5.0 s free, 2 lines"
    assert whole.child(15).text(DETAILS).startswith("spoken at 00:00:23:00 for 4.0 s, on time, action ")
    assert whole.child(0).text(DETAILS).endswith(", not reviewed")
    assert whole.child(4).text(VALUE) == "Gap of 10.0 s, 00:00:00:00 to 00:00:10:00, 5.0 s free, 2 lines"
    assert whole.child(15).text(VALUE) == (
        "“e3 is seen.”, spoken at 00:00:23:00 for 4.0 s, on time, action 00:00:24:00 to 00:00:26:00, salience 0.90"
    )
    desk.session.edits.attempt(lambda script: pins.pin_start(script, "e3", 24_000))
    now = "1.0 s late, action 00:00:24:00 to 00:00:26:00, salience 0.90, locked to its time"
    assert whole.child(15).text(VALUE).endswith(f"spoken at 00:00:24:00 for 4.0 s, {now}")
    assert "left out" in whole.child(12).text(VALUE)


def test_the_current_item_is_the_focused_child(whole, timeline, desk) -> None:
    assert whole.focusChild() is None
    desk.session.cursor.select(Selection(Kind.GAP, gap=Span(0, 10_000)))
    focused = whole.focusChild()
    assert focused.text(NAME) == "Gap of 10.0 s, Gaps"
    assert whole.text(VALUE) == timeline.current_sentence() == focused.text(VALUE)
    assert whole.indexOfChild(focused) == 4
    assert focused.state().selected
    assert focused.state().active
    assert not whole.child(5).state().selected


def test_children_stand_where_they_are_painted(whole, hand: Hand) -> None:
    canvas = hand.canvas
    child = whole.child(15)
    found = hand.box(Lane.NARRATION, "e3")
    top_left = canvas.mapFromGlobal(child.rect().topLeft())
    assert (top_left.x(), top_left.y()) == (found.left, found.top)
    middle = canvas.mapToGlobal(hand.centre(Lane.NARRATION, "e3").toPoint())
    assert whole.childAt(middle.x(), middle.y()) is child
    canvas.show_view(canvas.view.zoomed(30, 0).scrolled_to(0))
    assert child.state().offscreen


def test_children_come_and_go_with_the_script(whole, desk) -> None:
    child = whole.child(13)
    desk.session.edits.attempt(lambda script: lines.delete_lines(script, ("e1",)))
    assert whole.childCount() == 14
    assert not child.isValid()
    assert child.state().invalid
    assert child.text(NAME) == ""
    desk.session.undo()
    assert whole.childCount() == 16


def test_reading_all_children_many_times_and_losing_the_widget_is_safe(open_script, window, qtbot) -> None:
    from PySide6.QtCore import QCoreApplication, QEvent

    timeline = open_script(odd_script())
    whole = QAccessible.queryAccessibleInterface(timeline.canvas)
    for _ in range(20):
        assert all(names(whole))
        for n in range(whole.childCount()):
            whole.child(n).rect()
    held = whole.child(0)
    window.takeCentralWidget()
    timeline.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not held.isValid()


def test_odd_cues_are_told(open_script) -> None:
    rows = open_script(odd_script()).rows
    told = sentence(rows, Item(Kind.CUE, "c4", Lane.DIALOGUE))
    assert told == "Dialogue that ends before it starts, at 00:00:08:00: Backwards"


def test_the_tool_tip_says_why(timeline, desk) -> None:
    spoken = tip(timeline.rows, Item(Kind.LINE, "e3", Lane.NARRATION), reason_text(desk.session, "e3").short)
    assert spoken.splitlines()[-1] == "Without it, its 4.0 s would stay silent."
    out = tip(timeline.rows, Item(Kind.LINE, "e4", Lane.ACTION), reason_text(desk.session, "e4").short)
    assert out.startswith("e4 is seen.\nleft out · action 00:00:52:00 to 00:00:54:00")

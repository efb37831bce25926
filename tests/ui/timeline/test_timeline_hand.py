"""Clicks, wheel, rubber band, pan, keyboard, follow: what looks and selects never changes the document."""

from __future__ import annotations

import pytest
from pending_events import run_pending_events
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QNativeGestureEvent, QPointingDevice
from PySide6.QtWidgets import QApplication, QMenu
from timeline_hand import Hand
from timeline_scripts import small_script

from adstudio.core.timebase import Span
from adstudio.ui.session.selection import NOTHING, Kind, Selection
from adstudio.ui.timeline.lanes import Lane
from adstudio.ui.timeline.timeline import menu_groups

CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


@pytest.fixture
def session(timeline, desk):
    return desk.session


@pytest.fixture
def sought(session) -> list[int]:
    found: list[int] = []
    session.cursor.seek_asked.connect(found.append)
    return found


@pytest.fixture(autouse=True)
def _nothing_changes(desk, timeline):
    """Whatever is done here, the file is as it was."""
    yield
    assert not desk.session.edits.document.past
    assert not desk.session.edits.document.changed
    assert desk.session.script == small_script()


@pytest.mark.parametrize("lane", [Lane.RULER, Lane.SHOTS, Lane.SOUND, Lane.DIALOGUE, Lane.NARRATION])
def test_a_click_on_what_is_empty_seeks(hand: Hand, sought, session, lane) -> None:
    session.cursor.select_line("e1")
    hand.click(QPointF(500, hand.point(0, lane).y()))
    assert sought == [30_000]
    assert session.cursor.selection.ids == ("e1",)


def test_the_ruler_scrubs(hand: Hand, sought) -> None:
    y = hand.point(0, Lane.RULER).y()
    hand.drag(QPointF(100, y), QPointF(200, y))
    assert sought[0] == 6_000
    assert sought[-1] == 12_000


@pytest.mark.parametrize(
    ("lane", "key", "expected"),
    [
        (Lane.NARRATION, "e3", Selection(Kind.LINE, ("e3",))),
        (Lane.ACTION, "e4", Selection(Kind.LINE, ("e4",))),
        (Lane.DIALOGUE, "c2", Selection(Kind.CUE, ("c2",))),
        (Lane.GAPS, "0-10000", Selection(Kind.GAP, gap=Span(0, 10_000))),
        (Lane.SCENES, "s2", Selection(Kind.SCENE, ("s2",))),
    ],
)
def test_a_click_on_an_item_selects_it_and_a_double_click_goes_there(
    hand: Hand, session, sought, lane, key, expected
) -> None:
    hand.click(hand.centre(lane, key))
    assert session.cursor.selection == expected
    assert sought == []
    hand.double_click(hand.centre(lane, key))
    assert session.cursor.selection == expected
    starts = {"e3": 23_000, "e4": 52_000, "c2": 40_000, "0-10000": 0, "s2": 30_000}
    assert sought == [starts[key]]


def test_control_adds_and_takes_away_and_shift_takes_the_run(hand: Hand, session) -> None:
    hand.click(hand.centre(Lane.ACTION, "e1"))
    hand.click(hand.centre(Lane.ACTION, "e3"), CTRL)
    assert session.cursor.selection.ids == ("e1", "e3")
    hand.click(hand.centre(Lane.ACTION, "e1"), CTRL)
    assert session.cursor.selection.ids == ("e3",)
    hand.click(hand.centre(Lane.ACTION, "e1"), SHIFT)
    assert session.cursor.selection.ids == ("e3", "e2", "e1")
    hand.click(hand.centre(Lane.ACTION, "e2"))
    assert session.cursor.selection.ids == ("e2",)


def test_a_rubber_band_selects_and_with_control_adds(hand: Hand, session) -> None:
    happens = hand.canvas.bands[Lane.ACTION]
    hand.drag(QPointF(200, happens.bottom - 4), QPointF(5, happens.top + 4))
    assert session.cursor.selection == Selection(Kind.LINE, ("e1", "e2"))
    hand.drag(QPointF(700, happens.bottom - 4), QPointF(950, happens.top + 2), CTRL)
    assert session.cursor.selection.ids == ("e1", "e2", "e4")
    hand.drag(QPointF(600, happens.bottom - 4), QPointF(650, happens.top + 2))
    assert session.cursor.selection == NOTHING


def test_the_wheel_scrolls_and_with_control_or_alt_zooms_about_the_pointer(hand: Hand) -> None:
    canvas = hand.canvas
    canvas.show_view(canvas.view.zoomed(8, 400))
    left = canvas.view.left
    hand.wheel(QPointF(300, 100), -120)
    assert canvas.view.left == pytest.approx(left + canvas.width() / 10, abs=1)
    for modifiers in (CTRL, ALT):
        at, scale = canvas.view.time(300), canvas.view.ms_per_px
        hand.wheel(QPointF(300, 100), 120, modifiers)
        assert canvas.view.ms_per_px == pytest.approx(scale / 1.25)
        assert canvas.view.time(300) == pytest.approx(at, abs=canvas.view.ms_per_px)


def test_a_pinch_zooms_about_the_fingers(hand: Hand) -> None:
    canvas = hand.canvas
    canvas.show_view(canvas.view.zoomed(8, 400))
    at, scale = canvas.view.time(300), canvas.view.ms_per_px
    place = QPointF(300, 100)
    where = QPointF(canvas.mapToGlobal(place.toPoint()))
    kind, device = Qt.NativeGestureType.ZoomNativeGesture, QPointingDevice.primaryPointingDevice()
    QApplication.sendEvent(canvas, QNativeGestureEvent(kind, device, 2, place, place, where, 0.1, QPointF()))
    assert canvas.view.ms_per_px == pytest.approx(scale / 1.1)
    assert canvas.view.time(300) == pytest.approx(at, abs=canvas.view.ms_per_px)


def test_the_middle_button_pans(hand: Hand) -> None:
    hand.canvas.show_view(hand.canvas.view.zoomed(8, 400))
    left = hand.canvas.view.left
    hand.press(QPointF(500, 100), Qt.MouseButton.MiddleButton)
    hand.move(QPointF(450, 120))
    hand.release(QPointF(450, 120))
    assert hand.canvas.view.left == left + 50


def test_keys_go_along_a_lane_and_from_lane_to_lane(hand: Hand, session, qtbot, timeline) -> None:
    canvas = hand.canvas
    hand.click(hand.centre(Lane.NARRATION, "e1"))
    for key, expected in (
        (Qt.Key.Key_Right, ("e2",)),
        (Qt.Key.Key_End, ("e3",)),
        (Qt.Key.Key_Right, ("e3",)),
        (Qt.Key.Key_Home, ("e1",)),
        (Qt.Key.Key_Left, ("e1",)),
    ):
        qtbot.keyClick(canvas, key)
        assert session.cursor.selection.ids == expected
    qtbot.keyClick(canvas, Qt.Key.Key_Up)
    assert (session.cursor.selection.ids, canvas.overlay.lane) == (("e1",), Lane.ACTION)
    qtbot.keyClick(canvas, Qt.Key.Key_End)
    assert session.cursor.selection.ids == ("e4",)  # where things happen also the line is that is left out
    qtbot.keyClick(canvas, Qt.Key.Key_Up)
    assert session.cursor.selection == Selection(Kind.GAP, gap=Span(50_000, 60_000))
    qtbot.keyClick(canvas, Qt.Key.Key_Left)
    qtbot.keyClick(canvas, Qt.Key.Key_Left)
    assert session.cursor.selection == Selection(Kind.SILENCE, ("q1",))
    qtbot.keyClick(canvas, Qt.Key.Key_Up)
    assert session.cursor.selection == Selection(
        Kind.CUE, ("c2",)
    )  # it begins 4 s from there, the other ends 15 s before
    qtbot.keyClick(canvas, Qt.Key.Key_Up)
    assert session.cursor.selection == Selection(Kind.SCENE, ("s2",))
    qtbot.keyClick(canvas, Qt.Key.Key_Up)
    assert session.cursor.selection == Selection(Kind.SCENE, ("s2",))
    assert timeline.current_sentence() == "Outside, 00:00:30:00 to 00:01:00:00, not reviewed"


def test_from_nowhere_the_keys_begin_at_the_playhead(hand: Hand, session, qtbot) -> None:
    session.cursor.show_playhead(24_000)
    qtbot.keyClick(hand.canvas, Qt.Key.Key_Right)
    assert session.cursor.selection.ids == ("e3",)


def test_return_asks_for_the_text(hand: Hand, session, desk, qtbot) -> None:
    asked: list[str] = []
    desk.actions.connect("line.edit", lambda: asked.append("edit"))
    hand.click(hand.centre(Lane.NARRATION, "e1"))
    qtbot.keyClick(hand.canvas, Qt.Key.Key_Return)
    assert asked == ["edit"]


def test_a_selection_made_elsewhere_comes_into_view(hand: Hand, session) -> None:
    canvas = hand.canvas
    canvas.show_view(canvas.view.zoomed(10, 0).scrolled_to(0))
    session.cursor.select_line("e3")
    assert 0 <= canvas.view.x(23_000) < canvas.view.x(27_000) <= canvas.width()


def test_marking_a_stretch_does_not_scroll_to_the_selection(hand: Hand, session) -> None:
    canvas = hand.canvas
    session.cursor.select_line("e1")
    canvas.show_view(canvas.view.zoomed(10, 0).scrolled_to(5_000))
    view = canvas.view
    session.cursor.mark(35_000, 36_000)
    assert canvas.view == view
    assert canvas.overlay.marks == (35_000, 36_000)


def test_what_is_clicked_at_the_border_stays_under_the_hand(hand: Hand, session) -> None:
    canvas = hand.canvas
    canvas.show_view(canvas.view.zoomed(3, 0).scrolled_to(1_250))  # e3 begins at pixel 1,150 of 20 ms
    view = canvas.view
    hand.click(QPointF(5, hand.centre(Lane.NARRATION, "e3").y()))
    assert session.cursor.selection.ids == ("e3",)
    assert canvas.view == view


def test_a_tool_tip_shows_texts_as_they_are(hand: Hand, session, monkeypatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr("adstudio.ui.timeline.timeline.QToolTip.showText", lambda *args: shown.append(args[1]))
    monkeypatch.setattr("adstudio.ui.timeline.timeline.tip", lambda *_: "<img src=x> & more\nsecond")
    at = hand.centre(Lane.NARRATION, "e3").toPoint()
    QApplication.sendEvent(hand.canvas, QHelpEvent(QEvent.Type.ToolTip, at, hand.canvas.mapToGlobal(at)))
    assert shown == ["<qt>&lt;img src=x&gt; &amp; more<br>second</qt>"]


def test_the_view_follows_the_playhead_while_that_is_wanted(hand: Hand, session, desk) -> None:
    canvas = hand.canvas
    canvas.show_view(canvas.view.zoomed(20, 0).scrolled_to(0))
    session.cursor.show_playhead(30_000)
    assert canvas.view.x(30_000) == pytest.approx(canvas.width() * 0.08, abs=1)
    desk.actions["view.follow"].trigger()
    left = canvas.view.left
    session.cursor.show_playhead(55_000)
    assert canvas.view.left == left


def test_the_view_actions(hand: Hand, session, desk) -> None:
    canvas = hand.canvas
    desk.actions.refresh()
    session.cursor.show_playhead(25_000)
    scale, x = canvas.view.ms_per_px, canvas.view.x(25_000)
    desk.actions["view.zoom_in"].trigger()
    assert canvas.view.ms_per_px == pytest.approx(scale / 1.5)
    assert canvas.view.x(25_000) == pytest.approx(x, abs=1)
    desk.actions["view.zoom_out"].trigger()
    desk.actions["view.fit_gap"].trigger()
    assert canvas.view.x(20_000) == pytest.approx(canvas.width() * 0.06, abs=1)
    assert canvas.view.x(34_000) == pytest.approx(canvas.width() * 0.94, abs=1)
    desk.actions["view.fit_scene"].trigger()
    assert canvas.view.x(0) == 24  # nothing lies before the film
    assert canvas.view.ms_per_px == pytest.approx(30_000 / (canvas.width() * 0.88))
    desk.actions["view.fit_film"].trigger()
    assert canvas.view.x(0) == 24
    said: list[str] = []
    session.messages.said.connect(said.append)
    session.cursor.show_playhead(15_000)
    desk.actions["view.fit_gap"].trigger()
    assert said == ["There is no gap at the playhead."]


def test_the_scroll_bar_and_the_view_agree(hand: Hand, timeline) -> None:
    timeline.canvas.show_view(timeline.view.zoomed(4, 0))
    timeline.bar.setValue(500)
    assert timeline.view.left == 500
    timeline.canvas.show_view(timeline.view.scrolled(100))
    assert timeline.bar.value() == 600


def test_the_right_button_selects_and_offers_what_fits(hand: Hand, session, timeline) -> None:
    at = hand.centre(Lane.NARRATION, "e2")
    hand.press(at, Qt.MouseButton.RightButton)
    hand.release(at)
    assert session.cursor.selection.ids == ("e2",)
    menus = [menu for menu in timeline.findChildren(QMenu) if menu.isVisible()]
    assert len(menus) == 1
    names = [action.objectName() for action in menus[0].actions() if not action.isSeparator()]
    assert names == [name for group in menu_groups(Kind.LINE, 1) for name in group]
    menus[0].close()
    run_pending_events()


def test_the_menu_key_offers_the_same(hand: Hand, session, timeline) -> None:
    session.cursor.select(Selection(Kind.GAP, gap=Span(0, 10_000)))
    QApplication.sendEvent(
        hand.canvas, QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(0, 0), QPoint(0, 0))
    )
    menus = [menu for menu in timeline.findChildren(QMenu) if menu.isVisible()]
    assert menus[0].actions()[0].objectName() == "line.new"
    menus[0].close()
    run_pending_events()


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("count", [1, 3])
def test_every_menu_names_actions_that_exist(desk, timeline, kind, count) -> None:
    for group in menu_groups(kind, count):
        for name in group:
            assert desk.actions[name].text()

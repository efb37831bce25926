"""Lanes get the heights that the describer sets, by mouse and from the menu, and keep them."""

from __future__ import annotations

import pytest
from pending_events import run_pending_events
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from timeline_scripts import small_script

from adstudio.ui.timeline.lane_headings import LEAST_WIDTH, LaneHeadings, sizes_from
from adstudio.ui.timeline.lanes import Lane, LaneSizes
from adstudio.ui.timeline.timeline import LANES, Timeline


@pytest.fixture
def timeline(open_script) -> Timeline:
    return open_script(small_script())


def heights(timeline: Timeline) -> dict[Lane, int]:
    return {lane: band.height for lane, band in timeline.canvas.bands.items()}


def drag(headings: LaneHeadings, lane: Lane, by: int) -> None:
    foot = headings._canvas.bands[lane].bottom
    QTest.mouseMove(headings, QPoint(20, foot))
    QTest.mousePress(headings, Qt.MouseButton.LeftButton, pos=QPoint(20, foot))
    for way in (by // 2, by):
        QTest.mouseMove(headings, QPoint(20, foot + way))
    QTest.mouseRelease(headings, Qt.MouseButton.LeftButton, pos=QPoint(20, foot + by))


def test_dragging_an_edge_sets_the_height_which_is_remembered(timeline, desk):
    before = heights(timeline)
    drag(timeline.headings, Lane.SOUND, 40)
    assert heights(timeline)[Lane.SOUND] == before[Lane.SOUND] + 40
    assert sum(heights(timeline).values()) <= timeline.canvas.height()
    stored = sizes_from(desk.preferences.text(LANES), LaneSizes())
    assert dict(stored.wished) == {Lane.SOUND: before[Lane.SOUND] + 40}
    foot = timeline.canvas.bands[Lane.SOUND].bottom
    QTest.mouseDClick(timeline.headings, Qt.MouseButton.LeftButton, pos=QPoint(20, foot))
    assert heights(timeline) == before


def test_between_the_edges_nothing_is_dragged(timeline):
    before, band = heights(timeline), timeline.canvas.bands[Lane.SOUND]
    middle = QPoint(20, band.top + band.height // 2)
    QTest.mousePress(timeline.headings, Qt.MouseButton.LeftButton, pos=middle)
    QTest.mouseMove(timeline.headings, middle + QPoint(0, 30))
    QTest.mouseRelease(timeline.headings, Qt.MouseButton.LeftButton, pos=middle + QPoint(0, 30))
    assert heights(timeline) == before


def test_the_menu_sets_the_height_of_the_lane_of_the_selected_item(timeline, desk):
    said: list[str] = []
    desk.session.messages.said.connect(said.append)
    before = heights(timeline)
    line = desk.session.script.eventualities[0].id
    timeline.canvas.overlay.lane = Lane.ACTION
    desk.session.cursor.select_line(line)
    desk.actions["view.lane_higher"].trigger()
    assert heights(timeline)[Lane.ACTION] == before[Lane.ACTION] + 16
    assert said[-1] == f"Action: {before[Lane.ACTION] + 16} pixels high."
    for _ in range(40):
        desk.actions["view.lane_lower"].trigger()
    assert heights(timeline)[Lane.ACTION] == 56  # what its three rows need
    assert said[-1] == "Action can be no lower in this window."
    desk.actions.refresh()
    desk.actions["view.lanes_reset"].trigger()
    assert heights(timeline) == before


def test_names_and_lanes_grow_with_the_text(timeline, desk):
    before, font = timeline.headings.width(), QApplication.font()
    larger = QApplication.font()
    larger.setPointSizeF(font.pointSizeF() * 3)
    try:
        QApplication.setFont(larger)
        timeline.canvas.apply_theme(desk.theme.tokens)
        assert timeline.headings.width() > max(before, LEAST_WIDTH)
        small = timeline.canvas.ink.small
        assert timeline.headings.width() >= 12 + small.width("Narration") + 4
        for lane in (Lane.RULER, Lane.SCENES, Lane.DIALOGUE, Lane.GAPS, Lane.NARRATION):
            assert timeline.canvas.bands[lane].height >= small.height, lane
    finally:
        QApplication.setFont(font)
    timeline.canvas.apply_theme(desk.theme.tokens)
    assert timeline.headings.width() == before


def test_how_far_something_is_stands_beside_the_lane_s_name_or_not_at_all(timeline, desk, text_size):
    """In large text a low lane has no room for both."""
    for size, both in (("100", True), ("200", False)):
        desk.preferences.store("text_size", size)
        run_pending_events()
        timeline.films.data.doing.clear()
        before = timeline.headings.grab().toImage()
        timeline.films.data.doing["Shots"] = "43 %"
        assert (timeline.headings.grab().toImage() != before) is both, size
        timeline.films.data.doing.clear()

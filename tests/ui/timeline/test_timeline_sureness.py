"""What is not sure of when it happens has open ends: a shape, in both looks, that nothing else is changed by."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, qGray
from timeline_hand import Hand
from timeline_scripts import line, small_script

from adstudio.core.film import Film
from adstudio.core.script import Pin, Script
from adstudio.editing.occurrences import confirm_occurrences
from adstudio.ui.session.selection import Kind
from adstudio.ui.timeline import paint_events
from adstudio.ui.timeline.item_descriptions import sentence, tip
from adstudio.ui.timeline.items import Item
from adstudio.ui.timeline.lanes import Lane
from adstudio.ui.timeline.paint_events import fringe
from adstudio.ui.timeline.paint_resources import PaintResources
from adstudio.ui.timeline.timeline import Timeline
from adstudio.ui.widgets.theme import DARK, LIGHT, Look, contrast

PX = 60.0  # milliseconds


def script(*confidences: int | None, **fields: object) -> Script:
    """Lines of a hundred pixels each, from 6 s on, twelve seconds apart, with no words that stand in the way."""
    lines = tuple(
        replace(line(f"e{n}", 6_000 + n * 12_000, 12_000 + n * 12_000, 1_000, 0.9), confidence=confidence, **fields)
        for n, confidence in enumerate(confidences)
    )
    return Script(Film("Doubts", 60_000), eventualities=lines)


def grabbed(timeline: Timeline) -> QImage:
    return timeline.canvas.grab().toImage()


def along(timeline: Timeline, key: str, count: int = 12) -> list[bool]:
    """Of the first pixels of a mark, from left to right, below its words: whether they are other than the lane."""
    image, found = grabbed(timeline), Hand(timeline).box(Lane.ACTION, key)
    ground = timeline.canvas.ink.lane.rgb()
    return [image.pixel(round(found.left) + x, round(found.bottom) - 3) != ground for x in range(count)]


def test_sure_marks_are_whole_and_others_end_in_bars_the_more_the_less_sure(open_script) -> None:
    timeline = open_script(script(None, 900, 600, 300))
    whole, one, two = [True] * 12, [True] * 2 + [False] * 2, ([True] * 2 + [False] * 2) * 2
    assert along(timeline, "e0") == whole
    assert along(timeline, "e1") == whole
    assert along(timeline, "e2") == one + [True] * 8
    assert along(timeline, "e3") == two + [True] * 4


def test_what_is_left_out_has_open_ends_too(open_script) -> None:
    timeline = open_script(script(None, 300, pin=Pin(selected=False)))
    assert along(timeline, "e0")[0]
    assert along(timeline, "e1")[:9] == [True, True, False, False, True, True, False, False, True]


def test_the_shape_is_there_without_any_colour(open_script, desk) -> None:
    timeline = open_script(script(300))
    for look in (Look.LIGHT, Look.DARK):
        desk.theme.wear(look)
        image, found = grabbed(timeline), Hand(timeline).box(Lane.ACTION, "e0")
        greys = [qGray(image.pixel(round(found.left) + x, round(found.bottom) - 3)) for x in range(10)]
        assert abs(greys[0] - greys[2]) > 40
        assert abs(greys[8] - greys[6]) > 40


def test_marks_that_are_sure_are_painted_as_they_always_were(open_script, desk, monkeypatch) -> None:
    timeline = open_script(small_script())
    before = grabbed(timeline)
    monkeypatch.setattr(paint_events, "fringe", lambda *_: pytest.fail("no mark here has open ends"))
    sure = replace(
        small_script(), eventualities=tuple(replace(e, confidence=700) for e in small_script().eventualities)
    )
    timeline.rows.update(sure, desk.session.current_plan.outcome, desk.session.gaps)
    timeline.canvas.invalidate(None)
    assert grabbed(timeline) == before


def test_confirming_repaints_the_mark_and_undo_brings_the_open_ends_back(open_script, desk) -> None:
    timeline = open_script(script(300, 300))
    doubted = grabbed(timeline)
    assert desk.session.edits.attempt(lambda script: confirm_occurrences(script, ("e1",)))
    assert along(timeline, "e1") == [True] * 12
    assert not along(timeline, "e0")[2]
    desk.session.undo()
    desk.session.cursor.select_again(desk.session.cursor.selection)
    assert not along(timeline, "e1")[2]
    assert doubted.size() == grabbed(timeline).size()


@pytest.mark.parametrize("bars", [1, 2])
@pytest.mark.parametrize("width", [2.0, 3.5, 7.0, 11.9, 12.0, 19.9, 20.0, 300.0])
@pytest.mark.parametrize("outline", [0.0, 1.0, 2 / 3])
def test_pieces_stay_within_their_mark_and_leave_room_between(bars: int, width: float, outline: float) -> None:
    area = QRectF(10, 20, width, 18)
    body, ends = fringe((10, 10 + width, 20, 38), bars, outline)
    assert len(body) == 1
    assert len(ends) == (2 * bars if width >= 8 * bars + 4 else 0)
    painted = [
        *(p.adjusted(0, 0, min(outline, width / 2), outline) for p in body),
        *ends,
    ]
    assert min(min(p.width(), p.height()) for p in (*body, *ends)) > 0
    assert all(area.contains(p.adjusted(0.01, 0.01, -0.01, -0.01)) for p in painted)
    assert sum(p.width() * p.height() for p in painted) < area.width() * area.height()


def test_a_mark_too_narrow_for_ends_is_lower_the_less_sure() -> None:
    heights = [fringe((0, 6, 0, 20), bars, 0.0)[0][0].height() for bars in (1, 2)]
    assert heights == [12, 6]


def test_marks_over_others_and_narrow_ones_are_painted_at_every_zoom(open_script) -> None:
    crowd = tuple(
        replace(line(f"e{n}", 5_000 + n * 200, 9_000 + n * 200, 1_000), confidence=(600, 300, None)[n % 3])
        for n in range(12)
    )
    timeline = open_script(Script(Film("Crowd", 60_000), eventualities=crowd))
    for zoom in (1.0, 8.0, 0.2, 0.1):
        timeline.canvas.show_view(timeline.view.zoomed(zoom, 100))
        assert not grabbed(timeline).isNull()


@pytest.mark.parametrize("tokens", [pytest.param(LIGHT, id="light"), pytest.param(DARK, id="dark")])
def test_bars_can_be_seen_on_their_lane(tokens, qapp) -> None:
    """A bar of two pixels needs what any mark needs: as much contrast as the outline of what is left out (3 : 1)."""
    ink = PaintResources(tokens)
    assert [n for n, colour in enumerate(ink.outlines) if contrast(colour, ink.lane) < 3.0] == []


def test_it_is_said_in_words(open_script) -> None:
    timeline = open_script(script(310, None))
    told = sentence(timeline.rows, Item(Kind.LINE, "e0", Lane.ACTION))
    assert "action 00:00:06:00 to 00:00:12:00, a guess (31 %)" in told
    assert "a guess (31 %)" in tip(timeline.rows, Item(Kind.LINE, "e0", Lane.ACTION))
    assert "guess" not in sentence(timeline.rows, Item(Kind.LINE, "e1", Lane.ACTION))

"""Painting: no script makes it fail, only what changed is painted again, far out it is a density, themes, HiDPI."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pending_events import run_pending_events
from PySide6.QtCore import QBuffer, QIODevice, QRect
from PySide6.QtGui import QColor, QImage
from timeline_hand import Hand
from timeline_scripts import line, odd_script, small_script

from adstudio.core.film import Film
from adstudio.core.script import Cue, CueKind, Origin, Penalty, Pin, Rules, Scene, Script
from adstudio.core.timebase import Span
from adstudio.editing import lines, pins
from adstudio.media.peaks import Peaks
from adstudio.media.thumbnails import Thumbnail, Thumbnails
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.timeline.film_data import ThumbnailImages
from adstudio.ui.timeline.items import box
from adstudio.ui.timeline.lanes import Lane
from adstudio.ui.timeline.timeline import Timeline
from adstudio.ui.widgets.theme import DARK, LIGHT, Look


def grabbed(timeline: Timeline) -> QImage:
    return timeline.canvas.grab().toImage()


def painted(timeline: Timeline, monkeypatch) -> list[float]:
    """The left edges of the tiles that are painted from now on."""
    made: list[float] = []
    paint = timeline.canvas._paint_tile

    def noted(painter, view) -> None:
        made.append(view.left)
        paint(painter, view)

    monkeypatch.setattr(timeline.canvas, "_paint_tile", noted)
    return made


def test_an_odd_film_is_painted_and_marks_are_seen(open_script) -> None:
    timeline = open_script(odd_script(), ms_per_px=20)
    image = grabbed(timeline)
    rows, view, bands = timeline.rows, timeline.view, timeline.canvas.bands
    warning = QColor(LIGHT.warning).rgb()
    for key in ("c4", "c5"):  # reversed, and of no length
        found = box(view, bands[Lane.DIALOGUE], rows.cues, rows.cues.place[key])
        assert image.pixel(int(found.centre), int(found.middle)) == warning


@pytest.mark.parametrize("script", [Script(Film("", 0)), Script(Film("", 1_000)), Script(Film("", 36_000_000))])
def test_films_without_anything_and_of_any_length_are_painted(open_script, script) -> None:
    timeline = open_script(script)
    for zoom in (1, 1000, 1e-6):
        timeline.canvas.show_view(timeline.view.zoomed(zoom, 100))
        assert not grabbed(timeline).isNull()


def everything() -> Script:
    """Every state that a line can be in, all kinds of cues and rules."""
    script = small_script()
    e1, e2, e3, e4 = script.eventualities
    more = (
        replace(e1, pin=Pin(start=500), accepted=True, origin=Origin.HUMAN),
        replace(e2, pin=Pin(selected=False), within=Span(2_000, 9_000)),
        replace(e3, pin=Pin(start=18_000, override=True), salience=None),
        replace(e4, pin=Pin(selected=True)),
        line("e5", 53_000, 53_000, 800, -3.0),
        replace(line("e6", 51_000, 52_000, 800), occurrence=None),
    )
    kinds = tuple(
        Cue(f"k{n}", 21_000 + n * 2_000, 22_500 + n * 2_000, "[x]", kind=kind) for n, kind in enumerate(CueKind)
    )
    rules = Rules((("e1", "e2", "e4"),), (("e3", "e1"),), (("e1", "e5"),), (Penalty("e1", "e3", 1),))
    scenes = tuple(replace(scene, reviewed=True) for scene in script.scenes)
    return replace(script, eventualities=more, cues=(*script.cues, *kinds), rules=rules, scenes=scenes)


@pytest.mark.parametrize("look", [Look.LIGHT, Look.DARK])
@pytest.mark.parametrize("height", [190, 260, 412, 900])
def test_every_state_is_painted_in_both_themes_and_at_every_height(open_script, desk, window, look, height) -> None:
    timeline = open_script(everything())
    window.resize(1088, height)
    desk.theme.wear(look)
    session = desk.session
    session.cursor.mark(3_000, 9_000)
    session.cursor.show_playhead(8_000)
    for selection in (
        Selection(Kind.LINE, ("e1",)),
        Selection(Kind.LINE, ("e2", "e3", "e6")),
        Selection(Kind.LINE, tuple(f"e{n}" for n in range(1, 7))),
        Selection(Kind.GAP, gap=session.gaps[0]),
        Selection(Kind.SILENCE, ("q1",)),
        Selection(Kind.CUE, ("c1",)),
        Selection(Kind.SCENE, ("s1",)),
    ):
        session.cursor.select(selection)
        for scale in (5, 60, 3_000):
            timeline.canvas.show_view(replace(timeline.view, ms_per_px=scale).scrolled(0))
            run_pending_events()
            image = grabbed(timeline)
    tokens = DARK if look is Look.DARK else LIGHT
    assert image.pixelColor(2, 1) == QColor(tokens.window)


TIMES = st.integers(0, 60_000)


@st.composite
def scripts(draw) -> Script:
    texts = st.text(max_size=30)
    cues = tuple(
        Cue(f"c{n}", start, end, text, speaker or None)
        for n, (start, end, text, speaker) in enumerate(
            draw(st.lists(st.tuples(TIMES, TIMES, texts, texts), max_size=8))
        )
    )
    lines_ = tuple(
        replace(line(f"e{n}", start, start + length, length, salience), scene=None, pin=pin)
        for n, (start, length, salience, pin) in enumerate(
            draw(
                st.lists(
                    st.tuples(
                        TIMES,
                        st.integers(1, 9_000),
                        st.floats(-100, 100),
                        st.sampled_from((Pin(), Pin(selected=True), Pin(start=30_000), Pin(start=1, override=True))),
                    ),
                    max_size=10,
                )
            )
        )
    )
    return Script(Film("", 60_000), cues=cues, eventualities=lines_)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(scripts(), st.floats(0.01, 1000))
def test_no_script_makes_painting_fail(timeline, desk, script, zoom) -> None:
    from adstudio.core.document import Document

    desk.session._take(Document(script), None)
    desk.session.idle.stop()
    if script.eventualities:
        desk.session.cursor.select_line(script.eventualities[-1].id)
    timeline.canvas.show_view(timeline.view.zoomed(zoom, 300))
    assert not grabbed(timeline).isNull()


def test_scrolling_paints_only_what_comes_into_view(timeline, monkeypatch) -> None:
    canvas = timeline.canvas
    canvas.show_view(canvas.view.zoomed(10, 0).scrolled_to(0))
    grabbed(timeline)
    made = painted(timeline, monkeypatch)
    canvas.show_view(canvas.view.scrolled(10))
    grabbed(timeline)
    assert made == []
    canvas.show_view(canvas.view.scrolled(640))
    grabbed(timeline)
    assert len(made) == 1  # more of the tile that was seen in part
    canvas.show_view(canvas.view.scrolled(640))
    grabbed(timeline)
    assert len(made) == 3  # the rest of it, and the beginning of the one behind it


def test_two_stretches_far_apart_are_painted_without_what_lies_between(timeline, monkeypatch) -> None:
    canvas = timeline.canvas
    canvas.show_view(canvas.view.zoomed(10, 0).scrolled_to(0))
    kept = grabbed(timeline)
    widths: list[int] = []
    paint = canvas._paint_tile
    monkeypatch.setattr(canvas, "_paint_tile", lambda p, view: (widths.append(view.width), paint(p, view)))
    ms = [(canvas.view.ms(x), canvas.view.ms(x + 1)) for x in (100, canvas.width() - 100)]
    canvas.invalidate(ms)
    assert grabbed(timeline) == kept
    assert len(widths) == 2
    assert sum(widths) <= 2 * 2 * 64


def test_no_more_is_painted_than_is_seen(timeline, monkeypatch) -> None:
    canvas = timeline.canvas
    canvas.show_view(canvas.view.zoomed(10, 0).scrolled_to(0))
    widths: list[int] = []
    paint = canvas._paint_tile
    monkeypatch.setattr(canvas, "_paint_tile", lambda p, view: (widths.append(view.width), paint(p, view)))
    canvas.invalidate(None)
    grabbed(timeline)
    assert canvas.width() <= sum(widths) < canvas.width() + 64
    widths.clear()
    canvas.show_view(canvas.view.scrolled(100))
    kept = grabbed(timeline)
    assert 100 - 64 <= sum(widths) <= 100 + 64
    canvas.invalidate(None)
    assert grabbed(timeline) == kept


def test_an_edit_paints_only_the_tiles_that_it_touched(timeline, desk, monkeypatch) -> None:
    canvas = timeline.canvas
    canvas.show_view(canvas.view.zoomed(3, 0).scrolled_to(0))  # 20 ms a pixel: tiles of 12.8 s, 20 s in view
    grabbed(timeline)
    made = painted(timeline, monkeypatch)
    desk.session.edits.attempt(lambda script: lines.set_salience(script, ("e1",), 123_000))
    grabbed(timeline)
    assert len(made) == 1  # e1 happens and is said in the first two seconds
    desk.session.edits.attempt(lambda script: lines.set_salience(script, ("e4",), 123_000))
    grabbed(timeline)
    assert len(made) == 1  # e4 is out of view


def test_an_edit_paints_no_more_of_a_tile_than_it_touched(timeline, desk, monkeypatch) -> None:
    canvas = timeline.canvas
    canvas.show_view(canvas.view.zoomed(3, 0).scrolled_to(0))  # 20 ms a pixel: tiles of 640 pixels, 12.8 s
    grabbed(timeline)
    widths: list[int] = []
    paint = canvas._paint_tile
    monkeypatch.setattr(canvas, "_paint_tile", lambda p, view: (widths.append(view.width), paint(p, view)))
    desk.session.edits.attempt(lambda script: lines.set_salience(script, ("e1",), 123_000))
    kept = grabbed(timeline)
    assert sum(widths) <= 192  # e1 happens and is said in the first two seconds, 100 pixels
    canvas.invalidate(None)
    assert grabbed(timeline) == kept


def test_selecting_and_playing_paint_no_tile(timeline, desk, monkeypatch) -> None:
    grabbed(timeline)
    made = painted(timeline, monkeypatch)
    desk.session.cursor.select_line("e2")
    for ms in range(0, 5_000, 40):
        desk.session.cursor.show_playhead(ms)
    grabbed(timeline)
    assert made == []


def test_what_is_shown_after_edits_is_what_a_fresh_painting_shows(timeline, desk) -> None:
    session = desk.session
    for edit in (
        lambda script: lines.join(script, ("e2",)),
        lambda script: pins.pin_out(script, ("e1",)),
        lambda script: pins.pin_start(script, "e3", 29_000),
        lambda script: pins.pin_start(script, "e4", 22_000),
        lambda script: lines.delete_lines(script, ("e2",)),
    ):
        session.edits.attempt(edit)
        kept = grabbed(timeline)
        timeline.canvas.invalidate(None)
        assert grabbed(timeline) == kept
    while session.undo():
        kept = grabbed(timeline)
        timeline.canvas.invalidate(None)
        assert grabbed(timeline) == kept


def test_tiles_meet_without_a_seam(timeline) -> None:
    """Scrolled in odd steps, the picture is the same as if it had been painted there at once."""
    canvas = timeline.canvas
    canvas.show_view(canvas.view.zoomed(8, 0).scrolled_to(3))
    grabbed(timeline)
    for step in (7, 333, 640, 501):
        canvas.show_view(canvas.view.scrolled(step))
        moved = grabbed(timeline)
        canvas.tiles.forget()
        canvas.tiles._zoom = (0, 0, 0, 0)
        fresh = grabbed(timeline)
        alike = sum(moved.pixel(x, y) == fresh.pixel(x, y) for x in range(0, 1000, 3) for y in range(0, 390, 3))
        assert alike > 0.998 * 334 * 130  # smoothed threads may differ by a shade


def test_far_out_the_lanes_are_a_density(open_script) -> None:
    script = Script(
        Film("", 600_000), eventualities=tuple(line(f"e{n}", n * 100, n * 100 + 50, 300, 0.9) for n in range(1_000))
    )
    timeline = open_script(script, ms_per_px=600)
    run_pending_events()
    image = grabbed(timeline)
    band = timeline.canvas.bands[Lane.ACTION]
    x = timeline.view.x(50_000)
    column = {image.pixel(int(x), y) for y in range(band.top, band.bottom)}
    empty = {image.pixel(int(timeline.view.x(300_000)), y) for y in range(band.top, band.bottom)}
    assert len(column) > 1
    assert empty == {QColor(LIGHT.lane).rgb()}


@pytest.mark.parametrize("scale", [1.25, 1.5, 2.0])
def test_on_a_fine_screen_edges_lie_on_whole_pixels(timeline, scale) -> None:
    canvas = timeline.canvas
    canvas.show_view(canvas.view.sized(canvas.width(), 1 / scale))
    image = QImage(round(1000 * scale), round(400 * scale), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    canvas.render(image)
    band = canvas.bands[Lane.DIALOGUE]
    found = box(canvas.view, band, timeline.rows.cues, 0)
    assert found.left * scale == pytest.approx(round(found.left * scale))
    y = round((band.top + 8) * scale)
    edge = round(found.left * scale)
    assert image.pixel(edge - 1, y) == QColor(LIGHT.panel).rgb()
    assert image.pixel(edge, y) == QColor(LIGHT.dialogue).rgb()


def test_a_picture_that_is_ready_later_repaints_its_stretch(qtbot) -> None:
    picture = QImage(32, 18, QImage.Format.Format_RGB32)
    picture.fill(QColor("#ff0000"))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "JPG")
    pictures = ThumbnailImages()
    good = SimpleNamespace(start=0, end=4_000, jpeg=bytes(buffer.data().data()))
    broken = SimpleNamespace(start=4_000, end=8_000, jpeg=b"no picture")
    assert pictures.image(good, 36) is None
    with qtbot.waitSignal(pictures.decoded) as told:
        pass
    assert told.args == [0, 4_000]
    ready = pictures.image(good, 36)
    assert ready is not None
    assert (ready.width(), ready.height()) == (64, 36)
    with qtbot.waitSignal(pictures.decoded):
        assert pictures.image(broken, 36) is None
    assert pictures.image(broken, 36) is not None  # a black one, and no second try
    pictures.forget()


def test_the_playhead_moves_at_the_cost_of_two_narrow_stripes(timeline, desk, monkeypatch) -> None:
    areas: list[QRect] = []
    paint = timeline.canvas._paint_area
    monkeypatch.setattr(
        timeline.canvas, "_paint_area", lambda painter, area: (areas.append(QRect(area)), paint(painter, area))
    )
    run_pending_events()
    areas.clear()
    desk.session.cursor.show_playhead(30_000)
    run_pending_events()
    assert areas
    assert sum(area.width() for area in areas) <= 40


def test_a_hand_over_it_and_nothing_selected_paints_too(hand: Hand) -> None:
    for lane in Lane:
        hand.move(hand.point(24_500, lane))
        assert not grabbed(hand.timeline).isNull()


def test_many_scenes_without_names_are_numbered(open_script) -> None:
    scenes = tuple(Scene(f"s{n}", Span(n * 1_000, n * 1_000 + 1_000)) for n in range(60))
    assert not grabbed(open_script(replace(small_script(), scenes=scenes))).isNull()


def test_what_the_last_change_did_to_the_plan_is_marked(timeline, desk) -> None:
    overlay, session = timeline.canvas.overlay, desk.session
    session.edits.attempt(lambda script: pins.pin_out(script, ("e2",)))
    assert (overlay.added, overlay.removed) == (frozenset(), {"e2"})
    band = timeline.canvas.bands[Lane.ACTION]
    found = box(timeline.view, band, timeline.rows.occurrences, timeline.rows.occurrences.place["e2"])
    assert grabbed(timeline).pixelColor(int(found.centre), int(found.top) - 2) == QColor(LIGHT.accent)
    session.undo()
    assert (overlay.added, overlay.removed) == ({"e2"}, frozenset())
    session.edits.attempt(lambda script: lines.set_salience(script, ("e1",), 400_000))
    assert (overlay.added, overlay.removed) == (frozenset(), frozenset())


def jpeg(colour: str) -> bytes:
    picture = QImage(341, 192, QImage.Format.Format_RGB32)
    picture.fill(QColor(colour))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "JPG")
    return bytes(buffer.data().data())


def test_a_tie_between_two_lines_shows_that_they_are_one_breath(timeline, desk) -> None:
    desk.session.edits.attempt(lambda script: pins.pin_start(script, "e2", 2_500))
    ended = desk.session.plan.by_element["e1"].end
    rows, view = timeline.canvas.rows, timeline.view
    x = round(view.x((ended + 2_500) / 2))
    foot = timeline.canvas.bands[Lane.NARRATION].bottom
    area = QRect(x - 3, foot - 9, 6, 8)
    before = timeline.canvas.grab(area).toImage()
    desk.session.edits.attempt(lambda script: lines.join(script, ("e2",)))
    assert list(rows.joined) == ["e2"]
    assert timeline.canvas.grab(area).toImage() != before
    desk.session.edits.document.undo()
    assert timeline.canvas.grab(area).toImage() == before


def test_each_shot_has_its_picture_and_narrow_ones_make_a_strip(timeline, qtbot) -> None:
    shots = tuple(
        Thumbnail(n * 6_000, n * 6_000 + 6_000, n * 6_000 + 3_000, 341, 192, jpeg("#c03020")) for n in range(10)
    )
    timeline.films.data.thumbnails = Thumbnails(shots, complete=True)
    timeline.rows.set_shots((*(shot.start for shot in shots), 60_000))
    canvas = timeline.canvas
    band = canvas.bands[Lane.SHOTS]
    for scale, ms in ((15.0, 6_400), (60.0, 31_000)):  # 400 pixels a shot; 100 a shot, a picture is as wide
        canvas.show_view(replace(canvas.view, ms_per_px=scale).scrolled_to(0))
        x, y = int(canvas.view.x(ms)), band.top + band.height // 2

        def red(x=x, y=y) -> bool:
            colour = grabbed(timeline).pixelColor(x, y)
            return colour.red() > 150 and colour.green() < 90

        qtbot.waitUntil(red)


def test_the_sound_is_drawn_about_the_middle_and_only_as_far_as_it_is_known(timeline, qtbot) -> None:
    timeline.films.data.peaks = Peaks(np.full(3_000, 255, np.uint8), 30_000, complete=False)
    timeline.canvas.invalidate(None)
    qtbot.waitUntil(lambda: timeline.canvas._numpy_allowed)
    image, band = grabbed(timeline), timeline.canvas.bands[Lane.SOUND]
    middle, wave = band.top + band.height // 2, QColor(LIGHT.wave)
    assert image.pixelColor(200, middle) == wave
    assert image.pixelColor(200, band.top + 6) == wave
    assert image.pixelColor(700, middle) == QColor(LIGHT.lane)  # not known yet

"""The waveform of a line in its lane: as it was spoken, under its words, nothing where it was not spoken."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage
from timeline_scripts import small_script

from adstudio.ui.timeline.film_data import LineWave
from adstudio.ui.timeline.items import box
from adstudio.ui.timeline.lane_densities import LaneDensities
from adstudio.ui.timeline.lanes import Lane
from adstudio.ui.timeline.rows import Rows
from adstudio.ui.timeline.timeline import Timeline
from adstudio.ui.timeline.visible_range import VisibleRange
from adstudio.ui.widgets.theme import LIGHT, Look

RED, BLUE = QColor("#ff0000"), QColor("#0000ff")


def columns(lines, view: VisibleRange) -> tuple[list[float], list[int]]:
    shares, colours = LaneDensities(Rows(), LIGHT).waves(lines, view)
    return (shares * 255).round().astype(int).tolist(), colours.tolist()


def test_each_column_has_the_greatest_of_its_peaks():
    """20 ms a pixel: two hundredths of a second each. The line is from pixel 2 to 5, its sound 60 ms long."""
    view = VisibleRange(8, 10_000, 20.0, 0.0, 1.0)
    shares, colours = columns([(2.0, 5.0, bytes([10, 90, 30, 20, 0, 255]), RED)], view)
    assert shares == [0, 0, 90, 30, 255, 0, 0, 0]
    assert [colour == RED.rgba() for colour in colours] == [False, False, True, True, True, False, False, False]


def test_near_a_peak_is_several_columns_wide():
    view = VisibleRange(8, 10_000, 5.0, 0.0, 1.0)
    assert columns([(1.0, 7.0, bytes([10, 90, 30]), RED)], view)[0] == [0, 10, 10, 90, 90, 30, 30, 0]


def test_a_line_that_begins_before_the_view_or_ends_after_it():
    view = VisibleRange(4, 10_000, 10.0, 0.0, 1.0)
    assert columns([(-2.0, 9.0, bytes(range(1, 12)), RED)], view)[0] == [3, 4, 5, 6]


def test_a_sound_that_ends_before_its_line_leaves_the_rest_empty_and_a_longer_one_is_cut():
    view = VisibleRange(8, 10_000, 10.0, 0.0, 1.0)
    shares, colours = columns([(0.0, 4.0, bytes([50] * 2), RED), (5.0, 7.0, bytes([60] * 9), BLUE)], view)
    assert shares[0] == 50
    assert shares[2:5] == [0, 0, 0]
    assert shares[5:] == [60, 60, 0]
    assert colours[5] == BLUE.rgba()


@pytest.mark.parametrize("peaks", [b"", b"\x07"])
def test_sounds_of_hardly_any_length(peaks: bytes):
    assert max(columns([(0.0, 4.0, peaks, RED)], VisibleRange(8, 10_000, 1.0, 0.0, 1.0))[0]) in (0, 7)


def shown(timeline: Timeline, key: str) -> np.ndarray:
    """The pixels of the lower half of a line, without its edges."""
    image = timeline.canvas.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    rows = timeline.rows
    found = box(timeline.view, timeline.canvas.bands[Lane.NARRATION], rows.narration, rows.narration.place[key])
    pixels = np.frombuffer(bytes(image.constBits()), np.uint32).reshape(image.height(), -1)
    return pixels[int(found.middle) : int(found.bottom) - 1, int(found.left) + 2 : int(found.right) - 2]


def waves(timeline: Timeline, key: str) -> int:
    """How many of a line's pixels are of its waveform."""
    shade = timeline.rows.shade(timeline.rows.script.eventuality(key).salience)
    return int((shown(timeline, key) == timeline.canvas.ink.line_waves[shade].rgb()).sum())


@pytest.mark.parametrize("look", [look for look in Look if look is not Look.SYSTEM])
def test_a_line_shows_its_waveform_once_it_was_spoken(open_script, desk, qtbot, look: Look):
    desk.preferences.store("look", look.value)
    timeline = open_script(small_script(), ms_per_px=10)
    qtbot.waitUntil(lambda: timeline.canvas._numpy_allowed)
    delivery = timeline.rows.plan.deliveries[0]
    key, length = delivery.element, delivery.end - delivery.start
    text = timeline.rows.spoken_text(timeline.rows.script.eventuality(key))
    assert waves(timeline, key) == 0
    timeline.films.data.waves[key] = LineWave(text, None, b"\xff" * (length // 10))
    timeline.canvas.invalidate([(delivery.start, delivery.end)])
    full = waves(timeline, key)
    assert full > 100
    timeline.films.data.waves[key] = LineWave(text, None, b"\xff" * (length // 20))
    timeline.canvas.invalidate([(delivery.start, delivery.end)])
    assert 0.4 * full < waves(timeline, key) < 0.6 * full
    # The words have been changed since: it has not been spoken as it is now.
    timeline.films.data.waves[key] = LineWave(text + "!", None, b"\xff" * (length // 10))
    timeline.canvas.invalidate([(delivery.start, delivery.end)])
    assert waves(timeline, key) == 0

"""Labels are cut as Qt cuts them, and looking closer measures no text twice."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter
from timeline_scripts import small_script

from adstudio.editing import pins
from adstudio.ui.timeline import label_layout as label_offset
from adstudio.ui.timeline.label_layout import LabelLayout
from adstudio.ui.timeline.rows import OccurrenceMark
from adstudio.ui.timeline.timeline import Timeline

pytestmark = pytest.mark.usefixtures("qapp")
INK = QColor("black")

TEXTS = (
    "The conductor looks back, slowly, at the dark platform.",
    "AVAWATo T.To VAT Wet – “quoted” … 3½",
    "Gün ter öffnet das Fenster, der Brief fällt hinaus.",
    "Кто там? Никого нет, совсем никого.",
    "彼女は駅で待っている。电车来了",
    "שלום, היא פותחת את הדלת לאט",
    "مرحبا يا صديقي العزيز كيف حالك",
    "A combining e\u0301 and a family 👨\u200d👩\u200d👧 wait",
)


@pytest.fixture
def painter():
    image = QImage(600, 40, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    yield painter
    painter.end()


@pytest.mark.parametrize("text", TEXTS)
def test_texts_are_cut_where_qt_cuts_them(text: str) -> None:
    font = QFont()
    labels, metrics = LabelLayout(font), QFontMetricsF(font)
    for room in range(22, 420, 7):
        whole = metrics.horizontalAdvance(text) <= room
        wanted = text if whole else metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        label, width = labels._prepared(text, room)
        assert label.text() == wanted
        # the last letter may stand a little closer to the one that was there than to the dots
        assert width == pytest.approx(metrics.horizontalAdvance(wanted), abs=4)


def test_letters_written_as_one_may_be_cut_apart_and_still_fit() -> None:
    labels = LabelLayout(QFont())
    text = "office affluent waffle fjord baffling"
    for room in range(40, 220, 3):
        label, width = labels._prepared(text, room)
        assert QFontMetricsF(QFont()).horizontalAdvance(label.text()) <= room + 4
        assert label.text() in {text, *(f"{text[:n]}…" for n in range(len(text)))}
        assert width <= room


def test_a_text_is_measured_once_however_often_the_room_changes(painter: QPainter) -> None:
    labels = LabelLayout(QFont())
    for room in range(60, 200):
        labels.draw(painter, TEXTS[0], 0, room, 20, INK)
    assert labels.measured == 1
    made = labels.laid_out
    assert made <= len(TEXTS[0])
    for room in range(60, 200):
        labels.draw(painter, TEXTS[0], 0, room, 20, INK)
    assert labels.laid_out == made


def test_no_more_labels_are_kept_than_fit(painter: QPainter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(label_offset, "CACHED_LABELS", 5)
    monkeypatch.setattr(label_offset, "CACHED_TEXTS", 3)
    labels = LabelLayout(QFont())
    for round_ in range(2):
        for number in range(8):
            for room in (40, 80, 500):
                assert labels.draw(painter, f"{TEXTS[0]} {number}", 0, room, 20, INK) > 0
        assert len(labels._texts) <= 3, round_
        assert sum(len(text.labels) for text in labels._texts.values()) <= 5
        assert len(labels._order) <= 5


def test_where_there_is_no_room_there_is_no_label(painter: QPainter) -> None:
    labels = LabelLayout(QFont())
    assert labels.draw(painter, "door", 0, 21.9, 20, INK) == 0
    assert labels.draw(painter, "", 0, 300, 20, INK) == 0
    assert labels.laid_out == 0


def laid_out(timeline: Timeline) -> tuple[int, int]:
    """Labels laid out so far, and texts measured letter by letter."""
    kinds = (timeline.canvas.ink.text, timeline.canvas.ink.small, timeline.canvas.ink.bold)
    return sum(kind.laid_out for kind in kinds), sum(kind.measured for kind in kinds)


def test_zooming_measures_no_text_twice_and_zooming_again_lays_nothing_out(open_script) -> None:
    timeline = open_script(small_script())
    zooms = [400.0 * 0.9**step for step in range(40)]

    def zoom_in() -> None:
        for scale in zooms:
            timeline.canvas.show_view(replace(timeline.view, ms_per_px=scale))
            timeline.canvas.grab()

    zoom_in()
    made, measured = laid_out(timeline)
    ink = timeline.canvas.ink
    assert 0 < measured <= sum(len(kind._texts) for kind in (ink.text, ink.small, ink.bold))
    zoom_in()
    assert laid_out(timeline) == (made, measured)


def test_what_is_known_of_lines_is_worked_out_once_between_two_changes(open_script, desk, monkeypatch) -> None:
    timeline = open_script(small_script())
    timeline.canvas.grab()
    known = dict(timeline.rows.marks)
    assert known
    for scale in (50.0, 40.0, 30.0):
        timeline.canvas.show_view(replace(timeline.view, ms_per_px=scale))
        timeline.canvas.grab()
    assert all(timeline.rows.marks[key] is mark for key, mark in known.items())
    desk.session.edits.do(pins.pin_out(desk.session.script, ["e1"]))
    kept_out = desk.session.script.eventuality("e1")
    shade = timeline.rows.shade(kept_out.salience)
    assert timeline.rows.mark("e1") == OccurrenceMark(kept_out, shade, spoken=False, doubt=0, tied=False)

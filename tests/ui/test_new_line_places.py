"""A new line anywhere in the film: what is said of it while it is typed is what the plan then does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from desks import window_on
from pending_events import run_pending_events
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from adstudio.planning.film.plan_changes import compare
from adstudio.ui.app.window import Window
from adstudio.ui.session.typed_fit import typed_fit
from adstudio.ui.table.delegate import CellText
from adstudio.ui.table.line_facts import lines_of

PLACES = {
    "the film's start": 0,
    "a gap that is full": 5_000,
    "a gap's last frame": 9_990,
    "dialogue": 12_000,
    "a gap's end": 18_000,
    "the film's last frame": 29_999,
    "the film's end": 30_000,
}


@pytest.fixture
def window(qapp, qtbot, tmp_path: Path) -> Iterator[Window]:
    with window_on(tmp_path) as made:
        yield made


def begin(window: Window) -> CellText:
    view = window.editor.table.view
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    run_pending_events()
    field = QApplication.focusWidget()
    assert isinstance(field, CellText)
    return field


def current(window: Window) -> str:
    line = window.session.cursor.line
    assert line is not None
    return line.id


@pytest.mark.parametrize("at", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize(("words", "has_room"), [(2, True), (8, True), (14, True), (40, False)])
def test_it_is_spoken_if_it_was_said_to_fit_and_leaves_out_what_was_said(
    window: Window, at: int, words: int, *, has_room: bool
):
    """At 200 words a minute two words take 0.6 s, and forty 12 s; the longest gap has 10 s."""
    session = window.session
    session.cursor.show_playhead(at)
    field, before = begin(window), session.plan
    identity = current(window)
    text = f"{' '.join(['word'] * words)}."
    QTest.keyClicks(field, text)
    run_pending_events()
    found, shown = typed_fit(session, identity, 0, text), field.accessibleDescription()
    assert found.fit.fits is has_room
    assert ("too long" in shown) is not has_room
    QTest.keyClick(field, Qt.Key.Key_Return)
    run_pending_events()
    line, plan = session.script.eventuality(identity), session.plan
    assert line.occurrence is not None
    assert line.occurrence.start == at
    assert (identity in plan.by_element) is has_room
    assert bool(session.current_plan.outcome.conflicts) is not has_room
    if has_room:
        delivery, after = plan.by_element[identity], compare(before, plan)
        assert any(gap.contains(delivery.span) for gap in session.gaps)
        assert (after.dropped, after.reworded) == (found.changes.dropped, found.changes.reworded)
        assert ("leaves out" in shown) is bool(after.dropped)


@pytest.mark.parametrize("at", PLACES.values(), ids=PLACES)
def test_before_it_has_words_nothing_is_amiss_with_it(window: Window, at: int):
    window.session.cursor.show_playhead(at)
    field, inspector = begin(window), window.editor.inspector
    inspector._show()
    row = lines_of(window.session).of(current(window))
    assert row.gap is not None
    assert row.time is not None
    assert row.gap.start <= row.time <= row.gap.end
    assert field.accessibleDescription() == "0 words · 0.0 s"
    assert inspector.line.wordings.rows[0].numbers.text() == "0 words"
    assert "dialogue" not in inspector.line.where.text()
    QTest.keyClick(field, Qt.Key.Key_Escape)


def test_a_film_that_plays_on_takes_neither_the_text_nor_the_place_where_it_began(window: Window):
    session, player = window.session, window.editor.player
    session.cursor.show_playhead(14_500)
    player.state = replace(player.state, playing=True)
    field = begin(window)
    identity = current(window)
    for words, now in (("A man ", 14_700), ("enters ", 22_500), ("now.", 29_000)):
        QTest.keyClicks(field, words)
        session.cursor.show_playhead(now)
        run_pending_events()
        assert current(window) == identity
        assert QApplication.focusWidget() is field
    player.state = replace(player.state, playing=False)
    QTest.keyClick(field, Qt.Key.Key_Return)
    run_pending_events()
    line = session.script.eventuality(identity)
    assert line.occurrence is not None
    assert (line.variants[0].text, line.occurrence.start) == ("A man enters now.", 14_500)
    assert identity in session.plan.by_element

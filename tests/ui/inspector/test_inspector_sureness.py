"""The inspector says how sure it is when a line happens and from what, and takes the describer's word for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from desks import desk_on, small_script
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from adstudio.core.provenance import DescriptionLine, Provenance, ScreenplayLine
from adstudio.core.timebase import Span
from adstudio.editing.labels import label_of
from adstudio.ui.inspector.panel import Inspector
from adstudio.ui.session.context import Context


@pytest.fixture
def desk(qapp, tmp_path: Path):
    script = small_script()
    a, b, *others = script.eventualities
    a = replace(a, confidence=310, provenance=Provenance(ScreenplayLine(123)))
    b = replace(b, occurrence=None, provenance=Provenance(DescriptionLine(4)))
    with desk_on(tmp_path, replace(script, eventualities=(a, b, *others))) as made:
        yield made


@pytest.fixture
def inspector(qtbot, desk: Context) -> Inspector:
    found = Inspector(desk)
    qtbot.addWidget(found)
    found.resize(340, 900)
    found.show()
    qtbot.waitExposed(found)
    return found


def test_a_guess_is_told_with_its_source_and_confirmed_with_return(desk: Context, inspector: Inspector):
    desk.session.cursor.select_line("a")
    holding = inspector.line.holding
    assert holding.sure.text() == "a guess (31 %) · from screenplay, line 123"
    assert holding.sure.accessibleName() == "Time confidence: a guess (31 %) · from screenplay, line 123"
    assert holding.confirm.isVisible()
    assert holding.confirm.accessibleName() == "Confirm the time of the action"
    holding.confirm.setFocus()
    QTest.keyClick(holding.confirm, Qt.Key.Key_Return)
    line = desk.session.script.eventuality("a")
    assert (line.confidence, line.occurrence) == (None, Span(0, 4_000))
    assert [label_of(step, desk.session.script) for step in desk.session.edits.document.past] == [
        "Confirm time of “a in 6000 ms”"
    ]
    assert holding.sure.text() == "from screenplay, line 123"
    assert not holding.confirm.isVisible()
    desk.session.undo()
    assert holding.sure.text() == "a guess (31 %) · from screenplay, line 123"
    assert holding.confirm.isVisible()


def test_moving_it_by_hand_takes_the_doubt_away(desk: Context, inspector: Inspector):
    desk.session.cursor.select_line("a")
    inspector.line.holding.happens_to.take(3_000)
    assert desk.session.script.eventuality("a").confidence is None
    assert not inspector.line.holding.confirm.isVisible()


def test_what_has_no_footing_cannot_be_confirmed_and_what_nobody_doubts_says_nothing(
    desk: Context, inspector: Inspector
):
    desk.session.cursor.select_line("b")
    holding = inspector.line.holding
    assert holding.sure.text() == "not placed · from description, line 4"
    assert not holding.confirm.isVisible()
    desk.session.cursor.select_line("c")
    assert not holding.sure.isVisible()
    assert not holding.confirm.isVisible()

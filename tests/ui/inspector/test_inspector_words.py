"""The inspector's words have the room that they need, whatever is done to what they tell of."""

from __future__ import annotations

from pathlib import Path

import pytest
from desks import desk_on
from PySide6.QtWidgets import QLabel

from adstudio.editing import pins
from adstudio.ui.inspector.panel import Inspector
from adstudio.ui.session.context import Context
from adstudio.ui.session.selection import NOTHING, Kind, Selection


@pytest.fixture
def desk(qapp, tmp_path: Path):
    with desk_on(tmp_path) as made:
        yield made


def cut(inspector: Inspector) -> list[str]:
    """Words in sight that break into more lines than are shown."""
    return [
        f"{label.text()} ({label.height()} of {label.heightForWidth(label.width())})"
        for label in inspector.findChildren(QLabel)
        if label.isVisible() and label.wordWrap() and label.height() < label.heightForWidth(label.width())
    ]


@pytest.mark.parametrize("width", [270, 280, 320])
def test_why_a_line_is_in_or_out_is_told_in_full_after_each_edit(qtbot, desk: Context, width: int):
    inspector = Inspector(desk)
    qtbot.addWidget(inspector)
    inspector.resize(width, 900)
    inspector.show()
    qtbot.waitExposed(inspector)
    session = desk.session
    session.cursor.select_line("a")
    qtbot.waitUntil(lambda: inspector.line.why.explained is not None)
    qtbot.wait(50)
    lines = set[int]()
    for hold in (pins.pin_out, pins.unpin_placement, pins.pin_out, pins.pin_in, pins.unpin_placement):
        assert session.edits.attempt(lambda script, hold=hold: hold(script, ("a",)))
        qtbot.wait(20)  # as between an edit and the rest of the hand
        qtbot.waitUntil(lambda: inspector.line.why.explained is not None)
        qtbot.wait(50)
        assert inspector.line.why.why.text()
        qtbot.waitUntil(lambda: cut(inspector) == [])
        lines.add(inspector.line.why.why.height())
    assert width > 280 or len(lines) == 2  # it went from three lines to four, and back


def test_the_words_of_all_else_are_told_in_full(qtbot, desk: Context):
    inspector = Inspector(desk)
    qtbot.addWidget(inspector)
    inspector.resize(280, 900)
    inspector.show()
    qtbot.waitExposed(inspector)
    session = desk.session
    for selection in (
        Selection(Kind.SCENE, ("s2",)),
        Selection(Kind.CUE, ("c1",)),
        Selection(Kind.LINE, ("a", "b", "c")),
        Selection(Kind.GAP, gap=session.gaps[0]),
        NOTHING,
    ):
        session.cursor.select(selection)
        session.edits.attempt(lambda script: pins.pin_out(script, ("b",)))
        qtbot.wait(20)
        inspector._fill()
        qtbot.wait(50)
        qtbot.waitUntil(lambda: cut(inspector) == [])
        session.undo()
        qtbot.wait(20)
        inspector._fill()
        qtbot.wait(50)
        qtbot.waitUntil(lambda: cut(inspector) == [])

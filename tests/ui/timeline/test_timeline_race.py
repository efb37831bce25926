"""Random hands on the mouse and the keyboard, with edits, undo and plans coming in between: nothing breaks."""

from __future__ import annotations

import random

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication, QMenu
from timeline_hand import Hand

from adstudio.editing import pins
from adstudio.ui.timeline.pointer import Gesture

MODIFIERS = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
KEYS = (
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
    Qt.Key.Key_Escape,
    Qt.Key.Key_PageDown,
)


@pytest.mark.parametrize("seed", range(4))
def test_any_hand_leaves_as_many_steps_as_drags_and_everything_can_be_undone(
    hand: Hand, timeline, desk, qtbot, seed
) -> None:
    rng = random.Random(seed)
    session, canvas = desk.session, hand.canvas
    before = session.script

    def somewhere() -> QPointF:
        return QPointF(rng.randrange(-20, canvas.width() + 20), rng.randrange(0, canvas.height()))

    for _ in range(120):
        act = rng.randrange(9)
        steps = len(session.edits.document.past)
        modifiers = rng.choice(MODIFIERS)
        if act < 3:
            hand.drag(somewhere(), somewhere(), modifiers)
            assert len(session.edits.document.past) - steps in {0, 1}
        elif act == 3:
            at = somewhere()
            hand.press(at, modifiers=modifiers)
            hand.move(at + QPointF(30, 0))
            rng.choice(
                (session.undo, session.redo, lambda: session.current_plan.accept_outcome(session.current_plan.outcome))
            )()
            hand.move(at + QPointF(60, 3))
            hand.release(at + QPointF(60, 3))
        elif act == 4:
            hand.click(somewhere(), modifiers)
            hand.double_click(somewhere())
            assert len(session.edits.document.past) == steps
        elif act == 5:
            hand.wheel(somewhere(), rng.choice((-240, -120, 120, 360)), modifiers)
        elif act == 6:
            qtbot.keyClick(canvas, rng.choice(KEYS))
            assert len(session.edits.document.past) == steps
        elif act == 7:
            session.cursor.show_playhead(rng.randrange(60_000))
        else:
            key = rng.choice(["e1", "e2", "e3", "e4"])
            session.edits.attempt(
                lambda script, key=key: rng.choice((pins.pin_in, pins.unpin_placement))(script, (key,))
            )
        if rng.random() < 0.2:
            QApplication.processEvents()
    assert timeline.pointer.doing is Gesture.NOTHING
    assert canvas.overlay.ghost is None
    assert not [menu for menu in timeline.findChildren(QMenu) if menu.isVisible()]
    while session.undo():
        pass
    assert session.script == before
    canvas.grab()

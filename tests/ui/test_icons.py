"""Icons: each is drawn, on the grid, in the theme's colours, and belongs to an action that there is."""

from __future__ import annotations

import re

import pytest
from desks import desk_on
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon
from PySide6.QtWidgets import QApplication

from adstudio.ui.app.action_icons import ICONS as OF_ACTIONS
from adstudio.ui.app.action_icons import ActionIcons
from adstudio.ui.widgets.icons import ICONS, SIZE, icon, icon_size, program_icon
from adstudio.ui.widgets.theme import DARK, LIGHT, Look


def painted(icon: QIcon, size: int, mode: QIcon.Mode = QIcon.Mode.Normal) -> set[str]:
    """The colours of the pixels that are not see-through."""
    image = icon.pixmap(QSize(size, size), mode).toImage()
    pixels = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    return {colour.name() for colour in pixels if colour.alpha() == 255}


@pytest.mark.parametrize("name", ICONS)
def test_each_is_drawn_in_its_colour_within_its_grid(qapp, name: str):
    made = icon(name, "#123456", "#abcdef")
    assert painted(made, SIZE) == {"#123456"}
    assert painted(made, SIZE, QIcon.Mode.Disabled) == {"#abcdef"}
    points = [pair for path in ICONS[name] for pair in re.findall(r"[ML]([\d.]+)[ ,]([\d.]+)", path)]
    assert points
    assert all(0 <= float(number) <= SIZE for pair in points for number in pair)


def test_every_action_with_an_icon_is_one_and_follows_the_theme(qapp, qtbot, tmp_path):
    assert set(OF_ACTIONS.values()) <= set(ICONS)
    with desk_on(tmp_path) as desk:
        icons = ActionIcons(desk, desk.actions.window)
        actions = [desk.actions[name] for name in OF_ACTIONS]
        # A tick in a menu says that something is on.
        assert not any(action.isCheckable() for action in actions)
        for look, tokens in ((Look.LIGHT, LIGHT), (Look.DARK, DARK)):
            desk.theme.wear(look)
            qtbot.waitUntil(lambda: not icons._waiting)
            assert {colour for action in actions for colour in painted(action.icon(), SIZE)} == {
                QColor(tokens.text).name()
            }


def test_icons_are_as_high_as_the_text(qapp):
    font = QApplication.font()
    before, larger = icon_size(), QApplication.font()
    larger.setPointSizeF(font.pointSizeF() * 2)
    try:
        QApplication.setFont(larger)
        assert icon_size() > 1.5 * before
        assert icon("new", "#000000", "#888888").availableSizes()[0].height() == icon_size()
    finally:
        QApplication.setFont(font)


def test_the_programs_icon_is_there_in_every_size(qapp):
    made = program_icon()
    assert {size.height() for size in made.availableSizes()} == {16, 24, 32, 48, 64, 128, 256}
    assert "#0e6b5e" in painted(made, 64)

"""A line that is accepted is seen to be: a tick in the block of its state, in every theme and at every size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from desks import desk_on
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter

from adstudio.core.script import SALIENCE_UNIT
from adstudio.ui.session.context import Context
from adstudio.ui.table.cell_content import value
from adstudio.ui.table.cell_painting import BLOCK, STATE_WIDTH, draw_state, inset, sign_scale
from adstudio.ui.table.line_facts import Line, State, lines_of
from adstudio.ui.table.row_order import Column
from adstudio.ui.widgets.glyphs import SIZE
from adstudio.ui.widgets.theme import Look, Tokens, contrast, on_selection, tokens_for

SEEN = 3.0
"""The least contrast of what is no text (WCAG 2.2, 1.4.11)."""
LEAST_PIXELS = 12
LOOKS = [Look.LIGHT, Look.DARK, Look.CONTRAST]
HEIGHT = 40


@pytest.fixture
def desk(qapp, tmp_path: Path) -> Iterator[Context]:
    with desk_on(tmp_path) as made:
        yield made


def picture(line: Line, tokens: Tokens, ground: str, scale: float = 1.0) -> QImage:
    image = QImage(round(STATE_WIDTH * scale), HEIGHT, QImage.Format.Format_RGB32)
    image.fill(QColor(ground))
    painter = QPainter(image)
    draw_state(painter, line, tokens, 0, HEIGHT / 2, scale)
    painter.end()
    return image


def ticked(line: Line, tokens: Tokens, ground: str, scale: float = 1.0) -> list[tuple[int, int]]:
    """The pixels that stand out for the line's being accepted."""
    plain, accepted = (
        picture(replace(line, eventuality=replace(line.eventuality, accepted=on)), tokens, ground, scale)
        for on in (False, True)
    )
    places = ((x, y) for x in range(plain.width()) for y in range(HEIGHT))
    return [(x, y) for x, y in places if contrast(plain.pixelColor(x, y), accepted.pixelColor(x, y)) >= SEEN]


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("state", [State.SPOKEN, State.LEFT_OUT, State.HELD, State.LOCKED_IN, State.LOCKED_OUT])
@pytest.mark.parametrize("selected", [False, True])
def test_the_tick_stands_out_whatever_the_state_and_the_salience(
    desk: Context, look: Look, state: State, *, selected: bool
):
    tokens = tokens_for(look)
    ground = tokens.accent if selected else tokens.panel
    tokens = on_selection(tokens) if selected else tokens
    line = replace(lines_of(desk.session).of("a"), state=state, spoken=state in (State.SPOKEN, State.LOCKED_IN))
    for tenths in range(11):
        salience = tenths * SALIENCE_UNIT // 10
        shown = replace(line, eventuality=replace(line.eventuality, salience=salience))
        found = ticked(shown, tokens, ground)
        assert len(found) >= LEAST_PIXELS, (tenths, len(found))
        assert all(0 < x < BLOCK.width() and abs(y + 0.5 - HEIGHT / 2) < SIZE / 2 for x, y in found)


def test_it_grows_with_the_text(desk: Context):
    line, tokens = lines_of(desk.session).of("a"), tokens_for(Look.LIGHT)
    small, large = (len(ticked(line, tokens, tokens.panel, scale)) for scale in (1.0, 2.0))
    assert large > 2 * small
    font = QFont()
    font.setPixelSize(14)
    usual = QFontMetrics(font)
    font.setPixelSize(28)
    assert sign_scale(QFontMetrics(font)) > 1.5
    assert inset(Column.STATE, QFontMetrics(font)) > inset(Column.STATE, usual)


def test_its_tip_says_so(desk: Context):
    line = lines_of(desk.session).of("a")
    accepted = replace(line, eventuality=replace(line.eventuality, accepted=True))
    assert value(line, Column.STATE, Qt.ItemDataRole.ToolTipRole) is None
    assert str(value(accepted, Column.STATE, Qt.ItemDataRole.ToolTipRole)).startswith("Accepted")

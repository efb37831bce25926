"""A desk with the small script open, and its table with the hand in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from desks import desk_on

from adstudio.ui.session.context import Context
from adstudio.ui.table.panel import ScriptTable


@pytest.fixture
def desk(qapp, tmp_path: Path):
    with desk_on(tmp_path) as made:
        yield made


@pytest.fixture
def table(qtbot, desk: Context) -> ScriptTable:
    found = ScriptTable(desk)
    qtbot.addWidget(found)
    found.resize(1200, 500)
    found.show()
    qtbot.waitExposed(found)
    found.activateWindow()
    found.view.setFocus()
    return found

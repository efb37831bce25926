"""Times of the scenes are whole, whatever the size of text."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetrics

from adstudio.ui.drafts.scenes_table import Column, ScenesModel, ScenesTable
from adstudio.ui.widgets.theme import UNIT, apply_text_size, time_font


@pytest.mark.parametrize("hundredths", [100, 150, 200])
def test_a_timecode_and_a_length_are_not_elided(qapp, qtbot, text_size, hundredths: int):
    table = ScenesTable(print)
    qtbot.addWidget(table)
    table.setModel(ScenesModel(table))
    table.fit()
    table.resize(2000, 300)  # in little room there are no times
    table.show()
    apply_text_size(qapp, hundredths)
    qapp.processEvents()
    metrics = QFontMetrics(time_font())
    for column, text in ((Column.FROM, "00:12:34:24"), (Column.LENGTH, "12 min 34 s")):
        assert table.columnWidth(column) >= metrics.horizontalAdvance(text) + 4 * UNIT
    assert table.verticalHeader().defaultSectionSize() >= metrics.height()

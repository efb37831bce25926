"""What is to be seen of drafts: the cells of their table, and the texts that have come."""

from __future__ import annotations

from adstudio.drafting.events import ModelFinished
from adstudio.llm.messages import Usage
from adstudio.ui.drafts.scenes_table import Column

USAGE = Usage(900, 300, 50, 0, 0)
OVER = ModelFinished({}, "", 4, USAGE)


def cell(page, row: int, column: Column) -> str:
    return str(page.rows.index(row, column).data())


def state_of(page) -> list[str]:
    return [cell(page, row, Column.STATE) for row in range(page.rows.rowCount())]


def texts(window, scene: str = "s1") -> list[str]:
    return [each.variants[0].text for each in window.session.script.eventualities if each.scene == scene]

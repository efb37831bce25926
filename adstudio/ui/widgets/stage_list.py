"""The stages of a task, each with its sign, its name and its progress."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from adstudio.core.counts import percent
from adstudio.core.progress import StageState, StageStatus, stage_name
from adstudio.ui.widgets.theme import UNIT, time_font

SIGNS = {StageState.DONE: "✓", StageState.RUNNING: "▸", StageState.WAITING: "○", StageState.SKIPPED: "–"}
QUIET = (StageState.WAITING, StageState.SKIPPED)


def stage_words(stage: StageStatus) -> str:
    """A stage in a line: `✓ Shortening · done`, `▸ Weighing · 40 %`."""
    measured = stage.state is StageState.RUNNING and stage.fraction is not None
    how_far = percent(stage.fraction or 0) if measured else stage.state.value
    name = stage_name(stage.stage)
    return f"{SIGNS[stage.state]}  {name[:1].upper()}{name[1:]} · {how_far}"


class StageList(QListWidget):
    """As high as its stages; the keys move through it, but nothing in it can be pressed."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setProperty("inset", "true")
        self.setFont(time_font())
        self.setUniformItemSizes(True)
        self.setSelectionMode(QListWidget.SelectionMode.NoSelection)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._stages: tuple[StageStatus, ...] = ()

    @property
    def lines(self) -> list[str]:
        """What it shows."""
        return [self.item(row).text() for row in range(self.count())]

    def show_stages(self, stages: Sequence[StageStatus]) -> None:
        """Show the current state of the stages."""
        self._stages = tuple(stages)
        while self.count() > len(stages):
            self.takeItem(self.count() - 1)
        while self.count() < len(stages):
            item = QListWidgetItem()
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            self.addItem(item)
        for row, stage in enumerate(stages):
            item = self.item(row)
            if item.text() != stage_words(stage):
                item.setText(stage_words(stage))
        self._colour()
        self.setFixedHeight(max(1, self.count()) * max(self.sizeHintForRow(0), 4 * UNIT) + UNIT)

    def changeEvent(self, event: QEvent) -> None:
        """Another theme has other colours."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange:
            self._colour()

    def _colour(self) -> None:
        for row, stage in enumerate(self._stages):
            brush = self.palette().placeholderText() if stage.state in QUIET else self.palette().text()
            if self.item(row).foreground() != brush:
                self.item(row).setForeground(brush)

"""What is shown in place of the fields while a project is being made: its stages, one below the other."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QVBoxLayout, QWidget

from adstudio.core.progress import StageStatus
from adstudio.ui.widgets.stage_list import StageList
from adstudio.ui.widgets.text import heading, note
from adstudio.ui.widgets.theme import UNIT

ABOUT_STOPPING = "You can stop at any time: finished work is saved, and the next attempt continues from there."


class CreationProgress(QWidget):
    """A heading, the stages, and what stopping does."""

    def __init__(self) -> None:
        super().__init__()
        self._title = heading("")
        self.stages = StageList("Draft stages")
        about_stopping = note("About stopping")
        about_stopping.setText(ABOUT_STOPPING)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2 * UNIT)
        layout.addWidget(self._title)
        layout.addWidget(self.stages)
        layout.addWidget(about_stopping)
        layout.addStretch(1)

    def begin(self, title: str, stages: Sequence[StageStatus]) -> None:
        """Show the stages of something that begins."""
        self._title.setText(title)
        self.stages.show_stages(stages)

"""What is amiss with a script that is to be exported, as rows of the Export dialog."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QWidget

from adstudio.core.errors import Oddity
from adstudio.core.script import Script
from adstudio.delivery.export import Export
from adstudio.delivery.findings import Finding, finding_message
from adstudio.delivery.formats import FORMATS
from adstudio.ui.widgets.controls import Button
from adstudio.ui.widgets.form import beside, column, row
from adstudio.ui.widgets.formatting import as_sentence
from adstudio.ui.widgets.text import tone, words
from adstudio.ui.widgets.theme import UNIT

ALL_WELL = "Every line has been seen and accepted, and no locks conflict."
UNCHECKED = "This is not a script to hand in: nothing is checked."


class ExportFindings(QWidget):
    """A row for each finding, with a button that gives its lines to `select`.

    `checked` is what the quality checks have found, as a sentence; empty for nothing.
    """

    def __init__(self, script: Script, checked: str, select: Callable[[Sequence[str]], object]) -> None:
        super().__init__()
        self._script, self._checked, self._select = script, checked, select
        self._shown: tuple[tuple[Finding, ...], tuple[Oddity, ...], bool] | None = None
        self.setAccessibleName("What is amiss")
        self._rows = column(spacing=UNIT)
        self.setLayout(self._rows)

    def show_of(self, found: Export) -> None:
        """Show what is amiss with this export, unless it is shown already."""
        is_script = FORMATS[found.form].is_script
        shown = (found.findings, found.oddities, is_script)
        if shown == self._shown:
            return
        self._shown = shown
        while (item := self._rows.takeAt(0)) is not None:
            gone = item.widget()
            if gone is not None:
                gone.setParent(None)
                gone.deleteLater()
        for finding in found.findings:
            self._rows.addWidget(self._row(found, finding))
        for oddity in found.oddities:
            self._rows.addWidget(words(as_sentence(oddity.what), wrap=True))
        if self._checked and is_script:
            self._rows.addWidget(words(self._checked, wrap=True))
        elif not found.findings and not found.oddities:
            self._rows.addWidget(words(ALL_WELL if is_script else UNCHECKED, quiet=True, wrap=True))

    def _row(self, found: Export, finding: Finding) -> QWidget:
        message = finding_message(self._script, finding)
        text = words(message, wrap=True)
        tone(text, warning=finding in found.conflicts)
        widget = QWidget()
        if finding.lines:
            show = Button("Show", lambda: self._select(finding.lines), "Close this and select these lines.")
            show.setAccessibleName(f"Show: {message}")
            widget.setLayout(row(text, show, grows=text))
        else:
            widget.setLayout(beside(text, stretch=True))
        return widget

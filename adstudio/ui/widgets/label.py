"""Labels whose title does not hide what they say.

To a screen reader the accessible name of a label takes the place of its text: a label that is named “Lines” and shows
a number is read as “Lines”, and the number is nowhere. Here what is shown is the description, beside the name.
"""

from __future__ import annotations

import re

from PySide6.QtGui import Qt, QTextDocumentFragment
from PySide6.QtWidgets import QLabel

MNEMONIC = re.compile("&(.)", re.DOTALL)


def unmarked(text: str) -> str:
    """A caption as it is seen and heard: without the sign that marks its letter; a doubled one stands for itself."""
    return MNEMONIC.sub(r"\1", text)


class Label(QLabel):
    """A label that may be given an accessible name: what it shows is then its description, and stays so.

    A screen reader is told of each change, since Qt tells of every new description.
    """

    def setText(self, text: str) -> None:
        """Another text."""
        super().setText(text)
        self._tell()

    def clear(self) -> None:
        """No text."""
        super().clear()
        self._tell()

    def setAccessibleName(self, name: str) -> None:
        """What the text is about."""
        super().setAccessibleName(name)
        self._tell()

    def _tell(self) -> None:
        if self.accessibleName():
            said = self._plain()
            if said != self.accessibleDescription():
                self.setAccessibleDescription(said)

    def _plain(self) -> str:
        text, how = self.text(), self.textFormat()
        rich = how is Qt.TextFormat.RichText or (how is Qt.TextFormat.AutoText and Qt.mightBeRichText(text))
        return QTextDocumentFragment.fromHtml(text).toPlainText() if rich else text

"""The encoding of a text file, where somebody knows it better than the guess."""

from __future__ import annotations

from adstudio.ui.widgets.controls import Picker

ENCODINGS = (
    "utf-8",
    "utf-16",
    "windows-1252",
    "windows-1250",
    "windows-1251",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-874",
    "iso-8859-1",
    "iso-8859-2",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-15",
    "koi8-r",
    "koi8-u",
    "ibm737",
    "ibm862",
    "ibm866",
    "x-mac-cyrillic",
    "macintosh",
    "shift_jis",
    "euc-jp",
    "gb18030",
    "big5",
    "euc-kr",
)
AS_FOUND = "As stated in the file"


class EncodingField(Picker):
    """Chooses an encoding; at first the one that the file states or seems to have."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.setMinimumContentsLength(24)
        self.addItem(AS_FOUND, "")
        for each in ENCODINGS:
            self.addItem(each, each)

    @property
    def encoding(self) -> str | None:
        """The chosen one; None for the one that the file states or seems to have."""
        return str(self.currentData()) or None

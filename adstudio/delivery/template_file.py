"""A house's own document that a script is filled into: read once, so that what is exported is of one moment."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from adstudio.core.errors import BadInputError
from adstudio.system.files import read_bounded

LARGEST = 20_000_000
"""Bytes of the largest template."""
ENDINGS = (".docx", ".xlsx")
_WITH_MACROS = {".docm": ".docx", ".dotm": ".docx", ".xlsm": ".xlsx", ".xltm": ".xlsx"}


@dataclass(frozen=True)
class Template:
    """A template's file and its content."""

    path: Path
    data: bytes

    @property
    def name(self) -> str:
        """The file's name, for messages."""
        return self.path.name

    @property
    def ending(self) -> str:
        """`.docx` or `.xlsx`."""
        return self.path.suffix.lower()


def read_template(path: Path) -> Template:
    """The template in a file.

    Raises:
        BadInputError: if it is missing, too large, or neither a Word document nor a spreadsheet.
        OutsideFailureError: if it cannot be read.
    """
    ending = path.suffix.lower()
    if ending in _WITH_MACROS:
        plain = _WITH_MACROS[ending]
        raise BadInputError(f"{path.name} is a template with macros, which are never run: save it as {plain}")
    if ending not in ENDINGS:
        raise BadInputError(f"{path.name}: a template is a Word document or a spreadsheet, saved as .docx or .xlsx")
    return Template(path, read_bounded(path, LARGEST, "template"))

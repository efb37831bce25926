"""Office packages that are the same bytes for the same content: libraries put the moment of writing into them."""

from __future__ import annotations

import datetime as dt
import io
import re
import zipfile

_MOMENT = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*(</dcterms:)")
_CORE = "docProps/core.xml"
_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The earliest time that ZIP has."""


def repacked(data: bytes, day: dt.date) -> bytes:
    """A package whose properties say a day, and whose parts have no times of their own."""
    moment = f"{day.isoformat()}T00:00:00Z".encode()
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as after:
        for name in before.namelist():
            content = before.read(name)
            if name == _CORE:
                content = _MOMENT.sub(rb"\g<1>" + moment + rb"\g<2>", content)
            after.writestr(zipfile.ZipInfo(name, _EARLIEST), content, zipfile.ZIP_DEFLATED)
    return written.getvalue()

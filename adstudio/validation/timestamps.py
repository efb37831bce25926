"""The timestamps of WebVTT (section 4.1)."""

from __future__ import annotations

import re

TIMESTAMP = re.compile(r"(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})", re.ASCII)
"""Hours, which may be left out, minutes, seconds and thousandths."""


def timestamp_ms(text: str) -> int:
    """Its milliseconds."""
    found = TIMESTAMP.fullmatch(text)
    if found is None:
        raise ValueError(f"{text[:40]} is no timestamp")
    # More digits than a film can have are cut, since they take long to be read as a number.
    hours = int((found[1] or "0").lstrip("0")[:9] or "0")
    return ((hours * 60 + int(found[2])) * 60 + int(found[3])) * 1000 + int(found[4])

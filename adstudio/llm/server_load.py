"""What a server says of its load, in a header of its responses; `adstudio serve` does."""

from __future__ import annotations

import re
from dataclasses import dataclass

LOAD_HEADER = "x-adstudio-load"
MOST_SLOTS = 256
"""More slots than that are never used, whatever a server says."""
_FORM = re.compile(r"([0-9]{1,6})/([1-9][0-9]{0,5})", re.ASCII)


@dataclass(frozen=True, slots=True)
class ServerLoad:
    """The requests that a server has in flight, of all its clients, and how many it answers at a time (`slots`)."""

    in_flight: int
    slots: int

    @property
    def header(self) -> str:
        """The header's value."""
        return f"{self.in_flight}/{self.slots}"


def load_from(header: str) -> ServerLoad | None:
    """The load in a header's value; None if it says none."""
    found = _FORM.fullmatch(header.strip())
    return None if found is None else ServerLoad(int(found[1]), min(int(found[2]), MOST_SLOTS))

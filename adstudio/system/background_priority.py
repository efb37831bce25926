"""How background work gives way to whoever is at the editor: a low priority, and a rest while there is input.

The editor renews the modification time of a file as there is input, and background processes look at it between two
pieces of work. Nothing has to be released: an editor that is gone holds nobody up.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

from adstudio.system.locations import user_cache

NICENESS = 10
QUIET_S = 0.5
"""Seconds without input after which background work goes on."""
RENEWAL_S = 0.1
"""Seconds between two notes of input."""


def lower_priority() -> None:
    """Let other processes go before this one."""
    if hasattr(os, "nice"):
        os.nice(max(0, NICENESS - os.nice(0)))


def wait_for_quiet() -> None:
    """Wait until there was no input for a moment; not at all where none was noted."""
    with contextlib.suppress(OSError):
        # A clock that was set back, or that of another machine, holds nobody up.
        while 0 <= (passed := time.time() - _last_input().stat().st_mtime) < QUIET_S:
            time.sleep(QUIET_S - passed)


class InputNotes:
    """Notes that there is input, for background processes."""

    def __init__(self) -> None:
        self._noted = -RENEWAL_S

    def note(self) -> None:
        """There is input. Where that cannot be noted, background work goes on."""
        now = time.monotonic()
        if now - self._noted < RENEWAL_S:
            return
        self._noted = now
        path = _last_input()
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)


def _last_input() -> Path:
    return user_cache("last-input")

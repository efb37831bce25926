"""Whether a process has ended that another one was to end."""

from __future__ import annotations

import time
from pathlib import Path


def gone(pid: int) -> bool:
    """Whether a process ends within a while; one that waits to be fetched has ended."""
    for _ in range(400):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX":
                return True
        except OSError:
            return True
        time.sleep(0.05)
    return False

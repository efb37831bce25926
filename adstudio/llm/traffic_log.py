"""The log of all traffic: destination, bytes sent and received. Never any content."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from adstudio.llm.faults import NotAllowedError
from adstudio.system.files import reason
from adstudio.system.private_files import FOLDER, private_file

LARGEST = 10_000_000
"""Bytes after which a new log file is started; older ones are kept with a time stamp in their names."""

Event = Literal["begun", "sent", "refused", "answered", "closed", "failed"]


@dataclass(frozen=True, slots=True)
class TrafficRecord:
    """One request's state, recorded when it begins, while it is being sent, and when it has ended.

    So the bytes sent are known even if the process is killed. `sent` and `received` are bytes before encryption,
    headers included. `status` is HTTP's, 0 for none. `address` is the IP address that was connected to, if any: a name
    may mean another machine tomorrow.
    """

    number: int
    event: Event
    at: str
    method: str
    place: str
    path: str
    sent: int = 0
    received: int = 0
    status: int = 0
    address: str = ""


OnTraffic = Callable[[TrafficRecord], None]


def now() -> str:
    """The current time in the log's format."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(frozen=True, slots=True)
class TrafficLog:
    """Appends one line of JSON per event to a file.

    `project` is the project's name, `identity` distinguishes it from others of the same name, if known.
    """

    path: Path
    project: str = ""
    identity: str = ""

    def __call__(self, record: TrafficRecord) -> None:
        """Write one line; raises NotAllowedError if it cannot be written; then nothing may be sent."""
        known = {"project": self.project, **({"identity": self.identity} if self.identity else {})}
        line = json.dumps({**known, "process": os.getpid(), **asdict(record)}, ensure_ascii=False)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=FOLDER)
            self._turn_over()
            private_file(self.path)
            # Project names are file names, which may not be valid text; escaped, JSON can hold them.
            with self.path.open("a", encoding="utf-8", errors="backslashreplace") as stream:
                stream.write(line + "\n")
        except OSError as error:
            raise NotAllowedError(
                f"{self.path}: the traffic log cannot be written, so nothing is sent: {reason(error)}"
            ) from error

    def _turn_over(self) -> None:
        if self.path.exists() and self.path.stat().st_size > LARGEST:
            day = datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S-%f")
            self.path.replace(self.path.with_stem(f"{self.path.stem}-{day}"))

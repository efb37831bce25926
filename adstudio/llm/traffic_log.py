"""The log of all that went out: where to, how many bytes, how many came back. Never what they said."""

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
"""Bytes after which the log goes on in a new file; those before it are kept, named by the day."""

Event = Literal["begun", "sent", "refused", "answered", "closed", "failed"]


@dataclass(frozen=True, slots=True)
class TrafficRecord:
    """One request, said several times: as `begun` before anything is opened, as `sent` while it goes out, as it ended.

    So the bytes that went out are known even where the process is killed before the end.
    `sent` and `received` are bytes as they were before encryption, headers included. `status` is HTTP's, 0 for none.
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


OnTraffic = Callable[[TrafficRecord], None]


def now() -> str:
    """The time as the log writes it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(frozen=True, slots=True)
class TrafficLog:
    """Appends to a file, a line of JSON for each event.

    `project` is what people call the project, `identity` what tells it from another of that name, where it is known.
    """

    path: Path
    project: str = ""
    identity: str = ""

    def __call__(self, exchanged: TrafficRecord) -> None:
        """Write one line.

        Raises:
            NotAllowedError: when it cannot be written; then nothing may be sent.
        """
        known = {"project": self.project, **({"identity": self.identity} if self.identity else {})}
        line = json.dumps({**known, "process": os.getpid(), **asdict(exchanged)}, ensure_ascii=False)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=FOLDER)
            self._turn_over()
            private_file(self.path)
            # Names of projects are names of files, which need not be any text; so JSON reads them as they are.
            with self.path.open("a", encoding="utf-8", errors="backslashreplace") as stream:
                stream.write(line + "\n")
        except OSError as error:
            raise NotAllowedError(
                f"{self.path}: the log of what is sent cannot be written, so nothing is sent: {reason(error)}"
            ) from error

    def _turn_over(self) -> None:
        if self.path.exists() and self.path.stat().st_size > LARGEST:
            day = datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S-%f")
            self.path.replace(self.path.with_stem(f"{self.path.stem}-{day}"))

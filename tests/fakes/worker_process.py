"""A worker process of ours as its asking side sees it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from adstudio.system.worker import WorkerProtocol

PATIENCE = 300
"""Seconds: only for what hangs."""


class WorkerProcess:
    """Started, and asked what is given; its input stays open."""

    def __init__(self, protocol: WorkerProtocol[Any, Any], *requests: object) -> None:
        self.protocol = protocol
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(protocol.command(), stdin=pipe, stdout=pipe, stderr=pipe)
        self.ask(*requests)

    def ask(self, *requests: object) -> None:
        assert self.process.stdin is not None
        for request in requests:
            self.process.stdin.write(self.protocol.request_line(request))
        self.process.stdin.flush()

    def close_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def event(self) -> Any:
        """The next event."""
        assert self.process.stdout is not None
        return self.protocol.read_event(self.process.stdout.readline())

    def events(self) -> Iterator[Any]:
        """All that are still to come."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            yield self.protocol.read_event(line)

    def log(self) -> bytes:
        assert self.process.stderr is not None
        return self.process.stderr.read()

    def wait(self) -> int:
        """Its exit code."""
        return self.process.wait(PATIENCE)


@contextmanager
def running(protocol: WorkerProtocol[Any, Any], *requests: object) -> Iterator[WorkerProcess]:
    """A process that is gone at the end, whatever happens."""
    found = WorkerProcess(protocol, *requests)
    with found.process:
        try:
            yield found
        finally:
            found.process.kill()

"""The process that drafts, run for a test: a request in, its events out."""

from __future__ import annotations

import os
import subprocess

from adstudio.drafting.events import PROTOCOL, DraftEvent, SampleRequest
from adstudio.drafting.request import DraftRequest


def run_draft(request: DraftRequest | SampleRequest) -> tuple[int, list[DraftEvent]]:
    """The exit code and what it said; its input stays open until it has ended, as the editor's does."""
    with subprocess.Popen(PROTOCOL.command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(PROTOCOL.request_line(request))
        process.stdin.flush()
        pipe = os.fstat(process.stdin.fileno()).st_ino
        lines = process.stdout.read().splitlines()
        assert os.fstat(process.stdin.fileno()).st_ino == pipe, "another part of the test process closed this pipe"
        process.stdin.close()
    return process.returncode, [PROTOCOL.read_event(line) for line in lines]

"""What the tests of project files share."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path

from adstudio.core.document import Document
from adstudio.core.errors import AdstudioError
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Script
from adstudio.core.steps import Replace

PLAN = Plan(Status.OPTIMAL, "exact", objective=7, deliveries=(Delivery("e1", 1, 50, 650),))


def fail(error: AdstudioError) -> None:
    raise AssertionError(error)


def note(text: str, script: Script) -> Replace:
    old = script.eventuality("e1")
    return Replace(old, replace(old, note=text))


def write(document: Document, *texts: str) -> None:
    for text in texts:
        document.apply(note(text, document.script))


def fill(disk: Path) -> None:
    """Leave no room at all."""
    with (disk / "filler").open("wb", buffering=0) as filler, contextlib.suppress(OSError):
        while filler.write(b"x" * 4096):
            pass

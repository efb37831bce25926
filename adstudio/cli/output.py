"""What commands say and where: JSON alone on standard output, words and progress on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console

from adstudio.core.errors import Oddity
from adstudio.store.files import write_atomically

SHOWN_ODDITIES = 50
"""How many oddities are shown before the rest are only counted; `--report` writes them all."""

words = Console(stderr=True, highlight=False, soft_wrap=True)
"""Where a person reads."""


def json_bytes(value: object) -> bytes:
    """A JSON value as our files hold it: UTF-8, indented, a newline at the end."""
    return (json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode()


def hand_over(data: bytes, target: Path | None) -> None:
    """Write to the file asked for, whole or not at all, or to standard output."""
    if target is not None:
        write_atomically(target, data)
        return
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def say(text: str) -> None:
    """One line for the person, as it is: brackets in it are no markup."""
    words.print(text, markup=False)


def tell_oddities(oddities: Iterable[tuple[str, Oddity]]) -> None:
    """Name what was odd in the sources, each with its file and line."""
    found = list(oddities)
    for source, oddity in found[:SHOWN_ODDITIES]:
        say(f"{source}{'' if oddity.line is None else f', line {oddity.line}'}: {oddity.what}")
    if len(found) > SHOWN_ODDITIES:
        say(f"… and {len(found) - SHOWN_ODDITIES} more oddities (--report FILE writes them all)")


def oddities_json(oddities: Iterable[tuple[str, Oddity]]) -> list[dict[str, object]]:
    """The same for a file."""
    return [{"file": source, "line": oddity.line, "what": oddity.what} for source, oddity in oddities]

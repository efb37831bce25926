"""What was sent, as the log of it says: read from its end, so that a log of any size is looked at in a moment.

The log is written by `llm.traffic_log`. What it says is read with care, as anybody may have written it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from adstudio.core.errors import OutsideFailureError
from adstudio.system.files import reason

MOST = 5_000
"""Requests that are shown at most."""
MOST_BYTES = 32_000_000
"""Bytes of the logs that are looked at for them."""
BLOCK = 65_536
LONGEST_LINE = 20_000
"""Bytes of a line; what is longer is none of ours."""
_LONGEST_TEXT = 200
_MOST_FILES = 100
_MOST_ENDS = 10_000
"""Requests whose beginning is still looked for; there are never so many at a time."""
_GREATEST = 2**53

Outcome = Literal["answered", "refused", "closed", "failed", "sent", "unknown"]
"""`refused` by the project's policy: nothing was opened. Its end is not in the log: `sent` where bytes of it are known
to have gone out, `unknown` where not even that is told."""
_OUTCOMES: tuple[Outcome, ...] = ("answered", "refused", "closed", "failed", "sent")


@dataclass(frozen=True, slots=True)
class Request:
    """One request: when it began (ISO time), where to, bytes out and in, HTTP's status (0 for none)."""

    at: str
    project: str
    method: str
    place: str
    path: str
    sent: int
    received: int
    status: int
    outcome: Outcome
    identity: str = ""


@dataclass(frozen=True, slots=True)
class Sum:
    """All that went to one machine and port."""

    place: str
    requests: int
    sent: int
    received: int


@dataclass(frozen=True, slots=True)
class Looked:
    """The requests of one block, newest first; `more`: older ones are left unread, because there are too many."""

    requests: tuple[Request, ...]
    more: bool = False


def look_back(
    log: Path, projects: frozenset[str] | None = None, *, most: int = MOST, most_bytes: int = MOST_BYTES
) -> Generator[Looked]:
    """The requests in a log and in those before it, a block at a time; none where there is no log.

    `projects` are what a project is known by, its identity or, in lines that know none, its name; None is for all, and
    for what belongs to none.

    Raises:
        OutsideFailureError: where a log cannot be read.
    """
    left, ended = most, dict[tuple[int, int, str, str], Request]()
    wanted = None if projects is None else {_text(name) for name in projects}
    for lines, last in _blocks(_logs(log), most_bytes):
        found: list[Request] = []
        for line in lines:
            request = _told(line, ended)
            if request is not None and (wanted is None or (request.identity or request.project) in wanted):
                found.append(request)
        more = len(found) > left or last
        found = found[:left]
        left -= len(found)
        yield Looked(tuple(found), more)
        if more:
            return


def sums(requests: Iterable[Request]) -> tuple[Sum, ...]:
    """What went to each machine, the most first; refused requests went nowhere and do not count."""
    found: dict[str, Sum] = {}
    for each in requests:
        if each.outcome != "refused":
            before = found.get(each.place, Sum(each.place, 0, 0, 0))
            found[each.place] = Sum(
                each.place, before.requests + 1, before.sent + each.sent, before.received + each.received
            )
    return tuple(sorted(found.values(), key=lambda each: (-each.sent, each.place)))


def _logs(log: Path) -> list[Path]:
    """The log and those that it went on from, the newest first."""
    try:
        older = sorted(log.parent.glob(f"{log.stem}-*{log.suffix}"), reverse=True)[:_MOST_FILES]
        return [*([log] if log.exists() else []), *older]
    except (OSError, ValueError):
        return []


def _blocks(logs: Iterable[Path], most_bytes: int) -> Iterator[tuple[list[bytes], bool]]:
    """The lines of files from the last one back, and whether bytes are left that are not looked at."""
    left = most_bytes
    for log in logs:
        for lines, taken in _lines_back(log):
            left -= taken
            yield lines, left < 0
            if left < 0:
                return


def _lines_back(log: Path) -> Iterator[tuple[list[bytes], int]]:
    """The whole lines of a file from its end, block by block, with the bytes that were read for them."""
    try:
        with log.open("rb") as stream:
            place = stream.seek(0, os.SEEK_END)
            rest = b""
            while place:
                size = min(BLOCK, place)
                place -= size
                stream.seek(place)
                first, *lines = (stream.read(size) + rest).split(b"\n")
                # The first one may begin in the block before; one without end is dropped.
                rest = first if len(first) <= LONGEST_LINE else b""
                if not place:
                    lines.insert(0, rest)
                yield lines[::-1], size
    except OSError as error:
        raise OutsideFailureError(f"{log}: the log of what was sent cannot be read: {reason(error)}") from error


def _told(line: bytes, ended: dict[tuple[int, int, str, str], Request]) -> Request | None:
    """The request that a line begins, with the end that was read before it, as we go back; None for an end."""
    if not line or len(line) > LONGEST_LINE:
        return None
    try:
        found: Any = json.loads(line)
        fields = cast("dict[str, Any]", found)
        event = fields["event"]
        key = (_count(fields["process"]), _count(fields["number"]), _text(fields["place"]), _text(fields["path"]))
        request = Request(
            _text(fields["at"]),
            _text(fields["project"]),
            _text(fields["method"]),
            key[2],
            key[3],
            _count(fields["sent"]),
            _count(fields["received"]),
            _count(fields["status"]),
            event if event in _OUTCOMES else "unknown",
            _text(fields.get("identity", "")),
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    if event == "refused":
        return request
    if event != "begun":
        if len(ended) >= _MOST_ENDS:
            ended.clear()
        if event != "sent" or key not in ended:  # how far it was holds only where its end is not told
            ended[key] = request
        return None
    end = ended.pop(key, None)
    if end is None:
        return request
    return Request(
        request.at,
        request.project,
        request.method,
        request.place,
        request.path,
        end.sent,
        end.received,
        end.status,
        end.outcome,
        request.identity,
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return "".join(letter if letter.isprintable() else "�" for letter in value[:_LONGEST_TEXT])


def _count(value: object) -> int:
    if type(value) is not int or not 0 <= value <= _GREATEST:
        raise TypeError("no count")
    return value

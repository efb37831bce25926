"""Reads the traffic log that `llm.traffic_log` writes, from its end, so that logs of any size open at once.

Its content is validated, as other programs may have changed it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, cast

from adstudio.core.errors import OutsideFailureError
from adstudio.system.files import reason
from adstudio.system.private_files import require_regular

MOST = 5_000
"""Requests shown at most."""
MOST_BYTES = 32_000_000
"""Bytes of log read at most."""
BLOCK = 65_536
LONGEST_LINE = 20_000
"""Bytes of a line; longer lines are not ours."""
_LONGEST_TEXT = 200
_MOST_FILES = 100
_MOST_ENDS = 10_000
"""Ended requests whose beginnings have not been found yet; there are never that many at a time."""
_GREATEST = 2**53

Outcome = Literal["answered", "refused", "closed", "failed", "sent", "unknown"]
"""`refused`: blocked by the project's policy, nothing was opened. If the end of a request is not in the log: `sent` if
some of its bytes are known to have been sent, otherwise `unknown`."""
_OUTCOMES: tuple[Outcome, ...] = ("answered", "refused", "closed", "failed", "sent")
_Key = tuple[int, int, str, str]
"""What tells requests in a log apart: process, number, place and path."""


@dataclass(frozen=True, slots=True)
class LoggedRequest:
    """One request: when it began (ISO time), its destination, bytes sent and received, HTTP status (0 for none).

    `address` is the destination's IP address, empty if nothing was opened or an older version logged it.
    """

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
    address: str = ""


@dataclass(frozen=True, slots=True)
class HostTotal:
    """The total for one host and port."""

    place: str
    requests: int
    sent: int
    received: int


@dataclass(frozen=True, slots=True)
class Batch:
    """The requests of one block, newest first; `more`: older ones are not read, because there are too many."""

    requests: tuple[LoggedRequest, ...]
    more: bool = False


def read_back(
    log: Path, projects: frozenset[str] | None = None, *, most: int = MOST, most_bytes: int = MOST_BYTES
) -> Generator[Batch]:
    """The requests in a log and its predecessors, block by block; none if there is no log.

    `projects` are projects' identities or, for lines without one, names; None selects all lines.

    Raises:
        OutsideFailureError: if a log cannot be read.
    """
    left, ended = most, dict[_Key, LoggedRequest]()
    wanted = None if projects is None else {_text(name) for name in projects}
    for lines, last in _blocks(_logs(log), most_bytes):
        found: list[LoggedRequest] = []
        for line in lines:
            request = _request_in(line, ended)
            if request is not None and (wanted is None or (request.identity or request.project) in wanted):
                found.append(request)
        more = len(found) > left or last
        found = found[:left]
        left -= len(found)
        yield Batch(tuple(found), more)
        if more:
            return


def totals_by_host(requests: Iterable[LoggedRequest]) -> tuple[HostTotal, ...]:
    """The totals by host, the largest first; refused requests do not count, as nothing was sent."""
    found: dict[str, HostTotal] = {}
    for each in requests:
        if each.outcome != "refused":
            before = found.get(each.place, HostTotal(each.place, 0, 0, 0))
            sent, received = before.sent + each.sent, before.received + each.received
            found[each.place] = HostTotal(each.place, before.requests + 1, sent, received)
    return tuple(sorted(found.values(), key=lambda each: (-each.sent, each.place)))


def _logs(log: Path) -> list[Path]:
    """The log and its predecessors, newest first."""
    try:
        older = sorted(log.parent.glob(f"{log.stem}-*{log.suffix}"), reverse=True)[:_MOST_FILES]
        return [*([log] if log.exists() else []), *older]
    except (OSError, ValueError):
        return []


def _blocks(logs: Iterable[Path], most_bytes: int) -> Iterator[tuple[list[bytes], bool]]:
    """The lines of the files, last one first, and whether the limit on bytes is reached."""
    left = most_bytes
    for log in logs:
        for lines, taken in _lines_back(log):
            left -= taken
            yield lines, left < 0
            if left < 0:
                return


def _lines_back(log: Path) -> Iterator[tuple[list[bytes], int]]:
    """The complete lines of a file from its end, block by block, with the number of bytes read."""
    try:
        require_regular(log)
        with log.open("rb") as stream:
            place = stream.seek(0, os.SEEK_END)
            rest = b""
            while place:
                size = min(BLOCK, place)
                place -= size
                stream.seek(place)
                first, *lines = (stream.read(size) + rest).split(b"\n")
                # The first line may start in the previous block; an overlong one is dropped.
                rest = first if len(first) <= LONGEST_LINE else b""
                if not place:
                    lines.insert(0, rest)
                yield lines[::-1], size
    except OSError as error:
        raise OutsideFailureError(f"{log}: the traffic log cannot be read: {reason(error)}") from error


def _request_in(line: bytes, ended: dict[_Key, LoggedRequest]) -> LoggedRequest | None:
    """The request that a line starts, completed by its end, which was read before; None for other lines."""
    if not line or len(line) > LONGEST_LINE:
        return None
    try:
        found: Any = json.loads(line)
        fields = cast("dict[str, Any]", found)
        event = fields["event"]
        key = (_count(fields["process"]), _count(fields["number"]), _text(fields["place"]), _text(fields["path"]))
        request = LoggedRequest(
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
            _text(fields.get("address", "")),
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    if event == "refused":
        return request
    if event != "begun":
        if len(ended) >= _MOST_ENDS:
            ended.clear()
        if event != "sent" or key not in ended:  # progress only counts if the end is missing
            ended[key] = request
        return None
    end = ended.pop(key, request)
    return replace(
        request, sent=end.sent, received=end.received, status=end.status, outcome=end.outcome, address=end.address
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return "".join(letter if letter.isprintable() else "�" for letter in value[:_LONGEST_TEXT])


def _count(value: object) -> int:
    if type(value) is not int or not 0 <= value <= _GREATEST:
        raise TypeError("no count")
    return value

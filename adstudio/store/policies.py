"""What a project allows to be sent, as its file keeps it: a row for each change, never altered, none taken back.

Each row's sum covers the one before it, the first one's the project's identity; the row of `identity` says which is the
last. So no row can be changed, moved, removed or added without this program and go unseen: a project whose rows do not
add up is offline. Steps, undo, saves and the return to a save have no part in it.

Each row says of which film it was allowed; for another one it holds nothing. Rows that were written before that was
kept say nothing of it: the last of them is taken to be of the film as it was saved, and is written so once.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from adstudio.core.errors import Oddity
from adstudio.core.policy import OFFLINE, Policy, PolicyChange
from adstudio.store.codec import CodecError, decode, encode
from adstudio.store.layout import digest

IDENTITY_BYTES = 16


@dataclass(frozen=True)
class Kept:
    """A project's identity, the changes of its policy in order, and the sum that the next one is chained to."""

    identity: bytes
    changes: tuple[PolicyChange, ...]
    last_sum: bytes
    sound: bool = True

    @property
    def policy(self) -> Policy:
        """The policy that was set last; for which film, it says itself."""
        return self.changes[-1].policy if self.changes else OFFLINE

    @property
    def unbound(self) -> bool:
        """Whether the policy allows something and its row does not say of which film."""
        return self.policy.rule != "offline" and self.policy.film is None

    def bound(self, film: str) -> Kept:
        """The same, the policy given for that film; the sum is the old one until it is written."""
        *before, last = self.changes
        return replace(self, changes=(*before, replace(last, policy=last.policy.granted_for(film))))


def new_identity() -> bytes:
    """That of a new project."""
    import secrets

    return secrets.token_bytes(IDENTITY_BYTES)


def read(path: Path, connection: sqlite3.Connection) -> tuple[Kept, tuple[Oddity, ...]]:
    """What is kept, and that it does not add up where it does not; then nothing is allowed."""
    head = connection.execute("SELECT identity, last, last_sum, sum FROM identity").fetchone()
    identity = head[0] if head is not None and len(head[0]) == IDENTITY_BYTES else new_identity()
    rows = connection.execute("SELECT seq, at, policy, sum FROM policy ORDER BY seq")
    try:
        if head is None:
            return _unsound(path, identity, "it has no identity")
        changes, chain = _changes(identity, rows)
    except CodecError as error:
        return _unsound(path, identity, str(error))
    if digest("identity", *head[:3]) != head[3] or (len(changes), chain) != (head[1], head[2]):
        return _unsound(path, identity, "its last change is missing")
    return Kept(identity, changes, chain), ()


def append(connection: sqlite3.Connection, kept: Kept, change: PolicyChange) -> Kept:
    """One more change, inside the caller's transaction; rows that do not add up give way to it.

    Raises:
        CodecError: for a policy beyond the limits of the format.
    """
    data = encode(change.policy)
    if not kept.sound:
        connection.execute("DELETE FROM policy")
    seq = len(kept.changes) + 1
    total = _sum(kept.last_sum, seq, change.at, data)
    connection.execute("INSERT INTO policy VALUES (?, ?, ?, ?)", (seq, change.at, data, total))
    _write_head(connection, kept.identity, seq, total)
    return Kept(kept.identity, (*kept.changes, change), total)


def write(connection: sqlite3.Connection, identity: bytes, changes: Iterable[PolicyChange] = ()) -> Kept:
    """All of it, into tables that are empty; raises as `append`."""
    kept = Kept(identity, (), _start(identity))
    _write_head(connection, identity, 0, kept.last_sum)
    for change in changes:
        kept = append(connection, kept, change)
    return kept


def write_again(connection: sqlite3.Connection, kept: Kept) -> Kept:
    """All of it in place of the rows that are there, inside the caller's transaction; raises as `append`."""
    connection.execute("DELETE FROM policy")
    return write(connection, kept.identity, kept.changes)


def _changes(identity: bytes, rows: Iterable[tuple[int, int, bytes, bytes]]) -> tuple[tuple[PolicyChange, ...], bytes]:
    changes: list[PolicyChange] = []
    chain = _start(identity)
    for seq, at, data, total in rows:
        if seq != len(changes) + 1 or _sum(chain, seq, at, data) != total:
            raise CodecError(f"change {seq} is not what was written")
        changes.append(PolicyChange(at, _policy(data)))
        chain = total
    return tuple(changes), chain


def _policy(data: bytes) -> Policy:
    """The policy of a row, also of one that was written before rows said of which film they are."""
    try:
        found: object = json.loads(data)
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, dict) and "film" not in found:
        data = json.dumps(cast("dict[str, object]", found) | {"film": None}).encode()
    return decode(data, Policy)


def _unsound(path: Path, identity: bytes, why: str) -> tuple[Kept, tuple[Oddity, ...]]:
    what = f"{path}: what it allows to be sent does not add up ({why}); it is offline until that is set again"
    return Kept(identity, (), _start(identity), sound=False), (Oddity(what),)


def _start(identity: bytes) -> bytes:
    return digest("policies", identity)


def _sum(chain: bytes, seq: int, at: int, data: bytes) -> bytes:
    return digest("policy", chain, seq, at, data)


def _write_head(connection: sqlite3.Connection, identity: bytes, last: int, last_sum: bytes) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO identity (one, identity, last, last_sum, sum) VALUES (1, ?, ?, ?, ?)",
        (identity, last, last_sum, digest("identity", identity, last, last_sum)),
    )

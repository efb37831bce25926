"""A project's sharing policy as stored in its file: a row for each change, never altered or removed.

Each row's sum covers the previous one, the first row's the project's identity; the row of `identity` names the last. So
nobody can change, move, remove or add rows unnoticed without this program: a project whose sums are wrong is offline.
Steps, undo and saves do not affect it.

Each row names the film for which it was granted and has no effect for others. Older rows name none: the last of them is
assumed to be for the film as saved, and is rewritten once to say so.
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
class StoredPolicies:
    """A project's identity, its policy changes in order, and the sum that the next one is chained to."""

    identity: bytes
    changes: tuple[PolicyChange, ...]
    last_sum: bytes
    sound: bool = True

    @property
    def policy(self) -> Policy:
        """The policy set last."""
        return self.changes[-1].policy if self.changes else OFFLINE

    @property
    def unbound(self) -> bool:
        """Whether the policy allows something without naming a film."""
        return self.policy.rule != "offline" and self.policy.film is None

    def bound(self, film: str) -> StoredPolicies:
        """The same with the policy granted for that film; the sum stays the old one until it is written."""
        *before, last = self.changes
        return replace(self, changes=(*before, replace(last, policy=last.policy.granted_for(film))))


def new_identity() -> bytes:
    """An identity for a new project."""
    import secrets

    return secrets.token_bytes(IDENTITY_BYTES)


def read(path: Path, connection: sqlite3.Connection) -> tuple[StoredPolicies, tuple[Oddity, ...]]:
    """The stored policies, and any damage found; then nothing is allowed."""
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
    return StoredPolicies(identity, changes, chain), ()


def append(connection: sqlite3.Connection, stored: StoredPolicies, change: PolicyChange) -> StoredPolicies:
    """Append a change inside the caller's transaction, replacing damaged rows.

    Raises:
        CodecError: if the policy exceeds the limits of the format.
    """
    data = encode(change.policy)
    if not stored.sound:
        connection.execute("DELETE FROM policy")
    seq = len(stored.changes) + 1
    total = _sum(stored.last_sum, seq, change.at, data)
    connection.execute("INSERT INTO policy VALUES (?, ?, ?, ?)", (seq, change.at, data, total))
    _write_head(connection, stored.identity, seq, total)
    return StoredPolicies(stored.identity, (*stored.changes, change), total)


def write(connection: sqlite3.Connection, identity: bytes, changes: Iterable[PolicyChange] = ()) -> StoredPolicies:
    """Write everything into empty tables; raises as `append`."""
    stored = StoredPolicies(identity, (), _start(identity))
    _write_head(connection, identity, 0, stored.last_sum)
    for change in changes:
        stored = append(connection, stored, change)
    return stored


def rewrite(connection: sqlite3.Connection, stored: StoredPolicies) -> StoredPolicies:
    """Replace all rows inside the caller's transaction; raises as `append`."""
    connection.execute("DELETE FROM policy")
    return write(connection, stored.identity, stored.changes)


def _changes(identity: bytes, rows: Iterable[tuple[int, int, bytes, bytes]]) -> tuple[tuple[PolicyChange, ...], bytes]:
    changes: list[PolicyChange] = []
    chain = _start(identity)
    for seq, at, data, total in rows:
        if seq != len(changes) + 1 or _sum(chain, seq, at, data) != total:
            raise CodecError(f"the checksum of change {seq} is wrong")
        changes.append(PolicyChange(at, _policy(data)))
        chain = total
    return tuple(changes), chain


def _policy(data: bytes) -> Policy:
    """The policy of a row, including older ones that name no film."""
    try:
        found: object = json.loads(data)
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, dict) and "film" not in found:
        data = json.dumps(cast("dict[str, object]", found) | {"film": None}).encode()
    return decode(data, Policy)


def _unsound(path: Path, identity: bytes, why: str) -> tuple[StoredPolicies, tuple[Oddity, ...]]:
    what = f"{path}: its privacy settings are damaged ({why}); it is offline until they are set again"
    return StoredPolicies(identity, (), _start(identity), sound=False), (Oddity(what),)


def _start(identity: bytes) -> bytes:
    return digest("policies", identity)


def _sum(chain: bytes, seq: int, at: int, data: bytes) -> bytes:
    return digest("policy", chain, seq, at, data)


def _write_head(connection: sqlite3.Connection, identity: bytes, last: int, last_sum: bytes) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO identity (one, identity, last, last_sum, sum) VALUES (1, ?, ?, ?, ?)",
        (identity, last, last_sum, digest("identity", identity, last, last_sum)),
    )

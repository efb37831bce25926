"""A project's sharing policy as stored in its file: a row for each change, never altered or removed.

Each row's sum covers the previous one, the first row's the project's identity; the row of `identity` names the last. So
nobody can change, move, remove or add rows unnoticed without this program: a project whose sums are wrong is offline.
Whoever has this program or can write SQL could compute the sums again. So a permission also has a code, made of its sum
with a secret of the user who gave it: for anybody else, and in any other project, it allows nothing. Each row names the
film for which it was granted and has no effect for others. Steps, undo and saves do not affect the policy.
"""

from __future__ import annotations

import hmac
import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from adstudio.core.errors import Oddity, OutsideFailureError
from adstudio.core.policy import OFFLINE, Lapse, Policy, PolicyChange
from adstudio.store.codec import CodecError, decode, encode
from adstudio.store.layout import digest
from adstudio.system.keyring_access import user_secret

IDENTITY_BYTES = 16


@dataclass(frozen=True)
class StoredPolicies:
    """A project's identity, its policy changes in order, and the sum that the next one is chained to."""

    identity: bytes
    changes: tuple[PolicyChange, ...]
    last_sum: bytes
    sound: bool = True
    lapse: Lapse | None = None
    """Why the policy set last does not apply, whatever the film."""

    @property
    def policy(self) -> Policy:
        """The policy set last, withheld if it does not apply."""
        policy = self.changes[-1].policy if self.changes else OFFLINE
        return policy if self.lapse is None else policy.withheld(self.lapse)


def new_identity() -> bytes:
    """An identity for a new project."""
    import secrets

    return secrets.token_bytes(IDENTITY_BYTES)


def read(path: Path, connection: sqlite3.Connection) -> tuple[StoredPolicies, tuple[Oddity, ...]]:
    """The stored policies, and any damage found; then nothing is allowed."""
    head = connection.execute("SELECT identity, last, last_sum, sum FROM identity").fetchone()
    identity = head[0] if head is not None and len(head[0]) == IDENTITY_BYTES else new_identity()
    rows = connection.execute("SELECT seq, at, policy, sum, code FROM policy ORDER BY seq")
    try:
        if head is None:
            return _unsound(path, identity, "it has no identity")
        changes, chain = _changes(identity, rows)
    except CodecError as error:
        return _unsound(path, identity, str(error))
    if digest("identity", *head[:3]) != head[3] or (len(changes), chain) != (head[1], head[2]):
        return _unsound(path, identity, "its last change is missing")
    return StoredPolicies(identity, changes, chain, lapse=_lapse(changes, chain)), ()


def append(connection: sqlite3.Connection, stored: StoredPolicies, change: PolicyChange) -> StoredPolicies:
    """Append a change made by this user inside the caller's transaction, replacing damaged rows.

    Raises:
        CodecError: if the policy exceeds the limits of the format.
        OutsideFailureError: if it permits something and the user's secret cannot be had.
    """
    if not stored.sound:
        connection.execute("DELETE FROM policy")
    return _append(connection, stored, change, by_user=True)


def write(
    connection: sqlite3.Connection, identity: bytes, changes: Iterable[PolicyChange] = (), *, by_user: bool = False
) -> StoredPolicies:
    """Write everything into empty tables; codes are kept unless the changes are made `by_user`. Raises as `append`."""
    stored = StoredPolicies(identity, (), _start(identity))
    _write_head(connection, identity, 0, stored.last_sum)
    for change in changes:
        stored = _append(connection, stored, change, by_user=by_user)
    return stored


def _append(
    connection: sqlite3.Connection, stored: StoredPolicies, change: PolicyChange, *, by_user: bool
) -> StoredPolicies:
    data = encode(change.policy)
    seq = len(stored.changes) + 1
    total = _sum(stored.last_sum, seq, change.at, data)
    if by_user:
        change = replace(change, code=b"" if change.policy.rule == "offline" else _code(total))
    connection.execute("INSERT INTO policy VALUES (?, ?, ?, ?, ?)", (seq, change.at, data, total, change.code))
    _write_head(connection, stored.identity, seq, total)
    return StoredPolicies(stored.identity, (*stored.changes, change), total)


def _lapse(changes: tuple[PolicyChange, ...], total: bytes) -> Lapse | None:
    if not changes or changes[-1].policy.rule == "offline":
        return None
    try:
        given = hmac.compare_digest(changes[-1].code, _code(total))
    except OutsideFailureError:
        return Lapse.NO_KEYRING
    return None if given else Lapse.OTHER_USER


def _code(total: bytes) -> bytes:
    """What only this user can compute of a row's sum, which covers the project's identity, the film and the policy."""
    return hmac.digest(user_secret(), digest("permission", total), "sha256")


def _changes(
    identity: bytes, rows: Iterable[tuple[int, int, bytes, bytes, bytes]]
) -> tuple[tuple[PolicyChange, ...], bytes]:
    changes: list[PolicyChange] = []
    chain = _start(identity)
    for seq, at, data, total, code in rows:
        if seq != len(changes) + 1 or _sum(chain, seq, at, data) != total:
            raise CodecError(f"the checksum of change {seq} is wrong")
        changes.append(PolicyChange(at, _policy(data), code))
        chain = total
    return tuple(changes), chain


def _policy(data: bytes) -> Policy:
    """The policy of a row, including those of older versions, which do not name a film, its content or a lapse."""
    try:
        found: object = json.loads(data)
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, dict):
        data = json.dumps({"film": None, "content": "", "lapse": None} | cast("dict[str, object]", found)).encode()
    return decode(data, Policy)


def _unsound(path: Path, identity: bytes, why: str) -> tuple[StoredPolicies, tuple[Oddity, ...]]:
    what = f"{path}: its sharing settings are damaged ({why}); it is offline until they are confirmed again"
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

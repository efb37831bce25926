"""Rebuilding a damaged project from the rows that can still be found in its pages.

If an editor died while it wrote, a copy that was taken without the journal has some pages of the old state and some of
the new: SQLite calls it malformed. But every row of ours carries a checksum (`layout`), so rows are searched page by
page, without the tree that leads to them (https://sqlite.org/fileformat2.html, sections 1.6 and 2.1), and the longest
chain of changes that fits its checksums is used. What was being written when the editor died is lost, as is any change
that was not acknowledged.
"""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, field
from pathlib import Path

from adstudio.store import database, layout, version_rows
from adstudio.store.layout import REBASE, digest

_ROLLBACK = b"\x01\x01"
"""The versions of files without a write-ahead log."""
_HEADER = 100
"""Bytes before the tree in the first page."""
_LEAF = 0x0D
"""The first byte of a page that holds rows of a table."""
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""The bytes of an integer, by its serial type."""
_MOST_READ = 4
"""How many times the file's size is read at most: pages of a hostile file may share their overflow."""

_Value = int | bytes | str | None
_Values = tuple[_Value, ...]


@dataclass(frozen=True)
class _Change:
    """A row of `journal`."""

    seq: int
    act: str
    step: bytes
    at: int | None
    sum: bytes

    def follows(self, chain: bytes) -> bool:
        return digest("journal", chain, self.seq, self.act, self.step, self.at) == self.sum


@dataclass
class _Found:
    """The rows of each table whose checksums are right, where they have one of their own."""

    tables: dict[str, str] = field(default_factory=dict[str, str])
    """What the tables are, by their names."""
    states: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    """The last change and the last save."""
    snapshots: dict[tuple[int, bytes], bytes] = field(default_factory=dict[tuple[int, bytes], bytes])
    """Scripts, by the change that they follow and its checksum."""
    changes: dict[int, list[_Change]] = field(default_factory=lambda: defaultdict(list))
    plans: list[tuple[int, bytes, bytes]] = field(default_factory=list[tuple[int, bytes, bytes]])
    sounds: set[bytes] = field(default_factory=set[bytes])
    versions: dict[int, tuple[bytes, bytes, bytes]] = field(default_factory=dict[int, tuple[bytes, bytes, bytes]])
    policies: dict[int, tuple[int, bytes, bytes, bytes]] = field(
        default_factory=dict[int, tuple[int, bytes, bytes, bytes]]
    )
    identities: list[tuple[int, bytes, bytes, bytes]] = field(default_factory=list[tuple[int, bytes, bytes, bytes]])

    def add(self, seq: int, values: _Values) -> None:
        match values:
            case (str(), str(name), str(), int(), str(sql)):
                self.tables[name] = sql
            case (_, bytes(chain), bytes(script), total) if digest("snapshot", seq, chain, script) == total:
                self.snapshots[seq, chain] = script
            case (_, bytes(label), bytes(content), bytes(total)) if version_rows.is_row(seq, label, content, total):
                self.versions[seq] = label, content, total
            case (_, int(saved), int(last), bytes(last_sum), total) if digest("state", saved, last, last_sum) == total:
                self.states.add((last, saved))
            case (_, int(at), bytes(policy), bytes(total), bytes(code)):
                self.policies[seq] = at, policy, total, code
            case (_, bytes(identity), int(last), bytes(last_sum), bytes(total)):
                self.identities.append((last, identity, last_sum, total))
            case (_, str(act), bytes(step), int() | None as at, bytes(total)):
                self.changes[seq].append(_Change(seq, act, step, at, total))
            case (_, bytes(key), bytes(sound)) if layout.sound_key(sound) == key:
                self.sounds.add(sound)
            case (_, bytes(plan), bytes(total)):
                self.plans.append((seq, plan, total))
            case _:
                pass


@dataclass(frozen=True)
class _Chain:
    """A state and the changes that lead to it from a snapshot; `sums` are checksums from the snapshot's change on."""

    saved: int
    base: int
    changes: tuple[_Change, ...]
    sums: tuple[bytes, ...]

    @property
    def last(self) -> int:
        return self.base + len(self.changes)


def salvage(path: Path, data: bytes) -> bytes | None:
    """The content of a sound project with everything that can be found in a damaged one; None if that is nothing."""
    if int.from_bytes(data[60:64]) != layout.VERSION or len(data) > database.MAX_VALUE:
        return None
    found = _Found()
    for seq, values in _rows(data):
        found.add(seq, values)
    if found.tables != layout.TABLES[layout.VERSION] or data[18:20] != _ROLLBACK:
        # That is no accident: it was tampered with.
        return None
    chain = max(_chains(found), key=lambda each: (each.last, each.saved), default=None)
    if chain is None or not found.identities:
        return None
    sums = dict(enumerate(chain.sums, chain.base))
    with contextlib.closing(database.in_memory(path)) as connection:
        layout.create_tables(connection)
        for n, total in sums.items():
            if (n, total) in found.snapshots:
                layout.write_snapshot(connection, n, total, found.snapshots[n, total])
        connection.executemany("INSERT INTO journal VALUES (?, ?, ?, ?, ?)", map(astuple, chain.changes))
        layout.write_state(connection, chain.saved, chain.last, chain.sums[-1])
        for seq, plan, total in found.plans:
            if seq == chain.saved and digest("plan", seq, sums[seq], plan) == total:
                layout.write_plan(connection, seq, sums[seq], plan)
            elif digest("report", plan) == total:
                layout.write_report(connection, plan)
            elif digest("lengths", plan) == total:
                layout.write_lengths(connection, plan)
        for sound in found.sounds:
            layout.write_sound(connection, sound)
        versions = [(number, *row) for number, row in sorted(found.versions.items())]
        connection.executemany("INSERT INTO version VALUES (?, ?, ?, ?)", versions)
        # Whether these are right is judged where they are read: if not, nothing may be sent.
        last, identity, last_sum, total = max(found.identities)
        connection.execute("INSERT INTO identity VALUES (1, ?, ?, ?, ?)", (identity, last, last_sum, total))
        rows = [(seq, *row) for seq, row in found.policies.items() if 0 < seq <= last]
        connection.executemany("INSERT INTO policy VALUES (?, ?, ?, ?, ?)", rows)
        return connection.serialize()


def _chains(found: _Found) -> Iterator[_Chain]:
    """The ways that lead from a snapshot to a save at least, for each state that was found."""
    for last, saved in found.states:
        for base, start in found.snapshots:
            if base <= saved:
                chain = _followed(found, saved, base, start, last)
                if chain.last >= saved:
                    yield chain


def _followed(found: _Found, saved: int, base: int, start: bytes, last: int) -> _Chain:
    changes: list[_Change] = []
    sums = [start]
    known, end = True, 0
    for seq in range(base + 1, last + 1):
        # Of two that follow, the older one was discarded.
        following = (each for each in found.changes[seq] if each.follows(sums[-1]))
        change = max(following, key=lambda each: each.at or 0, default=None)
        if change is None:
            break
        changes.append(change)
        sums.append(change.sum)
        # From a change without a step, the script is known only where a snapshot follows.
        known = (seq, change.sum) in found.snapshots or (known and change.act != REBASE)
        end = len(changes) if known else end
    return _Chain(saved, base, tuple(changes[:end]), tuple(sums[: end + 1]))


def _rows(data: bytes) -> Iterator[tuple[int, _Values]]:
    """The key and values of every row in every page, in use or not; the values' first is the key's column."""
    size = int.from_bytes(data[16:18])
    size = 65_536 if size == 1 else size
    if size < 512:
        return
    pages = [data[start : start + size] for start in range(0, len(data) - size + 1, size)]
    budget = _MOST_READ * len(data)
    for number, page in enumerate(pages):
        head = _HEADER if number == 0 else 0
        if page[head] != _LEAF:
            continue
        count = int.from_bytes(page[head + 3 : head + 5])
        for at in range(head + 8, min(head + 8 + 2 * count, size - 1), 2):
            try:
                key, payload = _cell(pages, page, int.from_bytes(page[at : at + 2]))
                budget -= len(payload)
                if budget < 0:
                    return
                yield key, _record(payload)
            except (IndexError, ValueError):
                # A page of another kind, or half a row.
                continue


def _cell(pages: Sequence[bytes], page: bytes, at: int) -> tuple[int, bytes]:
    """A row's key and payload, collected from its overflow pages."""
    size = len(page)
    length, at = _varint(page, at)
    key, at = _varint(page, at)
    if length > min(database.MAX_VALUE, size * len(pages)):
        raise ValueError("longer than the file")
    local = length
    if length > size - 35:
        least = (size - 12) * 32 // 255 - 23
        local = least + (length - least) % (size - 4)
        local = local if local <= size - 35 else least
    parts = [page[at : at + local]]
    missing = length - local
    following = int.from_bytes(page[at + local : at + local + 4])
    while missing > 0:
        if not 0 < following <= len(pages):
            raise ValueError("no such page")
        more = pages[following - 1]
        parts.append(more[4 : 4 + missing])
        missing -= size - 4
        following = int.from_bytes(more[:4])
    return key, b"".join(parts)


def _record(payload: bytes) -> _Values:
    end, at = _varint(payload, 0)
    kinds: list[int] = []
    while at < end:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    values: list[_Value] = []
    for kind in kinds:
        length = _INTEGERS.get(kind, (kind - 12) // 2 if kind >= 12 else 0)
        piece = payload[at : at + length]
        if len(piece) != length or kind in (7, 10, 11):
            raise ValueError("half a row")
        at += length
        if kind in (8, 9):
            values.append(kind - 8)
        elif kind in _INTEGERS:
            values.append(int.from_bytes(piece, signed=True))
        elif kind >= 12:
            values.append(piece.decode() if kind % 2 else piece)
        else:
            values.append(None)
    return tuple(values)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for n in range(9):
        byte = data[at + n]
        if n == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + n + 1
    raise AssertionError

"""Reading a project file: the script at the last save and at the last step, and the steps between them."""

from __future__ import annotations

import gc
import sqlite3
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from adstudio.core.cast import Person
from adstudio.core.document import Act, History, HistoryEntry
from adstudio.core.errors import AdstudioError, BadInputError, Oddity
from adstudio.core.plan import Plan
from adstudio.core.script import MAX_LINES, Script
from adstudio.core.steps import Insert, Move, Remove, Replace, SetPeople, Several, Step, StepError
from adstudio.store.codec import CodecError, decode, decode_step
from adstudio.store.layout import ACTS, REBASE, damaged, digest

_BYTES_A_CHANGE = 10_000
"""Bytes of pictures that count as one change: about as slow to read, and larger in the file."""
_BACK = (Act.UNDO, Act.WITHDRAW)
MAX_RECOVERED_STEPS = 1000
"""The most unsaved steps that can be undone after a crash."""


class TooManyLinesError(AdstudioError):
    """A sound project with more lines than a film may have: nothing in it is bad that could be repaired."""

    exit_code = BadInputError.exit_code


class RestorePoint(Enum):
    """Which state to open: the last step, or the last save."""

    LAST_STEP = "last step"
    LAST_SAVE = "last save"


@dataclass(frozen=True)
class Row:
    """One change in the journal; `at` is its time in milliseconds since 1970, if known."""

    seq: int
    act: str
    step: bytes
    at: int | None
    sum: bytes


@dataclass(frozen=True)
class Content:
    """The verified content of a file.

    `history` runs from the last save to the last step. `tail` says what is wrong with the unsaved steps, if anything;
    `last` is then the last save. Writing continues from `saved_seq`, `last_seq` and `last_sum`; `since_snapshot` is the
    number of changes since the newest snapshot.
    """

    saved: Script
    last: Script
    history: History
    plan: Plan | None
    last_step_at: int | None
    saved_seq: int
    saved_sum: bytes
    last_seq: int
    last_sum: bytes
    oldest_snapshot: int
    newest_snapshot: int
    since_snapshot: int
    tail: str | None = None
    oddities: tuple[Oddity, ...] = ()


def read(path: Path, connection: sqlite3.Connection) -> Content:
    """Everything in a file of the current version.

    Raises:
        BadInputError: if the saved script fails its checksums.
    """
    # Hundreds of thousands of objects are created and none freed: garbage collection would take half the time.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return _read(path, connection)
    finally:
        if collecting:
            gc.enable()


def _read(path: Path, connection: sqlite3.Connection) -> Content:
    saved_seq, last_seq, last_sum = _state(path, connection)
    snapshots = _snapshots(path, connection)
    base = snapshots[0]
    rows, broken = _sound_rows(connection, base.seq, base.chain)
    reached = rows[-1].seq if rows else base.seq
    if not base.seq <= saved_seq <= min(reached, last_seq):
        raise damaged(path, "saved changes are missing")
    sums = {base.seq: base.chain, **{row.seq: row.sum for row in rows}}
    if not broken and (reached, sums[reached]) != (last_seq, last_sum):
        broken = "the last changes are missing"
    steps: dict[int, Step] = {}
    saved = _script_at(path, snapshots, rows, saved_seq, steps)
    plan, oddities = _plan(path, connection, saved_seq, sums[saved_seq])
    unsaved = [row for row in rows if row.seq > saved_seq]
    last, history = saved, History()
    try:
        if not broken and unsaved:
            last = _script_at(path, snapshots, rows, last_seq, steps, known=(saved_seq, saved))
            history = _history(unsaved, steps)
    except BadInputError as error:
        broken = str(error)
    if broken:
        last, history = saved, History()
    return Content(
        saved=saved,
        last=last,
        history=history,
        plan=plan,
        last_step_at=rows[-1].at if rows else None,
        saved_seq=saved_seq,
        saved_sum=sums[saved_seq],
        last_seq=last_seq,
        last_sum=last_sum,
        oldest_snapshot=base.seq,
        newest_snapshot=snapshots[-1].seq,
        since_snapshot=sum(changes_in(step) for seq, step in steps.items() if seq > snapshots[-1].seq),
        tail=broken or None,
        oddities=oddities,
    )


@dataclass(frozen=True)
class _Snapshot:
    seq: int
    chain: bytes
    script: bytes
    sound: bool


def _state(path: Path, connection: sqlite3.Connection) -> tuple[int, int, bytes]:
    rows = connection.execute("SELECT saved, last, last_sum, sum FROM state").fetchall()
    if len(rows) != 1 or digest("state", *rows[0][:3]) != rows[0][3]:
        raise damaged(path, "the checksum of its state is wrong")
    return rows[0][0], rows[0][1], rows[0][2]


def _snapshots(path: Path, connection: sqlite3.Connection) -> list[_Snapshot]:
    found = [
        _Snapshot(seq, chain, script, digest("snapshot", seq, chain, script) == total)
        for seq, chain, script, total in connection.execute("SELECT seq, chain, script, sum FROM snapshot ORDER BY seq")
    ]
    if not found or not found[0].sound:
        raise damaged(path, "the checksum of its script is wrong")
    return found


def _sound_rows(connection: sqlite3.Connection, base: int, chain: bytes) -> tuple[list[Row], str]:
    """The unbroken run of valid rows, and what is wrong with the first invalid one."""
    rows: list[Row] = []
    found = connection.execute("SELECT seq, act, step, at, sum FROM journal WHERE seq > ? ORDER BY seq", (base,))
    for seq, act, step, at, total in found:
        if seq != base + len(rows) + 1 or act not in ACTS or digest("journal", chain, seq, act, step, at) != total:
            return rows, f"the checksum of change {seq} is wrong"
        rows.append(Row(seq, act, step, at, total))
        chain = total
    return rows, ""


def _script_at(
    path: Path,
    snapshots: list[_Snapshot],
    rows: list[Row],
    seq: int,
    steps: dict[int, Step],
    known: tuple[int, Script] | None = None,
) -> Script:
    by_seq = {snapshot.seq: snapshot for snapshot in snapshots}
    start = max(s.seq for s in snapshots if s.seq <= seq)
    if known and known[0] >= start:
        start, script = known
    else:
        script = _decoded(path, by_seq[start])
    for row in rows[start - snapshots[0].seq : seq - snapshots[0].seq]:
        if row.act == REBASE:
            if row.seq not in by_seq:
                raise damaged(path, f"the script of change {row.seq} is missing")
            script = _decoded(path, by_seq[row.seq])
            continue
        try:
            script = _step(row, steps).apply(script)
        except (CodecError, StepError) as error:
            raise damaged(path, f"change {row.seq} does not fit: {error}") from error
    return script


def _step(row: Row, steps: dict[int, Step]) -> Step:
    """A row's step, decoded once."""
    if row.seq not in steps:
        steps[row.seq] = decode_step(row.step)
    return steps[row.seq]


def changes_in(step: Step) -> int:
    """The number of changes in a step, nested steps counted individually and pictures by their size."""
    match step:
        case Several():
            return sum(map(changes_in, step.steps))
        case SetPeople():
            return 1 + _picture_bytes(*step.old, *step.new) // _BYTES_A_CHANGE
        case Replace(Person() as old, Person() as new):
            return 1 + _picture_bytes(old, new) // _BYTES_A_CHANGE
        case Insert(Person() as person) | Remove(Person() as person) | Move(Person() as person):
            return 1 + _picture_bytes(person) // _BYTES_A_CHANGE
        case _:
            return 1


def _picture_bytes(*people: Person) -> int:
    return sum(len(portrait.image) for person in people for portrait in person.all_portraits)


def _decoded(path: Path, snapshot: _Snapshot) -> Script:
    if not snapshot.sound:
        raise damaged(path, "the checksum of its script is wrong")
    # Counted in the bytes: read, the lines would take many times the memory.
    if snapshot.script.count(b'"variants":') > MAX_LINES:
        raise TooManyLinesError(
            f"{path} has more than {MAX_LINES:,} lines, so it cannot be opened: split the film into several projects"
        )
    try:
        return decode(snapshot.script, Script)
    except CodecError as error:
        raise damaged(path, f"its script cannot be read: {error}") from error


def _plan(
    path: Path, connection: sqlite3.Connection, seq: int, seq_sum: bytes
) -> tuple[Plan | None, tuple[Oddity, ...]]:
    row = connection.execute("SELECT seq, plan, sum FROM plan").fetchone()
    if row is None:
        return None, ()
    if row[0] != seq or digest("plan", seq, seq_sum, row[1]) != row[2]:
        return None, (Oddity(f"{path}: the stored plan does not belong to the saved script; it will be re-planned"),)
    try:
        return decode(row[1], Plan), ()
    except CodecError as error:
        return None, (Oddity(f"{path}: the stored plan cannot be read ({error}); it will be re-planned"),)


def _history(unsaved: list[Row], steps: dict[int, Step]) -> History:
    """The undo list from the last save to the last step, as `core.document` would have it."""
    recent = unsaved[-MAX_RECOVERED_STEPS:]
    past: list[HistoryEntry] = []
    future: list[HistoryEntry] = []
    # Revision 0 is the last save, which undo cannot reach if older steps are dropped.
    revision = 0 if len(recent) == len(unsaved) else 1
    newest = revision
    for row in recent:
        if row.act == REBASE:
            past.clear()
            future.clear()
            newest += 1
            revision = newest
            continue
        act = Act(row.act)
        known = past if act in _BACK else future if act is Act.REDO else []
        moment = known.pop() if known else _entry(act, _step(row, steps), revision=revision, unused=newest + 1)
        newest = max(newest, moment.before, moment.after)
        if act in _BACK:
            if act is Act.WITHDRAW:
                future.clear()
            else:
                future.append(moment)
            revision = moment.before
        else:
            if act is Act.DO:
                future.clear()
            past.append(moment)
            revision = moment.after
    return History(tuple(past), tuple(future), revision, saved=0)


def _entry(act: Act, step: Step, *, revision: int, unused: int) -> HistoryEntry:
    """The entry of a step that is not in the history yet, to or from a state of its own."""
    if act in _BACK:
        # It was made before the last save, or before the recovered steps.
        return HistoryEntry(step.inverse(), unused, revision)
    return HistoryEntry(step, revision, unused)

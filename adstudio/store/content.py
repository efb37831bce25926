"""What is in a project file: the script at the last save and at the last step, and the steps between the two."""

from __future__ import annotations

import gc
import sqlite3
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from adstudio.core.document import Act, History, HistoryEntry
from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.core.steps import SetPeople, Several, Step, StepError
from adstudio.store.codec import CodecError, decode, decode_step
from adstudio.store.layout import ACTS, REBASE, damaged, digest

_BYTES_A_CHANGE = 10_000
"""So many bytes of pictures take as long to read as a change of a line or two, and fill the file sooner."""
_BACK = (Act.UNDO, Act.WITHDRAW)
KEPT_HISTORY = 1000
"""How many unsaved steps can be undone after a crash."""


class At(Enum):
    """Where a project is taken up: the last step, or the last save."""

    LAST_STEP = "last step"
    LAST_SAVE = "last save"


@dataclass(frozen=True)
class Row:
    """One change in the journal; `at` is when it was made, in milliseconds since 1970, where known."""

    seq: int
    act: str
    step: bytes
    at: int | None
    sum: bytes


@dataclass(frozen=True)
class Content:
    """A file that was read and found sound.

    `history` starts at the last save and ends at the last step. `tail` is what is wrong with the unsaved steps, where
    something is; then `last` is the last save. `saved_seq`, `last_seq` and `last_sum` are where writing goes on;
    `since_snapshot` is how many changes have been made since the newest snapshot.
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
    """Everything in a file of the present version.

    Raises:
        BadInputError: where the saved script cannot be proven to be what was written.
    """
    # Hundreds of thousands of values come into being and none goes: looking for rubbish would take half the time.
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
        raise damaged(path, "its state does not add up")
    return rows[0][0], rows[0][1], rows[0][2]


def _snapshots(path: Path, connection: sqlite3.Connection) -> list[_Snapshot]:
    found = [
        _Snapshot(seq, chain, script, digest("snapshot", seq, chain, script) == total)
        for seq, chain, script, total in connection.execute("SELECT seq, chain, script, sum FROM snapshot ORDER BY seq")
    ]
    if not found or not found[0].sound:
        raise damaged(path, "its script does not add up")
    return found


def _sound_rows(connection: sqlite3.Connection, base: int, chain: bytes) -> tuple[list[Row], str]:
    """The rows that follow one another without a break, and what is wrong with the first that does not."""
    rows: list[Row] = []
    for seq, act, step, at, total in connection.execute("SELECT seq, act, step, at, sum FROM journal ORDER BY seq"):
        if seq != base + len(rows) + 1 or act not in ACTS or digest("journal", chain, seq, act, step, at) != total:
            return rows, f"change {seq} does not add up"
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
    """The step of a row, decoded once."""
    if row.seq not in steps:
        steps[row.seq] = decode_step(row.step)
    return steps[row.seq]


def changes_in(step: Step) -> int:
    """How many changes a step makes, those of steps in it counted singly; pictures weigh as many as they are large."""
    match step:
        case Several():
            return sum(map(changes_in, step.steps))
        case SetPeople():
            return 1 + sum(len(person.face) for person in (*step.old, *step.new)) // _BYTES_A_CHANGE
        case _:
            return 1


def _decoded(path: Path, snapshot: _Snapshot) -> Script:
    if not snapshot.sound:
        raise damaged(path, "its script does not add up")
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
        return None, (Oddity(f"{path}: the plan kept in it is not the saved script's; it is made anew"),)
    try:
        return decode(row[1], Plan), ()
    except CodecError as error:
        return None, (Oddity(f"{path}: the plan kept in it cannot be read ({error}); it is made anew"),)


def _history(unsaved: list[Row], steps: dict[int, Step]) -> History:
    """The undo list from the last save to the last step, as `core.document` would have it."""
    kept = unsaved[-KEPT_HISTORY:]
    past: list[HistoryEntry] = []
    future: list[HistoryEntry] = []
    # Revision 0 is the last save; where older steps are not kept, undo cannot come back to it.
    revision = 0 if len(kept) == len(unsaved) else 1
    newest = revision
    for row in kept:
        if row.act == REBASE:
            past.clear()
            future.clear()
            newest += 1
            revision = newest
            continue
        act = Act(row.act)
        known = past if act in _BACK else future if act is Act.REDO else []
        moment = known.pop() if known else _moment(act, _step(row, steps), revision=revision, unused=newest + 1)
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


def _moment(act: Act, step: Step, *, revision: int, unused: int) -> HistoryEntry:
    """A step that the kept history does not know yet, to or from a state of its own."""
    if act in _BACK:
        # From before the last save, or from before the kept ones.
        return HistoryEntry(step.inverse(), unused, revision)
    return HistoryEntry(step, revision, unused)

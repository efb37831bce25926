"""The journal of an open project: writing its steps, and the snapshots (whole scripts) that they build on.

Opening replays all steps since a snapshot, so snapshots are written from time to time and what opening no longer needs
is deleted; mostly while the user is idle, in slices of a few milliseconds.
"""

from __future__ import annotations

import contextlib
import sqlite3

from adstudio.core.document import Act
from adstudio.core.errors import AdstudioError
from adstudio.core.script import Script
from adstudio.core.steps import Step
from adstudio.store import layout
from adstudio.store.codec import CodecError, encode
from adstudio.store.content import Content, changes_in
from adstudio.store.database import OpenFile
from adstudio.store.encoder import ScriptEncoder

SNAPSHOT_WHEN_IDLE = 100
"""Changes after which a snapshot is written while idle and on saving, to keep opening quick; each of a `Several`
counts."""
SNAPSHOT_AT_LATEST = 1000
"""Changes after which a snapshot is written even during editing: opening never replays more, except for one step."""
_ITEMS_WHEN_IDLE = 200
_ITEMS_PER_STEP = 8
"""Items encoded ahead of the first snapshot, so that it is as quick as the others."""

_Entry = tuple[str, bytes, int, int]
"""A pending row: act, step (or whole script), number of changes, time."""


class Journal:
    """Writes a project's steps into its open file, and keeps those that could not be written yet.

    Every write is one transaction. Pending rows go first at the next write. Script arguments are always the current
    script, to which all steps so far lead.
    """

    def __init__(self, file: OpenFile, found: Content) -> None:
        """Continue where the content ends."""
        self._file = file
        self._saved, self._saved_sum = found.saved_seq, found.saved_sum
        self._last, self._last_sum = found.last_seq, found.last_sum
        self._oldest_snapshot, self._newest_snapshot = found.oldest_snapshot, found.newest_snapshot
        self._since_snapshot = found.since_snapshot
        self._encoder = ScriptEncoder(found.saved)
        self._pending: list[_Entry] = []
        self._snapshot_due = False
        """Whether to replace all pending rows by a snapshot."""
        self._next_snapshot: bytes | None = None
        """The encoded script of the file's last row, about to be written as a snapshot."""
        self._redundant_snapshots = False
        """Whether there may be snapshots that a newer one makes useless."""

    @property
    def unwritten(self) -> int:
        """The number of changes not in the file yet, because of the disk or a limit of the format."""
        return len(self._pending) + self._snapshot_due

    def begin(self, script: Script) -> None:
        """Start journalling a document with this script."""
        self._encoder = ScriptEncoder(script)

    def prepare(self, step: Step) -> None:
        """Encode a step's items ahead of time; failures are reported when the step is added."""
        with contextlib.suppress(CodecError):
            self._encoder.step(step)

    def prepare_some(self, script: Script) -> None:
        """Encode some of the script's items ahead of the first snapshot."""
        self._encoder.prepare(script, _ITEMS_WHEN_IDLE)

    def encoded(self, script: Script) -> bytes:
        """The current script as a snapshot has it.

        Raises:
            CodecError: if the format cannot hold it.
        """
        return self._encoder.script(script)

    def rebase(self, script: Script) -> None:
        """Make the following steps start from this script, whatever came before."""
        self._pending.append((layout.REBASE, encode(script), 0, layout.now()))

    def add(self, act: Act, step: Step, *, out_of_turn: bool) -> None:
        """Add a step to be written; one that arrives out of turn requires a snapshot.

        Raises:
            CodecError: if the format cannot hold the step; a snapshot is written instead.
        """
        self._snapshot_due = self._snapshot_due or out_of_turn
        try:
            data = self._encoder.step(step)
        except CodecError:
            self._snapshot_due = True
            raise
        self._pending.append((act.value, data, changes_in(step), layout.now()))

    def write(self, script: Script) -> None:
        """Write all pending rows.

        Raises:
            OutsideFailureError: if they cannot be written; they stay pending.
            CodecError: if a snapshot is due and the format cannot hold the script.
        """
        if self._snapshot_due:
            self._pending = [(layout.REBASE, self._encoder.script(script), 0, layout.now())]
            self._snapshot_due = False
        if not self._pending:
            return
        self._next_snapshot = None
        last, chain, newest, since = self._last, self._last_sum, self._newest_snapshot, self._since_snapshot
        with self._file.writing() as connection:
            for act, data, changes, at in self._pending:
                last += 1
                since += changes
                step = b"" if act == layout.REBASE else data
                chain = layout.write_row(connection, chain, last, act=act, step=step, at=at)
                if act == layout.REBASE:
                    layout.write_snapshot(connection, last, chain, data)
                    newest, since = last, 0
            layout.write_state(connection, self._saved, last, chain)
        self._last, self._last_sum, self._newest_snapshot, self._since_snapshot = last, chain, newest, since
        self._pending.clear()

    def write_while_editing(self, script: Script) -> None:
        """Write all pending rows, and a snapshot only if it cannot wait; raises as `write`."""
        self.write(script)
        self._encoder.prepare(script, _ITEMS_PER_STEP)
        if self._since_snapshot >= SNAPSHOT_AT_LATEST:
            self._write_snapshot(self._encoder.script(script))
            self._drop_redundant_snapshots()

    def mark_saved(self, plan: bytes | None) -> None:
        """Mark the file's last row as saved and store its plan.

        Raises:
            OutsideFailureError: if it cannot be written; the mark is then unchanged.
        """
        with self._file.writing() as connection:
            layout.write_state(connection, self._last, self._last, self._last_sum)
            layout.write_plan(connection, self._last, self._last_sum, plan)
        self._saved, self._saved_sum = self._last, self._last_sum

    def renew_plan(self, connection: sqlite3.Connection, plan: bytes | None) -> None:
        """Store another plan of the saved state, if that is the file's last row and nothing is pending."""
        if self._saved == self._last and not self._pending:
            layout.write_plan(connection, self._last, self._last_sum, plan)

    def compact(self, script: Script) -> None:
        """Write a snapshot if one is due, and delete what opening no longer needs."""
        while self.compact_some(script):
            pass

    def compact_some(self, script: Script) -> bool:
        """Do a slice of `compact`, a few milliseconds long; returns whether there may be more to do.

        It never fails. The script must be that of the file's last row.
        """
        snapshot, self._next_snapshot = self._next_snapshot, None
        # Every step is in the file; a full disk will be reported by the next step or save.
        with contextlib.suppress(AdstudioError):
            if snapshot is not None:
                self._write_snapshot(snapshot)
                return True
            # Changes since the last snapshot would move to other pages if older ones went: a kill then could lose them.
            removable = self._oldest_snapshot < self._newest_snapshot and self._saved == self._last
            due = self._since_snapshot >= SNAPSHOT_WHEN_IDLE or (removable and self._newest_snapshot < self._last)
            if due and self._encoder.prepared:
                self._next_snapshot = self._encoder.script(script)
                return True
            if self._redundant_snapshots:
                self._drop_redundant_snapshots()
                return True
            if removable and self._newest_snapshot == self._last:
                with self._file.writing() as connection:
                    connection.execute("DELETE FROM snapshot WHERE seq < ?", (self._newest_snapshot,))
                    layout.empty_journal(connection)
                self._oldest_snapshot = self._newest_snapshot
        return False

    def drop_unsaved(self) -> None:
        """Delete everything after the last save, written and pending.

        Raises:
            OutsideFailureError: if that fails; everything is then still there.
        """
        with self._file.writing() as connection:
            connection.execute("DELETE FROM journal WHERE seq > ?", (self._saved,))
            connection.execute("DELETE FROM snapshot WHERE seq > ?", (self._saved,))
            layout.write_state(connection, self._saved, self._saved, self._saved_sum)
            newest = connection.execute("SELECT max(seq) FROM snapshot").fetchone()[0]
        self._last, self._last_sum = self._saved, self._saved_sum
        self._newest_snapshot, self._next_snapshot = newest, None
        # The number of changes since then is unknown now: better one snapshot too many than none.
        self._since_snapshot = 0 if newest == self._saved else SNAPSHOT_WHEN_IDLE
        self._pending.clear()

    def _write_snapshot(self, script: bytes) -> None:
        with self._file.writing() as connection:
            layout.write_snapshot(connection, self._last, self._last_sum, script)
        self._newest_snapshot, self._since_snapshot, self._redundant_snapshots = self._last, 0, True

    def _drop_redundant_snapshots(self) -> None:
        """Delete all snapshots since the last save but the newest: the save itself is reached from an older one."""
        with self._file.writing() as connection:
            connection.execute("DELETE FROM snapshot WHERE seq > ? AND seq < ?", (self._saved, self._newest_snapshot))
        self._redundant_snapshots = False

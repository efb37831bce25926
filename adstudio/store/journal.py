"""The journal of an open project: its steps on their way into the file, and the whole scripts they start from.

Opening goes through all steps since a whole script, a snapshot. So one is written now and then, and what opening does
not need any more goes; most of that at rest, in bites of some milliseconds.
"""

from __future__ import annotations

import contextlib

from adstudio.core.document import Act
from adstudio.core.errors import AdstudioError
from adstudio.core.script import Script
from adstudio.core.steps import Step
from adstudio.store import layout
from adstudio.store.codec import CodecError, encode
from adstudio.store.content import Content, changes_in
from adstudio.store.database import OpenFile
from adstudio.store.encoder import ScriptEncoder

CHANGES_AT_REST = 100
"""After so many changes the script is written whole when the hand rests, and at a save, so that opening need not go
through them all. Each of a `Several` counts."""
CHANGES_AT_MOST = 1000
"""After so many it is written whole even under the hand: opening never goes through more, a single step's apart."""
_ITEMS_AT_REST = 200
_ITEMS_AT_STEP = 8
"""How many items are encoded ahead of the first whole script that is written, so that it is as quick as all others."""

_Entry = tuple[str, bytes, int, int]
"""What waits to be written: how it came about, its step (or the whole script), how many changes, when it was made."""


class Journal:
    """What an open file has of its project's steps, and what it is still to be given.

    Whatever is written is one transaction, wholly there or not at all. What could not be written waits, and goes first
    when something is written again. Where a script is asked for, it is the one that all steps so far lead to.
    """

    def __init__(self, file: OpenFile, found: Content) -> None:
        """Go on where the content that was found ends."""
        self._file = file
        self._saved, self._saved_sum = found.saved_seq, found.saved_sum
        self._last, self._last_sum = found.last_seq, found.last_sum
        self._oldest_snapshot, self._newest_snapshot = found.oldest_snapshot, found.newest_snapshot
        self._since_snapshot = found.since_snapshot
        self._encoder = ScriptEncoder(found.saved)
        self._pending: list[_Entry] = []
        self._whole_due = False
        """Whether steps alone will not do: the script is to be written whole in place of all that waits."""
        self._whole: bytes | None = None
        """The script that the file's last row leads to, about to be written whole."""
        self._between = False
        """Whether there may be whole scripts that are of no use, since there is a newer one."""

    @property
    def unwritten(self) -> int:
        """How many changes are not in the file yet, because the disk or a limit of the format refused them."""
        return len(self._pending) + self._whole_due

    def begin(self, script: Script) -> None:
        """The steps that come now are those of a document with this script."""
        self._encoder = ScriptEncoder(script)

    def prepare(self, step: Step) -> None:
        """Encode what a step brings before it is taken; what cannot be encoded is told when it is."""
        with contextlib.suppress(CodecError):
            self._encoder.step(step)

    def prepare_some(self, script: Script) -> None:
        """Encode a bite of the script ahead of the first time that it is written whole."""
        self._encoder.prepare(script, _ITEMS_AT_REST)

    def encoded(self, script: Script) -> bytes:
        """The whole script as the file would have it.

        Raises:
            CodecError: for one beyond the limits of the format.
        """
        return self._encoder.script(script)

    def rebase(self, script: Script) -> None:
        """From this script the steps that follow go on, whatever those before have led to."""
        self._pending.append((layout.REBASE, encode(script), 0, layout.now()))

    def add(self, act: Act, step: Step, *, out_of_turn: bool) -> None:
        """One more step is to be written; heard out of turn, it cannot do without the whole script.

        Raises:
            CodecError: for a step that the format cannot hold; the script as it is by then is to be written whole.
        """
        self._whole_due = self._whole_due or out_of_turn
        try:
            data = self._encoder.step(step)
        except CodecError:
            self._whole_due = True
            raise
        self._pending.append((act.value, data, changes_in(step), layout.now()))

    def write(self, script: Script) -> None:
        """Write all that waits.

        Raises:
            OutsideFailureError: when it cannot be written; then it waits as before.
            CodecError: when the script is to be written whole and the format cannot hold it.
        """
        if self._whole_due:
            self._pending = [(layout.REBASE, self._encoder.script(script), 0, layout.now())]
            self._whole_due = False
        if not self._pending:
            return
        self._whole = None
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

    def write_under_hand(self, script: Script) -> None:
        """Write all that waits, and of what can be put off only what cannot be any longer; raises as `write`."""
        self.write(script)
        self._encoder.prepare(script, _ITEMS_AT_STEP)
        if self._since_snapshot >= CHANGES_AT_MOST:
            self._write_whole(self._encoder.script(script))
            self._drop_between()

    def move_mark(self, plan: bytes | None) -> None:
        """The file's last row is the saved one now, its plan beside it.

        Raises:
            OutsideFailureError: when it cannot be written; then the mark is where it was.
        """
        with self._file.writing() as connection:
            layout.write_state(connection, self._last, self._last, self._last_sum)
            layout.write_plan(connection, self._last, self._last_sum, plan)
        self._saved, self._saved_sum = self._last, self._last_sum

    def clear_away(self, script: Script) -> None:
        """Bring a snapshot near; what opening does not need any more goes."""
        while self.clear_some(script):
            pass

    def clear_some(self, script: Script) -> bool:
        """A bite of `clear_away`, of some milliseconds; tells whether something may be left of it.

        It never fails. The script must be what the file's last row leads to.
        """
        whole, self._whole = self._whole, None
        # Every step is in the file; where there is no room for tidiness, the next step or save will say so.
        with contextlib.suppress(AdstudioError):
            if whole is not None:
                self._write_whole(whole)
                return True
            if self._since_snapshot >= CHANGES_AT_REST and self._encoder.prepared:
                self._whole = self._encoder.script(script)
                return True
            if self._between:
                self._drop_between()
                return True
            if self._oldest_snapshot < self._newest_snapshot <= self._saved:
                with self._file.writing() as connection:
                    connection.execute("DELETE FROM snapshot WHERE seq < ?", (self._newest_snapshot,))
                    layout.drop_rows(connection, self._newest_snapshot)
                self._oldest_snapshot = self._newest_snapshot
        return False

    def cut_tail(self) -> None:
        """Take out all that came after the last save, in the file and on its way there.

        Raises:
            OutsideFailureError: when it cannot be written; then it is still there.
        """
        with self._file.writing() as connection:
            connection.execute("DELETE FROM journal WHERE seq > ?", (self._saved,))
            connection.execute("DELETE FROM snapshot WHERE seq > ?", (self._saved,))
            layout.write_state(connection, self._saved, self._saved, self._saved_sum)
            newest = connection.execute("SELECT max(seq) FROM snapshot").fetchone()[0]
        self._last, self._last_sum = self._saved, self._saved_sum
        self._newest_snapshot, self._whole = newest, None
        # How many changes lead from there to the save is not known any more; rather once too often than never.
        self._since_snapshot = 0 if newest == self._saved else CHANGES_AT_REST
        self._pending.clear()

    def _write_whole(self, script: bytes) -> None:
        with self._file.writing() as connection:
            layout.write_snapshot(connection, self._last, self._last_sum, script)
        self._newest_snapshot, self._since_snapshot, self._between = self._last, 0, True

    def _drop_between(self) -> None:
        """Of the whole scripts since the last save only the newest is of use: the save is reached from an older one."""
        with self._file.writing() as connection:
            connection.execute("DELETE FROM snapshot WHERE seq > ? AND seq < ?", (self._saved, self._newest_snapshot))
        self._between = False

"""Journalling a document: each of its changes is written into the project file as it is made."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from adstudio.core.document import Change, Document
from adstudio.core.errors import AdstudioError, BadInputError
from adstudio.core.script import Script
from adstudio.store.codec import CodecError
from adstudio.store.journal import Journal
from adstudio.store.new_file import encode_plan

_CANNOT_HOLD = "{} cannot store this change ({}): undo it"

OnFailure = Callable[[AdstudioError], None]
"""Called if a step could not be journalled; it is retried with the next one and at each save."""


class Journalling:
    """Writes the changes of a document until `end` is called."""

    def __init__(
        self, path: Path, journal: Journal, document: Document, on_failure: OnFailure, *, return_to: Script | None
    ) -> None:
        """Begin; `return_to` is the last save if the describer chose it over later steps.

        Those stay in the file until the next step or save.
        """
        self.document = document
        self._path, self._journal, self._on_failure, self._return_to = path, journal, on_failure, return_to
        self._seen_revision = document.revision
        journal.begin(document.script)
        self.end = document.subscribe(self._on_change)
        """To be called to stop; what is pending stays pending."""

    def save(self) -> None:
        """Mark the current state as saved and store its plan.

        Raises:
            OutsideFailureError: if it cannot be written; the mark and all steps are then unchanged.
            BadInputError: if the format cannot hold the script, likewise.
        """
        self._return_to_save()
        self.write_again()
        self._journal.mark_saved(encode_plan(self.document.plan))
        self.document.mark_saved()
        self._journal.compact(self.document.script)

    def write_again(self) -> None:
        """Retry writing steps that failed before; does nothing if there are none.

        Raises:
            OutsideFailureError: if it fails again; they stay pending.
            BadInputError: if the format cannot hold the script.
        """
        try:
            self._journal.write(self.document.script)
        except CodecError as error:
            raise BadInputError(_CANNOT_HOLD.format(self._path, error)) from error

    def tidy(self) -> bool:
        """Do a slice of idle work; returns whether there is more to do. Never fails."""
        self._journal.prepare_some(self.document.script)
        # The document must match the file's last row: not so if steps are unwritten or not yet delivered to us, or the
        # last save was chosen and nothing was done yet.
        behind = self._return_to is not None or self._seen_revision != self.document.revision
        return not (behind or self._journal.unwritten) and self._journal.compact_some(self.document.script)

    def _on_change(self, change: Change) -> None:
        self._seen_revision = self.document.revision
        try:
            self._return_to_save()
            # Out of turn: an earlier listener has changed the document again.
            self._journal.add(change.act, change.step, out_of_turn=change.revision != self.document.revision)
        except CodecError as error:
            self._on_failure(BadInputError(_CANNOT_HOLD.format(self._path, error)))
            return
        try:
            self._journal.write_while_editing(self.document.script)
        except AdstudioError as error:
            self._on_failure(error)

    def _return_to_save(self) -> None:
        """Continue the journal from the last save if the describer chose it."""
        if self._return_to is not None:
            self._journal.rebase(self._return_to)
            self._return_to = None

"""The project file: every step journalled in its own transaction, saving as a mark, recovery after a crash.

Guarantees (DESIGN 3.6): a killed process loses at most the step in flight; the file can always be reopened; only `save`
moves the mark. A properly closed project opens with an empty undo list; after a crash the steps since the last save
come back with their undo list.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from adstudio.core.document import Change, Document, History
from adstudio.core.errors import AdstudioError, BadInputError, Oddity, OutsideFailureError
from adstudio.core.plan import Plan
from adstudio.core.policy import OFFLINE, Policy, PolicyChange, film_identity
from adstudio.core.script import Film, Script
from adstudio.core.steps import Step
from adstudio.store import content as stored
from adstudio.store import database, layout, migrations, policies, recovery
from adstudio.store.backups import save_beside, shared_sounds, try_backup
from adstudio.store.codec import CodecError
from adstudio.store.content import RestorePoint
from adstudio.store.film_contents import content_of_film
from adstudio.store.journal import Journal
from adstudio.store.known_lengths import with_known_lengths
from adstudio.store.new_file import encode_plan, write_new
from adstudio.store.sounds import (
    WORTH_DELETING,
    SharedSounds,
    require_room,
    sounds_in_use,
    unused_bytes,
    without_sounds,
)
from adstudio.system.files import write_atomically

_READ_ONLY = "{} was opened read-only: save a copy under another name"
_CANNOT_HOLD = "{} cannot store this change ({}): undo it"

OnFailure = Callable[[AdstudioError], None]
"""Called if a step could not be journalled; it is retried with the next one and at each save."""


class ProjectFile:
    """An open .adproj file, locked against other editors until it is closed."""

    def __init__(self, path: Path, connection: sqlite3.Connection, *, read_only: bool) -> None:
        """Read the file; raises as `open`."""
        self.path, self.read_only = path, read_only
        self._file = database.OpenFile(path, connection)
        self.lengths = layout.read_lengths(connection)
        """How long its voice has spoken, as bytes of `VoiceLengths`; empty if that is not known."""
        self._found = found = with_known_lengths(path, stored.read(path, connection), self.lengths)
        self._policies, unsound = policies.read(path, connection)
        self.report = layout.read_report(connection)
        """What the draft of the project reported, as its drafter wrote it; empty if that is not known."""
        self.oddities = (*found.oddities, *unsound)
        self._journal = Journal(self._file, found)
        self._seen_revision, self._return_due = 0, False
        self._document: Document | None = None
        self._current_document: Document | None = None
        """The current document, also if the project was opened read-only."""
        self._detach: Callable[[], None] | None = None
        self._on_failure: OnFailure | None = None

    @classmethod
    def create(
        cls,
        path: Path,
        script: Script,
        *,
        plan: Plan | None = None,
        policy: Policy = OFFLINE,
        like: ProjectFile | None = None,
        identity: str = "",
        replacing: bool = True,
        report: bytes = b"",
    ) -> Self:
        """Write a new project, replacing a file of that name unless `replacing` is off, and open it.

        Its policy is `policy`, granted for the script's film, and its identity a new one unless `identity` is given (16
        bytes in hexadecimal). For Save As, `like` is the original project, whose identity, policies, report, takes and
        lengths it gets; else `report` is what its draft reported.

        Raises:
            BadInputError: if the script exceeds the limits of the format, or a file must not be replaced, as no source
                of the script may be.
            OutsideFailureError: if it cannot be written, or a file of that name is open in an editor.
        """
        known_by, changes = bytes.fromhex(identity) or policies.new_identity(), ()
        if policy != OFFLINE and not policy.lapsed:
            film = script.film
            content = "" if film.media is None else content_of_film(film.media, path)
            changes = (PolicyChange(layout.now(), policy.granted_for(film_identity(film), content)),)
        if like is not None:
            known_by, changes, report = bytes.fromhex(like.identity), like.policies, like.report
        original = None if like is None else like.path
        write_new(
            path,
            script,
            plan,
            known_by,
            changes,
            by_user=like is None,
            replacing=replacing,
            original=original,
            report=report,
            sounds=() if like is None else like.sounds_of(script),
            lengths=b"" if like is None else like.lengths,
        )
        # As it is: the original's undo list goes on in it, and names recordings that its script does not.
        return cls._open(path, read_only=False, backups=None)

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False, backups: Path | None = None) -> Self:
        """Open a project; read-only, its file and folder need not be writable and nothing is written.

        For editing, the file is first backed up to the folder `backups`, if given. An older version is migrated, with a
        copy of the old file beside it. A damaged file is copied too, `oddities` lists the damage, and as many changes
        as can be recovered are there, at least those up to the last save.

        Raises:
            BadInputError: for a missing, foreign or newer file, or one that is damaged beyond that.
            OutsideFailureError: if it is open elsewhere or read-only, or the disk fails.
        """
        try:
            return cls._without_unused_sounds(cls._open(path, read_only=read_only, backups=backups))
        except BadInputError:
            rescued = cls._rescued(path, read_only=read_only)
            return rescued or cls._open(path, read_only=read_only, backups=backups, only_last_save=True)

    @classmethod
    def _open(
        cls,
        path: Path,
        *,
        read_only: bool,
        backups: Path | None,
        only_last_save: bool = False,
    ) -> Self:
        """As `open`, without rescue; `only_last_save` does without damaged changes since then."""
        if read_only:
            connection, strays = recovery.open_to_read(path)
        else:
            strays = recovery.settle(path)
            connection = database.open_to_write(path)
        with database.closed_on_failure(connection):
            with database.sqlite_errors(path):
                version = layout.require_sound(path, connection)
                original = without_sounds(path, connection, version) if backups and not read_only else b""
                if version < layout.VERSION:
                    if not read_only:
                        save_beside(path, connection.serialize(), f"version {version}")
                    with database.transaction(path, connection):
                        migrations.migrate(path, connection, version)
                project = cls(path, connection, read_only=read_only)
            project.oddities += strays
            if project._found.tail is not None and not only_last_save and version == layout.VERSION:
                raise layout.damaged(path, project._found.tail)
            if backups and original and project._found.tail is None:
                # Not before it has been read: damaged states must not displace sound ones.
                project.oddities += try_backup(path, original, connection, backups)
            project._fetch_sounds(backups)
            project._drop_damaged_steps()
        return project

    @classmethod
    def _rescued(cls, path: Path, *, read_only: bool) -> Self | None:
        """A damaged project with what could be recovered; None if that is nothing."""
        if read_only:
            found = recovery.rescued(path)
            if found is None:
                return None
            connection, oddity = database.in_memory(path, found[0]), found[1]
        else:
            oddity = recovery.repair(path)
            if oddity is None:
                return None
            connection = database.open_to_write(path)
        with database.closed_on_failure(connection):
            project = cls(path, connection, read_only=read_only)
            project.oddities += (oddity,)
        return project

    @property
    def saved_script(self) -> Script:
        """The script at the last save when the file was opened."""
        return self._found.saved

    @property
    def last_script(self) -> Script:
        """The script at the last step when the file was opened."""
        return self._found.last

    @property
    def saved_plan(self) -> Plan | None:
        """The plan saved with the script, if verified to be that script's."""
        return self._found.plan

    @property
    def recoverable(self) -> bool:
        """Whether the file had steps after the last save when opened, so that the describer must choose."""
        return self._found.history.revision != self._found.history.saved

    @property
    def unsaved_steps(self) -> tuple[Step, ...]:
        """The steps after the last save when the file was opened, if they alone lead to its last state.

        Empty if some were undone, there are too many to recover, or the document had returned to the last save.
        """
        history = self._found.history
        complete = not history.future and bool(history.past) and history.past[0].before == history.saved
        return tuple(entry.step for entry in history.past) if complete else ()

    @property
    def last_step_at(self) -> int | None:
        """The time of the last step in the file, in milliseconds since 1970, if known."""
        return self._found.last_step_at

    @property
    def unwritten(self) -> int:
        """The number of changes not in the file yet, because of the disk or a limit of the format."""
        return self._journal.unwritten

    @property
    def identity(self) -> str:
        """A random hexadecimal number that identifies this project and its copies."""
        return self._policies.identity.hex()

    @property
    def policy(self) -> Policy:
        """The sharing policy in force: offline unless this user set one for this film.

        If undo brings back the film for which it was granted, it applies again. Before there is a document it must have
        been granted for both the saved and the last film. It does not apply either if the film's whole content is known
        to be another (`store.film_contents`).
        """
        policy = self._policies.policy.valid_for(*map(film_identity, self._films))
        return policy.valid_for_content(self._film_content) if policy.content and policy.rule != "offline" else policy

    @property
    def policies(self) -> tuple[PolicyChange, ...]:
        """Every policy ever set, oldest first, for whichever film; before the first the project was offline."""
        return self._policies.changes

    def set_policy(self, policy: Policy) -> None:
        """Set the policy for the current film; it is written at once and unaffected by undo and saving.

        Raises:
            BadInputError: if it exceeds the limits of the format.
            OutsideFailureError: if the project is read-only, or it cannot be written; the policy is then unchanged.
        """
        if self.read_only:
            raise OutsideFailureError(_READ_ONLY.format(self.path))
        if self._policies.sound and (policy, policy.lapsed) == (self.policy, self.policy.lapsed):
            return
        current = self.policy
        # Bound to the same content, as long as nobody knows that it is another.
        content = self._film_content or ("" if current.rule == "offline" else current.content)
        self._set_policy(policy.granted_for(film_identity(self._films[-1]), content))

    def bind_policy(self) -> bool:
        """Bind the permission in force to the film's whole content if that has become known since; whether it did.

        Raises:
            OutsideFailureError: if it cannot be written.
        """
        policy = self.policy
        if self.read_only or policy.rule == "offline" or policy.content or not self._film_content:
            return False
        self._set_policy(replace(policy, content=self._film_content))
        return True

    def set_report(self, report: bytes) -> None:
        """Keep what a draft of the project reported; no step, and independent of saving.

        Raises:
            OutsideFailureError: if it cannot be written.
        """
        with self._file.writing() as connection:
            layout.write_report(connection, report)
        self.report = report

    def set_lengths(self, lengths: bytes) -> None:
        """Keep how long the voice has spoken; no step, and independent of saving.

        The plan of a document that is as it was saved is stored again, since it was made on these lengths.

        Raises:
            OutsideFailureError: if the project is read-only, or it cannot be written.
        """
        if self.read_only:
            raise OutsideFailureError(_READ_ONLY.format(self.path))
        document = self._document
        with self._file.writing() as connection:
            layout.write_lengths(connection, lengths)
            if document is not None and not document.changed and document.plan is not None:
                self._journal.renew_plan(connection, encode_plan(document.plan))
        self.lengths = lengths

    def store_sound(self, data: bytes) -> str:
        """Keep the recording of a take, before the step that adds the take; returns its key.

        Raises:
            OutsideFailureError: if the project is read-only, or it cannot be written.
        """
        if self.read_only:
            raise OutsideFailureError(_READ_ONLY.format(self.path))
        require_room(self.path, self._file.connection, data)
        with self._file.writing() as connection:
            return layout.write_sound(connection, data).hex()

    def sound(self, key: str) -> bytes:
        """The recording with a key.

        Raises:
            BadInputError: if it is not in the project, or is damaged.
        """
        found = layout.read_sound(self._file.connection, bytes.fromhex(key))
        if found is None:
            shared = SharedSounds.of_backup(self.path)
            found = None if shared is None else shared.read(key)
        if found is None:
            raise BadInputError(f"{self.path}: the recording of a take is missing or damaged; record it again")
        return found

    def sounds_of(self, script: Script) -> Iterator[bytes]:
        """The recordings of a script's takes and of those to be undone, each once, without missing or damaged ones."""
        document = self._current_document
        steps = () if document is None else (*document.past, *document.future)
        for key in sorted(sounds_in_use((script,), steps)):
            with contextlib.suppress(BadInputError):
                yield self.sound(key)

    @property
    def _sounds_in_use(self) -> frozenset[str]:
        """The recordings that the last save, the last step or a step in between names, when the file was opened."""
        history = self._found.history
        steps = (entry.step for entry in (*history.past, *history.future))
        return sounds_in_use((self._found.saved, self._found.last), steps)

    def _fetch_sounds(self, backups: Path | None) -> None:
        """Fetch recordings that the file lacks and its backups have; if that fails, it is tried again next time."""
        missing = self._sounds_in_use - layout.sound_keys(self._file.connection)
        if self.read_only or not missing:
            return
        beside = SharedSounds.of_backup(self.path)
        places = (*((beside,) if beside else ()), *((shared_sounds(self.path, backups),) if backups else ()))
        found = [data for key in sorted(missing) for place in places if (data := place.read(key)) is not None]
        if found:
            with contextlib.suppress(AdstudioError), self._file.writing() as connection:
                for data in found:
                    layout.write_sound(connection, data)

    @classmethod
    def _without_unused_sounds(cls, opened: Self) -> Self:
        """The same project, written anew without the recordings that nothing names any more, if they are worth it.

        Only when a file is opened is all that names one at hand. Nothing is deleted from it row by row: SQLite would
        move others, and a copy of a file whose editor died meanwhile could have them in neither place.
        """
        connection, used = opened._file.connection, opened._sounds_in_use
        if opened.read_only or opened._found.tail is not None or unused_bytes(connection, used) < WORTH_DELETING:
            return opened
        content = without_sounds(opened.path, connection, layout.VERSION, but=used)
        opened.close()
        with contextlib.suppress(AdstudioError), recovery.exclusive_replacement(opened.path, replacing=True):
            write_atomically(opened.path, content)
        again = cls._open(opened.path, read_only=False, backups=None)
        again.oddities = opened.oddities
        return again

    def _set_policy(self, given: Policy) -> None:
        try:
            with self._file.writing() as connection:
                allowed = policies.append(connection, self._policies, PolicyChange(layout.now(), given))
        except CodecError as error:
            raise BadInputError(f"{self.path} cannot store this policy ({error})") from error
        self._policies = allowed

    def document(self, at: RestorePoint = RestorePoint.LAST_STEP, *, on_failure: OnFailure) -> Document:
        """The document to work on; unless the project is read-only, each of its changes is journalled from now on.

        Choosing the last save deletes nothing from the file until the next step or save.
        """
        of_saved = at is RestorePoint.LAST_SAVE or not self.recoverable
        script = self._found.saved if of_saved else self._found.last
        document = Document(script, History() if of_saved else self._found.history)
        if of_saved and self._found.plan is not None:
            document.keep_plan(document.revision, self._found.plan)
        self._current_document = document
        if not self.read_only:
            self._start_journalling(document, on_failure)
            self._return_due = of_saved and self.recoverable
        return document

    def attach(self, document: Document, *, on_failure: OnFailure) -> None:
        """Journal a document that this file was just written from (Save As).

        Raises:
            ValueError: if the file holds another script.
        """
        if self.recoverable or document.script != self._found.last:
            raise ValueError("the project holds another script")
        self._start_journalling(document, on_failure)

    def save(self) -> None:
        """Mark the current state as saved and store its plan.

        Raises:
            OutsideFailureError: if it cannot be written; the mark and all steps are then unchanged.
        """
        document = self._journalled_document()
        self._return_to_save()
        self._journal.write(document.script)
        self._journal.mark_saved(encode_plan(document.plan))
        document.mark_saved()
        self._journal.compact(document.script)

    def write_again(self) -> None:
        """Retry writing steps that failed before; does nothing if there are none.

        Raises:
            OutsideFailureError: if it fails again; they stay pending.
            BadInputError: if the format cannot hold the script.
        """
        document = self._journalled_document()
        try:
            self._journal.write(document.script)
        except CodecError as error:
            raise BadInputError(_CANNOT_HOLD.format(self.path, error)) from error

    def prepare(self, step: Step) -> None:
        """Encode a step's items before it is applied, so that journalling it is quick.

        Optional, and never fails: errors are reported when the step is applied.
        """
        self._journal.prepare(step)

    def tidy(self) -> bool:
        """Do a slice of idle work that keeps the file quick to open and the next steps quick to write.

        Returns whether there is more to do. Optional, and never fails: errors are reported at a step or save.
        """
        document = self._document
        if document is None:
            return False
        self._journal.prepare_some(document.script)
        # The document must match the file's last row: not so if steps are unwritten or not yet delivered to us, or the
        # last save was chosen and nothing was done yet.
        if self.unwritten or self._return_due or self._seen_revision != document.revision:
            return False
        return self._journal.compact_some(document.script)

    def discard(self) -> None:
        """Delete the unsaved steps, when the describer closes without saving, and stop journalling.

        Raises:
            OutsideFailureError: if that fails; the steps are then still there.
        """
        self._stop_journalling()
        self._journal.drop_unsaved()

    def close(self) -> None:
        """Stop journalling and release the lock; unsaved steps stay in the file and are offered at the next opening.

        Raises:
            OutsideFailureError: if pending steps still cannot be written; the file is closed all the same.
        """
        document = self._document
        self._stop_journalling()
        try:
            if document is not None and self.unwritten:
                self._journal.write(document.script)
        finally:
            self._file.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def _films(self) -> tuple[Film, ...]:
        """The current document's film; before there is one, those of the last save and the last step."""
        if self._current_document is not None:
            return (self._current_document.script.film,)
        return self._found.saved.film, self._found.last.film

    @property
    def _film_content(self) -> str:
        """The hash of the film's whole content where it is found now, empty if it is not known."""
        media = self._films[-1].media
        return "" if media is None else content_of_film(media, self.path)

    def _start_journalling(self, document: Document, on_failure: OnFailure) -> None:
        if self._document is not None or self.read_only:
            raise ValueError("only one document can be journalled, and none if the project is read-only")
        self._document, self._current_document, self._on_failure = document, document, on_failure
        self._seen_revision = document.revision
        self._journal.begin(document.script)
        self._detach = document.subscribe(self._on_change)

    def _stop_journalling(self) -> None:
        if self._detach is not None:
            self._detach()
        self._document = self._detach = None

    def _journalled_document(self) -> Document:
        if self._document is None:
            raise OutsideFailureError(_READ_ONLY.format(self.path))
        return self._document

    def _on_change(self, change: Change) -> None:
        document = self._journalled_document()
        self._seen_revision = document.revision
        try:
            self._return_to_save()
            # Out of turn: an earlier listener has changed the document again.
            self._journal.add(change.act, change.step, out_of_turn=change.revision != document.revision)
        except CodecError as error:
            self._fail(BadInputError(_CANNOT_HOLD.format(self.path, error)))
            return
        try:
            self._journal.write_while_editing(document.script)
        except AdstudioError as error:
            self._fail(error)

    def _fail(self, error: AdstudioError) -> None:
        if self._on_failure is not None:
            self._on_failure(error)

    def _return_to_save(self) -> None:
        """Continue the journal from the last save if the describer chose it."""
        if self._return_due:
            self._journal.rebase(self._found.saved)
            self._return_due = False

    def _drop_damaged_steps(self) -> None:
        tail = self._found.tail
        if tail is None:
            return
        what = f"{self.path}: the changes since the last save are damaged ({tail}); the last save was opened"
        if not self.read_only:
            copy = save_beside(self.path, self._file.connection.serialize(), "damaged")
            self._journal.drop_unsaved()
            what += f", and a copy of the damaged file was saved as {copy.name}"
        self.oddities = (*self.oddities, Oddity(what))


def is_project(path: Path) -> bool:
    """Whether a file starts like a project, damaged or not. Pipes and devices are never opened."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return layout.is_header(file.read(layout.HEADER_BYTES))
    except OSError:
        return False

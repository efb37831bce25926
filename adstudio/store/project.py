"""The project file: every step journalled in its own transaction, saving as a mark, recovery after a crash.

Guarantees (DESIGN 3.6): a killed process loses at most the step in flight; the file can always be reopened; only `save`
moves the mark. A properly closed project opens with an empty undo list; after a crash the steps since the last save
come back with their undo list.
"""

from __future__ import annotations

import contextlib
import functools
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from adstudio.core.document import Document, History
from adstudio.core.errors import BadInputError, Oddity, OutsideFailureError
from adstudio.core.film import Film
from adstudio.core.plan import Plan
from adstudio.core.policy import OFFLINE, Policy, PolicyChange, film_identity
from adstudio.core.script import Script
from adstudio.core.steps import Step
from adstudio.store import content as stored
from adstudio.store import database, layout, leftovers, opening, policies
from adstudio.store.backups import save_beside, try_backup
from adstudio.store.codec import CodecError
from adstudio.store.content import RestorePoint
from adstudio.store.film_contents import content_of_film
from adstudio.store.journal import Journal
from adstudio.store.journalling import Journalling, OnFailure
from adstudio.store.known_lengths import with_known_lengths
from adstudio.store.new_file import encode_plan, write_new
from adstudio.store.project_policy import ProjectPolicy
from adstudio.store.project_sounds import ProjectSounds
from adstudio.store.project_versions import ProjectVersions
from adstudio.store.sounds import sounds_in_use


class ProjectFile:
    """An open .adproj file, locked against other editors until it is closed."""

    def __init__(self, path: Path, connection: sqlite3.Connection, *, read_only: bool) -> None:
        """Read the file; raises as `open`."""
        self.path, self.read_only = path, read_only
        self._file = database.OpenFile(path, connection, read_only=read_only)
        self.lengths = layout.read_lengths(connection)
        """How long its voice has spoken, as bytes of `VoiceLengths`; empty if that is not known."""
        self._found = found = with_known_lengths(path, stored.read(path, connection), self.lengths)
        self._policy = ProjectPolicy(self._file, lambda: self._films)
        self._sounds = ProjectSounds(self._file)
        self.report = layout.read_report(connection)
        """What the draft of the project reported, as its drafter wrote it; empty if that is not known."""
        self._journal = Journal(self._file, found)
        self.versions = ProjectVersions(self._file, self._journal.encoded)
        """The named versions of the script."""
        self.oddities = (*found.oddities, *self._policy.oddities, *self.versions.oddities)
        self._journalling: Journalling | None = None
        self._current_document: Document | None = None
        """The current document, also if the project was opened read-only."""

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
        lengths: bytes = b"",
    ) -> Self:
        """Write a new project, replacing a file of that name unless `replacing` is off, and open it.

        Its policy is `policy`, granted for the script's film, and its identity a new one unless `identity` is given (16
        bytes in hexadecimal). For Save As, `like` is the original project, whose identity, policies, report, takes,
        lengths and named versions it gets; else `report` is what its draft reported, and `lengths` what it measured.

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
            lengths=lengths if like is None else like.lengths,
            versions=() if like is None else like.versions.copies(),
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
            return cls._without_leftovers(cls._open(path, read_only=read_only, backups=backups))
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
        opened = opening.open_connection(path, read_only=read_only, backed_up=backups is not None)
        connection = opened.connection
        with database.closed_on_failure(connection):
            with database.sqlite_errors(path):
                project = cls(path, connection, read_only=read_only)
            project.oddities += opened.oddities
            if project._found.tail is not None and not only_last_save and opened.version == layout.VERSION:
                raise layout.damaged(path, project._found.tail)
            if backups and opened.original and project._found.tail is None:
                # Not before it has been read: damaged states must not displace sound ones.
                project.oddities += try_backup(path, opened.original, connection, backups)
            project._sounds.fetch(project._sounds_named, backups)
            project._drop_damaged_steps()
        return project

    @classmethod
    def _rescued(cls, path: Path, *, read_only: bool) -> Self | None:
        """A damaged project with what could be recovered; None if that is nothing."""
        found = opening.rescue(path, read_only=read_only)
        if found is None:
            return None
        connection, oddity = found
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
    def history(self) -> History:
        """The undo list from the last save to the last step, as the file was opened."""
        return self._found.history

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
        return self._policy.identity

    @property
    def policy(self) -> Policy:
        """The sharing policy in force: offline unless this user set one for this film.

        If undo brings back the film for which it was granted, it applies again. Before there is a document it must have
        been granted for both the saved and the last film. It does not apply either if the film's whole content is known
        to be another (`store.film_contents`).
        """
        return self._policy.current

    @property
    def policies(self) -> tuple[PolicyChange, ...]:
        """Every policy ever set, oldest first, for whichever film; before the first the project was offline."""
        return self._policy.changes

    def set_policy(self, policy: Policy) -> None:
        """Set the policy for the current film; it is written at once and unaffected by undo and saving.

        Raises:
            BadInputError: if it exceeds the limits of the format.
            OutsideFailureError: if the project is read-only, or it cannot be written; the policy is then unchanged.
        """
        self._policy.set(policy)

    def bind_policy(self) -> bool:
        """Bind the permission in force to the film's whole content if that has become known since; whether it did.

        Raises:
            OutsideFailureError: if it cannot be written.
        """
        return self._policy.bind()

    def set_report(self, report: bytes) -> None:
        """Keep what a draft of the project reported; no step, and independent of saving.

        Raises:
            OutsideFailureError: if the project is read-only, or it cannot be written.
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
        document = None if self._journalling is None else self._journalling.document
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
        return self._sounds.add(data)

    def sound(self, key: str) -> bytes:
        """The recording with a key.

        Raises:
            BadInputError: if it is not in the project, or is damaged.
        """
        return self._sounds.read(key)

    def sounds_of(self, script: Script) -> Iterator[bytes]:
        """The recordings of the takes of a script and of named versions, and of those to be undone, each once.

        Missing and damaged ones are left out.
        """
        document = self._current_document
        steps = () if document is None else (*document.past, *document.future)
        for key in sorted(sounds_in_use((script,), steps) | self.versions.sounds):
            with contextlib.suppress(BadInputError):
                yield self.sound(key)

    @functools.cached_property
    def _sounds_named(self) -> frozenset[str]:
        """The recordings that the last save, the last step, a step in between or a version names, as it was opened."""
        history = self._found.history
        steps = (entry.step for entry in (*history.past, *history.future))
        return sounds_in_use((self._found.saved, self._found.last), steps) | self.versions.sounds

    @classmethod
    def _without_leftovers(cls, opened: Self) -> Self:
        """The same project, written anew without what nothing needs.

        That is whatever of deleted people is left, and deleted versions and recordings that nothing names, if worth it.
        Only when a file is opened is all that names one at hand.
        """
        content, found, connection = b"", opened._found, opened._file.connection
        if found.tail is None:
            content = opened._sounds.without_unused(opened._sounds_named, opened.versions.unused)
        if not content and not opened.read_only and leftovers.has_deleted_people(connection, found):
            with contextlib.suppress(CodecError):
                content = leftovers.without_history(opened.path, connection, found)
        if not content:
            return opened
        opened.close()
        opening.replace(opened.path, content)
        again = cls._open(opened.path, read_only=False, backups=None)
        again.oddities = opened.oddities
        return again

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
            returns = of_saved and self.recoverable
            self._start_journalling(document, on_failure, return_to=script if returns else None)
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
            BadInputError: if the format cannot hold the script, likewise.
        """
        self._require_journalling().save()

    def write_again(self) -> None:
        """Retry writing steps that failed before; does nothing if there are none.

        Raises:
            OutsideFailureError: if it fails again; they stay pending.
            BadInputError: if the format cannot hold the script.
        """
        self._require_journalling().write_again()

    def prepare(self, step: Step) -> None:
        """Encode a step's items before it is applied, so that journalling it is quick.

        Optional, and never fails: errors are reported when the step is applied.
        """
        self._journal.prepare(step)

    def tidy(self) -> bool:
        """Do a slice of idle work that keeps the file quick to open and the next steps quick to write.

        Returns whether there is more to do. Optional, and never fails: errors are reported at a step or save.
        """
        return self._journalling is not None and self._journalling.tidy()

    def discard(self) -> None:
        """Delete the unsaved steps, when the describer closes without saving, and stop journalling.

        Raises:
            OutsideFailureError: if the project is read-only, or that fails; the steps are then still there.
        """
        self._stop_journalling()
        self._journal.drop_unsaved()

    def close(self) -> None:
        """Stop journalling and release the lock; unsaved steps stay in the file and are offered at the next opening.

        Raises:
            OutsideFailureError: if pending steps still cannot be written; the file is closed all the same.
            BadInputError: if the format cannot hold the script, likewise.
        """
        journalling = self._journalling
        self._stop_journalling()
        try:
            if journalling is not None:
                journalling.write_again()
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

    def _start_journalling(self, document: Document, on_failure: OnFailure, *, return_to: Script | None = None) -> None:
        if self._journalling is not None or self.read_only:
            raise ValueError("only one document can be journalled, and none if the project is read-only")
        self._current_document = document
        self._journalling = Journalling(self.path, self._journal, document, on_failure, return_to=return_to)

    def _stop_journalling(self) -> None:
        if self._journalling is not None:
            self._journalling.end()
        self._journalling = None

    def _require_journalling(self) -> Journalling:
        if self._journalling is None:
            raise OutsideFailureError(database.READ_ONLY.format(self.path))
        return self._journalling

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

"""The project file: every step journalled in a transaction of its own, Save as a mark, recovery after a crash.

What is promised (DESIGN 3.6): a killed process loses at most the step in flight; the file always re-opens; only
`save` moves the mark. A project that was closed in order opens with an empty undo list, so that undo stops at the
opened state; after a crash the steps since the last save come back with the list that they were in.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from adstudio.core.document import Change, Document, History
from adstudio.core.errors import AdstudioError, BadInputError, Oddity, OutsideFailureError
from adstudio.core.plan import Plan
from adstudio.core.policy import OFFLINE, Policy, PolicyChange, film_identity
from adstudio.core.script import Script
from adstudio.core.steps import Step
from adstudio.store import content as stored
from adstudio.store import database, layout, migrations, policies
from adstudio.store.backups import backup_oddities, set_aside
from adstudio.store.codec import CodecError, encode
from adstudio.store.content import At
from adstudio.store.journal import Journal
from adstudio.store.new_file import encoded_plan, write_new

_READ_ONLY = "{} was opened to read only: save a copy under another name"
_CANNOT_HOLD = "{} cannot hold this change, undo it ({})"

OnFailure = Callable[[AdstudioError], None]
"""Is told that a step could not be journalled; it is kept and tried again with the next one and at each save."""


class ProjectFile:
    """An open .adproj file; it is locked against other editors until it is closed."""

    def __init__(self, path: Path, connection: sqlite3.Connection, *, read_only: bool) -> None:
        """Read the file; raises as `open`."""
        self.path, self.read_only = path, read_only
        self._file = database.OpenFile(path, connection)
        self._found = found = stored.read(path, connection)
        self._allowed, unsound = policies.read(path, connection)
        self._unbound = self._allowed.unbound
        if self._unbound:
            self._allowed = self._allowed.bound(film_identity(found.saved.film))
        self.oddities = (*found.oddities, *unsound)
        self._journal = Journal(self._file, found)
        self._heard, self._return_due = 0, False
        self._document: Document | None = None
        self._worked_on: Document | None = None
        """The document whose film is asked about, also where the project was opened to read."""
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
    ) -> Self:
        """Write a new project, in place of a file of that name unless `replacing` is off, and open it.

        It allows what `policy` says, for the script's film, and has an `identity` of its own unless one is given, as 16
        bytes in hexadecimals. Written from another one (Save As), which is then `like`, it has that one's identity and
        allows what that one does, for the film that it was allowed for.

        Raises:
            BadInputError: for a script beyond the limits of the format, or a file that is there and not to be replaced.
            OutsideFailureError: where it cannot be written, or the file of that name is open in an editor.
        """
        known_by, changes = bytes.fromhex(identity) or policies.new_identity(), ()
        if policy != OFFLINE and not policy.lapsed:
            changes = (PolicyChange(layout.now(), policy.granted_for(film_identity(script.film))),)
        if like is not None:
            known_by, changes = bytes.fromhex(like.identity), like.policies
        write_new(path, script, plan, known_by, changes, replacing=replacing)
        return cls.open(path)

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False, backups: Path | None = None) -> Self:
        """Open a project; to read it, its file and folder may be read-only, and nothing is written anywhere.

        Opened to edit, the file as it is goes into the folder `backups` first, where that is given.
        An older version is migrated, with a copy of the old file beside it. Unsaved steps that are damaged are set
        aside in a copy of the file, listed in `oddities`, and the last save is opened.

        Raises:
            BadInputError: for a file that is missing, foreign, damaged or from a newer version.
            OutsideFailureError: where it is open elsewhere, read-only, or the disk fails.
        """
        connection = database.open_to_read(path) if read_only else database.open_to_write(path)
        try:
            with database.reading(path):
                version = layout.require_sound(path, connection)
                unkept = backup_oddities(path, connection.serialize(), backups) if backups and not read_only else ()
                if version < layout.VERSION:
                    if not read_only:
                        set_aside(path, connection.serialize(), f"version {version}")
                    with database.transaction(path, connection):
                        migrations.migrate(path, connection, version)
                project = cls(path, connection, read_only=read_only)
            project.oddities += unkept
            project._drop_damaged_tail()
            project._write_bound()
        except BaseException:
            connection.close()
            raise
        return project

    @property
    def saved_script(self) -> Script:
        """The script at the last save, as it was opened."""
        return self._found.saved

    @property
    def last_script(self) -> Script:
        """The script at the last step, as it was opened."""
        return self._found.last

    @property
    def saved_plan(self) -> Plan | None:
        """The plan that was saved with the script, where it is surely the plan of that script."""
        return self._found.plan

    @property
    def recoverable(self) -> bool:
        """Whether the file was opened with steps after the last save: the describer chooses."""
        return self._found.history.revision != self._found.history.saved

    @property
    def unsaved_steps(self) -> tuple[Step, ...]:
        """The steps after the last save, as the file was opened, where these alone lead to its last state.

        Nothing where some were undone, where there are too many to be kept, or where the last save was gone back from.
        """
        history = self._found.history
        whole = not history.future and bool(history.past) and history.past[0].before == history.saved
        return tuple(moment.step for moment in history.past) if whole else ()

    @property
    def last_step_at(self) -> int | None:
        """When the last step in the file was made, in milliseconds since 1970, where that is known."""
        return self._found.last_step_at

    @property
    def unwritten(self) -> int:
        """How many changes are not in the file yet, because the disk or a limit of the format refused them."""
        return self._journal.unwritten

    @property
    def identity(self) -> str:
        """What tells this project from all others, as random hexadecimals; a copy keeps it."""
        return self._allowed.identity.hex()

    @property
    def policy(self) -> Policy:
        """What may be sent of this project, and where: nothing, where nobody said so or the file does not add up.

        Nor is anything where it was said of another film than the project has now; undo brings the film it was said of
        back, and that with it. Before there is a document it must hold for both films, the saved and the last.
        """
        return self._allowed.policy.valid_for(*self._films)

    @property
    def policies(self) -> tuple[PolicyChange, ...]:
        """Every policy that was set, the first one first, of whichever film; before them the project was offline."""
        return self._allowed.changes

    def set_policy(self, policy: Policy) -> None:
        """Change what may be sent of the present film; it is written at once, and no undo or save changes it.

        Raises:
            BadInputError: for one beyond the limits of the format.
            OutsideFailureError: where the project was opened to read, or it cannot be written; then the policy is what
                it was.
        """
        if self.read_only:
            raise OutsideFailureError(_READ_ONLY.format(self.path))
        if self._allowed.sound and (policy, policy.lapsed) == (self.policy, self.policy.lapsed):
            return
        given = policy.granted_for(self._films[-1])
        try:
            with self._file.writing() as connection:
                allowed = policies.append(connection, self._allowed, PolicyChange(layout.now(), given))
        except CodecError as error:
            raise BadInputError(f"{self.path} cannot hold this policy ({error})") from error
        self._allowed = allowed

    def document(self, at: At = At.LAST_STEP, *, on_failure: OnFailure) -> Document:
        """The document to work on; from here on each of its changes is journalled (not where opened to read).

        Choosing the last save takes nothing out of the file until the first step or save after it.
        """
        of_saved = at is At.LAST_SAVE or not self.recoverable
        script = self._found.saved if of_saved else self._found.last
        document = Document(script, History() if of_saved else self._found.history)
        if of_saved and self._found.plan is not None:
            document.keep_plan(document.revision, self._found.plan)
        self._worked_on = document
        if not self.read_only:
            self._follow(document, on_failure)
            self._return_due = of_saved and self.recoverable
        return document

    def attach(self, document: Document, *, on_failure: OnFailure) -> None:
        """Go on with a document that this file was just written from (Save As).

        Raises:
            ValueError: when the file holds another script.
        """
        if self.recoverable or document.script != self._found.last:
            raise ValueError("the project holds another script")
        self._follow(document, on_failure)

    def save(self) -> None:
        """Move the mark to the present state, its plan beside it. Nothing else does.

        Raises:
            OutsideFailureError: when it cannot be written; then the mark is where it was, and so are all steps.
        """
        document = self._followed()
        self._return_to_save()
        self._journal.write(document.script)
        self._journal.move_mark(encoded_plan(document.plan))
        document.mark_saved()
        self._journal.clear_away(document.script)

    def write_again(self) -> None:
        """Try once more to write the steps that the disk refused; nothing where there are none.

        Raises:
            OutsideFailureError: when it still cannot be done; then they are kept as before.
            BadInputError: when the script is one that the format cannot hold.
        """
        document = self._followed()
        try:
            self._journal.write(document.script)
        except CodecError as error:
            raise BadInputError(_CANNOT_HOLD.format(self.path, error)) from error

    def prepare(self, step: Step) -> None:
        """Encode what a step brings before it is taken, so that journalling it is little work.

        Nothing depends on its being called, and it never fails: what cannot be written is told when the step is taken.
        """
        self._journal.prepare(step)

    def tidy(self) -> bool:
        """The hand rests: a bite of what keeps the file quick to open and the next steps quick to write.

        Tells whether there is another bite to be done at this rest. Nothing depends on its being called, and it never
        fails: what cannot be written now is told at a step or save.
        """
        document = self._document
        if document is None:
            return False
        self._journal.prepare_some(document.script)
        # What is here must be what the file's last row leads to: not so where steps are unwritten or still to be heard
        # of, or where the last save was chosen and nothing was done yet.
        if self.unwritten or self._return_due or self._heard != document.revision:
            return False
        return self._journal.clear_some(document.script)

    def discard(self) -> None:
        """Take the unsaved steps out of the file: the describer closes without saving. Ends the journalling.

        Raises:
            OutsideFailureError: when it cannot be written; then they are still there.
        """
        self._unfollow()
        self._journal.cut_tail()

    def save_copy(self, path: Path) -> None:
        """Write the present script and its plan to another file, whole or not at all; this one stays as it is.

        Raises:
            BadInputError, OutsideFailureError: as `create`.
        """
        if self._file.is_at(path):
            raise OutsideFailureError(f"{path} is the project itself: choose another name")
        if self._document is not None:
            script, plan, encoded = self._document.script, self._document.plan, self._journal.encoded
        else:
            script, plan, encoded = self._found.last, None if self.recoverable else self._found.plan, encode
        write_new(path, script, plan, self._allowed.identity, self._allowed.changes, encoded)

    def close(self) -> None:
        """End the journalling and the lock; unsaved steps stay in the file and are offered at the next opening.

        Raises:
            OutsideFailureError: when steps are unwritten and still cannot be written; the file is closed all the same.
        """
        document = self._document
        self._unfollow()
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
    def _films(self) -> tuple[str, ...]:
        """The film that is worked on; before that those of the last save and of the last step."""
        if self._worked_on is not None:
            return (film_identity(self._worked_on.script.film),)
        return film_identity(self._found.saved.film), film_identity(self._found.last.film)

    def _write_bound(self) -> None:
        """What an older file allows is of the film that it had when this program first saw it, for good."""
        if self._unbound and not self.read_only:
            with self._file.writing() as connection:
                self._allowed = policies.write_again(connection, self._allowed)

    def _follow(self, document: Document, on_failure: OnFailure) -> None:
        if self._document is not None or self.read_only:
            raise ValueError("one document at a time, and none where the project was opened to read")
        self._document, self._worked_on, self._on_failure = document, document, on_failure
        self._heard = document.revision
        self._journal.begin(document.script)
        self._detach = document.subscribe(self._hear)

    def _unfollow(self) -> None:
        if self._detach is not None:
            self._detach()
        self._document = self._detach = None

    def _followed(self) -> Document:
        if self._document is None:
            raise OutsideFailureError(_READ_ONLY.format(self.path))
        return self._document

    def _hear(self, change: Change) -> None:
        document = self._followed()
        self._heard = document.revision
        try:
            self._return_to_save()
            # Out of turn, when a listener before this one changed the document again.
            self._journal.add(change.act, change.step, out_of_turn=change.revision != document.revision)
        except CodecError as error:
            self._fail(BadInputError(_CANNOT_HOLD.format(self.path, error)))
            return
        try:
            self._journal.write_under_hand(document.script)
        except AdstudioError as error:
            self._fail(error)

    def _fail(self, error: AdstudioError) -> None:
        if self._on_failure is not None:
            self._on_failure(error)

    def _return_to_save(self) -> None:
        """The describer chose the last save: from its script the journal goes on."""
        if self._return_due:
            self._journal.rebase(self._found.saved)
            self._return_due = False

    def _drop_damaged_tail(self) -> None:
        tail = self._found.tail
        if tail is None:
            return
        what = f"{self.path}: the steps after the last save are damaged ({tail}); the last save was opened"
        if not self.read_only:
            copy = set_aside(self.path, self._file.connection.serialize(), "damaged")
            self._journal.cut_tail()
            what += f", and the file as it was is kept as {copy.name}"
        self.oddities = (*self.oddities, Oddity(what))


def is_project(path: Path) -> bool:
    """Whether the file's first bytes are those of a project, sound or not. Pipes and devices are never opened."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return layout.is_header(file.read(layout.HEADER_BYTES))
    except OSError:
        return False

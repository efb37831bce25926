"""The request store: requests to models and their answers, so that no process pays for anything twice.

A job is a request by the hash of everything that shapes its answer (`Request.content_hash`). Its raw answer is stored,
so that checks that have changed run over it again without a request. A process that sends holds a lock of SQLite's own,
which ends with it, killed or not: the jobs of a dead process are free again at once, and what it received is kept.

Answers describe films that may not be released yet: the file is in the user's own data, readable by nobody else, and
`forget` empties it film by film.
"""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
import time
from collections import Counter
from collections.abc import Generator, Iterable
from dataclasses import astuple, dataclass, fields
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.core.script import Script
from adstudio.drafting.model.request_rows import JOBS, NEXT, NUMBERS, SCENES, locked, packed, unpacked
from adstudio.llm.messages import Usage
from adstudio.system.files import reason
from adstudio.system.locations import user_data
from adstudio.system.private_files import FOLDER, private_file, private_folder

VERSION = 4
_PATIENCE = 10.0
"""Seconds to wait while another process is writing."""
_OWNER = ".owner"
NOTHING = Usage(micro_usd=0)
"""The usage before any request."""


class JobState(StrEnum):
    """The state of a job."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    TRUNCATED = "truncated"
    """Cut short; what was received is used, and only the rest is requested."""
    BLOCKED = "blocked"
    """Withheld by the provider, or declined by the model: only requested again if somebody wants it."""
    TOO_LONG = "too long"
    """More than the model, or its server, accepts at once: it is requested in halves."""
    FAILED = "failed"
    """Nothing usable was received, or the connection was lost (then `Job.text` is what had been received).

    The next run requests it again.
    """


OTHER_STAGES = ("weigh", "embed", "polish", "schedule", "plan", "questions", "answer")
"""The beginnings of stages that do not belong to a draft."""
FINISHED = frozenset({JobState.DONE, JobState.TRUNCATED, JobState.BLOCKED, JobState.TOO_LONG})
"""States that another run does not request again."""


@dataclass(frozen=True)
class Job:
    """A request and its outcome; `at` is its time in seconds since 1970, `asked` how often it was sent.

    What came before what is told by `number`, which counts up through the whole store, never by the time.

    `fingerprint` and `response` are the server's names for its configuration and for the response: they are for the
    record only and not part of the key, or an update of the server would request everything anew.
    """

    key: str
    film: str
    scene: str
    stage: str
    state: JobState
    text: str = ""
    why: str = ""
    model: str = ""
    usage: Usage = NOTHING
    at: float = 0.0
    asked: int = 0
    fingerprint: str = ""
    response: str = ""
    number: int = 0

    @property
    def answered(self) -> bool:
        """Whether it has a usable text, complete or cut short."""
        return self.state in (JobState.DONE, JobState.TRUNCATED)


@dataclass(frozen=True)
class Totals:
    """A film's jobs by state, and what they have used in all."""

    states: dict[JobState, int]
    usage: Usage
    asked: int


class JobStore:
    """The jobs of all films in one file, which several processes may have open; close it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._owner = secrets.token_hex(8)
        self._mine: sqlite3.Connection | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=FOLDER)
            if path == default_place():
                private_folder(path.parent)
            # Readable by nobody else from the first moment.
            private_file(path)
        except OSError as error:
            raise OutsideFailureError(f"{path} cannot be written: {reason(error)}") from error
        with self._explaining_errors():
            self._db = sqlite3.connect(path, isolation_level=None, timeout=_PATIENCE)
        try:
            with self._explaining_errors():
                self._prepare()
        except BaseException:
            self._db.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; jobs that were being sent are free for others."""
        self._db.close()
        if self._mine is not None:
            self._mine.close()
            self._lock_of(self._owner).unlink(missing_ok=True)
            self._mine = None

    def announce(self, key: str, film: str, scene: str, stage: str) -> None:
        """Add a job, unless it is known."""
        with self._explaining_errors():
            self._db.execute(
                "INSERT OR IGNORE INTO job (key, film, scene, stage, state, at, number) "  # noqa: S608 - ours
                f"VALUES (?, ?, ?, ?, ?, ?, {NEXT})",
                (key, film, scene, stage, JobState.WAITING, time.time()),
            )

    def job(self, key: str) -> Job | None:
        """A job, if known."""
        with self._explaining_errors():
            row = self._db.execute(f"SELECT {_COLUMNS} FROM job WHERE key = ?", (key,)).fetchone()  # noqa: S608 - ours
        return _job(row) if row else None

    def claim(self, key: str, *, again: bool = False, anew: bool = False) -> bool:
        """Take a job; False if it is finished or a running process is sending it.

        One that failed may be sent again, one that was blocked or cut short only with `again`, one that is done only
        with `anew`, and then its answer is deleted. What a dead process or a lost connection had received of an answer
        stays with it (`Job.text`).
        """
        with self._explaining_errors(), self._changing():
            row = self._db.execute("SELECT state, owner FROM job WHERE key = ?", (key,)).fetchone()
            if row is None:
                raise KeyError(key)
            state, owner = JobState(row[0]), row[1]
            if state in FINISHED and not anew and (state is JobState.DONE or not again):
                return False
            if state is JobState.RUNNING and self._lives(owner):
                return False
            self._hold_own_lock()
            if state in FINISHED:
                # An answer that has ended is not the beginning of the next one.
                self._db.execute("UPDATE job SET text = x'' WHERE key = ?", (key,))
            self._db.execute(
                f"UPDATE job SET state = ?, owner = ?, asked = asked + 1, at = ?, number = {NEXT} "  # noqa: S608 - ours
                "WHERE key = ?",
                (JobState.RUNNING, self._owner, time.time(), key),
            )
        return True

    def note_partial(self, key: str, text: str) -> None:
        """Save what has been received so far of an answer."""
        with self._explaining_errors():
            self._db.execute("UPDATE job SET text = ? WHERE key = ? AND owner = ?", (packed(text), key, self._owner))

    def finish(
        self,
        key: str,
        state: JobState,
        *,
        text: str = "",
        why: str = "",
        model: str = "",
        usage: Usage = NOTHING,
        tries: int = 1,
        fingerprint: str = "",
        response: str = "",
    ) -> Job:
        """Save the outcome of a job; its usage and attempts are added to those before."""
        with self._explaining_errors(), self._changing():
            known = self.job(key)
            if known is None:
                raise KeyError(key)
            what = (state, packed(text), why, model, fingerprint, response, time.time(), max(tries - 1, 0))
            self._db.execute(_FINISH, (*what, *astuple(together([known.usage, usage])), key))
            finished = self.job(key)
        if finished is None:
            raise KeyError(key)
        return finished

    def release(self, key: str, usage: Usage = NOTHING) -> None:
        """Put back a job that was stopped while it was being sent; its usage so far counts all the same."""
        with self._explaining_errors(), self._changing():
            known = self.job(key)
            spent = together([known.usage, usage]) if known is not None else usage
            self._db.execute(
                f"UPDATE job SET state = ?, owner = '', {_SPENT} WHERE key = ? AND owner = ?",  # noqa: S608 - ours
                (JobState.WAITING, *astuple(spent), key, self._owner),
            )

    def totals(self, film: str) -> Totals:
        """The totals of a film."""
        with self._explaining_errors():
            rows = self._db.execute(
                f"SELECT state, asked, {_USAGE} FROM job WHERE film = ?",  # noqa: S608 - ours
                (film,),
            ).fetchall()
        states = Counter(JobState(row[0]) for row in rows)
        return Totals(states, together(Usage(*row[2:]) for row in rows), sum(row[1] for row in rows))

    def scenes_left(self, film: str) -> frozenset[str]:
        """The scenes of a film with a draft job that was not fully answered since the scene was last complete.

        What failed, or was too long, before a scene was completed by other requests no longer matters.
        """
        with self._explaining_errors():
            rows = self._db.execute(
                "SELECT DISTINCT job.scene, job.stage FROM job LEFT JOIN scene "
                "ON scene.film = job.film AND scene.scene = job.scene "
                "WHERE job.film = ? AND job.state != ? AND job.number > coalesce(scene.whole, -1)",
                (film, JobState.DONE),
            ).fetchall()
        return frozenset(row[0] for row in rows if not row[1].startswith(OTHER_STAGES))

    def note_whole(self, film: str, scene: str) -> None:
        """Note that a scene is complete, whichever of its jobs are not."""
        self._note_scene(film, scene, "whole")

    def anew_since(self, film: str, scene: str, *, begins: bool = False) -> int | None:
        """The number at which a draft anew of a scene began that has not ended yet; None if there is none.

        With `begins` one begins now, unless it has begun before.
        """
        with self._explaining_errors():
            row = self._db.execute("SELECT anew FROM scene WHERE film = ? AND scene = ?", (film, scene)).fetchone()
        if row is not None and row[0]:
            return int(row[0])
        return self._note_scene(film, scene, "anew") if begins else None

    def end_anew(self, film: str, scenes: Iterable[str]) -> None:
        """Note that the draft anew of these scenes has ended: another one starts from the beginning."""
        with self._explaining_errors(), self._changing():
            for scene in scenes:
                self._db.execute("UPDATE scene SET anew = 0 WHERE film = ? AND scene = ?", (film, scene))

    def answered(self, film: str, *, anew: bool = False) -> dict[str, int]:
        """The scenes with an answer to a draft, and what that has cost, in millionths of a US dollar.

        `anew`: only answers since the draft anew of the scene began.
        """
        with self._explaining_errors():
            rows = self._db.execute(
                "SELECT job.scene, job.stage, sum(coalesce(job.micro_usd, 0)) FROM job LEFT JOIN scene "
                "ON scene.film = job.film AND scene.scene = job.scene "
                "WHERE job.film = ? AND job.state IN (?, ?) "
                "AND (? = 0 OR (scene.anew > 0 AND job.number > scene.anew)) GROUP BY job.scene, job.stage",
                (film, JobState.DONE, JobState.TRUNCATED, anew),
            ).fetchall()
        found: dict[str, int] = {}
        for scene, stage, cost in rows:
            if not stage.startswith(OTHER_STAGES):
                found[scene] = found.get(scene, 0) + cost
        return found

    def forget(self, film: str) -> None:
        """Remove everything about a film."""
        with self._explaining_errors(), self._changing():
            self._db.execute("DELETE FROM job WHERE film = ?", (film,))
            self._db.execute("DELETE FROM scene WHERE film = ?", (film,))

    def _note_scene(self, film: str, scene: str, what: str) -> int:
        with self._explaining_errors():
            row = self._db.execute(
                f"INSERT INTO scene (film, scene, {what}) VALUES (?, ?, {NEXT}) "  # noqa: S608 - ours
                f"ON CONFLICT (film, scene) DO UPDATE SET {what} = excluded.{what} RETURNING {what}",
                (film, scene),
            ).fetchone()
        return int(row[0])

    def _prepare(self) -> None:
        self._db.execute("PRAGMA trusted_schema = OFF")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute("PRAGMA secure_delete = ON")
        with self._changing():
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version > VERSION:
                raise BadInputError(f"{self._path} is of a newer version of adstudio: update the program")
            if version == 0:
                self._db.execute(JOBS)
                self._db.execute("CREATE INDEX job_film ON job (film)")
            if version < 2:
                for column in ("fingerprint", "response"):
                    self._db.execute(f"ALTER TABLE job ADD COLUMN {column} TEXT NOT NULL DEFAULT ''")
            if version < 3:
                self._db.execute(SCENES)
            if version < 4:
                for change in NUMBERS:
                    self._db.execute(change)
            if version < VERSION:
                self._db.execute(f"PRAGMA user_version = {VERSION}")

    def _lock_of(self, owner: str) -> Path:
        return self._path.with_name(f"{self._path.name}.{owner}{_OWNER}")

    def _hold_own_lock(self) -> None:
        if self._mine is None:
            own = self._lock_of(self._owner)
            with contextlib.suppress(OSError):
                private_file(own)
            self._mine = locked(own)

    def _lives(self, owner: str) -> bool:
        """Whether the process that took a job still holds its lock; a dead one's file is removed."""
        if owner == self._owner:
            return self._mine is not None
        path = self._lock_of(owner)
        if not path.exists():
            return False
        try:
            locked(path).close()
        except sqlite3.OperationalError:
            return True
        except sqlite3.DatabaseError:
            pass  # damaged: nobody holds it
        with contextlib.suppress(OSError):
            path.unlink()
        return False

    @contextlib.contextmanager
    def _changing(self) -> Generator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    @contextlib.contextmanager
    def _explaining_errors(self) -> Generator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise OutsideFailureError(f"{self._path} cannot be used: {error}; check the disk, and try again") from error
        except sqlite3.DatabaseError as error:
            raise BadInputError(f"{self._path} is damaged: remove it, and what was asked is asked anew") from error


def together(usages: Iterable[Usage]) -> Usage:
    """The sum; a request that used no tokens costs nothing, whether its price is known or not."""
    taken = [each for each in usages if each.tokens_in or each.tokens_out or each.tokens_thought]
    return sum(taken[1:], taken[0]) if taken else NOTHING


def default_place() -> Path:
    """The default path."""
    return user_data("jobs") / "jobs.sqlite"


_USAGE = ", ".join(each.name for each in fields(Usage))
_SPENT = ", ".join(f"{each.name} = ?" for each in fields(Usage))
_FINISH = (
    "UPDATE job SET state = ?, text = ?, why = ?, model = ?, fingerprint = ?, response = ?, at = ?, "  # noqa: S608 - ours
    f"number = {NEXT}, asked = asked + ?, owner = '', {_SPENT} WHERE key = ?"
)
_COLUMNS = f"key, film, scene, stage, state, text, why, model, at, asked, fingerprint, response, number, {_USAGE}"


def _job(row: tuple[Any, ...]) -> Job:
    key, film, scene, stage, state, packed, why, model, at, asked, fingerprint, response, number, *usage = row
    end = (unpacked(packed), why, model, Usage(*usage), at, asked, fingerprint, response, number)
    return Job(key, film, scene, stage, JobState(state), *end)


def name_of_film(script: Script) -> str:
    """A film's name in the request store: that of its drafts, if it has a video."""
    media, film = script.film.media, script.film
    subtitles = "" if film.subtitles is None else film.subtitles.path
    name = (media.fingerprint or media.path) if media is not None else f"{film.title} {film.end} {subtitles}"
    return sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:32]

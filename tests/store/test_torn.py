"""A copy of a project whose editor died while it wrote, without its journal: some pages of it are old, others new.

Every transaction of a session is torn in every place where a killed process can leave it, as SQLite writes the pages in
their order, and in as many others, where a power cut can. The copy is as before the transaction or as after it.
"""

from __future__ import annotations

import contextlib
import itertools
import random
import sqlite3
from collections import Counter
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from example_projects import PLAN, fail, write
from example_scripts import SCRIPT

from adstudio.core.document import Document
from adstudio.core.errors import BadInputError
from adstudio.core.policy import Host, Policy, PolicyChange
from adstudio.core.script import Eventuality, Script, Variant
from adstudio.store import database, journal
from adstudio.store.codec import encode
from adstudio.store.content import RestorePoint
from adstudio.store.project import ProjectFile


def of_length(words: int) -> Script:
    """A script with two more lines, one of so many words."""
    lines = (Eventuality("long", (Variant("word " * words),)), Eventuality("longer", (Variant("more words " * 2000),)))
    return replace(SCRIPT, eventualities=(*SCRIPT.eventualities, *lines))


LARGE = of_length(1000 + (13_000 - len(encode(of_length(1000)))) % 16_380 // 5)
"""Some pages long, as are its snapshots, with a rest that nearly fills a page."""
_PAGE, _BLOCK = 16_384, 4096
"""What SQLite writes at once, and what a file system may write of it before the process is dead."""


@dataclass(frozen=True)
class Transaction:
    """What it writes, and the file before and after it."""

    writes: str
    before: bytes
    after: bytes

    def torn(self, size: int) -> Iterator[bytes]:
        """Files of which only some pieces of this size were written."""
        places = range(0, len(self.after), size)
        changed = [at for at in places if self.before[at : at + size] != self.after[at : at + size]]
        chance = random.Random(len(changed))
        starts = [changed[:n] for n in range(1, len(changed))]
        for written in starts + [chance.sample(changed, len(start)) for start in starts]:
            data = bytearray(self.before)
            for at in written:
                data.extend(bytes(max(0, at + size - len(data))))
                data[at : at + size] = self.after[at : at + size]
            yield bytes(data)


@dataclass(frozen=True)
class State:
    """What a describer has in a project."""

    saved: Script
    last: Script
    policies: tuple[PolicyChange, ...]
    sounds: frozenset[bytes]
    versions: tuple[tuple[str, Script], ...]


class Session:
    """An editor's session, with all transactions."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path = path
        self.transactions: list[Transaction] = []
        self.scripts: list[Script] = [LARGE]
        self.discarding = 0
        writing = database.OpenFile.writing

        @contextlib.contextmanager
        def recorded(file: database.OpenFile) -> Generator[sqlite3.Connection]:
            statements: list[str] = []
            before = path.read_bytes()
            with writing(file) as connection:
                connection.set_trace_callback(statements.append)
                yield connection
            words = " ".join(statements).replace("(", " ").split()
            tables = [after for word, after in itertools.pairwise(words) if word in ("INTO", "FROM")]
            self.transactions.append(Transaction(" ".join(sorted(set(tables))), before, path.read_bytes()))

        monkeypatch.setattr(database.OpenFile, "writing", recorded)

    def edit(self, document: Document, *texts: str) -> None:
        for text in texts:
            write(document, text)
            self.scripts.append(document.script)


def state(path: Path, data: bytes) -> tuple[State, tuple[str, ...]]:
    """What is in a file, and what is reported about it."""
    path.write_bytes(data)
    with ProjectFile.open(path, read_only=True) as found:
        keys = found._file.connection.execute("SELECT key FROM sound WHERE number >= 0").fetchall()
        sounds = set[bytes]()
        for (key,) in keys:
            with contextlib.suppress(BadInputError):
                sounds.add(found.sound(key.hex()))
        reported = tuple(each.what for each in found.oddities)
        versions = tuple((each.name, found.versions.content(each.number).script) for each in found.versions.all)
        return State(found.saved_script, found.last_script, found.policies, frozenset(sounds), versions), reported


@pytest.fixture
def session(path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    """A session that makes each kind of transaction, and each while its table has one page and when it has more."""
    monkeypatch.setattr(journal, "SNAPSHOT_WHEN_IDLE", 12)
    chance = random.Random(1)
    ProjectFile.create(path, LARGE, plan=PLAN).close()
    session = Session(path, monkeypatch)
    with ProjectFile.open(path) as project:
        document = project.document(on_failure=fail)
        for number in range(60):
            session.edit(document, f"{number} " * chance.randrange(400))
            if number % 7 == 3:
                document.undo()
            if number % 9 == 4:
                project.set_policy(Policy("on premises", (Host("gpu.house", number + 1),)))
            if number % 10 == 5:
                project.store_sound(chance.randbytes(chance.randrange(100, 40_000)))
            if number % 8 == 6:
                note = "note " * chance.randrange(1500)
                project.versions.keep(document.script, PLAN, name=f"{number}", note=note)
            if number % 16 == 9:
                project.versions.relabel(project.versions.all[-1].number, name="renamed", note="")
            if number % 24 == 11:
                project.versions.delete(project.versions.all[0].number)
            if number % 20 == 6:
                project.save()
            while number > 30 and project.tidy():
                pass
        project.set_report(bytes(40_000))
    with ProjectFile.open(path) as project:
        document = project.document(RestorePoint.LAST_SAVE, on_failure=fail)
        for text in "abcdefghijklmnopqr":
            session.edit(document, text)
            while project.tidy():
                pass
        session.discarding = len(session.transactions)
        project.discard()
    return session


def test_a_torn_copy_is_as_before_or_as_after(session: Session, tmp_path: Path) -> None:
    copy = tmp_path / "copy.adproj"
    seen = Counter[str]()
    for number, transaction in enumerate(session.transactions):
        before, after = (state(copy, data)[0] for data in (transaction.before, transaction.after))
        for data in transaction.torn(_PAGE):
            found, reported = state(copy, data)
            seen[transaction.writes] += 1
            if "policy" in transaction.writes and not found.policies:
                # Nothing may be sent on the word of rows that do not add up.
                assert any("it is offline until" in each for each in reported)
                found = replace(found, policies=before.policies)
            if number >= session.discarding and reported:
                # Of changes that are being discarded, the first may be left.
                assert found.last in session.scripts
                found = replace(found, last=before.last)
            assert found in (before, after), transaction.writes
    assert {"journal state", "snapshot", "journal snapshot", "journal snapshot state", "identity policy"} <= set(seen)
    assert {"plan state", "report", "sound", "version"} <= set(seen)


@pytest.mark.slow
def test_a_page_torn_in_itself_is_never_something_else(session: Session, tmp_path: Path) -> None:
    copy = tmp_path / "copy.adproj"
    refusals: list[str] = []
    for transaction in session.transactions[: session.discarding]:
        before, after = (state(copy, data)[0] for data in (transaction.before, transaction.after))
        for data in transaction.torn(_BLOCK):
            try:
                found, reported = state(copy, data)
            except BadInputError as error:
                refusals.append(str(error))
                continue
            if not found.policies and reported:
                found = replace(found, policies=before.policies)
            assert found in (before, after), transaction.writes
    assert all("restore it from a backup" in refusal for refusal in refusals)

"""The job store: states, what is spent, two processes at once, and a process that is killed."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys

import pytest

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.drafting.model.request_store import NOTHING, JobState, JobStore, default_place
from adstudio.llm.messages import Usage


@pytest.fixture
def path(tmp_path):
    return tmp_path / "jobs" / "jobs.sqlite"


@pytest.fixture
def store(path):
    with JobStore(path) as store:
        yield store


def test_a_job_from_waiting_to_done(store, path):
    store.announce("k1", "film", "s1", "describe 1")
    assert store.job("k1").state is JobState.WAITING
    assert store.claim("k1")
    assert store.job("k1").state is JobState.RUNNING
    assert not store.claim("k1"), "it is in hand"
    job = store.finish("k1", JobState.DONE, text="She waits. ⏱", model="m-1", usage=Usage(10, 2, 3, 1, 40))
    assert (job.state, job.text, job.model, job.asked, job.scene, job.stage) == (
        JobState.DONE, "She waits. ⏱", "m-1", 1, "s1", "describe 1",
    )  # fmt: skip
    assert job.at > 1_700_000_000
    assert not store.claim("k1")
    store.announce("k1", "film", "s1", "describe 1")
    assert store.job("k1") == job
    with JobStore(path) as other:
        assert other.job("k1") == job
        assert not other.claim("k1")


def test_what_failed_is_asked_again_and_what_was_withheld_only_if_wanted(store):
    for key, state in (
        ("f", JobState.FAILED),
        ("b", JobState.BLOCKED),
        ("t", JobState.TRUNCATED),
        ("d", JobState.DONE),
    ):
        store.announce(key, "film", "s1", "x")
        assert store.claim(key)
        store.finish(key, state, why="because")
    assert [store.claim(key) for key in "fbtd"] == [True, False, False, False]
    assert [store.claim(key, again=True) for key in "btd"] == [True, True, False]


def test_what_is_spent_is_counted_over_all_tries(store):
    assert store.totals("film").usage == NOTHING
    for key in ("a", "b"):
        store.announce(key, "film", "s1", "x")
    store.claim("a")
    store.finish("a", JobState.FAILED, why="lost", usage=Usage(10, 0, 1, 0, 5))
    store.claim("a")
    store.finish("a", JobState.DONE, text="x", usage=Usage(10, 0, 4, 2, 7))
    store.claim("b")
    store.finish("b", JobState.FAILED, why="no connection")  # without tokens and without a price
    totals = store.totals("film")
    assert totals.usage == Usage(20, 0, 5, 2, 12)
    assert totals.asked == 3
    assert totals.states == {JobState.DONE: 1, JobState.FAILED: 1}
    store.claim("b")
    store.finish("b", JobState.DONE, text="x", usage=Usage(1, 0, 1, 0, None))
    assert store.totals("film").usage == Usage(21, 0, 6, 2, None), "a price that is not known makes the sum unknown"
    store.forget("film")
    assert store.totals("film").asked == 0


def test_stopped_it_waits_again(store):
    store.announce("k", "film", "s1", "x")
    store.claim("k")
    store.note_partial("k", "half")
    store.release("k")
    job = store.job("k")
    assert (job.state, job.text) == (JobState.WAITING, "half")
    assert store.claim("k")


def test_two_at_once_never_have_the_same_job(path):
    with JobStore(path) as one, JobStore(path) as two:
        for key in "abc":
            one.announce(key, "film", "s1", "x")
        assert one.claim("a")
        assert not two.claim("a")
        assert two.claim("b")
        assert not one.claim("b")
        two.close()
        assert one.claim("b"), "what was let go of is free at once"
        assert not list(path.parent.glob("*.owner")) or len(list(path.parent.glob("*.owner"))) == 1


def test_what_a_stopped_ask_took_counts_with_what_it_takes_later(store):
    store.announce("k", "film", "s1", "x")
    assert store.claim("k")
    store.release("k", Usage(900, 0, 3, 0, 40))
    assert store.job("k").state is JobState.WAITING
    assert store.totals("film").usage == Usage(900, 0, 3, 0, 40)
    assert store.claim("k")
    store.finish("k", JobState.DONE, text="whole", usage=Usage(900, 0, 50, 0, 60))
    assert store.totals("film").usage == Usage(1800, 0, 53, 0, 100)


CHILD = """
import sys
from pathlib import Path
from adstudio.drafting.model.request_store import JobStore
store = JobStore(Path(sys.argv[1]))
store.announce("k", "film", "s1", "x")
assert store.claim("k")
store.note_partial("k", "half an answer")
print("claimed", flush=True)
sys.stdin.read()
"""


def test_what_a_killed_process_was_asking_is_free_at_once(path):
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with child, JobStore(path) as store:
        assert child.stdout.readline() == "claimed\n"
        assert not store.claim("k"), "the other one lives"
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        assert store.job("k").state is JobState.RUNNING
        assert store.claim("k")
        assert store.job("k").text == "half an answer"
        assert store.job("k").asked == 2
        assert len(list(path.parent.glob("*.owner"))) == 1, "the dead one’s lock is taken away"
    assert not list(path.parent.glob("*.owner"))


def test_nobody_else_may_read_it(store, path):
    assert path.stat().st_mode & 0o077 == 0


def test_damaged_newer_or_unwritable(tmp_path):
    damaged = tmp_path / "damaged.sqlite"
    damaged.write_bytes(b"no database at all, but long enough to look like something" * 20)
    with pytest.raises(BadInputError, match="damaged"):
        JobStore(damaged)
    newer = tmp_path / "newer.sqlite"
    with sqlite3.connect(newer) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(BadInputError, match="newer"):
        JobStore(newer)
    (tmp_path / "file").write_text("")
    with pytest.raises(OutsideFailureError, match="cannot be written"):
        JobStore(tmp_path / "file" / "jobs.sqlite")


def test_its_place_is_the_users_own():
    assert default_place().name == "jobs.sqlite"


BEFORE = """CREATE TABLE job (
    key TEXT PRIMARY KEY, film TEXT NOT NULL, scene TEXT NOT NULL, stage TEXT NOT NULL, state TEXT NOT NULL,
    owner TEXT NOT NULL DEFAULT '', text BLOB NOT NULL DEFAULT x'', why TEXT NOT NULL DEFAULT '',
    model TEXT NOT NULL DEFAULT '', at REAL NOT NULL DEFAULT 0, asked INTEGER NOT NULL DEFAULT 0,
    tokens_in INTEGER NOT NULL DEFAULT 0, tokens_cached INTEGER NOT NULL DEFAULT 0,
    tokens_out INTEGER NOT NULL DEFAULT 0, tokens_thought INTEGER NOT NULL DEFAULT 0, micro_usd INTEGER
) STRICT;
CREATE INDEX job_film ON job (film);
INSERT INTO job (key, film, scene, stage, state, model, asked, tokens_in)
VALUES ('k', 'f', 's', 'x', 'done', 'm', 2, 9);
PRAGMA user_version = 1;
"""


def test_what_a_version_before_kept_is_kept(path):
    path.parent.mkdir()
    with sqlite3.connect(path) as db:
        db.executescript(BEFORE)
    db.close()
    for _ in range(2):
        with JobStore(path) as store:
            job = store.job("k")
            assert (job.state, job.model, job.asked, job.usage.tokens_in) == (JobState.DONE, "m", 2, 9)
            assert (job.fingerprint, job.response) == ("", "")
            store.announce("new", "f", "s", "x")


def test_what_the_server_said_of_itself_is_recorded(store):
    store.announce("k", "film", "s1", "x")
    assert store.claim("k")
    said = {"fingerprint": "vllm-0.32.0-tp1-4f2a", "response": "chatcmpl-7"}
    job = store.finish("k", JobState.DONE, text="She waits.", model="m", **said)
    assert store.job("k") == job
    assert {"fingerprint": job.fingerprint, "response": job.response} == said

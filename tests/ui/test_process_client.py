"""One process at a time that is asked something: what it says, what counts as its answer, and its request's files."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path

import pytest

from adstudio.ui.background import process_client
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.background.process_client import MOST_UNREAD, OneProcess, Speech, request_files

CHILD = """
import sys, time
for word in sys.argv[1:]:
    if word == "wait":
        time.sleep(60)
    elif word == "read":
        print('"heard ' + sys.stdin.readline().strip() + '"', flush=True)
    elif word == "flood":
        while True:
            print("noise")
    else:
        print(word, flush=True)
"""
DIED, GONE_WRONG = -1, -2


def read(line: bytes) -> str | int | None:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, str | int) else None


class Asking:
    """Words are messages, numbers are answers."""

    def __init__(self, jobs: Jobs) -> None:
        self.heard: list[str] = []
        self.ends: list[int | None] = []
        speech = Speech[str, int](read, (int,), died=DIED, gone_wrong=GONE_WRONG, left="It is stopped.")
        self.process = OneProcess(jobs, speech, self.heard.append, self.ends.append)

    def start(self, *words: str, files: tuple[Path, ...] = (), question: bytes = b"") -> None:
        self.process.start("Asking", [sys.executable, "-I", "-c", CHILD, *words], files=files, question=question)


@pytest.fixture
def jobs(qapp):
    made = Jobs()
    yield made
    made.shut_down()
    made.deleteLater()


@pytest.fixture
def asking(jobs) -> Asking:
    return Asking(jobs)


def test_what_it_says_and_its_last_answer(asking, jobs, qtbot):
    asking.start('"one"', "no message", "1", '"two"', "2", "[]")
    assert asking.process.busy
    assert jobs.running[0].left == "It is stopped."
    qtbot.waitUntil(lambda: bool(asking.ends))
    assert (asking.heard, asking.ends) == (["one", "two"], [2])
    assert not asking.process.busy


def test_it_is_told_the_question(asking, qtbot):
    asking.start("read", "1", question=b"why\n")
    qtbot.waitUntil(lambda: asking.ends == [1])
    assert asking.heard == ["heard why"]


def test_without_an_answer_it_has_died_or_was_stopped(asking, qtbot):
    asking.start('"one"')
    qtbot.waitUntil(lambda: asking.ends == [DIED])
    asking.start('"two"', "wait")
    qtbot.waitUntil(lambda: asking.heard == ["one", "two"])
    assert not asking.process.stopping
    asking.process.stop()
    assert asking.process.stopping
    qtbot.waitUntil(lambda: asking.ends == [DIED, None])


def test_an_answer_before_it_was_stopped_counts(asking, qtbot):
    asking.start("7", '"one"', "wait")
    qtbot.waitUntil(lambda: asking.heard == ["one"])
    asking.process.stop()
    qtbot.waitUntil(lambda: asking.ends == [7])


def test_noise_without_end_is_stopped_and_a_little_is_not(asking, qtbot, monkeypatch):
    asking.start("7", "flood")
    qtbot.waitUntil(lambda: asking.ends == [GONE_WRONG], timeout=10_000)
    monkeypatch.setattr(process_client, "MOST_UNREAD", 3)
    asking.start("a", "b", "1")
    qtbot.waitUntil(lambda: asking.ends == [GONE_WRONG, 1])
    # A run's noise is its own.
    asking.start("a", "b", "2")
    qtbot.waitUntil(lambda: asking.ends == [GONE_WRONG, 1, 2])
    assert MOST_UNREAD == 2_000


def test_asked_again_the_one_before_is_not_heard_any_more(asking, jobs, qtbot):
    asking.start('"old"', "wait")
    qtbot.waitUntil(lambda: asking.heard == ["old"])
    asking.start('"new"', "3")
    qtbot.waitUntil(lambda: asking.ends == [3])
    qtbot.waitUntil(lambda: not jobs.running)
    assert (asking.heard, asking.ends) == (["old", "new"], [3])


def test_files_go_as_soon_as_they_are_read(asking, qtbot):
    files = request_files(b"one", b"two")
    assert [path.read_bytes() for path in files] == [b"one", b"two"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    asking.start("noise", '"read"', "wait", files=files)
    qtbot.waitUntil(lambda: asking.heard == ["read"])
    assert not any(path.exists() for path in files)


@pytest.mark.parametrize("way", ["forgotten", "died"])
def test_files_go_where_nobody_will_read_them(asking, jobs, qtbot, way):
    files = request_files(b"one")
    asking.start("noise", *(["wait"] if way == "forgotten" else []), files=files)
    if way == "forgotten":
        asking.process.forget()
    qtbot.waitUntil(lambda: not jobs.running)
    assert not files[0].exists()
    assert asking.ends == ([] if way == "forgotten" else [DIED])


def test_where_one_file_cannot_be_written_none_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(TypeError):
        request_files(b"one", "no bytes")  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []

"""Jobs and companions as the window sees them: requests go in, events come out, whatever the process does."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import pytest

from adstudio.system.worker import Failed, WorkerProtocol
from adstudio.ui.background import worker_clients
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.background.worker_clients import CompanionClient, JobClient, JobTexts

CHILD = """
import json, sys, time

def say(kind, what):
    print(json.dumps({"type": kind, "what": what}, separators=(",", ":")), flush=True)

def do(words):
    for word in words.split():
        if word == "wait":
            time.sleep(60)
        elif word == "die":
            sys.exit(9)
        elif word == "flood":
            while True:
                print("noise")
        elif word.isdigit():
            say("Result", word)
        elif word.startswith("raw"):
            say("Raw", word)
        elif word == "noise":
            print("noise", flush=True)
        else:
            say("Word", word)

if sys.argv[1] == "job":
    do(json.loads(sys.stdin.readline())["words"])
else:
    for line in sys.stdin:
        do(json.loads(line)["words"])
"""
TEXTS = JobTexts("It crashed.", garbled="It wrote nonsense.", late="It is late.", abandoned="It is stopped.")


@dataclass(frozen=True)
class Ask:
    words: str


@dataclass(frozen=True)
class Word:
    what: str


@dataclass(frozen=True)
class Raw:
    what: str


@dataclass(frozen=True)
class Result:
    what: str


Event = Word | Raw | Result | Failed
PROTOCOL = WorkerProtocol[Ask, Event]("nowhere", Ask, Event)


@pytest.fixture
def jobs(qapp):
    found = Jobs()
    yield found
    found.shut_down()
    found.deleteLater()


class Client(JobClient[Ask, Event]):
    """A client that notes what comes."""

    def __init__(self, jobs: Jobs, **options) -> None:
        super().__init__(jobs, jobs, PROTOCOL, (Result,), TEXTS, **options)
        self.command = [sys.executable, "-I", "-c", CHILD, "job"]
        self.events: list[object] = []
        self.ends: list[object] = []
        self.received.connect(self.events.append)
        self.ended.connect(self.ends.append)

    def ask(self, words: str, **options) -> None:
        self.start("Asking", Ask(words), **options)


@pytest.fixture
def client(jobs) -> Client:
    return Client(jobs)


def test_its_events_and_its_last_answer(client, jobs, qtbot):
    client.ask("one noise 1 two 2")
    assert client.busy
    assert jobs.running[0].abandoned == "It is stopped."
    qtbot.waitUntil(lambda: bool(client.ends))
    assert (client.events, client.ends) == ([Word("one"), Word("two")], [Result("2")])
    assert not client.busy


def test_without_an_answer_it_has_crashed_or_was_stopped(client, qtbot):
    client.ask("one")
    qtbot.waitUntil(lambda: client.ends == [Failed("It crashed.")])
    client.ask("one", texts=JobTexts("That one crashed."))
    qtbot.waitUntil(lambda: client.ends[1:] == [Failed("That one crashed.")])
    client.ask("two wait")
    qtbot.waitUntil(lambda: client.events[-1:] == [Word("two")])
    assert not client.stopping
    client.stop()
    assert client.stopping
    qtbot.waitUntil(lambda: client.ends[2:] == [None])


def test_an_answer_before_it_was_stopped_counts(client, qtbot):
    client.ask("7 one wait")
    qtbot.waitUntil(lambda: client.events == [Word("one")])
    client.stop()
    qtbot.waitUntil(lambda: client.ends == [Result("7")])


def test_noise_without_end_is_stopped_and_a_little_is_not(client, qtbot, monkeypatch):
    client.ask("7 flood")
    qtbot.waitUntil(lambda: client.ends == [Failed("It wrote nonsense.")])
    monkeypatch.setattr(worker_clients, "MOST_UNREADABLE", 3)
    for _ in range(2):  # one run's noise is its own
        client.ask("noise noise 1")
        qtbot.waitUntil(lambda: client.ends[-1] == Result("1") and not client.busy)


def test_asked_again_the_one_before_is_not_heard_any_more(client, jobs, qtbot):
    client.ask("old wait")
    qtbot.waitUntil(lambda: client.events == [Word("old")])
    client.ask("new 3")
    qtbot.waitUntil(lambda: client.ends == [Result("3")])
    qtbot.waitUntil(lambda: not jobs.running)
    assert (client.events, client.ends) == ([Word("old"), Word("new")], [Result("3")])


def test_raw_events_are_handed_on_unread(jobs, qtbot):
    client = Client(jobs, raw=(Raw,))
    client.ask("rawest one 1")
    qtbot.waitUntil(lambda: bool(client.ends))
    line, word = client.events
    assert (PROTOCOL.read_event(line), word) == (Raw("rawest"), Word("one"))


def test_a_job_that_takes_too_long_is_given_up(jobs, qtbot):
    client = Client(jobs, limit_ms=500)
    client.ask("one wait")
    qtbot.waitUntil(lambda: client.ends == [Failed("It is late.")])
    assert not client.busy
    client.ask("1")
    qtbot.waitUntil(lambda: client.ends[1:] == [Result("1")])


@pytest.fixture
def companion(jobs, monkeypatch) -> CompanionClient[Ask, Event]:
    monkeypatch.setattr(PROTOCOL, "command", lambda: [sys.executable, "-I", "-c", CHILD, "companion"], raising=False)
    return CompanionClient(jobs, jobs, PROTOCOL, "It crashed.")


def test_a_companion_answers_in_order_and_whoever_asked(companion, qtbot):
    found: list[tuple[str, object]] = []
    for words in ("1", "2", "3"):
        companion.ask(Ask(words), lambda event, words=words: found.append((words, event)))
    assert companion.busy
    qtbot.waitUntil(lambda: len(found) == 3)
    assert found == [("1", Result("1")), ("2", Result("2")), ("3", Result("3"))]
    assert companion.running
    assert not companion.busy


@pytest.mark.parametrize("how", ["die", "noise"])
def test_a_companion_that_ends_or_writes_nonsense_fails_what_it_owes_and_is_started_again(companion, qtbot, how):
    found: list[object] = []
    ended: list[None] = []
    companion.ended.connect(lambda: ended.append(None))
    companion.ask(Ask("1"), found.append)
    companion.ask(Ask(how), found.append)
    companion.ask(Ask("2"), found.append)
    qtbot.waitUntil(lambda: len(found) == 3)
    assert found == [Result("1"), Failed("It crashed."), Failed("It crashed.")]
    assert ended == [None]
    companion.ask(Ask("3"), found.append)
    qtbot.waitUntil(lambda: found[3:] == [Result("3")])


def test_a_companion_that_is_forgotten_answers_nobody(companion, qtbot):
    found: list[object] = []
    companion.ask(Ask("one wait"), found.append)
    companion.ask(Ask("2"), found.append)
    qtbot.waitUntil(lambda: found == [Word("one")])
    companion.forget()
    assert not companion.running
    assert not companion.busy
    companion.ask(Ask("3"), found.append)
    qtbot.waitUntil(lambda: found[1:] == [Result("3")])

"""Asking again and how many at a time, with a provider that is a script and a clock that is set by hand."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses

import pytest

pytest.importorskip("httpx2", reason="httpx2 is not installed")

from asking import an_ask, run
from virtual_time import VirtualLoop

from adstudio.llm import faults
from adstudio.llm.capabilities import Capabilities
from adstudio.llm.concurrency import Bounds, Gate
from adstudio.llm.messages import Chunk, Limits, Request, Response, State, Usage, user
from adstudio.llm.retry import Backoff, Breaker, Retrying
from adstudio.llm.server_load import ServerLoad, load_from

GOOD = Response("He parks.", State.COMPLETE, usage=Usage(10, 0, 5, 0, 7))
QUICK = Backoff(first=0.002, most=0.01)


def failed(fault, text=""):
    return Response(text, State.TRUNCATED if text else State.FAILED, str(fault), Usage(10, 0, 1, 0, 3), fault=fault)


class Script:
    """Gives one answer after the other, the last again and again."""

    name = "script"
    capabilities = Capabilities()

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asks = []
        self.running = self.most = 0
        self.go = None  # an event: no answer before it is set

    async def send(self, ask, on_chunk, stop):
        answer = self.answers[min(len(self.asks), len(self.answers) - 1)]
        self.asks.append(ask)
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            await (self.go.wait() if self.go else asyncio.sleep(0))
        finally:
            self.running -= 1
        if answer.text:
            on_chunk(Chunk(answer.text))
        return answer

    async def models(self):
        return ("script",)

    async def aclose(self):
        pass


def asked(*answers, ask=None, heard=None, backoff=QUICK, **how):
    script = Script(*answers)

    async def work():
        provider = Retrying(script, backoff=backoff, chance=lambda: 1.0, **how)
        hear = (lambda _: None) if heard is None else heard.append
        return await provider.send(ask or an_ask(), hear, asyncio.Event())

    return run(work), script


@pytest.mark.parametrize(
    ("fault", "attempts"),
    [
        (faults.RateError("x"), 5),
        (faults.OverloadedError("x"), 5),
        (faults.UnreachableError("x"), 5),
        (faults.LostError("x"), 5),
        (faults.ServerError("x"), 2),
        (faults.SilentError("x"), 2),
        (faults.EmptyError("x"), 2),
        (faults.TooLongError("x"), 1),
        (faults.KeyRefusedError("x"), 1),
        (faults.ModelMissingError("x"), 1),
        (faults.TooLargeError("x"), 1),
        (faults.QuotaError("x"), 1),
        (faults.BlockedError("x"), 1),
        (faults.RunawayError("x"), 1),
        (faults.ThoughtError("x"), 1),
        (faults.NotAllowedError("x"), 1),
        (faults.UntrustedError("x"), 1),
        (faults.DeadlineError("x"), 1),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_tried_again(fault, attempts):
    answer, script = asked(failed(fault))
    assert (len(script.asks), answer.attempts, answer.fault) == (attempts, attempts, fault)


def test_it_succeeds_at_a_later_try_and_all_tokens_are_counted():
    answer, script = asked(failed(faults.RateError("x")), failed(faults.LostError("x")), GOOD)
    assert (answer.state, answer.attempts, len(script.asks)) == (State.COMPLETE, 3, 3)
    assert answer.usage == Usage(30, 0, 7, 0, 13)


def test_why_it_is_asked_again_is_told_before_the_pause():
    heard = []
    asked(failed(faults.UnreachableError("nobody answers there")), GOOD, heard=heard)
    assert [piece.retry_reason for piece in heard if piece.retry_reason] == ["nobody answers there"]
    heard.clear()
    asked(failed(faults.KeyRefusedError("x")), heard=heard)
    assert not any(piece.retry_reason for piece in heard)  # it is not asked again


def test_nothing_is_asked_again_once_words_have_come():
    answer, script = asked(failed(faults.LostError("x"), text="He pa"), GOOD)
    assert (answer.state, answer.text, len(script.asks)) == (State.TRUNCATED, "He pa", 1)


def test_it_is_asked_again_where_the_job_says_so_and_the_answer_begins_anew():
    heard = []
    broken = failed(faults.LostError("x"), text="He pa")
    answer, _ = asked(broken, GOOD, ask=an_ask(repeat_paid=True), heard=heard)
    assert answer.state is State.COMPLETE
    assert heard == [Chunk("He pa"), Chunk(retry_reason="x"), Chunk(restarted=True), Chunk("He parks.")]


def test_a_wait_beyond_the_deadline_is_not_waited():
    answer, script = asked(failed(faults.RateError("x", retry_after=30.0)), GOOD)
    assert (answer.state, len(script.asks)) == (State.FAILED, 1)
    assert answer.fault.retry_after == 30.0


def test_the_time_left_is_what_a_later_try_gets():
    slow = dataclasses.replace(failed(faults.LostError("x")), seconds=15.0)
    _, script = asked(slow, GOOD, ask=an_ask(limits=Limits(deadline=20.0)))
    assert script.asks[0].limits.deadline == 20.0
    assert 4.5 < script.asks[1].limits.deadline <= 5.0


@pytest.mark.parametrize(
    ("attempts", "asked_for", "chance", "pause"),
    [(1, None, 1.0, 2.0), (2, None, 1.0, 4.0), (3, None, 0.5, 4.0), (9, None, 1.0, 60.0), (1, 7.0, 0.5, 8.0)],
)
def test_pauses_grow_and_heed_the_server(attempts, asked_for, chance, pause):
    assert Backoff().pause(attempts, asked_for, chance) == pause


def test_stopping_in_a_pause_ends_it():
    script = Script(failed(faults.RateError("x", retry_after=10.0)))

    async def work():
        stop = asyncio.Event()
        provider = Retrying(script)
        task = asyncio.create_task(provider.send(an_ask(), lambda _: None, stop))
        await asyncio.sleep(0.02)
        stop.set()
        return await task

    answer = run(work)
    assert answer.state is State.CANCELLED
    assert len(script.asks) == 1


def test_what_is_wrong_for_all_is_asked_once():
    script = Script(failed(faults.KeyRefusedError("the key is wrong")))

    async def work():
        provider = Retrying(script)
        return [await provider.send(an_ask(), lambda _: None, asyncio.Event()) for _ in range(3)]

    answers = run(work)
    assert [answer.why for answer in answers] == ["the key is wrong"] * 3
    assert [answer.attempts for answer in answers] == [1, 0, 0]
    assert len(script.asks) == 1


async def many(provider, count, stop=None):
    stop = stop or asyncio.Event()
    return [asyncio.create_task(provider.send(an_ask(), lambda _: None, stop)) for _ in range(count)]


def test_no_more_at_a_time_than_the_limit_and_one_more_after_twenty_good_ones():
    script = Script(GOOD)

    async def work():
        provider = Retrying(script, Gate(Bounds(start=8, most=10, good=20)))
        await asyncio.gather(*await many(provider, 100))
        return provider.gate

    gate = run(work)
    assert (gate.limit, script.most, gate.running) == (10, 10, 0)


def test_too_many_halves_the_limit_once_for_all_that_were_on_their_way():
    clock = Clock()
    gate = Gate(Bounds(start=8), clock=clock)

    async def work():
        stop = asyncio.Event()
        async with gate.slot(stop) as first, gate.slot(stop) as second:
            gate.note_fault(first, faults.RateError("x", retry_after=3.0))
            gate.note_fault(second, faults.RateError("x"))
            assert (gate.limit, gate.hold) == (4, 3.0)
        clock.now += 3.0
        async with gate.slot(stop) as third:
            gate.note_fault(third, faults.OverloadedError("x"))
        return gate.limit, gate.hold

    assert run(work) == (2, 0.0)


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


async def first_words(gate, *seconds, waiting=0):
    """The limit after requests whose first words took so long, all slots being taken and so many others waiting."""
    stop = asyncio.Event()

    async def wait():
        async with gate.slot(stop):
            pass

    async with contextlib.AsyncExitStack() as taken:
        slots = [await taken.enter_async_context(gate.slot(stop)) for _ in range(gate.limit)]
        others = [asyncio.create_task(wait()) for _ in range(waiting)]
        await asyncio.sleep(0)
        for each in seconds:
            gate.note_first_chunk(slots[0], each)
        limit = gate.limit
        stop.set()
        await asyncio.gather(*others)
    return limit


def test_first_words_that_wait_for_each_other_halve_the_limit():
    # Slower than four times the quickest and no ten seconds: no queue. One that is slow by itself: none either.
    assert run(lambda: first_words(Gate(Bounds(start=8)), 1.0, *[9.0] * 7)) == 8
    assert run(lambda: first_words(Gate(Bounds(start=8)), 1.0, 12.0, 12.0, 12.0)) == 8
    assert run(lambda: first_words(Gate(Bounds(start=8)), 1.0, 12.0, 12.0, 12.0, 12.0)) == 4


@pytest.mark.attack(18)
def test_quick_first_words_double_the_limit_if_others_wait():
    assert run(lambda: first_words(Gate(Bounds(start=8)), *[1.0] * 8, waiting=20)) == 16
    assert run(lambda: first_words(Gate(Bounds(start=8)), *[1.0] * 8)) == 8
    assert run(lambda: first_words(Gate(Bounds(start=8, most=12)), *[1.0] * 8, waiting=20)) == 12


@pytest.mark.attack(18)
def test_a_server_that_says_what_it_bears_is_taken_at_its_word():
    async def work():
        gate = Gate(Bounds(start=8, most=16))
        said = []
        for load in (ServerLoad(1, 32), ServerLoad(20, 32), ServerLoad(20, 64), ServerLoad(9, 4)):
            gate.note_load(load)
            said.append(gate.limit)
        return said

    assert run(work) == [32, 32, 64, 4]


@pytest.mark.attack(18)
def test_slow_first_words_of_a_server_count_only_if_it_has_more_than_it_bears():
    async def after(in_flight):
        gate = Gate()
        gate.note_load(ServerLoad(in_flight, 8))
        halved = await first_words(gate, 1.0, *[12.0] * 4)
        return halved, await first_words(gate, *[1.0] * 4, waiting=20)

    # 32 clips at once are decoded one by one; another client's requests are waited for. Then what it says holds again.
    assert run(lambda: after(8)) == (8, 8)
    assert run(lambda: after(9)) == (4, 8)


@pytest.mark.attack(18)
@pytest.mark.parametrize("said", ["", "8", "8/0", "-1/8", "8/-8", "1/8/8", "1.5/8", "x/8", "١/٨", "8" * 99 + "/8"])
def test_what_is_no_load_says_nothing(said):
    assert load_from(said) is None


def test_no_server_bears_more_than_anything_can_send():
    assert load_from(" 7/900000 ") == ServerLoad(7, 256)


def test_it_never_falls_below_one():
    gate = Gate(Bounds(start=2))

    async def work():
        for _ in range(5):
            async with gate.slot(asyncio.Event()) as turn:
                gate.note_fault(turn, faults.RateError("x"))
        return gate.limit

    assert run(work) == 1


def test_stopping_ends_those_that_wait_at_the_gate_too_and_sends_nothing():
    script = Script(GOOD)

    async def work():
        script.go = asyncio.Event()
        stop = asyncio.Event()
        provider = Retrying(script, Gate(Bounds(start=2, most=2)))
        tasks = await many(provider, 6, stop)
        await asyncio.sleep(0.01)
        stop.set()
        script.go.set()
        answers = await asyncio.gather(*tasks)
        return [answer.state for answer in answers], provider.gate.running

    states, running = run(work)
    assert (states.count(State.CANCELLED), len(script.asks), running) == (4, 2, 0)


def test_a_cancelled_task_gives_its_turn_back():
    script = Script(GOOD)

    async def work():
        script.go = asyncio.Event()
        provider = Retrying(script, Gate(Bounds(start=1, most=1)))
        tasks = await many(provider, 3)
        await asyncio.sleep(0.01)
        for task in tasks[:2]:
            task.cancel()
        await asyncio.sleep(0.01)
        script.go.set()
        return (await tasks[2]).state, provider.gate.running

    assert run(work) == (State.COMPLETE, 0)


def test_a_server_that_asks_for_an_hour_holds_no_other_ask_silently():
    script = Script(failed(faults.RateError("in an hour", retry_after=3600.0)), GOOD)

    async def work():
        provider = Retrying(script)
        return [await provider.send(an_ask(), lambda _: None, asyncio.Event()) for _ in range(2)]

    answers = run(work)
    assert [answer.why for answer in answers] == ["in an hour"] * 2
    assert len(script.asks) == 1


def by_hand(work):
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work())


class Noting:
    """Notes when each ask is sent, by its first words, and answers each with what is said for its try."""

    name = "noting"
    capabilities = Capabilities()

    def __init__(self, said=()):
        self.sent = []
        self._said = dict(said)

    async def send(self, ask, on_chunk, stop):
        who = ask.messages[0].parts[0].text
        self.sent.append((who, round(asyncio.get_running_loop().time(), 3)))
        after, answer = self._said.get((who, [name for name, _ in self.sent].count(who)), (0.0, GOOD))
        await asyncio.sleep(after)
        return answer


def asks_at(provider, chances, *asks, bounds=None):
    """What was sent when, where each ask (its name, and when it comes) goes through one gate."""
    drawn = iter(chances)

    async def work():
        clock = asyncio.get_running_loop().time
        retrying = Retrying(
            provider, Gate(bounds, clock=clock), backoff=Backoff(1.0, 1.0), chance=lambda: next(drawn), clock=clock
        )

        async def one(name, at):
            await asyncio.sleep(at)
            return await retrying.send(Request((user(name),)), lambda _: None, asyncio.Event())

        answers = await asyncio.gather(*(one(*each) for each in asks))
        assert [answer.state for answer in answers] == [State.COMPLETE] * len(asks)

    by_hand(work)
    return provider.sent


def test_a_hold_that_is_renewed_is_heeded_by_those_that_wait_for_the_first():
    first = failed(faults.RateError("x", retry_after=1.0))
    renewed = failed(faults.RateError("x", retry_after=3.0))
    provider = Noting({("A", 1): (0.05, first), ("B", 1): (0.5, renewed)})
    # A is told at 0.05 s to wait until 1.05, B at 0.5 s to wait until 3.5; C comes between the two.
    sent = asks_at(provider, [0.0] * 9, ("A", 0.0), ("B", 0.0), ("C", 0.1))
    assert sent[:2] == [("A", 0.0), ("B", 0.0)]
    assert sorted(sent[2:]) == [("A", 3.5), ("B", 3.5), ("C", 3.5)]


def test_those_that_waited_do_not_come_back_all_at_once():
    provider = Noting({("A", 1): (0.0, failed(faults.RateError("x", retry_after=2.0)))})
    sent = asks_at(provider, [0.75, 0.25, 0.5], ("A", 0.0), ("B", 1.0), ("C", 1.0))
    # Until 2 s, and a share of a second by chance for each.
    assert sent == [("A", 0.0), ("B", 2.25), ("C", 2.5), ("A", 2.75)]


def test_those_that_waited_keep_to_the_limit_that_was_cut_meanwhile():
    provider = Noting({("A", 1): (0.0, failed(faults.RateError("x", retry_after=2.0)))} | {
        (name, number): (5.0, GOOD) for name in "ABCD" for number in (1, 2) if (name, number) != ("A", 1)
    })  # fmt: skip
    sent = asks_at(
        provider, [0.0] * 9, *((name, 0.0 if name == "A" else 1.0) for name in "ABCD"), bounds=Bounds(start=4)
    )
    # Two at a time instead of four, five seconds each.
    assert sorted(at for _, at in sent) == [0.0, 2.0, 2.0, 7.0, 7.0]


def test_who_is_held_for_longer_than_its_time_is_told_why():
    hour = failed(faults.RateError("come back later", retry_after=100.0))
    provider = Noting({("A", number): (0.0, hour) for number in range(1, 9)})
    drawn = iter([0.0, 0.5, *[0.0] * 9])

    async def work():
        clock = asyncio.get_running_loop().time
        retrying = Retrying(provider, backoff=Backoff(1.0, 1.0), chance=lambda: next(drawn), clock=clock)
        asking = [
            retrying.send(Request((user(name),), limits=Limits(deadline=each)), lambda _: None, asyncio.Event())
            for name, each in (("A", 350.0), ("B", 150.0))
        ]
        first = asyncio.ensure_future(asking[0])
        await asyncio.sleep(1.0)
        answer = await asking[1]
        at = clock()
        await first
        return answer, at

    answer, at = by_hand(work)
    # Held until 100 s and half a second by chance, then until 200 s: that is beyond its 150 s, and it is never sent.
    assert (answer.state, answer.why, answer.attempts) == (State.FAILED, "come back later", 0)
    assert at == 100.5
    assert "B" not in {name for name, _ in provider.sent}


class Failing(Script):
    """Takes its time for each answer."""

    def __init__(self, seconds, *answers):
        super().__init__(*answers)
        self._seconds = seconds

    async def send(self, ask, on_chunk, stop):
        answer = self.answers[min(len(self.asks), len(self.answers) - 1)]
        self.asks.append(ask)
        await asyncio.sleep(self._seconds)
        if answer.text:
            on_chunk(Chunk(answer.text))
        return dataclasses.replace(answer, seconds=self._seconds)


def one_after_the_other(script, count):
    async def work():
        clock = asyncio.get_running_loop().time
        provider = Retrying(script, backoff=Backoff(0.0, 0.0), clock=clock)
        ask = an_ask(limits=Limits(deadline=900.0))
        return [await provider.send(ask, lambda _: None, asyncio.Event()) for _ in range(count)]

    return by_hand(work)


def test_after_five_asks_in_a_row_that_the_server_has_failed_no_more_are_sent():
    script = Failing(20.0, failed(faults.ServerError("it failed at it")))
    answers = one_after_the_other(script, 8)
    # Two tries of 20 s each: 120 s are over at the third, five are there at the fifth.
    assert len(script.asks) == 10
    assert [type(answer.fault) for answer in answers] == [faults.ServerError] * 5 + [faults.DownError] * 3
    assert answers[5].why.startswith("it failed at it; 5 requests in a row failed this way, so no more are sent")
    assert [answer.attempts for answer in answers] == [2] * 5 + [0] * 3


def test_a_server_that_is_started_anew_is_waited_for():
    # Five tries of a second: five asks are over in 25 s, 120 s in 24 asks.
    script = Failing(1.0, failed(faults.UnreachableError("nobody answers there")))
    answers = one_after_the_other(script, 30)
    assert [type(answer.fault) for answer in answers] == [faults.UnreachableError] * 24 + [faults.DownError] * 6


@pytest.mark.parametrize(
    "between",
    [
        GOOD,
        failed(faults.OverloadedError("x")),  # another fault
        failed(faults.EmptyError("x")),  # none of the server's
        failed(faults.ServerError("x"), text="He pa"),  # something came
    ],
    ids=lambda answer: type(answer.fault).__name__,
)
def test_one_answer_between_begins_the_count_anew(between):
    bad = failed(faults.ServerError("x"))
    attempts = between.fault.max_attempts if between.fault and not between.text else 1
    script = Failing(99.0, *[bad] * 8, *[between] * attempts, bad)
    answers = one_after_the_other(script, 11)
    assert [type(answer.fault) for answer in answers[5:]] == [faults.ServerError] * 5 + [faults.DownError]


def test_what_ends_by_the_model_never_stops_the_others():
    script = Failing(99.0, failed(faults.GarbledError("incomplete JSON")))
    assert {type(answer.fault) for answer in one_after_the_other(script, 20)} == {faults.GarbledError}


def test_a_good_answer_that_was_still_on_its_way_lets_the_others_go_on():
    async def work():
        clock = asyncio.get_running_loop().time
        script = Failing(200.0, failed(faults.SilentError("x", retry_after=None)))
        provider = Retrying(script, backoff=Backoff(0.0, 0.0), clock=clock, breaker=Breaker(most=1))
        late = Failing(500.0, GOOD)

        async def ask():
            return await provider.send(an_ask(), lambda _: None, asyncio.Event())

        provider._provider = late  # a slow one is on its way
        slow = asyncio.ensure_future(ask())
        await asyncio.sleep(1.0)
        provider._provider = script
        first, second = await ask(), await ask()
        await slow
        script.answers = [GOOD]
        return [type(each.fault).__name__ for each in (first, second, await ask())]

    assert by_hand(work) == ["SilentError", "DownError", "NoneType"]

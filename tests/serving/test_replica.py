"""A replica that is watched: silence, pauses, and the end of patience."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from fake_vllm import FakeVllm
from in_loop import comes, listening

from adstudio.serving import replica as module
from adstudio.serving.metrics import Load, load_of, merged, total
from adstudio.serving.replica import Replica, StartFailedError, keep_up


def one(folder: Path) -> Replica:
    return Replica(0, ("true",), {}, folder)


def test_one_that_was_up_and_is_silent_for_long_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name, seconds in (("LOOK_S", 0.01), ("LOOK_UP_S", 0.01), ("SILENT_S", 0.3)):
        monkeypatch.setattr(module, name, seconds)
    told: list[str] = []

    async def go() -> None:
        fake, replica = FakeVllm("ill"), one(tmp_path)
        async with listening(fake, replica.socket):
            watching = asyncio.create_task(module._watch(replica, told.append))
            await asyncio.sleep(0.6)  # one that is loading may be silent for as long as it likes
            assert not watching.done()
            fake.faults.clear()
            await comes(lambda: replica.state == "up")
            assert replica.version == "0.32.0"
            await asyncio.sleep(0.6)
            assert not watching.done()
            fake.faults.add("ill")
            await asyncio.wait_for(watching, 5)

    asyncio.run(go())
    assert len(told) == 1
    assert told[0].startswith("replica 0 is up")


def lives(monkeypatch: pytest.MonkeyPatch, *seconds: float | None) -> list[float]:
    """Its lives in turn, by how long it was up (null: never); the pauses between them, which are not waited for."""
    left, pauses = list(seconds), []

    async def run_once(*_: object) -> float | None:
        if not left:
            raise asyncio.CancelledError
        return left.pop(0)

    async def wait_for(what, pause: float) -> None:
        what.close()
        pauses.append(pause)
        raise TimeoutError

    monkeypatch.setattr(module, "_run_once", run_once)
    monkeypatch.setattr(asyncio, "wait_for", wait_for)
    return pauses


def kept_up(tmp_path: Path, told: list[str] | None = None) -> None:
    asyncio.run(keep_up(one(tmp_path), ([] if told is None else told).append, asyncio.Event()))


def test_pauses_grow_and_are_short_again_after_a_steady_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    pauses = lives(monkeypatch, 5.0, None, 5.0, None, None, 5.0, 5.0, 5.0, 700.0, 5.0)
    with pytest.raises(asyncio.CancelledError):
        kept_up(tmp_path)
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60, 1, 2]


def test_three_ends_without_having_been_up_are_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    pauses = lives(monkeypatch, 5.0, None, None, None)
    told: list[str] = []
    with pytest.raises(StartFailedError, match="3 times before it was ready: no output"):
        kept_up(tmp_path, told)
    assert told[-1] == "giving up on replica 0: it ended 3 times before it was ready: no output"
    assert pauses == [1, 2, 4]


# What replicas tell


def test_metrics_of_several_are_one_text():
    text = '# HELP a_b What.\n# TYPE a_b histogram\na_b_bucket{le="1"} 2\na_b_sum 3.5\nother{} 1\n'
    assert merged([(0, text), (1, text)]).splitlines() == [
        "# HELP a_b What.",
        "# TYPE a_b histogram",
        'a_b_bucket{replica="0",le="1"} 2',
        'a_b_sum{replica="0"} 3.5',
        'a_b_bucket{replica="1",le="1"} 2',
        'a_b_sum{replica="1"} 3.5',
        'other{replica="0"} 1',
        'other{replica="1"} 1',
    ]


def test_loads_are_added_up_and_oddities_passed_over():
    text = 'vllm:num_requests_running{a="b c"} 2.0\nvllm:num_requests_running 3\nvllm:num_requests_running x\n'
    assert load_of(text) == Load(running=5, waiting=None)
    assert load_of("vllm:num_requests_running NaN\nvllm:num_requests_waiting +Inf\n") == Load()
    assert total("vllm:num_requests_running_more 7\n", "vllm:num_requests_running") is None
    assert load_of("\x00<html>") == Load()

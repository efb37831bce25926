"""Sixteen scenes at a time: what they take of memory, and that each is sent once."""

from __future__ import annotations

import asyncio
import tracemalloc

import pytest

pytest.importorskip("httpx2", reason="httpx2 is not installed")

from asking import an_ask, run
from fake_openai import answers, delta
from fake_server import Act, FakeServer, refusal

from adstudio.core.policy import Policy
from adstudio.llm import faults
from adstudio.llm.concurrency import Bounds, Gate
from adstudio.llm.messages import Clip, Limits, Request, State, user
from adstudio.llm.openai_protocol import OpenAIProvider, Server
from adstudio.llm.policy_enforcement import host_of
from adstudio.llm.retry import Backoff, Retrying
from adstudio.llm.transport import Transport

SCENES = 16
CLIP_BYTES = 1_000_000
CHARACTERS = 50_000


def provider_to(server, bounds=None):
    policy = Policy("on premises", (host_of(server.url),))
    named = Server(f"{server.url}/v1", "Qwen3.5")
    return Retrying(OpenAIProvider(named, policy, Transport(policy, quiet)), Gate(bounds), backoff=Backoff(first=0.001))


def quiet(_):
    pass


async def answers_of(provider, asks):
    stop = asyncio.Event()
    return await asyncio.gather(*[provider.send(ask, quiet, stop) for ask in asks])


def test_sixteen_endless_answers_take_little_memory():
    numbers = [f"{n} she goes {n * n} steps and {n**3} back; " for n in range(CHARACTERS // 10)]
    endless = [delta("".join(numbers[at : at + 50])) for at in range(0, len(numbers), 50)]
    asks = [
        Request((user(Clip(bytes([n]) * CLIP_BYTES)),), limits=Limits(characters=CHARACTERS, deadline=60))
        for n in range(SCENES)
    ]

    async def work():
        async with FakeServer(Act(blocks=endless, then="hang"), keep=False) as server:
            provider = provider_to(server, bounds=Bounds(start=SCENES))
            tracemalloc.start()
            try:
                found = await answers_of(provider, asks)
                return found, tracemalloc.get_traced_memory()[1], server.most_open
            finally:
                tracemalloc.stop()

    found, peak, at_once = run(work)
    assert at_once == SCENES
    assert {type(answer.fault) for answer in found} == {faults.RunawayError}
    assert all(CHARACTERS - 3000 < len(answer.text) <= CHARACTERS for answer in found)
    # In base64 the clips alone would be 21 MB; the answers are 1 MB.
    assert peak < 12_000_000


def test_a_film_is_finished_through_a_server_that_is_often_too_busy():
    busy, good = refusal(503, {}, Retry_After="0"), answers("He parks.")
    acts = [busy, good, good, Act(then="drop", head=False), good, refusal(429, {}, Retry_After="0.01"), busy, good]

    async def work():
        async with FakeServer(*acts) as server:
            provider = provider_to(server)
            found = await answers_of(provider, [an_ask() for _ in range(30)])
            await provider.aclose()
            return found, len(server.requests), provider.gate.limit

    found, requests, limit = run(work)
    assert {answer.state for answer in found} == {State.COMPLETE}
    assert requests == 30 + 4  # what was answered was not asked again
    assert sum(answer.attempts for answer in found) == requests
    assert 1 <= limit < 8


def test_a_server_that_goes_down_leaves_each_scene_its_reason():
    acts = [answers("He parks."), Act(blocks=[delta("He pa")], then="drop"), refusal(500, {})]

    async def work():
        async with FakeServer(*acts) as server:
            provider = provider_to(server, bounds=Bounds(start=1))
            return await answers_of(provider, [an_ask() for _ in range(4)]), len(server.requests)

    found, requests = run(work)
    assert [answer.state for answer in found] == [State.COMPLETE, State.TRUNCATED, State.FAILED, State.FAILED]
    assert [answer.attempts for answer in found] == [1, 1, 2, 2]
    assert requests == 6
    assert all(answer.why.endswith(("still running", "server’s log")) for answer in found[1:])

"""This machine is an address: no resolver can give "localhost" away, and the log keeps where a request really went."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from asking import ask_of, run
from fake_openai import answers
from fake_server import FakeServer

from adstudio.connections.egress_log import read_back
from adstudio.core.errors import OutsideFailureError
from adstudio.core.policy import Host, Policy
from adstudio.llm.faults import FaultError, NotAllowedError, UnreachableError
from adstudio.llm.openai_protocol import OpenAIProvider, Server
from adstudio.llm.traffic_log import TrafficLog
from adstudio.llm.transport import Transport

pytestmark = pytest.mark.attack(12)


@pytest.fixture
def looked_up(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names that a resolver was asked for, which gives a foreign machine for each."""
    names: list[str] = []
    known = socket.getaddrinfo

    def resolve(host, port, *given, **more):
        if host in ("127.0.0.1", "::1"):
            return known(host, port, *given, **more)
        names.append(str(host))
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("192.0.2.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return names


async def ask(url: str, port: int, log: Path) -> FaultError | None:
    policy = Policy("on premises", (Host("localhost", port),))
    provider = OpenAIProvider(Server(url, "m"), policy, Transport(policy, TrafficLog(log, "film")))
    try:
        return (await ask_of(provider)).fault
    finally:
        await provider.aclose()


@pytest.mark.parametrize("name", ["localhost", "LOCALHOST", "localhost."])
def test_localhost_is_this_machine_whatever_a_resolver_says(name: str, looked_up: list[str], tmp_path: Path) -> None:
    log = tmp_path / "sent.jsonl"

    async def work() -> None:
        async with FakeServer(answers("Rain.")) as server:
            assert await ask(f"http://{name}:{server.port}/v1", server.port, log) is None

    run(work)
    assert looked_up == []
    (batch,) = read_back(log)
    assert [(each.address, each.outcome) for each in batch.requests] == [("127.0.0.1", "answered")]


def test_nobody_listening_here_is_said_and_nobody_else_asked(looked_up: list[str], tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        fault = run(lambda: ask(f"http://localhost:{port}/v1", port, tmp_path / "sent.jsonl"))
    assert isinstance(fault, UnreachableError)
    assert looked_up == []


def test_a_pipe_in_place_of_the_log_is_refused_at_once(tmp_path: Path) -> None:
    log = tmp_path / "sent.jsonl"
    os.mkfifo(log)

    async def work() -> None:
        async with FakeServer(answers("Rain.")) as server:
            fault = await ask(f"http://localhost:{server.port}/v1", server.port, log)
            assert isinstance(fault, NotAllowedError)
            assert "not a regular file" in str(fault)
            assert server.requests == []

    run(work)
    with pytest.raises(OutsideFailureError, match="not a regular file"):
        list(read_back(log))

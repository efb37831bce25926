"""Trying a connection in a process of its own: which models a server has, whose key is kept, and what goes wrong."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("httpx2", reason="httpx2 is not installed")
sys.path.insert(0, str(Path(__file__).parents[1] / "fakes"))

from fake_server import Act, FakeServer, refusal

from adstudio.connections.connection_test import (
    PROTOCOL,
    ConnectionTest,
    KeyringFailed,
    Reached,
    StoredKey,
    reached,
)
from adstudio.core.policy import Host, Policy
from adstudio.system.worker import Failed

KEY = "sk-test-0123456789abcdef"
LIST = {"object": "list", "data": [{"id": "tiny-1"}, {"id": "tiny-2"}, {"id": 3}, "x"]}
MODELS = Act(blocks=[json.dumps(LIST).encode()], kind="application/json")


async def run(line: bytes, **environment: str) -> tuple[int, list[bytes]]:
    import os

    child = await asyncio.create_subprocess_exec(
        *PROTOCOL.command(),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, **environment},
    )
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(line)
    said = (await child.stdout.read()).splitlines()
    child.stdin.close()
    return await child.wait(), said


def tried(trial: ConnectionTest, *acts: Act, **environment: str):
    """What a server with these acts is asked, what the process says, and its exit code."""

    async def both():
        async with FakeServer(*acts) as server:
            asked = replace(trial, url=f"{server.url}/v1")
            named = {name.replace("PORT", str(server.port)): value for name, value in environment.items()}
            code, said = await run(PROTOCOL.request_line(asked), **named)
            return code, said, server.requests

    return asyncio.run(both())


def test_a_server_tells_its_models_and_that_is_noted(tmp_path):
    log = tmp_path / "sent.jsonl"
    code, said, requests = tried(ConnectionTest("models", "vllm", log=log), MODELS)
    assert (code, [PROTOCOL.read_event(line) for line in said]) == (0, [Reached(("tiny-1", "tiny-2"))])
    assert [(each.method, each.path) for each in requests] == [("GET", "/v1/models")]
    events = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(each["event"], each["status"]) for each in events] == [("begun", 0), ("sent", 0), ("answered", 200)]
    assert events[1]["sent"] > 0


def test_a_key_of_this_session_goes_to_its_server_and_nowhere_else(tmp_path):
    variable = "ADSTUDIO_KEY_127_2E0_2E0_2E1_3APORT"
    trial = ConnectionTest("models", "vllm", keyed=True, log=tmp_path / "sent.jsonl")
    code, said, requests = tried(trial, MODELS, **{variable: KEY})
    assert code == 0
    assert requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY.encode() not in b"".join(said)
    assert KEY not in (tmp_path / "sent.jsonl").read_text()


def test_of_a_kept_key_only_its_end_is_told():
    code, said = asyncio.run(run(PROTOCOL.request_line(ConnectionTest("key", "gemini")), ADSTUDIO_KEY_GEMINI=KEY))
    assert (code, [PROTOCOL.read_event(line) for line in said]) == (0, [StoredKey("•••cdef")])


def test_without_a_keyring_that_is_what_is_told():
    code, said = asyncio.run(
        run(
            PROTOCOL.request_line(ConnectionTest("key", "gemini")),
            PYTHON_KEYRING_BACKEND="keyring.backends.fail.Keyring",
        )
    )
    found = PROTOCOL.read_event(said[0])
    assert code == 3
    assert isinstance(found, KeyringFailed)
    assert "no keyring" in found.message


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (refusal(401, {"error": {"message": "no"}}), "key"),
        (refusal(404, {"error": {"message": "no"}}), ""),
        (refusal(503, b"<html>"), ""),
        (Act(blocks=[b"{half"], kind="application/json"), ""),
        (Act(head=False, then="drop"), ""),
    ],
)
def test_what_goes_wrong_is_a_sentence(tmp_path, act, words):
    code, said, _ = tried(ConnectionTest("models", "vllm", log=tmp_path / "sent.jsonl"), act)
    (found,) = [PROTOCOL.read_event(line) for line in said]
    assert code == 3
    assert isinstance(found, Failed)
    assert words in found.message
    assert "Traceback" not in found.message


def test_nobody_is_there(tmp_path):
    trial = ConnectionTest("models", "openai", "http://127.0.0.1:9/v1", log=tmp_path / "sent.jsonl")
    code, said = asyncio.run(run(PROTOCOL.request_line(trial)))
    assert code == 3
    assert isinstance(PROTOCOL.read_event(said[0]), Failed)


def test_a_key_does_not_go_out_unencrypted_unless_that_is_allowed():
    asked = ConnectionTest("models", "vllm", "http://gpu.house:8000/v1", keyed=True)
    assert not asked.connection.policy.hosts[0].plain
    assert replace(asked, plain=True).connection.policy.hosts[0].plain
    assert replace(asked, keyed=False).connection.policy.hosts[0].plain, "a list of models is no secret"


def test_only_the_one_machine_is_named():
    policy = ConnectionTest("models", "vllm", "https://gpu.house:8000/v1").connection.policy
    assert policy == Policy("on premises", (Host("gpu.house", 8000),))


@pytest.mark.parametrize(
    ("kind", "url"), [("gemini", ""), ("openai", "https://generativelanguage.googleapis.com/v1beta/openai")]
)
def test_nothing_of_a_film_may_go_to_a_provider_that_is_tried(kind, url):
    policy = ConnectionTest("models", kind, url, keyed=True).connection.policy
    assert (policy.rule, policy.hosts) == ("cloud", ())
    assert policy.consent is not None
    assert (policy.consent.provider, policy.consent.sends) == ("gemini", frozenset())


@pytest.mark.parametrize("line", [b"\n", b"{}\n", b"[]\n", b'{"do": "steal"}\n', b"\xff\n", b"[" * 60_000 + b"\n"])
def test_what_is_no_trial_is_refused(line):
    code, said = asyncio.run(run(line))
    assert code == 2
    assert isinstance(PROTOCOL.read_event(said[0]), Failed)


def test_an_editor_that_goes_takes_it_along(tmp_path):
    async def both():
        async with FakeServer(Act(then="hang", head=False)) as server:
            trial = ConnectionTest("models", "vllm", f"{server.url}/v1", log=tmp_path / "sent.jsonl")
            child = await asyncio.create_subprocess_exec(*PROTOCOL.command(), stdin=asyncio.subprocess.PIPE)
            assert child.stdin is not None
            child.stdin.write(PROTOCOL.request_line(trial))
            await server.asked.wait()
            child.stdin.close()
            return await child.wait(), server

    code, server = asyncio.run(both())
    assert code == 130
    assert server.hung_up


@pytest.mark.parametrize(
    "answer", [Reached(("a", "b")), Reached(()), StoredKey("•••cdef"), KeyringFailed("No."), Failed("No.")]
)
def test_answers_survive(answer):
    assert PROTOCOL.read_event(PROTOCOL.event_line(answer)) == answer


def test_questions_survive():
    trial = ConnectionTest("models", "vllm", "https://gpu.house/v1", True, Path("/ca.pem"), True, Path("/sent.jsonl"))
    assert PROTOCOL.read_request(PROTOCOL.request_line(trial)) == trial


def test_whatever_a_server_calls_its_models_can_be_sent_and_shown():
    many = reached(("m" * 10_000,) * 10_000)
    assert (len(many.models), len(many.models[0])) == (500, 200)
    assert PROTOCOL.read_event(PROTOCOL.event_line(many)) == many
    assert reached(("a\u202eb\n",)) == Reached(("a�b�",))

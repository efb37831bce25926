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
    Failed,
    Kept,
    Reached,
    Trial,
    read_said,
    read_trial,
    write_said,
    write_trial,
)
from adstudio.core.policy import Host, Policy

KEY = "sk-test-0123456789abcdef"
LIST = {"object": "list", "data": [{"id": "tiny-1"}, {"id": "tiny-2"}, {"id": 3}, "x"]}
MODELS = Act(blocks=[json.dumps(LIST).encode()], kind="application/json")


async def run(line: bytes, **environment: str) -> tuple[int, list[bytes]]:
    import os

    child = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-I", "-m", "adstudio.connections.connection_test"),
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


def tried(trial: Trial, *acts: Act, **environment: str):
    """What a server with these acts is asked, what the process says, and its exit code."""

    async def both():
        async with FakeServer(*acts) as server:
            asked = replace(trial, url=f"{server.url}/v1")
            named = {name.replace("PORT", str(server.port)): value for name, value in environment.items()}
            code, said = await run(write_trial(asked), **named)
            return code, said, server.requests

    return asyncio.run(both())


def test_a_server_tells_its_models_and_that_is_noted(tmp_path):
    log = tmp_path / "sent.jsonl"
    code, said, requests = tried(Trial("models", "vllm", log=log), MODELS)
    assert (code, [read_said(line) for line in said]) == (0, [Reached(("tiny-1", "tiny-2"))])
    assert [(each.method, each.path) for each in requests] == [("GET", "/v1/models")]
    events = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(each["event"], each["status"]) for each in events] == [("begun", 0), ("sent", 0), ("answered", 200)]
    assert events[1]["sent"] > 0


def test_a_key_of_this_session_goes_to_its_server_and_nowhere_else(tmp_path):
    variable = "ADSTUDIO_KEY_127_2E0_2E0_2E1_3APORT"
    trial = Trial("models", "vllm", keyed=True, log=tmp_path / "sent.jsonl")
    code, said, requests = tried(trial, MODELS, **{variable: KEY})
    assert code == 0
    assert requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY.encode() not in b"".join(said)
    assert KEY not in (tmp_path / "sent.jsonl").read_text()


def test_of_a_kept_key_only_its_end_is_told():
    code, said = asyncio.run(run(write_trial(Trial("key", "gemini")), ADSTUDIO_KEY_GEMINI=KEY))
    assert (code, [read_said(line) for line in said]) == (0, [Kept("•••cdef")])


def test_without_a_keyring_that_is_what_is_told():
    code, said = asyncio.run(
        run(write_trial(Trial("key", "gemini")), PYTHON_KEYRING_BACKEND="keyring.backends.fail.Keyring")
    )
    found = read_said(said[0])
    assert code == 3
    assert isinstance(found, Failed)
    assert found.keyring
    assert "no keyring" in found.sentence


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
    code, said, _ = tried(Trial("models", "vllm", log=tmp_path / "sent.jsonl"), act)
    (found,) = [read_said(line) for line in said]
    assert code == 3
    assert isinstance(found, Failed)
    assert not found.keyring
    assert words in found.sentence
    assert "Traceback" not in found.sentence


def test_nobody_is_there(tmp_path):
    trial = Trial("models", "openai", "http://127.0.0.1:9/v1", log=tmp_path / "sent.jsonl")
    code, said = asyncio.run(run(write_trial(trial)))
    assert code == 3
    assert isinstance(read_said(said[0]), Failed)


def test_a_key_does_not_go_out_unencrypted_unless_that_is_allowed():
    asked = Trial("models", "vllm", "http://gpu.house:8000/v1", keyed=True)
    assert not asked.connection.policy.hosts[0].plain
    assert replace(asked, plain=True).connection.policy.hosts[0].plain
    assert replace(asked, keyed=False).connection.policy.hosts[0].plain, "a list of models is no secret"


def test_only_the_one_machine_is_named():
    policy = Trial("models", "vllm", "https://gpu.house:8000/v1").connection.policy
    assert policy == Policy("on premises", (Host("gpu.house", 8000),))


@pytest.mark.parametrize(
    ("kind", "url"), [("gemini", ""), ("openai", "https://generativelanguage.googleapis.com/v1beta/openai")]
)
def test_nothing_of_a_film_may_go_to_a_provider_that_is_tried(kind, url):
    policy = Trial("models", kind, url, keyed=True).connection.policy
    assert (policy.rule, policy.hosts) == ("cloud", ())
    assert policy.consent is not None
    assert (policy.consent.provider, policy.consent.sends) == ("gemini", frozenset())


@pytest.mark.parametrize("line", [b"\n", b"{}\n", b"[]\n", b'{"do": "steal"}\n', b"\xff\n", b"[" * 60_000 + b"\n"])
def test_what_is_no_trial_is_refused(line):
    code, said = asyncio.run(run(line))
    assert code == 2
    assert isinstance(read_said(said[0]), Failed)


def test_an_editor_that_goes_takes_it_along(tmp_path):
    async def both():
        async with FakeServer(Act(then="hang", head=False)) as server:
            trial = Trial("models", "vllm", f"{server.url}/v1", log=tmp_path / "sent.jsonl")
            child = await asyncio.create_subprocess_exec(
                sys.executable, *("-I", "-m", "adstudio.connections.connection_test"), stdin=asyncio.subprocess.PIPE
            )
            assert child.stdin is not None
            child.stdin.write(write_trial(trial))
            await server.asked.wait()
            child.stdin.close()
            return await child.wait(), server

    code, server = asyncio.run(both())
    assert code == 130
    assert server.hung_up


@pytest.mark.parametrize("said", [Reached(("a", "b")), Reached(()), Kept("•••cdef"), Failed("No.", True)])
def test_answers_survive(said):
    assert read_said(write_said(said)) == said


def test_questions_survive():
    trial = Trial("models", "vllm", "https://gpu.house/v1", True, Path("/ca.pem"), True, Path("/sent.jsonl"))
    assert read_trial(write_trial(trial)) == trial


@pytest.mark.parametrize(
    "line", [b"", b"null", b"[1]", b"{}", b'{"models": 3}', b'{"models": [3]}', b'{"key": null}', b"\xff"]
)
def test_what_is_no_answer_is_none(line):
    assert read_said(line) is None


def test_answers_are_bounded():
    many = read_said(json.dumps({"models": ["m" * 10_000] * 10_000}))
    assert isinstance(many, Reached)
    assert (len(many.models), len(many.models[0])) == (500, 200)
    assert read_said(json.dumps({"models": ["a\u202eb\n"]})) == Reached(("a�b�",))

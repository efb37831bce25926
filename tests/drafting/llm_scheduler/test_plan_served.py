"""`solve --backend llm` against a scripted server: its faults as sentences, and nothing sent unasked."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

pytest.importorskip("httpx2", reason="httpx2 is not installed")

from fake_openai import answers
from fake_server import Act, FakeServer, refusal

from adstudio.cli.main import main

PROBLEM = {
    "format": "adstudio-problem/1",
    "scene": {"id": "s1", "start": 0.0, "end": 30.0},
    "gaps": [[0.0, 10.0]],
    "delta_max": 10.0,
    "elements": [
        {
            "id": name,
            "occurrence": [at, at + 2.0],
            "salience": salience,
            "variants": [{"rate": 1.0, "text": f"{name} is seen.", "duration": 2.0}],
        }
        for name, at, salience in (("a", 1.0, 0.5), ("b", 5.0, 0.6))
    ],
}
SOUND = '{"deliveries": [{"id": "e02v0", "start": 5000}]}'


def given(tmp_path, server, problem):
    """Writes a problem and a connection to this server."""
    config = tmp_path / "config" / "adstudio"
    config.mkdir(parents=True, exist_ok=True)
    row = {"name": "house", "kind": "vllm", "model": "Qwen/Qwen3.5-27B", "url": f"{server.url}/v1"}
    kept = {"format": "adstudio-connections/1", "connections": [row]}
    (config / "connections.json").write_text(json.dumps(kept), "utf-8")
    (tmp_path / "p.json").write_text(json.dumps(problem), "utf-8")


async def solved(tmp_path, server, *more, problem=PROBLEM, interrupt=False):
    """The exit code, standard output and error of the program, for a connection to this server."""
    given(tmp_path, server, problem)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "adstudio.cli.main", "solve", str(tmp_path / "p.json"), "--backend", "llm"),
        *more,
        env={**os.environ, "XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_DATA_HOME": str(tmp_path / "data")},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    if interrupt:
        await server.asked.wait()
        process.send_signal(signal.SIGINT)
    out, err = await process.communicate()
    return process.returncode, out.decode(), err.decode()


def run(tmp_path, *acts, **how):
    async def work():
        async with asyncio.timeout(60), FakeServer(*acts) as server:
            return *await solved(tmp_path, server, "--llm", "house", "--on-premises", **how), server

    return asyncio.run(work())


@contextmanager
def beside(*acts: Act) -> Iterator[FakeServer]:
    """The server in a thread of its own, for the program inside this process."""

    async def until_over() -> None:
        async with FakeServer(*acts) as server:
            servers.append(server)
            ready.set()
            await asyncio.to_thread(over.wait)

    servers: list[FakeServer] = []
    ready, over = threading.Event(), threading.Event()
    thread = threading.Thread(target=lambda: asyncio.run(until_over()))
    thread.start()
    try:
        assert ready.wait(60)
        yield servers[0]
    finally:
        over.set()
        thread.join()


def test_a_sound_plan_is_feasible_and_the_second_time_nothing_is_sent(tmp_path):
    async def both():
        async with asyncio.timeout(60), FakeServer(answers(SOUND)) as server:
            first = await solved(tmp_path, server, "--llm", "house", "--on-premises")
            return first, await solved(tmp_path, server, "--llm", "house", "--on-premises"), server

    (code, out, err), (again, _, later), server = asyncio.run(both())
    assert (code, again, len(server.requests)) == (0, 0, 1)
    plan = json.loads(out)
    assert (plan["status"], plan["objective"], plan["bound"]) == ("feasible", 1.2, 2.2)
    assert plan["deliveries"] == [{"element": "b", "variant": 0, "start": 5.0, "end": 7.0}]
    assert "planned by tiny-1 (prompt schedule 1): 900 tokens in, 50 out" in err
    assert "the plan is valid: it scores 1.200, and the proven optimum 2.200, 45.5 % less" in err
    assert "planned earlier by tiny-1 (prompt schedule 1); it was not asked again" in later


def test_a_plan_with_faults_is_invalid_and_exit_1(tmp_path):
    said = (
        '{"deliveries": [{"id": "e01v0", "start": 1000}, {"id": "e02v0", "start": 2500}, {"id": "e7v0", "start": 1}]}'
    )
    code, out, err, _ = run(tmp_path, answers(said))
    plan = json.loads(out)
    assert (code, plan["status"]) == (1, "invalid")
    assert [each["kind"] for each in plan["violations"]] == ["unknown", "overlap"]
    assert "the plan is invalid, 2 violations: 1 unknown, 1 overlap" in err


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (refusal(401, {"error": {"message": "bad key"}}), "requires a key"),
        (refusal(404, {"error": {"message": "no such model"}}), "has no model “Qwen/Qwen3.5-27B”"),
        (refusal(400, {"error": {"message": "maximum context length is 9 tokens"}}), "too long for Qwen/Qwen3.5-27B"),
        (refusal(413, b"<html>"), "too large for 127.0.0.1:"),
        (answers('{"deliveries": [', reason="length"), "reached its limit of"),
        (answers("", reason="length", thoughts=("hm ",)), "for reasoning and wrote nothing"),
        (answers("", reason="content_filter"), "blocked the response"),
        (answers("{" + " " * 5_000), "degenerated into whitespace"),
        (answers('{"deliveries": [{"id": "e01v0", "start": ' + "1" * 500), "degenerated into digits"),
        (answers('{"deliveries": [{"id": "e0'), "incomplete JSON"),
        (answers("A man walks into the room."), "plain text instead of JSON"),
        (answers('{"no": 1}'), "has no list of deliveries"),
        (Act(blocks=answers(SOUND[:30], SOUND[30:]).blocks[:1], then="drop"), "was lost"),
    ],
)
def test_every_fault_of_a_server_is_one_sentence_and_exit_3(tmp_path, monkeypatch, capsys, act, says):
    for kind in ("CONFIG", "DATA"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind.lower()))
    with beside(act) as server:
        given(tmp_path, server, PROBLEM)
        with pytest.raises(SystemExit) as ended:
            main(["solve", str(tmp_path / "p.json"), "--backend", "llm", "--llm", "house", "--on-premises"])
    out, err = capsys.readouterr()
    assert (ended.value.code, out) == (3, ""), err
    assert err.count("\n") == 1
    assert says in err
    # What breaks off is asked once more where it costs nothing.
    assert len(server.requests) == (2 if says == "was lost" else 1)


def test_without_leave_nothing_is_sent(tmp_path):
    async def all_of_them():
        async with asyncio.timeout(60), FakeServer(answers(SOUND)) as server:
            found = [
                await solved(tmp_path, server, *more)
                for more in ((), ("--llm", "other"), ("--llm", "house"), ("--llm", "house", "--cloud", "gemini"))
            ]
            return found, server

    found, server = asyncio.run(all_of_them())
    assert [code for code, _, _ in found] == [2, 2, 2, 2]
    for (_, _, err), says in zip(
        found, ("--llm NAME", "no connection “other”", "give --on-premises", "instead of --cloud"), strict=True
    ):
        assert says in err
    assert server.requests == []
    assert server.most_open == 0


def test_what_is_impossible_is_not_asked(tmp_path):
    held = json.loads(json.dumps(PROBLEM))
    held["elements"][0]["pin"] = {"selected": True, "start": 20.0}
    code, out, err, server = run(tmp_path, answers(SOUND), problem=held)
    assert (code, json.loads(out)["status"], server.requests) == (1, "infeasible", [])
    assert "no model was asked" in err


def test_interrupted_it_ends_and_hangs_up(tmp_path):
    code, out, err, server = run(tmp_path, Act(then="hang"), interrupt=True)
    assert (code, out) == (130, "")
    assert "interrupted" in err
    assert server.hung_up == 1

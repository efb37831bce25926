"""`draft --weigh` as a process against scripted servers: what comes of it, what is refused, what is kept."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys

import pytest

pytest.importorskip("httpx2", reason="httpx2 is not installed")

from fake_embeddings import EmbeddingServer
from fake_openai import answers
from fake_server import Act, FakeServer, refusal

from adstudio.core.policy import Host, Policy
from adstudio.store.project import ProjectFile
from adstudio.system.keyring_access import user_secret

SRT = "1\n00:00:01,000 --> 00:00:03,000\nGood evening.\n\n2\n00:00:30,000 --> 00:00:32,000\nWho is there?\n"
TEXTS = ("A heavy oak door opens slowly.", "A man steps out of the shadow.")
VECTORS = {TEXTS[0]: (3.0, 4.0), TEXTS[1]: (0.0, 1.0), " ".join(TEXTS): (1.0, 0.0)}


def candidates() -> str:
    shorter = dict.fromkeys(("0.9", "0.8", "0.7", "0.6", "0.5"), "It opens.")
    rows = [
        {
            "scene_description_extract": text,
            "audio_description": text,
            "compressed_audio_descriptions": shorter,
            "occurrence_start": f"00:00:{at:02d}.000",
            "occurrence_end": f"00:00:{at + 2:02d}.000",
            "salience": 0.5,
        }
        for text, at in zip(TEXTS, (4, 12), strict=True)
    ]
    return json.dumps(rows)


@pytest.fixture(autouse=True)
def same_user(tmp_path, monkeypatch):
    """What was allowed is read by the user who allowed it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    user_secret.cache_clear()
    yield
    user_secret.cache_clear()


async def drafted(tmp_path, server, *more, interrupt=False):
    """The exit code and standard error of the program; the project is `p.adproj`."""
    config = tmp_path / "config" / "adstudio"
    config.mkdir(parents=True, exist_ok=True)
    row = {"name": "house", "kind": "vllm", "model": "some/model", "url": f"{server.url}/v1"}
    google = {"name": "google", "kind": "gemini", "model": "gemini-3.1-flash-lite"}
    kept = {"format": "adstudio-connections/1", "connections": [row, google]}
    (config / "connections.json").write_text(json.dumps(kept), "utf-8")
    (tmp_path / "c.json").write_text(candidates(), "utf-8")
    (tmp_path / "d.srt").write_text(SRT, "utf-8")
    sources = ("--end", "60", "--subtitles", tmp_path / "d.srt", "--candidates", tmp_path / "c.json")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "adstudio.cli.main", "draft"),
        *map(str, (*sources, "-o", tmp_path / "p.adproj", *more)),
        env={**os.environ, "XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_DATA_HOME": str(tmp_path / "data")},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    if interrupt:
        await server.asked.wait()
        process.send_signal(signal.SIGINT)
    _, err = await process.communicate()
    return process.returncode, err.decode()


def run(tmp_path, server, *runs, **how):
    async def work():
        async with asyncio.timeout(60), server:
            return [await drafted(tmp_path, server, *more, **how) for more in runs]

    return asyncio.run(work())


BY_TEXT = ("--weigh", "text-embedding", "--weigh-with", "house", "--on-premises", "--force")


def saliences(tmp_path):
    with ProjectFile.open(tmp_path / "p.adproj", read_only=True) as project:
        return [line.salience for line in project.saved_script.eventualities], project.policy


def test_lines_are_weighed_by_embeddings_and_the_second_time_nothing_is_sent(tmp_path):
    server = EmbeddingServer(lambda thing: VECTORS[thing])
    (code, err), (again, later) = run(tmp_path, server, BY_TEXT, BY_TEXT)
    assert (code, again) == (0, 0), err
    # (3, 4)/5 · (1, 0) and (0, 1) · (1, 0)
    found, policy = saliences(tmp_path)
    assert found == [600_000, 0]
    assert "2 lines scored by house (text-embedding): 2 requests, 14 tokens in" in err
    assert "2 lines scored by house (text-embedding): from cached answers" in later
    assert len(server.requests) == 2
    assert policy == Policy(), "no server was reached the second time, and there is no film to know the first one by"


def test_lines_are_weighed_by_a_model(tmp_path):
    said = json.dumps({"weights": [{"id": "e01", "salience": 30}, {"id": "e02", "salience": 4}]})
    server = FakeServer(answers(said))
    ((code, err),) = run(tmp_path, server, ("--weigh", "model", "--weigh-with", "house", "--on-premises"))
    assert code == 0, err
    found, policy = saliences(tmp_path)
    assert found == [750_000, 250_000]
    assert policy == Policy("on premises", (Host("127.0.0.1", server.port, plain=True),))
    assert "may be used from now on" in err


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (refusal(401, {"error": {"message": "no"}}), "requires a key"),
        (refusal(404, {"detail": "Not Found"}), "has no model “some/model”"),
        (Act(blocks=[b"{}"], kind="application/json"), "invalid embeddings"),
    ],
)
def test_where_no_weights_come_the_draft_is_written_with_those_it_had(tmp_path, act, says):
    ((code, err),) = run(tmp_path, FakeServer(act), BY_TEXT)
    assert code == 3
    assert "was not scored and keeps its salience" in err
    assert says in err
    assert "1 of 1 scenes were not scored" in err
    assert "Traceback" not in err
    found, policy = saliences(tmp_path)
    assert found == [500_000, 500_000]
    assert policy == Policy(), "what has not answered is not noted"
    assert "recorded in" not in err


def test_what_is_refused_before_anything_is_sent(tmp_path):
    server = FakeServer(Act())
    refused = {
        ("--weigh", "model"): "--weigh-with NAME",
        ("--weigh-with", "house"): "needs a method: add --weigh",
        ("--weigh", "text-embedding", "--weigh-with", "house"): "give --on-premises",
        ("--weigh", "text-embedding", "--weigh-with", "other", "--on-premises"): "no connection “other”",
        ("--weigh", "text-embedding", "--weigh-with", "google", "--on-premises"): "not a server of your own",
        ("--weigh", "video-embedding", "--weigh-with", "house", "--on-premises"): "give the video",
        ("--on-premises",): "--llm NAME",
    }
    for (code, err), says in zip(run(tmp_path, server, *refused), refused.values(), strict=True):
        assert (code, err.count("\n")) == (2, 1), err
        assert says in err
    assert (server.requests, server.most_open) == ([], 0)
    assert not (tmp_path / "p.adproj").exists()


def test_interrupted_nothing_is_written_and_the_connection_is_closed(tmp_path):
    server = FakeServer(Act(then="hang"))
    ((code, err),) = run(tmp_path, server, BY_TEXT, interrupt=True)
    assert code == 130
    assert "interrupted" in err
    assert server.hung_up == 1
    assert not (tmp_path / "p.adproj").exists()

"""`adstudio serve --check`, against servers that have one fault each."""

from __future__ import annotations

import asyncio
import io
import json
from itertools import pairwise
from pathlib import Path

import pytest
from fake_vllm import KEY, FakeVllm
from in_loop import house, listening

from adstudio.cli.run import run
from adstudio.llm.faults import DeadlineError, UnreachableError, UntrustedError
from adstudio.llm.keys import Secret
from adstudio.serving.check import generation, limits
from adstudio.serving.check import run as course
from adstudio.serving.check.client import CheckedServer
from adstudio.serving.check.findings import Finding
from adstudio.serving.check.generation import IDS, SchemaFault, bound_schema, schema_fault
from adstudio.serving.check.run import TITLES, findings
from adstudio.serving.check.vision import FRAMES, distinct_copy, numbered_clip


@pytest.fixture(scope="module", autouse=True)
def _one_clip():
    """The clip is made once for all."""
    clip = numbered_clip()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(course, "numbered_clip", lambda: clip)
        yield


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same checks with less to send."""
    monkeypatch.setattr(limits, "SIZES", (200_000, 400_000))
    monkeypatch.setattr(limits, "SCENES", 8)
    monkeypatch.setattr(generation, "RUNS", 6)
    monkeypatch.setattr(limits, "_STARTED_S", 1.0)


def checked(tmp_path: Path, *faults: str, key: str = KEY, model: str = "", front: bool = False) -> dict[str, Finding]:
    """The findings of a server with these faults, by their titles."""

    async def go() -> list[Finding]:
        fake = FakeVllm(*faults, key="" if front else KEY)
        fake.most = 100_000
        at = house(tmp_path, fake) if front else listening(fake)
        async with at as server:
            url = server if isinstance(server, str) else server.url
            place = CheckedServer(f"{url}/v1", Secret(key), model=model)
            return [finding async for finding in findings(place, tmp_path / "sent.jsonl", lambda *_: None)]

    found = asyncio.run(go())
    assert [finding.number for finding in found] == list(range(1, 10))
    assert [finding.title for finding in found] == list(TITLES)
    return {finding.title: finding for finding in found}


def test_a_sound_server_behind_our_front_passes_all(tmp_path: Path):
    found = checked(tmp_path, front=True)
    assert {title: finding.outcome for title, finding in found.items()} == dict.fromkeys(TITLES, "passed")
    assert "20 time markers, 0.5 to 38.5 s" in found["all frames"].what
    assert "sees number 30" in found["frame order"].what
    assert found["JSON schema"].what == "20 of 20 responses conform to the schema; 20 of 20 after reasoning"
    assert "640 of 900 prompt tokens" in found["prefix cache"].what
    assert "32 of 32 answered" in found["32 scenes"].what
    # All goes out by the one way, and is noted.
    noted = [json.loads(line) for line in (tmp_path / "sent.jsonl").read_text().splitlines()]
    assert len({each["place"] for each in noted}) == 1
    assert KEY not in (tmp_path / "sent.jsonl").read_text()
    chats = [each for each in noted if each["path"].endswith("/chat/completions") and each["event"] == "begun"]
    # one for the clip, two for its order, 40 bound, two in a row, one cancelled, two large, 32 scenes
    assert len(chats) == 1 + 2 + 40 + 2 + 1 + 2 + 32


@pytest.mark.parametrize(
    ("fault", "title", "outcome", "what", "mend"),
    [
        ("old", "versions", "failed", "0.29.1", "0.32 or newer"),
        ("rather old", "versions", "passed", "CVE-2026-115911", ""),
        ("short", "versions", "passed", "4,096 tokens (a three-minute scene", ""),
        ("not vllm", "versions", "untestable", "no version reported", ""),
        ("cut to 32", "all frames", "failed", "16 time markers, 0.5 to 30.5 s instead of 20", "num_frames"),
        ("two a second", "all frames", "failed", "20 time markers, 0.2 to 19.2 s instead of", "resample"),
        ("no ids", "all frames", "untestable", "does not return the prompt", ""),
        ("no detokenize", "all frames", "passed", "20 pairs of frames", ""),
        ("no detokenize,cut to 32", "all frames", "failed", "16 pairs of frames", "adstudio serve"),
        ("wrong order", "frame order", "failed", "sees “7” where 30 or 31", "larger one"),
        ("random", "frame order", "untestable", "zq xx", ""),
        ("double brace", "JSON schema", "failed", "12 × a doubled brace", "speculative"),
        ("torn", "JSON schema", "failed", "no JSON", "xgrammar"),
        ("wrong ids", "JSON schema", "failed", "12 × wrong ids", "xgrammar"),
        ("no details", "prefix cache", "failed", "does not report", "--enable-prompt-tokens-details"),
        ("deaf", "cancellation", "failed", "still runs", "proxy"),
        ("no metrics", "cancellation", "untestable", "/metrics", ""),
        ("counted late", "cancellation", "passed", "is cancelled", ""),
        ("hasty", "cancellation", "untestable", "finished before the server could notice", ""),
        ("uncounted", "cancellation", "untestable", "does not count the request as running", ""),
        ("body limit", "large requests", "failed", "is rejected", "client_max_body_size"),
        ("open doors", "keys", "failed", "/metrics and /tokenize accept any key", "front"),
        ("no key", "keys", "failed", "/v1/models", "with a key"),
        ("busy", "32 scenes", "passed", "rejected for a later retry", ""),
        ("full", "32 scenes", "failed", "0 of 8 answered, 8 rejected", "--max-num-queued-reqs"),
        ("mute", "32 scenes", "passed", "8 of 8 answered, none rejected", ""),
    ],
)
def test_each_fault_is_found_and_no_other(small, tmp_path: Path, fault, title, outcome, what, mend):
    found = checked(tmp_path, *fault.split(","))
    assert (found[title].outcome, what in found[title].what, mend in found[title].mend) == (outcome, True, True), found
    assert bool(found[title].mend) == (outcome == "failed")
    others = {each.title for each in found.values() if each.outcome == "failed"} - {title}
    assert others == set()


def test_a_dead_engine_fails_what_asks_it_and_the_rest_goes_on(small, tmp_path: Path):
    found = checked(tmp_path, "chat fails")
    outcomes = {title: finding.outcome for title, finding in found.items()}
    assert outcomes["versions"] == outcomes["keys"] == "passed"
    for title in ("all frames", "JSON schema", "prefix cache", "cancellation", "large requests", "32 scenes"):
        assert outcomes[title] == "failed", title
    assert "engine dead" in found["all frames"].what


@pytest.mark.parametrize(
    ("faults", "key", "model", "what"),
    [
        ((), "sk-wrong-0123456789", "", "the key is rejected"),
        (("no model",), KEY, "", "lists no models"),
        ((), KEY, "other", "no model other"),
    ],
)
def test_without_a_model_to_ask_the_rest_cannot_be_tested(tmp_path: Path, faults, key, model, what):
    found = checked(tmp_path, *faults, key=key, model=model)
    assert found["versions"].outcome == "failed"
    assert what in found["versions"].what
    assert {finding.outcome for title, finding in found.items() if title != "versions"} == {"untestable"}


def test_where_there_is_no_server_there_is_nothing_to_check(tmp_path: Path):
    async def go(url: str) -> None:
        async for _ in findings(CheckedServer(url), tmp_path / "sent.jsonl", lambda *_: None):
            pytest.fail("something was found")

    with pytest.raises(UnreachableError):
        asyncio.run(go("http://127.0.0.1:1"))

    async def plain() -> None:
        async with listening(FakeVllm()) as url:
            await go(url.replace("http:", "https:"))

    with pytest.raises(UntrustedError):
        asyncio.run(plain())


class Dripping(FakeVllm):
    """Says a little of its answer, and a little more, for ever; `only` at these paths."""

    def __init__(self, *only: str) -> None:
        super().__init__()
        self.only = only

    async def __call__(self, scope, receive, send) -> None:
        if scope["path"] not in self.only:
            await super().__call__(scope, receive, send)
            return
        head = [(b"content-type", b"text/event-stream")]
        await send({"type": "http.response.start", "status": 200, "headers": head})
        while True:
            await send({"type": "http.response.body", "body": b": wait\n\n", "more_body": True})
            await asyncio.sleep(0.01)


def test_a_server_that_answers_without_end_is_not_listened_to_for_ever(small, tmp_path: Path, monkeypatch):
    async def go(*only: str) -> dict[str, Finding]:
        async with listening(Dripping(*only)) as url:
            place = CheckedServer(f"{url}/v1", Secret(KEY))
            return {each.title: each async for each in findings(place, tmp_path / "sent.jsonl", lambda *_: None)}

    monkeypatch.setattr(course, "LONGEST_S", 0.2)
    with pytest.raises(DeadlineError, match="had not said what it is"):
        asyncio.run(go("/v1/models", "/version", "/health", "/metrics"))
    found = asyncio.run(go("/v1/chat/completions", "/metrics"))
    for title in ("all frames", "prefix cache", "cancellation", "32 scenes"):
        assert (found[title].outcome, found[title].what) == ("failed", "it had not finished after 0 minutes"), title


# The command


def test_the_exit_code_where_there_is_no_server(capsys: pytest.CaptureFixture[str]):
    assert run(["serve", "--check", "http://127.0.0.1:1"]) == 3
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("adstudio: ")


@pytest.mark.parametrize("url", ["gpu.example", "ftp://x", "http://me:pw@x", "", "http://"])
def test_addresses_that_are_none(capsys: pytest.CaptureFixture[str], url):
    assert run(["serve", "--check", url]) == 2
    assert "address" in capsys.readouterr().err


def test_connections_that_are_none(capsys: pytest.CaptureFixture[str]):
    assert run(["serve", "--llm", "nobody"]) == 2
    assert "nobody" in capsys.readouterr().err


@pytest.mark.parametrize(("failed", "code"), [(False, 0), (True, 1)])
def test_what_is_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], failed, code):
    mine = [
        Finding(1, "versions", "passed", "vLLM 0.32.0"),
        Finding(2, "all frames", "failed" if failed else "untestable", "x\x1b[31m  y", "do it" if failed else ""),
    ]

    async def found(*_):
        for finding in mine:
            yield finding

    monkeypatch.setattr(course, "findings", found)
    assert run(["serve", "--check", "http://127.0.0.1:9/v1"]) == code
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "1  versions        passed      vLLM 0.32.0"
    assert lines[1].startswith("2  all frames      ")
    assert "\x1b" not in lines[1]
    assert lines[2:] == (["                   fix         do it"] if failed else [])
    assert run(["serve", "--check", "http://127.0.0.1:9/v1", "--json"]) == code
    told = json.loads(capsys.readouterr().out)
    assert (told["format"], told["url"]) == ("adstudio-server-check/1", "http://127.0.0.1:9")
    assert [check["outcome"] for check in told["checks"]] == [finding.outcome for finding in mine]


def test_json_names_the_model_that_was_checked_and_comes_where_nothing_answers(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    async def found(_place, _log, _begun, chosen):
        chosen("the-model")
        yield Finding(1, "versions", "passed", "vLLM 0.32.0")

    with monkeypatch.context() as patch:
        patch.setattr(course, "findings", found)
        assert run(["serve", "--check", "http://127.0.0.1:9/v1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["model"] == "the-model"
    assert run(["serve", "--check", "http://127.0.0.1:9/v1", "--json"]) == 3
    said = capsys.readouterr()
    told = json.loads(said.out)
    assert [check["outcome"] for check in told["checks"]] == ["failed", *["untestable"] * 8]
    assert "127.0.0.1:9" in told["checks"][0]["what"]
    assert said.err.startswith("adstudio: ")


# What the checks are made of


def test_the_clip_has_its_numbers_painted_one_a_second():
    import av
    import numpy as np

    clip = course.numbered_clip()
    with av.open(io.BytesIO(distinct_copy(clip, 5))) as container:
        frames = list(container.decode(video=0))
    assert [float(frame.time) for frame in frames] == list(range(FRAMES))
    pictures = [frame.to_ndarray(format="gray").astype(int) for frame in frames]
    assert all(np.abs(a - b).mean() > 1 for a, b in pairwise(pictures))
    assert distinct_copy(clip, 1) != distinct_copy(clip, 2)
    assert distinct_copy(clip, 1) == distinct_copy(clip, 1)


def row(**changes) -> dict[str, object]:
    return {"id": "e1", "start_ds": None, "salience_pct": 5, "ad": "x"} | changes


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (json.dumps({"elements": [row(id=name) for name in IDS]}), None),
        (json.dumps({"elements": [row(id=name, start_ds=400) for name in IDS]}), None),
        ("{" + json.dumps({"elements": []}), SchemaFault.DOUBLED_BRACE),
        ("", SchemaFault.NO_JSON),
        ("[" * 100_000, SchemaFault.NO_JSON),
        ("[]", SchemaFault.OTHER_SHAPE),
        (json.dumps({"elements": [row(id=name) for name in IDS[:2]]}), SchemaFault.OTHER_SHAPE),
        (json.dumps({"elements": [row(id=name) for name in IDS[::-1]]}), SchemaFault.WRONG_IDS),
        (json.dumps({"elements": [1, 2, 3]}), SchemaFault.WRONG_IDS),
        (json.dumps({"elements": [row(id=name, start_ds=401) for name in IDS]}), SchemaFault.WRONG_TIMES),
        (json.dumps({"elements": [row(id=name, salience_pct=100) for name in IDS]}), SchemaFault.WRONG_VALUES),
        (json.dumps({"elements": [row(id=name, ad="x" * 41) for name in IDS]}), SchemaFault.WRONG_VALUES),
    ],
)
def test_what_is_wrong_with_a_bound_answer(text, why):
    assert schema_fault(text) is why


def test_the_schema_binds_what_is_looked_at():
    rows = bound_schema()["properties"]["elements"]
    assert (rows["minItems"], rows["maxItems"]) == (3, 3)
    assert [each["properties"]["id"] for each in rows["prefixItems"]] == [{"const": name} for name in IDS]


@pytest.mark.parametrize(
    ("url", "keyed", "refused"),
    [
        ("http://gpu.example:8000/v1", True, True),
        ("http://gpu.example:8000/v1", False, False),
        ("http://127.0.0.1:9/v1", True, False),
        ("https://gpu.example:8000/v1", True, False),
    ],
)
def test_a_key_that_would_go_out_unencrypted_goes_where_that_is_said_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, url, keyed, refused
):
    async def none(*_):
        for finding in ():
            yield finding

    monkeypatch.setattr(course, "findings", none)
    monkeypatch.setattr("adstudio.llm.keys.key_of", lambda _: None)
    file = tmp_path / "keys"
    file.write_text("house-key-0123456789abcdef\n")
    file.chmod(0o600)
    asked = ["serve", "--check", url, *(["--key-file", str(file)] if keyed else [])]
    assert run(asked) == (2 if refused else 0)
    assert ("begins with http://" in capsys.readouterr().err) == refused
    assert run([*asked, "--plain"]) == 0
    assert ("can read its key" in capsys.readouterr().err) == refused

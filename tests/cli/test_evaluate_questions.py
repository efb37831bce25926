"""`adstudio evaluate --questions` against a scripted server: QEval of each system, consent, and what is refused."""

from __future__ import annotations

import contextlib
import json
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest
from model_running import MODEL, serving

from adstudio.connections.saved_connections import SavedConnection, write_connections

pytestmark = pytest.mark.skipif(
    shutil.which("java") is None or find_spec("pycocoevalcap") is None, reason="needs Java and the extra eval"
)

REFERENCE = (
    "WEBVTT\n\n00:00:06.000 --> 00:00:08.000\nRuth opens the wooden door.\n\n"
    "00:00:21.000 --> 00:00:23.000\nRain falls on the slate roof.\n"
)
SUBTITLES = "1\n00:00:00,000 --> 00:00:05,000\nWho is there?\n\n2\n00:00:15,000 --> 00:00:20,000\nNobody.\n"
SYSTEMS = {
    # Says both, the second 11 s late.
    "late.srt": "1\n00:00:06,500 --> 00:00:08,000\nThere is a wooden door.\n\n"
    "2\n00:00:32,000 --> 00:00:34,000\nA slate roof.\n",
    # Says the first twice, and the second 3.5 s late, by middles.
    "twice.srt": "1\n00:00:06,000 --> 00:00:07,000\nA wooden door.\n\n"
    "2\n00:00:09,000 --> 00:00:10,000\nThe wooden door opens.\n\n"
    "3\n00:00:25,000 --> 00:00:26,000\nA slate roof.\n",
    "poor.json": '{"1": {"start": 6, "end": 8, "text": "Ruth opens a door."}}',
}


def question(name: str, right: str, time: list[float]) -> dict[str, object]:
    answers = ["a lamp", right, "a kite", "a drum", "a goat"]
    return {"id": name, "question": f"What is in {name}?", "answers": answers, "right": "b", "time": time}


@pytest.fixture
def evaluate(run, tmp_path: Path, monkeypatch, impatient):
    """The command on a small film; `house` is a server, which `serve` starts."""
    for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind.lower()))
    for name, text in {"ad.vtt": REFERENCE, "film.srt": SUBTITLES, **SYSTEMS}.items():
        (tmp_path / name).write_text(text, "utf-8")
    asked = [question("q1", "wooden door", [6, 8]), question("q2", "slate roof", [21, 23])]
    whole = {"format": "adstudio-questions/1", "questions": asked}
    (tmp_path / "q.json").write_text(json.dumps(whole), "utf-8")
    systems = [tmp_path / name for name in SYSTEMS]
    film = ("-r", tmp_path / "ad.vtt", "--subtitles", tmp_path / "film.srt", "--end", "40")
    return lambda *more: run("evaluate", *systems, *film, "--json", "-", *more)


@pytest.fixture
def serve(tmp_path: Path):
    with contextlib.ExitStack() as running:

        def start():
            server = running.enter_context(serving(tmp_path))
            place = tmp_path / "config" / "adstudio" / "connections.json"
            place.parent.mkdir(parents=True, exist_ok=True)
            write_connections([SavedConnection("house", "vllm", MODEL, f"{server.address}/v1")], place)
            return server

        yield start


def test_a_model_answers_from_each_system(evaluate, serve, tmp_path: Path) -> None:
    server = serve()
    ran = evaluate("--questions", tmp_path / "q.json", "--llm", "house", "--on-premises")
    assert ran.code == 0, ran.err
    assert "answering the questions takes 3 requests" in ran.err
    scores = {each["name"]: each["mean"] for each in ran.json["systems"]}
    assert (scores["late"]["qeval"], scores["late"]["qeval-t"]) == (100, 50)
    assert (scores["poor"]["qeval"], scores["poor"]["qeval-t"]) == (0, 0)
    assert (scores["twice"]["qeval"], scores["twice"]["qeval-t"]) == (100, 50)
    assert {"soda-m", "soda-t"} <= set(scores["late"])
    # The server looks answers up in the AD, and says “a goat”, which is E, where it finds none.
    door, roof = ran.json["questions"]
    wrong = {"given": "a goat", "source": None, "in_time": False}
    assert (door["id"], door["right"], door["time"]) == ("q1", "wooden door", [6, 8])
    assert door["answers"] == {
        "late": {"given": "wooden door", "source": [6.5, 8], "in_time": True},
        "twice": {"given": "wooden door", "source": None, "in_time": False},  # neither is missed
        "poor": wrong,
    }
    assert roof["answers"] == {
        "late": {"given": "slate roof", "source": [32, 34], "in_time": False},  # 11 s
        "twice": {"given": "slate roof", "source": [25, 26], "in_time": True},
        "poor": wrong,
    }
    asked = len(server.asked)
    again = evaluate("--questions", tmp_path / "q.json", "--llm", "house", "--on-premises")
    assert again.json["systems"] == ran.json["systems"]
    assert again.json["questions"] == ran.json["questions"]
    assert len(server.asked) == asked
    assert "no request was made" in again.err


def test_what_is_refused_before_anything_is_sent(evaluate, serve, tmp_path: Path) -> None:
    server, asked = serve(), ("--questions", tmp_path / "q.json")
    evaluate(*asked).refused(2, "name one with --llm NAME")
    evaluate("--llm", "house").refused(2, "--llm is for the questions")
    evaluate("--on-premises").refused(2, "--on-premises is for the questions")
    evaluate("--scene-descriptions").refused(2, "--scene-descriptions is for the questions")
    evaluate(*asked, "--llm", "other").refused(2, "no connection “other”")
    evaluate(*asked, "--llm", "house").refused(2, "nothing was sent", "--on-premises")
    evaluate("--questions", tmp_path / "none.json", "--llm", "house", "--on-premises").refused(2, "none.json")
    assert server.asked == []

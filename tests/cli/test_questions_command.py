"""`adstudio questions` against a scripted server: made from a finished AD, reviewed as a table, refused, stopped."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import signal
import subprocess
from pathlib import Path

import pytest
from cli_running import command
from model_running import MODEL, serving
from polish_model import station

from adstudio.connections.saved_connections import SavedConnection, write_connections
from adstudio.core.policy import Policy
from adstudio.evaluation.question_file import read_questions
from adstudio.store.project import ProjectFile

AD = """WEBVTT

00:00:05.000 --> 00:00:07.000
Anna opens the door of the old house.

00:00:20.000 --> 00:00:22.500
She puts a red book on the table.

00:00:40.000 --> 00:00:42.000
Rain.
"""
SRT = "1\n00:00:01,000 --> 00:00:03,000\nGood evening.\n\n2\n00:00:30,000 --> 00:00:32,000\nWho is there?\n"


@pytest.fixture
def questions(run, tmp_path, monkeypatch, impatient):
    """The command on a reference of a small film; `house` is a server, which is started by `serve`."""
    for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind.lower()))
    (tmp_path / "ad.vtt").write_text(AD, "utf-8")
    (tmp_path / "film.srt").write_text(SRT, "utf-8")
    about = ("--subtitles", tmp_path / "film.srt", "--end", "60")
    return lambda *arguments: run("questions", tmp_path / "ad.vtt", *about, *arguments)


@pytest.fixture
def serve(tmp_path):
    with contextlib.ExitStack() as running:

        def start(*options: str):
            server = running.enter_context(serving(tmp_path, *options))
            place = tmp_path / "config" / "adstudio" / "connections.json"
            place.parent.mkdir(parents=True, exist_ok=True)
            write_connections([SavedConnection("house", "vllm", MODEL, f"{server.address}/v1")], place)
            return server

        yield start


def test_made_reviewed_and_read_back(questions, run, serve, tmp_path: Path):
    server, table = serve(), tmp_path / "q.csv"
    ran = questions("--llm", "house", "--on-premises", "-o", table)
    assert ran.code == 0, ran.err
    assert "3 descriptions in 1 request and more where questions are refused; some " in ran.err
    assert "1 description without a question: it says nothing to ask about" in ran.err
    assert f"{table}: 2 questions" in ran.err
    head, *rows = csv.reader(io.StringIO(table.read_text("utf-8-sig")))
    assert [(row[0], row[2], row[4], row[-1]) for row in rows] == [
        ("q0001", "ad", "00:00:05.000 – 00:00:07.000", ""),
        ("q0002", "ad", "00:00:20.000 – 00:00:22.500", ""),
    ]
    assert [row[head.index(row[head.index("right")])] for row in rows] == ["old house", "the table"]
    assert len(server.asked) == 1
    # Reviewed: a person saves it with semicolons, keeps one and rejects the other.
    reviewed = tmp_path / "reviewed.csv"
    with reviewed.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=";").writerows([head, [*rows[0][:-1], "yes"], [*rows[1][:-1], "no"]])
    ran = run("questions", reviewed, "-o", tmp_path / "q.json")
    assert ran.code == 0, ran.err
    assert [each.keep for each in read_questions(tmp_path / "q.json")] == [True, False]
    assert len(server.asked) == 1


def test_nothing_is_asked_twice_and_reviewed_files_are_not_replaced(questions, serve, tmp_path):
    server, target = serve(), tmp_path / "q.json"
    first = questions("--llm", "house", "--on-premises", "-o", target)
    before = target.read_bytes()
    questions("--llm", "house", "--on-premises", "-o", target).refused(2, "a person may have reviewed it", "--force")
    again = questions("--llm", "house", "--on-premises", "-o", target, "--force")
    assert (first.code, again.code, target.read_bytes()) == (0, 0, before)
    assert "of which 1 is answered before and reused" in again.err
    assert "house: no request was made, 1 answer reused" in again.err
    assert len(server.asked) == 1


def test_they_are_printed_without_a_file(questions, serve):
    serve()
    ran = questions("--llm", "house", "--on-premises", "--film-name", "Station", "--seed", "3")
    found = json.loads(ran.out)
    assert found["format"] == "adstudio-questions/1"
    assert [(each["id"], each["film"], each["reference"]) for each in found["questions"]] == [
        ("q0001", "Station", "ad"),
        ("q0002", "Station", "ad"),
    ]


def test_what_cannot_be_done_is_said_before_anything_is_sent(questions, run, serve, tmp_path):
    server = serve()
    questions().refused(2, "--subtitles is for making questions", "--llm NAME")
    questions("--llm", "other").refused(2, "no connection “other”")
    questions("--llm", "house").refused(2, "nothing was sent", "--on-premises")
    questions("--llm", "house", "--cloud", "gemini").refused(2, "give --on-premises instead of --cloud")
    questions("--llm", "house", "--on-premises", "-o", tmp_path / "q.txt").refused(2, ".json or .csv")
    questions("--llm", "house", "--on-premises", "--language", "x y").refused(2, "is no language")
    run("questions", tmp_path / "ad.vtt").refused(2, "no question file", "--llm NAME")
    run("questions", tmp_path / "none.csv").refused(2, "none.csv")
    assert server.asked == []


def test_a_project_says_what_may_be_sent_and_is_not_changed(run, questions, serve, tmp_path):
    server, project = serve(), tmp_path / "station.adproj"
    ProjectFile.create(project, station()).close()
    (tmp_path / "ad.vtt").write_text(AD, "utf-8")
    by_project = (tmp_path / "ad.vtt", "--project", project, "--llm", "house")
    run("questions", *by_project).refused(2, "the film is kept offline", "--on-premises")
    ran = run("questions", *by_project, "--on-premises")
    assert ran.code == 0, ran.err
    with ProjectFile.open(project) as opened:
        assert opened.policy == Policy(), "an evaluation writes into no project"
        opened.set_policy(
            Policy("on premises", (SavedConnection("house", "vllm", MODEL, f"{server.address}/v1").host,))
        )
    ran = run("questions", *by_project, "--seed", "1")
    assert ran.code == 0, ran.err
    closed = tmp_path / "closed.adproj"
    ProjectFile.create(closed, station()).close()
    refused = run("questions", tmp_path / "ad.vtt", closed, "--project", project, "--llm", "house")
    refused.refused(2, "the film is kept offline", "--on-premises")
    rows = [json.loads(row) for row in (tmp_path / "data" / "adstudio" / "sent.jsonl").read_text().splitlines()]
    assert {row["project"] for row in rows} == {"an evaluation"}


@pytest.mark.parametrize("fault", ["401", "404", "lost"])
def test_a_server_that_fails_is_said_and_nothing_is_written(questions, serve, tmp_path, fault):
    serve("--faults", fault)
    ran = questions("--llm", "house", "--on-premises", "-o", tmp_path / "q.json")
    assert ran.code == 3
    assert "what was answered is kept, and the same command continues from there" in ran.err
    assert "Traceback" not in ran.err
    assert not (tmp_path / "q.json").exists()


@pytest.mark.parametrize("fault", ["503", "500", "down", "thoughts", "html"])
def test_a_server_that_has_its_days(questions, serve, tmp_path, fault):
    serve("--faults", fault)
    for _ in range(2):
        ran = questions("--llm", "house", "--on-premises", "-o", tmp_path / "q.json")
        assert "Traceback" not in ran.err
        if ran.code == 0:
            break
    assert ran.code == 0, ran.err
    assert len(read_questions(tmp_path / "q.json")) == 2


def test_it_is_stopped_and_goes_on_where_it_was(questions, serve, tmp_path):
    """Thirty descriptions are three requests; it is stopped after the first."""
    server = serve("--pause", "0.05")
    lines = (f"00:{at:02d}:05.000 --> 00:{at:02d}:07.000\nAnna opens the door {at}.\n\n" for at in range(30))
    (tmp_path / "ad.vtt").write_text("WEBVTT\n\n" + "".join(lines), "utf-8")
    about = ("--subtitles", tmp_path / "film.srt", "--end", "1800", "--llm", "house", "--on-premises")
    making = command("questions", tmp_path / "ad.vtt", *about, "-o", tmp_path / "q.json")
    running = subprocess.Popen(making, stderr=subprocess.PIPE, text=True)
    try:
        server.until_answered(1)
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=300)
    finally:
        running.kill()
    if running.returncode:  # on a machine that is slow to hear of it the last request may have come too
        assert running.returncode == 130
        assert "stopped; what was answered is kept, and the same command continues from there" in err
        assert not (tmp_path / "q.json").exists()
    ran = questions(*about[4:], "--end", "1800", "-o", tmp_path / "again.json")
    assert ran.code == 0, ran.err
    assert len(read_questions(tmp_path / "again.json")) == 30
    assert server.answered_twice == []

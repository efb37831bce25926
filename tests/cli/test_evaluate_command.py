"""`adstudio evaluate`: what is given to it, what is refused, and where its results are written."""

from __future__ import annotations

import json
import shutil
from contextlib import nullcontext
from importlib.util import find_spec
from pathlib import Path

import pytest
from cli_running import Run, process
from word_scorer import WordScorer

from adstudio.cli.evaluation_files import named_file
from adstudio.core.errors import OutsideFailureError
from adstudio.core.film import Film, SourceFile
from adstudio.core.script import Script
from adstudio.evaluation import html_report, java_scorer
from adstudio.store.project import ProjectFile

AMERICAN = (
    "WEBVTT\n\n00:00:06.000 --> 00:00:08.000\nRuth opens the wooden door.\n\n"
    "00:00:21.000 --> 00:00:23.000\nRain falls on the roof of the house.\n"
)
BRITISH = (
    "1\n00:00:06,500 --> 00:00:08,500\nRuth goes to the door and opens it.\n\n"
    "2\n00:00:21,500 --> 00:00:23,000\nIt is raining on the roof.\n"
)
SUBTITLES = "1\n00:00:00,000 --> 00:00:05,000\nWho is there?\n\n2\n00:00:15,000 --> 00:00:20,000\nNobody.\n"
GENERATED = (
    '{"1": {"start": 6, "end": 8, "text": "Ruth opens a door."}, "2": {"start": 22, "end": 24, "text": "It rains."}}'
)
NEEDS_JAVA = pytest.mark.skipif(
    shutil.which("java") is None or find_spec("pycocoevalcap") is None, reason="needs Java and the extra eval"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (
        ("american.vtt", AMERICAN),
        ("british.srt", BRITISH),
        ("film.srt", SUBTITLES),
        ("model.json", GENERATED),
    ):
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def evaluate(folder: Path, *more: object) -> tuple[object, ...]:
    film = ("--subtitles", "film.srt", "--end", "30")
    return ("evaluate", *more, "-r", "american.vtt", "--reference", "british.srt", *film)


@pytest.fixture
def evaluated(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The program inside this process, in the folder, with scores that need no Java."""
    monkeypatch.setattr(java_scorer, "JavaScorer", lambda: nullcontext(WordScorer()))
    monkeypatch.chdir(folder)
    return run


@NEEDS_JAVA
def test_a_table_on_standard_output(folder: Path) -> None:
    ran = process(*evaluate(folder, "model.json", "expert", "--realistic", "model"), cwd=folder)
    assert ran.code == 0, ran.err
    lines = ran.out.decode().splitlines()
    first = [line.split()[0] for line in lines if line.strip()]
    # A table of four rows; the realistic one is indented below its system's.
    assert [first.count(name) for name in ("expert", "model", "realistic")] == [2, 1, 1]
    assert "no difference can be significant in one sequence" in ran.out.decode()


def test_json_and_a_page(folder: Path, evaluated: Run) -> None:
    ran = evaluated(*evaluate(folder, "mine=model.json", "--json", "-", "--html", "page.html"))
    assert ran.code == 0, ran.err
    assert ran.json["format"] == "adstudio-evaluation/1"
    assert [each["name"] for each in ran.json["systems"]] == ["mine"]
    assert "page.html written" in ran.err
    assert (folder / "page.html").read_text("utf-8").startswith("<!")
    ran = evaluated(*evaluate(folder, "mine=model.json", "--json", "result.json"))
    assert ran.code == 0
    assert "mine" in ran.out.decode()
    assert json.loads((folder / "result.json").read_text("utf-8"))["format"] == "adstudio-evaluation/1"


@NEEDS_JAVA
def test_a_later_run_beside_an_earlier_one(folder: Path) -> None:
    assert process(*evaluate(folder, "model.json", "--json", "before.json"), cwd=folder).code == 0
    better = GENERATED.replace("It rains.", "Rain falls on the roof of the house.")
    (folder / "model.json").write_text(better, "utf-8")
    later = ("model.json", "--earlier", "before.json", "--html", "page.html")
    ran = process(*evaluate(folder, *later), cwd=folder)
    assert ran.code == 0, ran.err
    below = ran.out.decode().split("Since before.json:")[1].split("Over the 1 sequence")[0]
    name, *changes = below.splitlines()[-2].split()
    assert name == "model"
    assert len(changes) == 4
    assert changes[1].startswith("+")  # METEOR of a reference's own words is higher
    assert "Since the earlier run" in (folder / "page.html").read_text("utf-8")


def test_what_was_scored_is_printed_also_where_a_file_fails_after_all(
    folder: Path, evaluated: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OutsideFailureError("page.html could not be written: the disk is full")

    monkeypatch.setattr(html_report, "write_html", full)
    ran = evaluated(*evaluate(folder, "model.json", "--html", "page.html", "--json", "found.json"))
    assert (ran.code, "the disk is full" in ran.err) == (3, True)
    assert "model" in ran.out.decode()
    assert (folder / "found.json").exists()


def test_several_films(folder: Path, evaluated: Run) -> None:
    film = {
        "subtitles": "film.srt",
        "end": 30,
        "references": {"american": "american.vtt", "british": "british.srt"},
        "systems": {"model": "model.json"},
    }
    films = {"format": "adstudio-films/1", "films": [{"name": "one", **film}, {"name": "two", **film}]}
    (folder / "films.json").write_text(json.dumps(films), "utf-8")
    ran = evaluated("evaluate", "expert", "--films", "films.json", "--json", "-")
    assert ran.code == 0, ran.err
    assert [each["name"] for each in ran.json["films"]] == ["one", "two"]
    assert [each["name"] for each in ran.json["systems"]] == ["expert american", "expert british", "model"]


def test_no_java_is_said_before_anything_is_read(folder: Path) -> None:
    ran = process(*evaluate(folder, "model.json"), cwd=folder, environment={"PATH": str(folder)})
    if find_spec("pycocoevalcap") is None:
        ran.refused(3, "pycocoevalcap", "adstudio[eval]")
    else:
        ran.refused(3, "Java")


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (("model.json",), ("there is no reference", "--reference")),
        (("nothing.json", "-r", "american.vtt"), ("nothing.json",)),
        (("model.json", "-r", "nothing.vtt"), ("nothing.vtt",)),
        (("random", "-r", "american.vtt"), ("give --pool FILE",)),
        (("model.json", "--pool", "model.json", "-r", "american.vtt"), ("--pool is for random",)),
        (("model.json", "-r", "american.vtt", "--shift", "3"), ("--shift: “3” names no script",)),
        (("model.json", "-r", "american.vtt", "--shift", "model=x"), ("--shift: “x” is not a time",)),
        (
            ("model.json", "-r", "american.vtt", "--shift", "other=3"),
            ("no script is called “other”", "american, model"),
        ),
        (("model.json", "-r", "american.vtt", "--speed", "model=7"), ("--speed: “7” is not a standard frame rate",)),
        (("model.json", "-r", "american.vtt", "--base", "other"), ("--base: no system is called “other”",)),
        (("model.json", "-r", "american.vtt", "--time-limit", "3"), ("--time-limit is for --difficulty",)),
        (("model.json", "-r", "american.vtt", "--language", "x y"), ("is no language",)),
        (("model.json", "-r", "american.vtt", "--films", "model.json"), ("--reference: with --films",)),
        (("expert", "--films", "model.json", "--end", "3"), ("--end: with --films",)),
        (("model.json", "-r", "american.vtt", "--json", "american.vtt"), ("american.vtt",)),
        (("model.json", "-r", "american.vtt", "--earlier", "nothing.json"), ("nothing.json", "evaluation")),
        (("model.json", "-r", "american.vtt", "--earlier", "american.vtt"), ("american.vtt", "not valid JSON")),
        (("british.srt", "-r", "american.vtt", "--earlier", "model.json"), ("model.json", "missing key “format”")),
    ],
)
def test_what_is_refused(folder: Path, arguments: tuple[str, ...], parts: tuple[str, ...]) -> None:
    process("evaluate", *arguments, cwd=folder).refused(2, *parts)


def test_a_page_that_cannot_be_written_is_refused_before_anything_is_scored(folder: Path) -> None:
    """Without Java, that would be said first if scoring began."""
    without = {"PATH": str(folder)}
    ran = process(*evaluate(folder, "model.json", "--html", "/proc/page.html"), cwd=folder, environment=without)
    ran.refused(3, "/proc/page.html could not be written")


@pytest.mark.parametrize("base", ["expert british", "model, realistic", "random"])
def test_each_row_may_be_the_one_that_others_are_compared_with(folder: Path, evaluated: Run, base: str) -> None:
    (folder / "pool.json").write_text('["A man walks along."]', "utf-8")
    rows = ("model.json", "expert", "random", "--pool", "pool.json", "--realistic", "model")
    # Six sequences are the least for a difference that is significant.
    (folder / "parts.csv").write_text("".join(f"{n},{n * 5},{n * 5 + 5}\n" for n in range(6)), "utf-8")
    ran = evaluated(*evaluate(folder, *rows, "--sequences", "parts.csv", "--base", base))
    assert ran.code == 0, ran.err
    assert f"* differs from {base}" in ran.out.decode()


@NEEDS_JAVA
def test_what_mends_one_of_several_films_is_a_key_of_their_file(folder: Path) -> None:
    late = BRITISH.replace("00:00:", "01:00:")
    (folder / "late.srt").write_text(late, "utf-8")
    film = {"name": "one", "references": {"a": "american.vtt"}, "systems": {"b": "late.srt"}, "subtitles": "film.srt"}
    (folder / "films.json").write_text(json.dumps({"format": "adstudio-films/1", "films": [film]}), "utf-8")
    ran = process("evaluate", "--films", "films.json", cwd=folder)
    ran.refused(2, "late.srt", "count from 01:00:00:00", "(--shift b=-3600, as keys in films.json)")
    film["systems"] = {"b": {"file": "late.srt", "shift": -3600}}  # type: ignore[assignment]
    film.pop("subtitles")
    (folder / "films.json").write_text(json.dumps({"format": "adstudio-films/1", "films": [film]}), "utf-8")
    ran = process("evaluate", "--films", "films.json", cwd=folder)
    ran.refused(2, "nothing says when there is dialogue in one", "--without-dialogue, as keys in films.json)")


def test_no_source_and_no_other_result_is_replaced(folder: Path) -> None:
    project = folder / "film.adproj"
    source = SourceFile(str(folder / "film.srt"), "film.srt", 0, "")
    ProjectFile.create(project, Script(Film("film", 30_000, subtitles=source))).close()
    for target in ("film.srt", "american.vtt", "film.adproj"):
        process("evaluate", "film.adproj", "-r", "american.vtt", "--json", target, cwd=folder).refused(2, target)
    twice = ("--json", "x.json", "--html", "./x.json")
    process("evaluate", "film.adproj", "-r", "american.vtt", *twice, cwd=folder).refused(2, "x.json", "two results")
    process("evaluate", "film.adproj", "-r", "american.vtt", "--html", "-", cwd=folder).refused(2, "--html")
    assert (folder / "film.srt").read_text("utf-8") == SUBTITLES


def test_a_path_with_an_equals_sign_is_a_path(folder: Path) -> None:
    (folder / "a=b.json").write_text(GENERATED, "utf-8")
    assert named_file(str(folder / "a=b.json")) == ("a=b", folder / "a=b.json")
    assert named_file("mine=b.json") == ("mine", Path("b.json"))
    assert named_file("plain.json") == ("plain", Path("plain.json"))
    assert named_file("=b.json") == ("=b", Path("=b.json"))
    assert named_file("out/x=1/b.json") == ("b", Path("out/x=1/b.json"))

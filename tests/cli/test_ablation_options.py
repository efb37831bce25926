"""`draft` and `solve` with parts left out, and with salience scored otherwise: plans by hand, and what is refused."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest
from cli_running import Run, element, problem

from adstudio.core.settings import Scope
from adstudio.planning.verify import verify
from adstudio.store.project import ProjectFile

# The second gap is near both lines, the first a minute before them (as in tests/planning/test_ablations.py).
HAND = problem(
    scene={"id": "s1", "start": 0.0, "end": 70.0},
    gaps=[[0.0, 3.0], [60.0, 65.0]],
    elements=[element("e1", [60.0, 62.0], 0.9, 4.0, 2.0), element("e2", [61.0, 63.0], 0.8, 4.0, 1.0)],
)
GROUNDING, COMPRESSION = "--no-grounding", "--no-compression"


@pytest.fixture(autouse=True)
def own_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def lines(plan) -> list[tuple[str, int, float]]:
    return [(each["element"], each["variant"], each["start"]) for each in plan["deliveries"]]


@pytest.mark.parametrize(
    ("options", "objective", "expected"),
    [
        ((), 4.4, [("e1", 0, 60.0), ("e2", 1, 64.0)]),
        ((GROUNDING,), 5.0, [("e1", 1, 1.0), ("e2", 0, 60.0)]),
        ((COMPRESSION,), 3.6, [("e1", 0, 60.0)]),
        ((GROUNDING, COMPRESSION), 3.6, [("e1", 0, 60.0)]),
    ],
)
@pytest.mark.parametrize("backend", ["auto", "cpsat"])
def test_solve_without_parts_by_hand(problem_file, run: Run, options, objective, expected, backend) -> None:
    ran = run("solve", problem_file(HAND), *options, "--backend", backend)
    assert ran.code == 0, ran.err
    assert ran.json["objective"] == objective
    if options != (COMPRESSION,) and len(options) < 2:
        assert lines(ran.json) == expected
    assert {name for name, _, _ in lines(ran.json)} == {name for name, _, _ in expected}


def test_a_plan_without_grounding_is_no_plan_of_the_problem(problem_file, run: Run) -> None:
    ran = run("solve", problem_file(HAND), GROUNDING)
    assert {each.kind for each in verify(HAND, ran.json)} == {"window"}
    assert verify({**HAND, "delta_max": 100}, ran.json) == []


def test_salience_of_a_problem_by_the_oracle(problem_file, run: Run, tmp_path: Path) -> None:
    value = json.loads(json.dumps(HAND))
    for each, text in zip(value["elements"], ("A man runs in.", "The red umbrella lies there."), strict=True):
        for variant in each["variants"]:
            variant["text"] = text
    reference = tmp_path / "reference.srt"
    reference.write_text("1\n00:01:00,000 --> 00:01:03,000\nA red umbrella.\n", "utf-8")
    path = problem_file(value)
    ran = run("solve", path, "--salience", "oracle-bm25", "--reference", reference)
    assert ran.code == 0, ran.err
    # Only e2 shares words with the reference, so it is spoken in full; e1 gains nothing by being spoken.
    assert ("e2", 0) in [(name, variant) for name, variant, _ in lines(ran.json)]
    seeded = [run("solve", path, "--salience", "random", "--seed", seed).json for seed in (1, 1, 2)]
    assert seeded[0]["objective"] == seeded[1]["objective"] != seeded[2]["objective"]


def test_a_reference_is_read_in_the_encoding_that_is_named(problem_file, run: Run, tmp_path: Path) -> None:
    """In code page 850 the word has bytes that other pages have for other letters."""
    value = json.loads(json.dumps(HAND))
    for each, text in zip(value["elements"], ("A man runs in.", "Fräulein Størmør."), strict=True):
        for variant in each["variants"]:
            variant["text"] = text
    reference = tmp_path / "reference.srt"
    reference.write_bytes("1\n00:01:00,000 --> 00:01:03,000\nFräulein Størmør.\n".encode("cp850"))
    asked = ("solve", problem_file(value), "--salience", "oracle-bm25", "--reference", reference, "--encoding")
    ran = run(*asked, "cp850")
    assert ran.code == 0, ran.err
    assert ("e2", 0) in [(name, variant) for name, variant, _ in lines(ran.json)]
    run(*asked, "latin-99").refused(2, "latin-99")
    run("solve", problem_file(value), "--encoding", "cp850").refused(2, "--encoding", "--reference")


def test_a_problem_without_texts_is_refused_in_a_sentence(problem_file, run: Run) -> None:
    value = json.loads(json.dumps(HAND))
    for each in value["elements"]:
        for variant in each["variants"]:
            variant["text"] = ""
    path = problem_file(value)
    run("solve", path, "--salience", "bm25").refused(2, "no texts", "bm25")
    assert run("solve", path, "--salience", "random").code == 0
    assert run("solve", path, GROUNDING, COMPRESSION).code == 0


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        (("--salience", "oracle-bm25"), ("--reference",)),
        (("--salience", "oracle-embedding"), ("--reference",)),
        (("--salience", "bm25", "--reference", "r.srt"), ("--reference", "oracle-bm25", "oracle-embedding")),
        (("--reference", "r.srt"), ("--reference",)),
        (("--seed", "3"), ("--seed", "--salience random")),
        (("--salience", "bm25", "--seed", "3"), ("--seed",)),
        (("--backend", "random", "--pool", "p.json", GROUNDING), (GROUNDING, "random")),
    ],
)
def test_options_that_do_not_go_together(problem_file, run: Run, options, parts) -> None:
    run("solve", problem_file(HAND), *options).refused(2, *parts)


def test_a_reference_that_is_none(problem_file, run: Run, tmp_path: Path) -> None:
    gone = tmp_path / "gone.srt"
    run("solve", problem_file(HAND), "--salience", "oracle-bm25", "--reference", gone).refused(2, str(gone))
    empty = tmp_path / "empty.srt"
    empty.write_text("", "utf-8")
    run("solve", problem_file(HAND), "--salience", "oracle-bm25", "--reference", empty).refused(2, str(empty))


@pytest.fixture
def words(srt: Path, candidates: Path, tmp_path: Path) -> tuple[object, ...]:
    return ("draft", "--subtitles", srt, "--end", "60", "--candidates", candidates, "-o", tmp_path / "p.adproj")


def test_draft_writes_a_project_that_is_planned_so(run: Run, words, tmp_path: Path) -> None:
    assert run(*words, GROUNDING, COMPRESSION, "--salience", "random", "--seed", "4").code == 0
    with closing(ProjectFile.open(tmp_path / "p.adproj", read_only=True)) as project:
        script, plan = project.saved_script, project.saved_plan
    assert script.settings.delta_max == 60_000
    assert script.settings.near is script.settings.reach is None
    assert script.settings.scope is Scope.SCENE
    assert {len(each.variants) for each in script.eventualities} == {1}
    assert plan is not None
    assert {line.variant for line in plan.deliveries} <= {0}
    first = [each.salience for each in script.eventualities]
    assert run(*words, GROUNDING, COMPRESSION, "--salience", "random", "--seed", "5", "--force").code == 0
    with closing(ProjectFile.open(tmp_path / "p.adproj", read_only=True)) as project:
        assert [each.salience for each in project.saved_script.eventualities] != first
    # The plan in the project is the one that its script has.
    solved = run("solve", tmp_path / "p.adproj")
    assert solved.code == 0


def test_solve_ablates_a_project_that_stays_as_it_is(run: Run, words, tmp_path: Path) -> None:
    project = tmp_path / "p.adproj"
    assert run(*words).code == 0
    before = project.read_bytes()
    plain = run("solve", project).json
    for options in ((GROUNDING,), (COMPRESSION,), ("--salience", "blend"), ("--salience", "bm25", COMPRESSION)):
        ran = run("solve", project, *options)
        assert ran.code == 0, ran.err
        if options == (GROUNDING,):
            assert ran.json["objective"] >= plain["objective"]
        if COMPRESSION in options:
            assert {variant for _, variant, _ in lines(ran.json)} <= {0}
    assert project.read_bytes() == before


def test_draft_refuses_what_would_change_nothing(run: Run, words, srt: Path, tmp_path: Path) -> None:
    run(*words, "--salience", "oracle-bm25").refused(2, "--reference")
    run(*words, "--salience", "bm25", "--weigh", "model", "--weigh-with", "x").refused(2, "--salience", "--weigh")
    run(*words, "--salience", "oracle-bm25", "--reference", tmp_path / "gone.srt").refused(2, "gone.srt")
    direct = ("draft", "film.mp4", "--llm", "x", "--direct", "-o", tmp_path / "d.adproj")
    run(*direct, GROUNDING).refused(2, "--direct", GROUNDING)
    assert not (tmp_path / "p.adproj").exists()


def test_no_reference_is_written_over(run: Run, words, tmp_path: Path) -> None:
    reference = tmp_path / "p.adproj"
    reference.write_text("1\n00:00:04,000 --> 00:00:06,000\nHe waits.\n", "utf-8")
    before = reference.read_bytes()
    ran = run(*words, "--salience", "oracle-bm25", "--reference", reference, "--force")
    assert ran.code == 2
    assert reference.read_bytes() == before

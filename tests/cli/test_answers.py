"""What the commands answer: the contracts of DESIGN section 5, exit codes 0 and 1, and rounds through several."""

import json
from decimal import Decimal
from pathlib import Path

import pytest
from cli_contracts import check_explain, check_gaps, check_plan, check_reframed, exact, keys
from cli_running import SRT, element, hard, problem

from adstudio.planning.files.problem_file import parse_problem, problem_json


def test_solve_gives_the_best_plan(problem_file, run):
    ran = run("solve", problem_file())
    assert ran.code == 0
    assert ran.err == ""
    plan = check_plan(ran.out)
    # Both fit in full at their own midpoints: 0.5 × 2 + 0.25 × 4, no deviation.
    assert plan["status"] == "optimal"
    assert plan["backend"] == "exact"
    assert plan["objective"] == plan["bound"] == 2
    assert plan["deviation"] == 0
    assert plan["near_event"] == {"1": 1, "2": 1, "4": 1}
    assert plan["deliveries"] == [
        {"element": "e1", "variant": 0, "start": Decimal("1.0"), "end": Decimal("3.0")},
        {"element": "e2", "variant": 0, "start": Decimal("22.0"), "end": Decimal("26.0")},
    ]


@pytest.mark.parametrize("backend", ["auto", "exact", "cpsat", pytest.param("gurobi", marks=pytest.mark.gurobi)])
def test_every_engine_agrees_and_is_verified(backend: str, problem_file, run):
    if backend == "gurobi":
        pytest.importorskip("gurobipy")
    path = problem_file(problem(min_pause=0.5, gaps=[[0, 10], [20, 23]], previous=[{"element": "x", "variant": 0}]))
    ran = run("solve", path, "--backend", backend)
    plan = check_plan(ran.out)
    # e2 needs 4 s, and the second gap has 3; in the first it would end at 10 s at the latest, 16 s from its event.
    assert (ran.code, plan["status"], plan["objective"]) == (0, "optimal", 1)
    checked = run("verify", path, problem_file(ran.out, "plan.json"))
    assert checked.code == 0
    assert checked.out.startswith(b"valid")


HOUSE = {
    "gaps": [[0, 10], [12, 20]],
    "max_share": 0.4,
    "delta_early": 1.5,
    "delta_late": 4,
    "near": {"early": 0.5, "late": 1, "far_gain": 0.5},
    "reach": 1,
    "elements": [element("e1", [0, 2], 0.5, 4.2, 3.0), element("e2", [1, 3], 0.4, 2.0)],
}
"""By hand: 4.0 s of the first gap may be narrated, so e1 is cut to 3.0 s, from 0 s: half a second late, and near.

Worth 0.5 × 3 = 1.5. e2 beside it has no room (5.0 s), and the second gap is 11 s late. e2 alone is worth 0.4 × 2 = 0.8.
"""


@pytest.mark.parametrize("backend", ["auto", "exact", "cpsat", pytest.param("gurobi", marks=pytest.mark.gurobi)])
def test_every_engine_plans_by_the_houses_rules(backend: str, problem_file, run):
    if backend == "gurobi":
        pytest.importorskip("gurobipy")
    path = problem_file(problem(**HOUSE))
    ran = run("solve", path, "--backend", backend)
    plan = check_plan(ran.out)
    assert (ran.code, plan["status"], plan["objective"], plan["deviation"]) == (
        0,
        "optimal",
        Decimal("1.5"),
        Decimal("0.5"),
    )
    assert plan["deliveries"] == [{"element": "e1", "variant": 1, "start": 0, "end": 3}]
    assert run("verify", path, problem_file(ran.out, "plan.json")).code == 0
    # Every rule broken: e1 in full (over the share), e2 in the second gap (late, and half of what is claimed).
    told = {**json.loads(ran.out), "objective": 2.9, "bound": 2.9, "deviation": 12.1}
    told["deliveries"] = [
        {"element": "e1", "variant": 0, "start": 0.0, "end": 4.2},
        {"element": "e2", "variant": 0, "start": 12.0, "end": 14.0},
    ]
    checked = run("verify", path, problem_file(json.dumps(told), "told.json"))
    assert checked.code == 1
    for kind in (b"share", b"window", b"objective"):
        assert kind in checked.out


def test_explain_by_the_houses_rules(problem_file, run):
    value = check_explain(run("explain", problem_file(problem(**HOUSE))).out)
    e1, e2 = value["elements"]
    # Without e1, e2 comes in; with e2, e1 goes.
    assert (e1["in"], e1["loss"], e1["adds"]) == (True, Decimal("0.7"), ["e2"])
    assert (e2["in"], e2["loss"], e2["displaces"], e2["shortens"]) == (False, Decimal("0.7"), ["e1"], [])
    # One more second would let 4.4 s be narrated; e1 in full would be far, and worth 1.05.
    assert [gap["value_per_second"] for gap in value["gaps"]] == [0, 0]


@pytest.mark.parametrize("backend", ["exact", "cpsat"])
def test_a_plan_with_a_fusion_is_valid(backend: str, problem_file, run):
    """Three seconds hold e1 and e2 in one breath alone: middle 1.5 s of an occurrence around 1 s, and e3 4.5 s late."""
    fusion = element("f", [0.0, 2.0], 1.5, 3.0)
    elements = [element(f"e{n}", [n - 1.0, float(n)], 0.5, 2.0) for n in (1, 2, 3)]
    path = problem_file(problem(gaps=[[0, 3], [6, 8]], elements=elements, fusions=[{**fusion, "of": ["e1", "e2"]}]))
    ran = run("solve", path, "--backend", backend)
    plan = json.loads(ran.out)
    assert [each["element"] for each in plan["deliveries"]] == ["f", "e3"]
    assert plan["near_event"] == {"1": 0.5, "2": 0.5, "4": 0.5}
    assert run("verify", path, problem_file(ran.out, "plan.json")).code == 0


def test_a_plan_goes_to_the_file_alone(problem_file, tmp_path: Path, run):
    path = problem_file()
    plan = tmp_path / "plan.json"
    ran = run("solve", path, "-o", plan)
    assert (ran.code, ran.out, ran.err) == (0, b"", "")
    check_plan(plan.read_bytes())
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["plan.json", "problem.json"]


def test_pins_that_cannot_hold_are_listed_irreducibly(problem_file, tmp_path: Path, run):
    elements = [
        element("e1", [1.0, 3.0], 0.5, 2.0, pin={"start": 4.0}),
        element("e2", [2.0, 4.0], 0.5, 2.0, pin={"start": 5.0}),
        element("e3", [22.0, 24.0], 0.5, 2.0, pin={"selected": True}),
    ]
    target = tmp_path / "plan.json"
    path = problem_file(problem(elements=elements))
    ran = run("solve", path, "-o", target)
    assert (ran.code, ran.out) == (1, b"")
    plan = check_plan(target.read_bytes())
    assert plan["status"] == "infeasible"
    assert plan["conflict"] == [{"element": "e1", "hold": "start"}, {"element": "e2", "hold": "start"}]
    # The irreducible conflict: without any one of the two there is a plan.
    for kept in (elements[0], elements[1]):
        others = [kept, elements[2]]
        assert run("solve", problem_file(problem(elements=others), "fewer.json")).code == 0
    run("explain", path).refused(1, "e1", "e2")
    assert run("verify", path, target).code == 0


def test_rules_that_cannot_hold_are_listed(problem_file, run):
    value = problem(
        elements=[
            element("e1", [1.0, 3.0], 0.5, 2.0, pin={"selected": True}),
            element("e2", [22.0, 26.0], 0.5, 2.0, pin={"selected": False}),
        ],
        rules={"requires": [["e1", "e2"]]},
    )
    ran = run("solve", problem_file(value))
    assert ran.code == 1
    assert check_plan(ran.out)["conflict"] == [
        {"element": "e1", "hold": "selected"},
        {"element": "e2", "hold": "selected"},
        {"rule": "requires", "of": ["e1", "e2"]},
    ]


def test_at_the_limit_a_sound_plan_is_given(problem_file, run):
    path = problem_file(hard(160))
    ran = run("solve", path, "--time-limit", "0.01")
    plan = check_plan(ran.out)
    assert (ran.code, plan["status"]) == (0, "feasible")
    assert plan["objective"] <= plan["bound"]
    assert run("verify", path, problem_file(ran.out, "plan.json")).code == 0


def test_random_fills_gaps_from_a_pool_the_same_each_time(problem_file, run):
    path = problem_file()
    pool = problem_file(json.dumps(["A door opens.", "Rain falls on the roof.", "He — „schläft“ 夜."]), "pool.json")
    ran = run("solve", path, "--backend", "random", "--pool", pool, "--seed", "3")
    plan = check_plan(ran.out)
    assert (ran.code, plan["status"], plan["backend"]) == (0, "feasible", "random")
    assert (plan["objective"], plan["deviation"]) == (0, 0)
    assert all("text" in delivery for delivery in plan["deliveries"])
    again = check_plan(run("solve", path, "--backend", "random", "--pool", pool, "--seed", "3").out)
    assert again["deliveries"] == plan["deliveries"]
    assert run("verify", path, problem_file(ran.out, "plan.json")).code == 0


@pytest.fixture
def plan(problem_file, run):
    return json.loads(run("solve", problem_file()).out)


def shifted(plan, by):
    plan["deliveries"][0]["start"] += by
    plan["deliveries"][0]["end"] += by


BROKEN = {
    "gap": lambda plan: shifted(plan, 8.5),
    "deviation": lambda plan: shifted(plan, 1),
    "objective": lambda plan: plan.update(objective=2.1),
    "bound": lambda plan: plan.update(bound=1.9),
    "duration": lambda plan: plan["deliveries"][0].update(end=3.5),
    "order": lambda plan: plan["deliveries"].reverse(),
    "twice": lambda plan: plan["deliveries"].insert(0, plan["deliveries"][0]),
    "unknown": lambda plan: plan["deliveries"][0].update(element="e\x1b[31m9"),
    "variant": lambda plan: plan["deliveries"][0].update(variant=1),
    "format": lambda plan: plan.update(status="infeasible"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_verify_names_what_is_broken(kind: str, plan, problem_file, run):
    BROKEN[kind](plan)
    ran = run("verify", problem_file(), problem_file(plan, "plan.json"))
    assert ran.code == 1
    assert ran.err == ""
    kinds = [line.split(b":")[0].decode() for line in ran.out.splitlines()]
    assert kind in kinds
    assert b"\x1b" not in ran.out


def test_verify_bears_the_smallest_numbers(problem_file, run):
    path = problem_file(json.dumps(problem()).replace('"salience": 0.5', '"salience": 1e-999999999'))
    ran = run("solve", path)
    assert ran.code == 0
    assert run("verify", path, problem_file(ran.out, "plan.json")).code == 0


def test_explain_says_what_each_is_worth(problem_file, run):
    crowded = problem(
        gaps=[[0.0, 2.0]],
        elements=[
            element("e1", [0.0, 2.0], 0.5, 2.0),
            element("e2", [0.5, 2.5], 0.25, 2.0),
            element("e3", [50, 60], 1, 2),
        ],
    )
    path = problem_file(crowded)
    value = check_explain(run("explain", path).out)
    # One of e1 and e2 fits: 1.0 against 0.5. e3 is too far from the gap. One second more does not make room for both.
    assert value["objective"] == 1
    shown = [(each["element"], each["in"], each["loss"], each["displaces"], each["adds"]) for each in value["elements"]]
    assert shown == [
        ("e1", True, Decimal("0.5"), [], ["e2"]),
        ("e2", False, Decimal("0.5"), ["e1"], []),
        ("e3", False, None, [], []),
    ]
    # The middle of e3 is 55 s, and 1 s in the gap: 10 s are allowed.
    e1, e2, e3 = (each["why"] for each in value["elements"])
    assert (
        e1 == "Without it the plan would bring in 2.0 s of “e2 in 2.0”. That matters less to the story than this line."
    )
    assert e2 == "Locking it in would cost 2.0 s of “e1 in 2.0”, which would go."
    assert "00:00:00.000 would put it 54.0 s before its action, where at most 10 s is allowed" in e3
    (gap,) = value["gaps"]
    assert (gap["gap"], gap["value_per_second"]) == ([Decimal("0.0"), Decimal("2.0")], 0)
    one = check_explain(run("explain", path, "--item", "e2").out)
    assert [each["element"] for each in one["elements"]] == ["e2"]
    ruled = check_explain(run("explain", problem_file({**crowded, "rules": {"alternatives": [["e1", "e2"]]}})).out)
    assert ruled["elements"] == value["elements"]


def test_explain_names_the_locks_that_leave_no_room(problem_file, run):
    locked = {**element("e1", [0.0, 2.0], 0.5, 2.0), "pin": {"start": 0.0}}
    path = problem_file(problem(gaps=[[0.0, 3.0]], elements=[locked, element("e2", [0.5, 2.5], 0.25, 2.0)]))
    one = check_explain(run("explain", path, "--item", "e2").out)
    (why,) = (each["why"] for each in one["elements"])
    assert why.startswith("Locked lines keep it out: these locks conflict")
    assert "e1 “e1 in 2.0” locked at 00:00:00.000" in why


def test_gaps_of_subtitles(srt: Path, run):
    ran = run("gaps", srt, "--end", "60")
    assert (ran.code, ran.err) == (0, "")
    value = check_gaps(ran.out)
    assert value["end"] == 60
    assert value["encoding"] == "utf-8"
    # 0 to 1 s is just as long as a gap must be.
    assert value["gaps"] == [[0, 1], [3, 10], [12, 60]]
    assert [(cue["start"], cue["end"], cue["text"]) for cue in value["dialogue"]] == [
        (1, 3, "Good evening."),
        (10, 12, "Who is there?"),
    ]
    assert value["problems"] == []


def test_seconds_are_read_with_point_or_comma(srt: Path, run):
    for written in ("12,5", "12.5", " 12.5 ", "+12.500"):
        value = check_gaps(run("gaps", srt, f"--end={written}", "--least-gap", "0,5", "--margin-after=,25").out)
        assert value["end"] == Decimal("12.5")
        assert value["gaps"] == [[0, 1], [Decimal("3.25"), 10]]


def test_the_last_cue_ends_a_film_without_an_end(srt: Path, run):
    assert check_gaps(run("gaps", srt).out)["end"] == 12


ODD = {
    "empty": ("", 0),
    "reversed": (SRT.replace("00:00:03,000", "00:00:00,500"), 2),
    "out of order": ("\n\n".join(reversed(SRT.strip().split("\n\n"))) + "\n", 2),
    "overlapping": (SRT.replace("00:00:03,000", "00:00:11,000"), 2),
    "past the end": (SRT.replace("00:00:12,000", "00:10:12,000"), 2),
    "no length": (SRT.replace("00:00:03,000", "00:00:01,000"), 2),
}


@pytest.mark.parametrize("kind", ODD)
def test_odd_subtitles_are_read_all_the_same(kind: str, tmp_path: Path, run):
    text, count = ODD[kind]
    path = tmp_path / "odd.srt"
    path.write_text(text)
    ran = run("gaps", path, "--end", "60")
    assert (ran.code, ran.err) == (0, "")
    value = check_gaps(ran.out)
    assert len(value["dialogue"]) == count
    assert value["problems"]


def test_an_empty_file_has_one_problem(tmp_path: Path, run):
    path = tmp_path / "empty.srt"
    path.write_bytes(b"")
    value = check_gaps(run("gaps", path).out)
    assert (value["end"], value["gaps"], value["dialogue"], len(value["problems"])) == (0, [], [], 1)


@pytest.fixture
def project(tmp_path: Path, srt: Path, candidates: Path, run) -> Path:
    path = tmp_path / "p.adproj"
    drafting = ("draft", "--subtitles", srt, "--end", 60, "--candidates", candidates, "--preset", "paper")
    assert run(*drafting, "-o", path).code == 0
    return path


NOBODY_LOOKED = "2 of 2 lines have not been seen.\n2 of 2 lines have not been accepted.\n"


def test_every_format_goes_out_the_same_to_file_and_screen(project: Path, tmp_path: Path, run):
    for form in ("srt", "vtt", "dapt", "csv", "xlsx", "docx", "pdf", "json", "reframed", "problem", "plan"):
        shown = run("export", project, "--format", form)
        said = "" if form in ("problem", "plan") else NOBODY_LOOKED
        assert (shown.code, shown.err) == (0, said)
        target = tmp_path / f"out.{form}"
        assert run("export", project, "--format", form, "-o", target).out == b""
        assert target.read_bytes() == shown.out
    check_plan((tmp_path / "out.plan").read_bytes())
    script = exact((tmp_path / "out.json").read_bytes())
    keys(script, "format", "film", "lines")
    assert script["format"] == "adstudio-script/1"
    # Six words at 200 a minute take 1.8 s; both fit in full, centred on what they describe.
    assert check_reframed((tmp_path / "out.reframed").read_bytes()) == {
        "1": {"start": Decimal("4.1"), "end": Decimal("5.9"), "text": "A heavy oak door opens slowly."},
        "2": {"start": Decimal("12.95"), "end": Decimal("15.05"), "text": "A man steps out of the shadow."},
    }
    again = json.loads((tmp_path / "out.problem").read_bytes())
    assert problem_json(parse_problem((tmp_path / "out.problem").read_bytes(), "")) == again


def test_an_exported_problem_has_the_projects_plan(project: Path, tmp_path: Path, run):
    asked, planned = tmp_path / "problem.json", tmp_path / "plan.json"
    run("export", project, "--format", "problem", "-o", asked)
    run("export", project, "--format", "plan", "-o", planned)
    assert run("verify", asked, planned).code == 0
    mine, theirs = check_plan(planned.read_bytes()), check_plan(run("solve", asked).out)
    assert (mine["objective"], mine["deviation"]) == (theirs["objective"], theirs["deviation"])
    check_explain(run("explain", asked).out)


def test_a_project_whose_pins_cannot_hold(project: Path, tmp_path: Path, run):
    from dataclasses import replace

    from adstudio.core.script import Pin
    from adstudio.store.project import ProjectFile

    with ProjectFile.open(project, read_only=True) as opened:
        script = opened.saved_script
    first, second = script.eventualities
    pinned = (replace(first, pin=Pin(start=5000)), replace(second, pin=Pin(start=5500)))
    ProjectFile.create(tmp_path / "held.adproj", replace(script, eventualities=pinned)).close()
    ran = run("export", tmp_path / "held.adproj", "--format", "srt", "-o", tmp_path / "o.srt")
    ran.refused(1, "conflict")
    # Three words, the first's shortest wording, take 0.9 s from 5 s on, and the second is put half a second after.
    one, other = "“A heavy oak door opens slowly”", "“A man steps out of the…”"
    assert f"{one} at 00:00:05:00 runs 0.4 s into {other} at 00:00:05:13, even in its shortest wording" in ran.err
    assert "--with-conflicts" in ran.err
    assert not (tmp_path / "o.srt").exists()
    ran = run("export", tmp_path / "held.adproj", "--format", "plan")
    assert ran.code == 1
    assert check_plan(ran.out)["status"] == "infeasible"
    # As the editor shows it: without the two that conflict, here all there is.
    ran = run("export", tmp_path / "held.adproj", "--format", "reframed", "--with-conflicts")
    assert (ran.code, json.loads(ran.out)) == (0, {})
    assert f"2 lines you locked are not in it, because their locks conflict: {one}, {other}." in ran.err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("srt", "--separator", "tab"), "--separator only applies to csv"),
        (("json", "--times", "timecode"), "--times only applies to srt, vtt"),
        (("vtt", "--columns", "text"), "--columns only applies to csv"),
        (("csv", "--scene", "s1"), "--scene only applies to problem"),
        (("plan", "--accepted-only"), "--accepted-only only applies to srt, vtt, dapt, csv, xlsx"),
        (("csv", "--columns", "text,mood"), "no column “mood”"),
        (("csv", "--columns", "text,text"), "twice"),
        (("csv", "--columns", ""), "column"),
        (("pdf", "--template", "house.docx"), "house.docx"),
        (("docx", "--template", "house.odt"), "saved as .docx or .xlsx"),
        (("csv", "--start-timecode", "10:00:00:99"), "frame 99"),
        (("docx", "--script-version", "x" * 99), "at most 80"),
        (("problem", "--scene", "s99"), "no scene “s99”"),
    ],
)
def test_options_that_a_format_does_not_have_are_refused(project: Path, run, arguments, complaint):
    run("export", project, "--format", *arguments).refused(2, complaint)


def test_columns_and_separator_of_a_table_are_chosen(project: Path, run):
    ran = run("export", project, "--format", "csv", "--columns", "in s, text ,number", "--separator", "semicolon")
    assert ran.out.decode("utf-8-sig").splitlines() == [
        "in s;text;number",
        "4.100;A heavy oak door opens slowly.;1",
        "12.950;A man steps out of the shadow.;2",
    ]


def test_nobody_accepted_a_line_so_none_is_in_it(project: Path, run):
    ran = run("export", project, "--format", "reframed", "--accepted-only")
    assert (ran.code, json.loads(ran.out)) == (0, {})
    assert ran.err == "No line is in it.\n2 of 2 lines have not been accepted and are left out.\n"


def test_steps_after_the_last_save_are_left_out_and_told_of(project: Path, run):
    from dataclasses import replace

    from adstudio.core.script import Pin
    from adstudio.core.steps import Replace
    from adstudio.store.project import ProjectFile

    with ProjectFile.open(project) as opened:
        document = opened.document(on_failure=lambda error: pytest.fail(str(error)))
        first = document.script.eventualities[0]
        document.apply(Replace(first, replace(first, pin=Pin(selected=False))))
    saved = run("export", project, "--format", "reframed")
    assert len(check_reframed(saved.out)) == 2
    assert "--unsaved" in saved.err
    last = run("export", project, "--format", "reframed", "--unsaved")
    assert [line["text"] for line in check_reframed(last.out).values()] == ["A man steps out of the shadow."]
    assert "unsaved" not in last.err


def test_draft_tells_what_it_made_and_what_was_odd(tmp_path: Path, srt: Path, candidates: Path, run):
    value = json.loads(candidates.read_text())
    value.append({"audio_description": "No times."})
    candidates.write_text(json.dumps(value))
    report = tmp_path / "report.json"
    ran = run(
        *("draft", "--subtitles", srt, "--end", 60, "--candidates", candidates),
        *("-o", tmp_path / "p.adproj", "--report", report),
    )
    assert (ran.code, ran.out) == (0, b"")
    # With 0.3 s free around dialogue, 0.7 s (too short a gap), 6.4 and 47.7 s are free between it; the two lines, of
    # six and seven words, take 2.1 and 2.5 s at 170 words a minute.
    assert "optimal, 2 of 3" in ran.err.splitlines()[-1]
    assert "0:05 of 0:54 free" in ran.err.splitlines()[-1]
    assert str(candidates) in ran.err
    found = exact(report.read_bytes())
    for each in found:
        keys(each, "file", "line", "what")
    assert any(each["file"] == str(candidates) for each in found)

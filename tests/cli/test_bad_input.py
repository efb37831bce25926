"""Input that cannot be used: exit code 2, one sentence that names the file and the mending, and nothing written."""

import json
import os
import sqlite3
from pathlib import Path

import pytest
from cli_running import SRT, element, problem

BIG = 1 << 30


def sparse(path: Path) -> Path:
    with path.open("wb") as file:
        file.truncate(BIG)
    return path


def fifo(path: Path) -> Path:
    os.mkfifo(path)
    return path


def holding(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def folder(path: Path) -> Path:
    path.mkdir()
    return path


UNUSABLE = {
    "missing": lambda path: path,
    "huge": sparse,
    "folder": folder,
    "fifo": fifo,
    "endless": lambda path: Path("/dev/zero"),
    "binary": lambda path: holding(path, bytes(range(256)) * 40),
    "zeros": lambda path: holding(path, bytes(5000)),
}


@pytest.mark.parametrize("kind", UNUSABLE)
def test_no_subtitle_file(kind: str, tmp_path: Path, run, nothing_written):
    path = UNUSABLE[kind](tmp_path / "film.srt")
    nothing_written()
    run("gaps", path, "-o", tmp_path / "gaps.json").refused(2, str(path))


@pytest.mark.parametrize("kind", UNUSABLE)
def test_no_problem_file(kind: str, tmp_path: Path, run, nothing_written):
    path = UNUSABLE[kind](tmp_path / "problem.json")
    nothing_written()
    for name in ("solve", "explain"):
        run(name, path, "-o", tmp_path / "out.json").refused(2, str(path))
    run("verify", path, path).refused(2, str(path))


@pytest.mark.parametrize("kind", UNUSABLE)
def test_no_candidates_file(kind: str, tmp_path: Path, srt: Path, run, nothing_written):
    path = UNUSABLE[kind](tmp_path / "c.json")
    nothing_written()
    run(
        *("draft", "--subtitles", srt, "--end", 60, "--candidates", path),
        *("-o", tmp_path / "p.adproj", "--report", tmp_path / "report.json"),
    ).refused(2, str(path))


@pytest.mark.parametrize("kind", UNUSABLE)
def test_no_project_file(kind: str, tmp_path: Path, run, nothing_written):
    path = UNUSABLE[kind](tmp_path / "p.adproj")
    nothing_written()
    run("export", path, "--format", "srt", "-o", tmp_path / "out.srt").refused(2, str(path))


@pytest.mark.parametrize("kind", [kind for kind in UNUSABLE if kind != "huge"])
def test_no_video(kind: str, tmp_path: Path, srt: Path, candidates: Path, run, nothing_written):
    path = UNUSABLE[kind](tmp_path / "film.mp4")
    nothing_written()
    run("draft", path, "--subtitles", srt, "--candidates", candidates, "-o", tmp_path / "p.adproj").refused(
        2, str(path)
    )


def test_a_text_called_mp4_is_no_video(tmp_path: Path, srt: Path, candidates: Path, run, nothing_written):
    video = holding(tmp_path / "film.mp4", SRT.encode())
    nothing_written()
    run("gaps", video).refused(2, str(video))
    run("draft", video, "--subtitles", srt, "--candidates", candidates, "-o", tmp_path / "p.adproj").refused(
        2, str(video)
    )


def changed(text: str, new: str):
    return json.dumps(problem()).replace(text, new, 1)


SALIENCE, DURATION, DELTA = '"salience": 0.5', '"duration": 2.0', '"delta_max": 10.0'

ABSURD = [
    *(f'"salience": {value}' for value in ("NaN", "Infinity", "-Infinity", "1e400", "1e30", "10000.1", "null", '"1"')),
    *(f'"salience": {value}' for value in ("9" * 5000, "1e9999999999999999999", "1e999999999", "true", "[1]", "01")),
]


@pytest.mark.parametrize("new", ABSURD, ids=lambda text: text[:30])
def test_absurd_salience(new: str, problem_file, tmp_path: Path, run, nothing_written):
    path = problem_file(changed(SALIENCE, new))
    nothing_written()
    run("solve", path, "-o", tmp_path / "plan.json").refused(2, str(path))


@pytest.mark.parametrize(
    "new", ["-1", "2.0001", "1e30", "1e-4", "1e999999999", "1e-999999999", "NaN", "1" * 30, "null"]
)
def test_absurd_times(new: str, problem_file, run):
    for old in (DURATION, DELTA, '"end": 60.0'):
        path = problem_file(changed(old, f"{old.split(':')[0]}: {new}"))
        run("solve", path).refused(2, str(path))


@pytest.mark.parametrize("key", ["gaps", "elements", "format", "scene", "delta_max"])
def test_a_missing_key_is_named(key: str, problem_file, run):
    value = problem()
    del value[key]
    run("solve", problem_file(value)).refused(2, f"“{key}”")


def with_element(**changes):
    return problem(elements=[{**element("e1", [1.0, 3.0], 0.5, 2.0), **changes}])


UNKNOWN_KEYS = [
    problem(colour=1),
    problem(scene={"id": "s", "start": 0, "end": 60, "colour": 1}),
    problem(rules={"colour": []}),
    problem(previous=[{"element": "e1", "variant": 0, "colour": 1}]),
    with_element(colour=1),
    with_element(variants=[{"rate": 1, "text": "", "duration": 1, "colour": 1}]),
    with_element(pin={"colour": True}),
]


@pytest.mark.parametrize("value", UNKNOWN_KEYS)
def test_unknown_keys_are_named_at_every_level(value, problem_file, run):
    run("solve", problem_file(value)).refused(2, "unknown key “colour”")


CONTRADICTORY = [
    ({"selected": False, "start": 1.0}, "left out"),
    ({"override": True}, "needs a start"),
    ({"selected": True, "override": True}, "needs a start"),
    ({"variant": 1}, "0 to 0"),
    ({"variant": -1}, "0 to 0"),
    ({"variant": 0.5}, "whole number"),
    ({"variant": True}, "expected a number"),
    ({"selected": 1}, "true or false"),
    ({"start": -1}, "pin.start"),
    ({"start": 1.0001}, "three decimals"),
]


@pytest.mark.parametrize(("pin", "what"), CONTRADICTORY)
def test_contradictory_pins(pin, what: str, problem_file, run):
    run("solve", problem_file(with_element(pin=pin))).refused(2, "elements[0].pin", what)


STRUCTURE = [
    (problem(gaps=[[20, 30], [0, 10]]), "gaps[1]"),
    (problem(gaps=[[0, 10], [9, 12]]), "gaps[1]"),
    (problem(gaps=[[10, 0]]), "gaps[0]"),
    (problem(gaps=[[0]]), "gaps[0]"),
    (problem(gaps={}), "gaps"),
    (problem(elements=[element("e1", [0, 1], 1, 1), element("e1", [0, 1], 1, 1)]), "duplicate id “e1”"),
    (problem(elements=[element("", [0, 1], 1, 1)]), "elements[0].id"),
    (problem(elements=[element("e1", [0, 1], 1)]), "variants"),
    (problem(elements=[element("e1", [2, 1], 1, 1)]), "occurrence"),
    (problem(elements=[element("e1", [0, 1], 1, 1, within=[3, 2])]), "within"),
    (problem(elements=["e1"]), "elements[0]"),
    (problem(rules={"requires": [["e1", "e9"]]}), "“e9”"),
    (problem(rules={"requires": [["e1", "e1"]]}), "twice"),
    (problem(rules={"requires": [["e1"]]}), "rules.requires[0]"),
    (problem(rules={"penalties": [["e1", "e2", -1]]}), "rules.penalties[0]"),
    (problem(rules={"penalties": [["e1", "e2"]]}), "rules.penalties[0]"),
    (problem(max_share=1.5), "max_share"),
    (problem(max_share=-0.1), "max_share"),
    (problem(max_share=0), "max_share: must be above 0"),
    (problem(delta_early=0, delta_late=0), "delta_early: a line has no place"),
    (problem(delta_late=-1), "delta_late"),
    (problem(delta_early=1, near={"early": 1.001, "late": 0, "far_gain": 0.5}), "near: early is wider"),
    (problem(delta_late=1, near={"early": 0, "late": 2, "far_gain": 0.5}), "near: late is wider"),
    (problem(near={"early": 0, "late": 2, "far_gain": 0}), "near: far_gain must be above 0"),
    (problem(near={"early": 0, "late": 2, "far_gain": 1.1}), "near.far_gain"),
    (problem(near={"early": 0, "late": 2}), "far_gain"),
    (problem(reach=-1), "reach"),
    (problem(gaps=[], reach=1), "reach: there are no gaps"),
    (problem(min_pause=-1), "min_pause"),
    (problem(scene={"id": "s", "start": 5, "end": 5}), "scene"),
    (problem(format="adstudio-problem/2"), "adstudio-problem/1"),
    (problem(format="adstudio-plan/1"), "adstudio-problem/1"),
]


@pytest.mark.parametrize(("value", "what"), STRUCTURE)
def test_wrong_structure_is_named_where_it_stands(value, what: str, problem_file, run):
    path = problem_file(value)
    for name in ("solve", "explain"):
        run(name, path).refused(2, str(path), what)


TEXTS = [
    b"",
    b"  \n",
    b"{",
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b"null",
    b"[]",
    b'"x"',
    json.dumps(problem()).encode() + b"x",
    json.dumps(problem()).encode("utf-16"),
    json.dumps(problem()).encode("utf-16-le"),
    json.dumps(problem(scene={"id": "ä", "start": 0, "end": 1}), ensure_ascii=False).encode("latin-1"),
    changed('"format"', '"format": "x", "format"').encode(),
    changed('"e1"', '"\\ud800"').encode(),
]


@pytest.mark.parametrize("data", TEXTS, ids=lambda data: repr(data[:20]))
def test_what_is_no_json_of_ours(data: bytes, problem_file, tmp_path: Path, run, nothing_written):
    path = problem_file(data)
    nothing_written()
    run("solve", path, "-o", tmp_path / "plan.json").refused(2, str(path))


def test_a_key_given_twice_among_many_is_found_at_once(problem_file, run):
    members = ",".join(f'"k{number}":1' for number in range(200_000))
    run("solve", problem_file("{" + members + ',"k199999":1}')).refused(2, "“k199999” appears twice")


def test_a_million_elements_are_refused_before_they_are_read(problem_file, run):
    one = json.dumps(element("e1", [0, 1], 1, 1)).replace(" ", "")
    small = problem_file(json.dumps(problem(elements=[])).replace("[]", "[" + ",".join([one] * 100_001) + "]"))
    run("solve", small).refused(2, "100,000")
    with small.open("w") as file:
        file.write(json.dumps(problem(elements=[])).replace("[]}", "["))
        for _ in range(100):
            file.write((one + ",") * 10_000)
        file.write(one + "]}")
    run("solve", small).refused(2, str(small), "larger than a problem file can be")


def test_control_characters_of_a_file_never_reach_the_terminal(problem_file, run):
    ran = run("solve", problem_file(with_element(pin={"\x1b[31m\u202ex\n\x9b": 1})))
    ran.refused(2, "\\x1b[31m")
    assert not set("\x1b\u202e\x9b") & set(ran.err)


def test_exact_refuses_rules(problem_file, tmp_path: Path, run, nothing_written):
    ruled = problem_file(problem(rules={"together": [["e1", "e2"]]}), "ruled.json")
    nothing_written()
    run("solve", ruled, "--backend", "exact", "-o", tmp_path / "plan.json").refused(2, "cpsat")


def test_random_wants_a_pool_of_texts(problem_file, tmp_path: Path, run):
    path = problem_file()
    run("solve", path, "--backend", "random").refused(2, "--pool")
    for pool in (b"{}", b"[1]", b"", b'["..."]', b"[]"):
        run("solve", path, "--backend", "random", "--pool", holding(tmp_path / "pool.json", pool)).refused(2)
    run("solve", path, "--backend", "random", "--pool", tmp_path / "none.json").refused(2, "none.json")
    run("solve", path, "--pool", holding(tmp_path / "pool.json", b'["A door."]')).refused(2, "--backend random")


def test_an_unknown_element_cannot_be_explained(problem_file, run):
    run("explain", problem_file(), "--item", "e9").refused(2, "“e9”")


def test_a_project_is_not_subtitles_and_subtitles_are_not_a_project(srt: Path, candidates: Path, tmp_path: Path, run):
    from adstudio.core.film import Film
    from adstudio.core.script import Script
    from adstudio.store.project import ProjectFile

    ProjectFile.create(project := tmp_path / "film.adproj", Script(Film("f", 1000))).close()
    run("gaps", project).refused(2, "film.adproj is an adstudio project, not a subtitle file", "give the subtitles")
    drafting = ("draft", "--subtitles", project, "--candidates", candidates, "-o", tmp_path / "new.adproj")
    run(*drafting).refused(2, "is an adstudio project, not a subtitle file")
    long = holding(tmp_path / "long.srt", srt.read_bytes() * 20)
    for path in (srt, long):
        run("export", path, "--format", "srt").refused(
            2, "is a subtitle file, not an adstudio project", "adstudio draft"
        )


def test_a_missing_film_is_named_before_missing_options(tmp_path: Path, run):
    run("draft", tmp_path / "none.mp4", "-o", tmp_path / "p.adproj").refused(2, "there is no such film")


DELIVERIES = [
    b'{"element": "e1", "variant": 0, "start": 1.0001, "end": 3}',
    b'{"element": "e1", "variant": 0, "start": 1e999999999, "end": 3}',
    b'{"element": "e1", "variant": 0, "start": 1, "end": 3, "colour": 1}',
    b'{"element": "e1", "variant": 1e999999999, "start": 1, "end": 3}',
]

PLANS = [
    b"",
    b"[]",
    b"{}",
    b'{"format": "adstudio-plan/1"}',
    b'{"format": "adstudio-plan/2", "status": "optimal", "deliveries": []}',
    b'{"format": "adstudio-plan/1", "status": "good", "deliveries": []}',
    b'{"format": "adstudio-plan/1", "status": "optimal", "deliveries": [], "colour": 1}',
    b'{"format": "adstudio-plan/1", "status": "optimal", "deliveries": [1]}',
    b'{"format": "adstudio-plan/1", "status": "optimal", "deliveries": [], "objective": 1e999999999}',
    b'{"format": "adstudio-plan/1", "status": "optimal", "deliveries": [], "objective": NaN}',
    b'{"format": "adstudio-plan/1", "status": "optimal", "deliveries": [{"element": "e1", "variant": 0}]}',
    b'{"format": "adstudio-plan/1", "status": "optimal", "deliveries": [{"element": "e1", "start": 1, "end": 3}]}',
    *(b'{"format": "adstudio-plan/1", "status": "optimal", "deliveries": [%s]}' % one for one in DELIVERIES),
]


@pytest.mark.parametrize("data", PLANS)
def test_what_is_no_plan_cannot_be_verified(data: bytes, problem_file, run):
    plan = problem_file(data, "plan.json")
    run("verify", problem_file(), plan).refused(2, str(plan))


def test_a_plan_is_no_problem_and_a_problem_no_plan(problem_file, run):
    path = problem_file()
    plan = problem_file(run("solve", path).out, "plan.json")
    run("solve", plan).refused(2, str(plan))
    run("verify", plan, path).refused(2, str(plan))
    run("verify", path, path).refused(2, str(path))


@pytest.fixture
def project(tmp_path: Path, srt: Path, candidates: Path, run) -> Path:
    path = tmp_path / "p.adproj"
    assert run("draft", "--subtitles", srt, "--end", 60, "--candidates", candidates, "-o", path).code == 0
    return path


def test_damaged_projects(project: Path, tmp_path: Path, run, nothing_written):
    data = project.read_bytes()
    damaged = {
        "cut": data[: len(data) // 2],
        "short": data[:300],
        "empty": b"",
        "headless": bytes(512) + data[512:],
        "hollow": data[:100] + bytes(len(data) - 100),
        "text": b"not a project\n" * 100,
    }
    for name, content in damaged.items():
        holding(tmp_path / f"{name}.adproj", content)
    nothing_written()
    for name in damaged:
        path = tmp_path / f"{name}.adproj"
        run("export", path, "--format", "srt", "-o", tmp_path / "out.srt").refused(2, str(path))


def test_foreign_and_newer_projects(project: Path, tmp_path: Path, run):
    with sqlite3.connect(tmp_path / "foreign.adproj") as foreign:
        foreign.execute("CREATE TABLE album (title TEXT)")
    foreign.close()
    run("export", tmp_path / "foreign.adproj", "--format", "srt").refused(2, "foreign.adproj")
    with sqlite3.connect(project) as newer:
        (version,) = newer.execute("PRAGMA user_version").fetchone()
        newer.execute(f"PRAGMA user_version = {version + 1}")
    newer.close()
    run("export", project, "--format", "srt").refused(2, str(project), "newer")


USAGE = [
    ("draw",),
    ("solve",),
    ("solve", "a", "b"),
    ("solve", "p.json", "--backend", "simplex"),
    ("solve", "p.json", "--colour"),
    ("solve", "p.json", "--seed", "x"),
    ("export", "p.adproj"),
    ("export", "p.adproj", "--format", "mp3"),
    ("verify", "p.json"),
    ("gaps",),
    ("draft", "--subtitles", "x.srt"),
    ("--colour",),
    ("--show-completion", "csh"),
]


@pytest.mark.parametrize("arguments", USAGE)
def test_wrong_usage_points_to_the_help(arguments, tmp_path: Path, monkeypatch, run, nothing_written):
    monkeypatch.chdir(tmp_path)
    nothing_written()
    run(*arguments).refused(2, "--help")


@pytest.mark.parametrize("limit", ["0", "-1", "nan", "inf", "1e400"])
def test_no_time_limit(limit: str, problem_file, run):
    run("solve", problem_file(), "--time-limit", limit).refused(2, "--time-limit")


@pytest.mark.parametrize(
    "end",
    [
        "0",
        "-1",
        "nan",
        "inf",
        "1e400",
        "1e9",
        "",
        "x",
        "1.0001",
        "1.000,5",
        "360001",
        "0:61",
        "1:00:00:00",
        "1_0",
        "9" * 5000,
    ],
)
def test_no_end(end: str, srt: Path, candidates: Path, tmp_path: Path, run, nothing_written):
    nothing_written()
    run("gaps", srt, f"--end={end}").refused(2, "--end")
    run("draft", "--subtitles", srt, "--candidates", candidates, f"--end={end}", "-o", tmp_path / "p.adproj").refused(
        2, "--end"
    )


@pytest.mark.parametrize("option", ["--margin-before", "--margin-after", "--least-gap"])
def test_no_margin(option: str, srt: Path, run):
    for value in ("-1", "x", "nan", "0.0001"):
        run("gaps", srt, f"{option}={value}").refused(2, option)


def test_no_encoding(srt: Path, run):
    for encoding in ("klingon", "utf-7", "", "base64", "\x00"):
        run("gaps", srt, "--encoding", encoding).refused(2)


DRAFTS = [
    ((), "--candidates"),
    (("--candidates", "{candidates}", "--frame-rate", "17/0"), "17/0"),
    (("--candidates", "{candidates}", "--frame-rate", "1000"), "1000"),
    (("--candidates", "{candidates}", "--frame-rate", "26"), "use 23.976, 24, 25, 29.97 DF"),
    (("--candidates", "{candidates}", "--start-timecode", "10:00:00"), "lacks the frames: write 10:00:00:00"),
    (("--candidates", "{candidates}", "--frame-rate", "1e999999999"), "1e999999999"),
    (("--candidates", "{candidates}", "--frame-rate", "nan"), "nan"),
    (("--candidates", "{candidates}", "--frame-rate", "9" * 5000), "9999"),
    (("--candidates", "{candidates}", "--start-timecode", "99:00:00:00"), "99:00:00:00"),
    (("--candidates", "{candidates}", "--frame-rate", "29.97df", "--start-timecode", "00:01:00;00"), "00:01:00;00"),
    (("--candidates", "{candidates}", "--words-per-minute", "0"), "--words-per-minute"),
    (("--candidates", "{candidates}", "--delta-max", "-1"), "--delta-max"),
    (("--candidates", "{candidates}", "--scope", "reel"), "--scope"),
]


@pytest.mark.parametrize(("options", "what"), DRAFTS)
def test_no_draft(options, what: str, srt: Path, candidates: Path, tmp_path: Path, run, nothing_written):
    nothing_written()
    given = [option.format(candidates=candidates) for option in options]
    run("draft", "--subtitles", srt, "--end", 60, *given, "-o", tmp_path / "p.adproj").refused(2, what)


def test_a_film_has_one_length(srt: Path, candidates: Path, tmp_path: Path, run):
    run(
        *("draft", tmp_path / "film.mp4", "--end", 60, "--subtitles", srt),
        *("--candidates", candidates, "-o", tmp_path / "p.adproj"),
    ).refused(2, "--end")
    empty = holding(tmp_path / "empty.srt", b"")
    draft = ("draft", "--subtitles", empty, "--without-dialogue", "--candidates", candidates)
    run(*draft, "-o", tmp_path / "p.adproj").refused(2, "--end")


def test_a_project_that_is_there_stays(project: Path, srt: Path, candidates: Path, run, nothing_written):
    nothing_written()
    run("draft", "--subtitles", srt, "--end", 60, "--candidates", candidates, "-o", project).refused(2, "--force")


def test_what_is_read_is_never_written_over(
    project: Path, srt: Path, candidates: Path, tmp_path: Path, problem_file, run, nothing_written
):
    asked = problem_file()
    link = tmp_path / "link.json"
    link.symlink_to(asked)
    nothing_written()
    run("solve", asked, "-o", asked).refused(2, str(asked))
    run("solve", link, "-o", asked).refused(2, str(asked))
    run("explain", asked, "-o", link).refused(2, str(link))
    run("gaps", srt, "-o", srt).refused(2, str(srt))
    run("export", project, "--format", "srt", "-o", project).refused(2, str(project))
    run("solve", asked, "-o", project).refused(2, str(project))
    drafting = ("draft", "--force", "--end", 60, "--subtitles", srt, "--candidates", candidates)
    run(*drafting, "-o", srt).refused(2, str(srt))
    run(*drafting, "-o", candidates).refused(2, str(candidates))
    run(*drafting, "-o", project, "--report", candidates).refused(2, str(candidates))

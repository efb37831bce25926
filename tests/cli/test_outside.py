"""Something outside failed: exit code 3, one sentence, nothing half-written."""

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_running import element, listing, problem, process


@pytest.fixture
def drafting(srt: Path, candidates: Path):
    return ("draft", "--subtitles", srt, "--end", 60, "--candidates", candidates)


@pytest.fixture
def project(tmp_path: Path, drafting, run) -> Path:
    path = tmp_path / "p.adproj"
    assert run(*drafting, "-o", path).code == 0
    return path


def mounted(place: Path, *arguments: str) -> None:
    place.mkdir(exist_ok=True)
    done = subprocess.run(["mount", *arguments, str(place)], capture_output=True, check=False)
    if done.returncode:
        pytest.skip(f"nothing may be mounted here: {done.stderr.decode().strip()}")


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    """A folder that nobody can write to, whoever they are."""
    place = tmp_path / "read-only"
    mounted(place, "-t", "tmpfs", "-o", "size=1m", "tmpfs")
    try:
        (place / "there.json").write_text("{}")
        subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk with 4 KB left."""
    place = tmp_path / "full"
    mounted(place, "-t", "tmpfs", "-o", "size=64k", "tmpfs")
    try:
        (place / "filling").write_bytes(bytes(60 * 1024))
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


def every_target(folder: Path, project: Path, asked: Path, srt: Path, drafting):
    return [
        ("solve", asked, "-o", folder / "there.json"),
        ("solve", asked, "-o", folder / "plan.json"),
        ("explain", asked, "-o", folder / "explain.json"),
        ("gaps", srt, "-o", folder / "gaps.json"),
        ("export", project, "--format", "vtt", "-o", folder / "script.vtt"),
        (*drafting, "-o", folder / "new.adproj"),
    ]


def test_a_read_only_folder(read_only: Path, project: Path, srt: Path, drafting, problem_file, run):
    before = listing(read_only)
    for arguments in every_target(read_only, project, problem_file(), srt, drafting):
        run(*arguments).refused(3, str(arguments[-1]), "read")
    assert listing(read_only) == before


def test_a_read_only_folder_is_enough_to_read_from(read_only: Path, project: Path, tmp_path: Path, run):
    subprocess.run(["mount", "-o", "remount,rw", str(read_only)], check=True)
    copy = read_only / "copy.adproj"
    copy.write_bytes(project.read_bytes())
    subprocess.run(["mount", "-o", "remount,ro", str(read_only)], check=True)
    assert run("export", copy, "--format", "srt").out.startswith(b"1\n")


def test_a_full_disk(full: Path, project: Path, srt: Path, drafting, problem_file, tmp_path: Path, run):
    many = [element(f"e{n}", [n, n + 1.0], 0.5, 1.0) for n in range(100)]
    large = problem_file(problem(gaps=[[0.0, 200.0]], elements=many))
    cues = "".join(f"{n}\n00:{n:02d}:00,000 --> 00:{n:02d}:01,000\nHm. {'x' * 200}\n\n" for n in range(60))
    (tmp_path / "long.srt").write_text(cues)
    before = listing(full)
    run("solve", large, "-o", full / "plan.json").refused(3, "plan.json", "disk is full")
    run("explain", large, "-o", full / "explain.json").refused(3, "explain.json", "disk is full")
    run("gaps", tmp_path / "long.srt", "-o", full / "gaps.json").refused(3, "gaps.json", "disk is full")
    run(*drafting, "-o", full / "new.adproj").refused(3, "new.adproj", "disk is full")
    assert listing(full) == before


def test_a_report_that_cannot_be_written_is_noticed_first(read_only: Path, drafting, tmp_path: Path, run):
    target = tmp_path / "new.adproj"
    run(*drafting, "-o", target, "--report", read_only / "report.json").refused(3, "report.json")
    assert not target.exists()


def test_a_file_marked_read_only_stays(srt: Path, problem_file, run, nothing_written):
    target = problem_file("{}", "there.json")
    target.chmod(0o444)
    asked = problem_file()
    nothing_written()
    run("solve", asked, "-o", target).refused(3, f"{target} is marked read-only")


@pytest.mark.parametrize(
    ("asked", "what"),
    [
        (("gaps", "{file}.srt"), "this subtitle file cannot be read"),
        (("solve", "{file}.json"), "this problem file cannot be read"),
        (("solve", "{file}.adproj"), "this project cannot be read"),
        (("explain", "{file}.json"), "this problem file cannot be read"),
        (("verify", "{file}.json", "{file}.json"), "this problem file cannot be read"),
        (("export", "{file}.adproj", "--format", "srt"), "this project cannot be read"),
        (("preset", "{file}.json"), "this preset cannot be read"),
        (("draft", "--subtitles", "{file}.srt", "--end", "20"), "this subtitle file cannot be read"),
    ],
)
def test_a_file_that_may_not_be_read(
    asked, what: str, project: Path, candidates: Path, run, monkeypatch: pytest.MonkeyPatch
):
    for ending in (".srt", ".json"):
        project.with_suffix(ending).write_bytes(b"{}")
    access, opened = os.access, os.open

    def allowed(path, mode, **more):
        return not (Path(path).stem == project.stem and mode & os.R_OK) and access(path, mode, **more)

    def opening(path, *more, **given):
        if Path(path).stem == project.stem:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return opened(path, *more, **given)

    monkeypatch.setattr(os, "access", allowed)  # the tests may run as root, who may read everything
    monkeypatch.setattr(os, "open", opening)
    given = [each.format(file=project.with_suffix("")) for each in asked]
    if asked[0] == "draft":
        given += ["--candidates", candidates, "-o", candidates.with_name("new.adproj")]
    (name,) = {each for each in given if str(each).startswith(str(project.with_suffix("")))}
    run(*given).refused(3, f"{name}: {what}: you do not have permission")


def test_a_project_that_may_not_be_read_is_not_taken_for_another_file(
    drafting, project: Path, run, monkeypatch: pytest.MonkeyPatch
):
    access, content = os.access, project.read_bytes()
    monkeypatch.setattr(
        os, "access", lambda path, mode: not (Path(path) == project and mode & os.R_OK) and access(path, mode)
    )
    for more in ((), ("--force",)):
        run(*drafting, "-o", project, *more).refused(3, str(project), "this project cannot be read")
    assert project.read_bytes() == content


def test_no_folder_no_file(tmp_path: Path, drafting, problem_file, run, nothing_written):
    asked = problem_file()
    nothing_written()
    run("solve", asked, "-o", tmp_path / "none" / "plan.json").refused(3, "folder does not exist")
    run("solve", asked, "-o", tmp_path).refused(3, f"{tmp_path} is a folder: add a file name")
    run("solve", asked, "-o", asked / "plan.json").refused(3, "is a file, not a folder")
    run("solve", asked, "-o", tmp_path / ("x" * 300)).refused(3, "name is too long")
    run(*drafting, "-o", tmp_path / "none" / "p.adproj").refused(3, "folder does not exist")


def test_a_target_that_is_a_device_or_pipe(tmp_path: Path, problem_file, run):
    os.mkfifo(tmp_path / "pipe")
    for target in (tmp_path / "pipe", Path("/dev/full")):
        run("solve", problem_file(), "-o", target).refused(3, str(target))


HOLD = """
import sys
from pathlib import Path
from adstudio.store.project import ProjectFile
with ProjectFile.open(Path(sys.argv[1])):
    print("open", flush=True)
    sys.stdin.read()
"""


def test_a_project_that_is_open_elsewhere(project: Path, drafting, tmp_path: Path, run):
    before = listing(tmp_path)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(project)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"open\n"
        run("export", project, "--format", "srt", "-o", tmp_path / "out.srt").refused(
            3, str(project), "in use by another"
        )
        run(*drafting, "--force", "-o", project, "--report", tmp_path / "report.json").refused(
            3, str(project), "in use by another"
        )
        holder.communicate()
    assert listing(tmp_path) == before
    assert run(*drafting, "--force", "-o", project).code == 0


def test_gurobi_named_but_not_installed(problem_file, monkeypatch, run):
    monkeypatch.setitem(sys.modules, "gurobipy", None)
    run("solve", problem_file(), "--backend", "gurobi").refused(3, "adstudio[gurobi]")


@pytest.mark.gurobi
def test_gurobi_beyond_its_licence(problem_file, tmp_path: Path, run, nothing_written):
    pytest.importorskip("gurobipy")
    many = [element(f"e{n}", [n / 4, n / 4 + 1.0], 0.5, 1.0, 1.5, 2.0, 2.5, 3.0) for n in range(500)]
    path = problem_file(problem(gaps=[[0.0, 200.0]], elements=many))
    nothing_written()
    run("solve", path, "--backend", "gurobi", "-o", tmp_path / "plan.json").refused(3, "licence")


def test_a_model_wants_to_be_named_and_to_be_shown_the_film(
    problem_file, srt: Path, candidates: Path, tmp_path: Path, run, nothing_written
):
    asked = problem_file()
    screenplay = tmp_path / "film.fountain"
    screenplay.write_text("EXT. YARD - DAY\n\nA dog sits.\n")
    nothing_written()
    run("solve", asked, "--backend", "llm").refused(2, "--llm NAME")
    drafting = ("draft", "--subtitles", srt, "--end", 60, "-o", tmp_path / "p.adproj")
    for more in (
        ("--llm", "gemini"),
        ("--screenplay", screenplay, "--llm", "gemini", "--direct"),
        ("--candidates", candidates, "--llm", "gemini"),
    ):
        run(*drafting, *more).refused(2, "give the video")


def test_an_output_that_is_full_or_closed(problem_file, tmp_path: Path):
    asked = problem_file()
    script = tmp_path / "all.py"
    # One process for all: each start would cost a third of a second.
    script.write_text(
        "import os, sys\n"
        "from adstudio.cli.main import main\n"
        "for arguments in (['solve', sys.argv[1]], ['--help'], ['--version'], ['verify', *sys.argv[1:3]]):\n"
        "    sys.stdout = open(os.open('/dev/full', os.O_WRONLY), 'w')\n"
        "    try:\n"
        "        main(arguments)\n"
        "    except SystemExit as ended:\n"
        "        print(ended.code, file=sys.stderr)\n"
        "sys.stdout = None\n"
        "try:\n"
        "    main(['solve', sys.argv[1]])\n"
        "except SystemExit as ended:\n"
        "    print(ended.code, file=sys.stderr)\n"
    )
    plan = tmp_path / "plan.json"
    assert process("solve", asked, "-o", plan).code == 0
    done = subprocess.run(
        [sys.executable, script, asked, plan], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, check=True
    )
    lines = done.stderr.decode().splitlines()
    assert lines[1::2] == ["3"] * 5
    assert all(line.startswith("adstudio: ") and "disk is full" in line for line in lines[0:8:2])
    assert "-o" in lines[8]


def test_full_output_of_a_process(problem_file):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "adstudio.cli.main", "solve", problem_file()],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 3
    assert done.stderr.count(b"\n") == 1


def test_no_memory_is_told(problem_file, monkeypatch, run):
    def exhausted(*_):
        raise MemoryError

    monkeypatch.setattr("adstudio.planning.files.problem_file.parse_problem", exhausted)
    run("solve", problem_file()).refused(3, "memory")


def test_a_fault_of_the_program_is_no_answer(problem_file, monkeypatch, run):
    def faulty(*_):
        raise KeyError("x")

    monkeypatch.setattr("adstudio.planning.files.problem_file.parse_problem", faulty)
    ran = run("solve", problem_file())
    ran.refused(70, "internal error in adstudio", "adstudio.log")
    log = Path(ran.err.split("internal error in adstudio: see ")[1].split(" for details")[0])
    assert "KeyError" in log.read_text(encoding="utf-8")

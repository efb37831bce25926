"""Whatever the locale, the terminal, the home and the names of files: the same answers, in UTF-8."""

import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from cli_contracts import check_gaps
from cli_running import SRT, command, element, listing, problem, process

LETTERS = "Grüße — „夜“ ﷽ 🎬 ñ\u0301"

LOCALES = {
    "C": {"LANG": "C", "LC_ALL": None},
    "C, no UTF-8 mode": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "German": {"LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8"},
    "Latin-1 terminal": {"PYTHONIOENCODING": "latin-1"},
    "ASCII terminal": {"PYTHONIOENCODING": "ascii:strict"},
    "dumb": {"TERM": "dumb", "NO_COLOR": "1", "COLUMNS": "20"},
    "coloured": {"FORCE_COLOR": "1", "NO_COLOR": None, "TERM": "xterm-256color"},
}


@pytest.mark.parametrize("name", LOCALES)
def test_any_letters_in_any_locale(name: str, tmp_path: Path):
    """Out comes UTF-8, and nothing that is said on the way falls over a letter."""
    (tmp_path / "a.srt").write_text(SRT.replace("Good evening.", LETTERS), encoding="utf-8")
    one = {"audio_description": LETTERS, "occurrence_start": 4, "occurrence_end": 5, "salience": 0.5}
    (tmp_path / "c.json").write_text(json.dumps([one, {LETTERS: 1}]), encoding="utf-8")
    # One process for several commands: each start costs a third of a second.
    script = (
        "import sys\n"
        "from adstudio.cli.main import main\n"
        "def run(*arguments):\n"
        "    try:\n"
        "        main(list(arguments))\n"
        "    except SystemExit as ended:\n"
        "        sys.stdout.flush()\n"
        "        sys.stdout.buffer.write(b'\\x00%d\\x00' % ended.code)\n"
        "run('gaps', 'a.srt')\n"
        "run('draft', '--subtitles', 'a.srt', '--end', '60', '--candidates', 'c.json', '-o', 'p.adproj')\n"
        "run('export', 'p.adproj', '--format', 'srt')\n"
        "run('gaps', 'Größe 夜.srt')\n"
        "run('--help')\n"
    )
    (tmp_path / "all.py").write_text(script, encoding="utf-8")
    surroundings = {key: value for key, value in {**os.environ, **LOCALES[name]}.items() if value is not None}
    done = subprocess.run(
        [sys.executable, "all.py"], capture_output=True, cwd=tmp_path, env=surroundings, timeout=300, check=True
    )
    assert b"Traceback" not in done.stderr
    gaps, code, drafted, code2, srt, code3, missing, code4, helped, code5, rest = done.stdout.split(b"\0")
    assert (code, code2, code3, code4, code5) == (b"0", b"0", b"0", b"2", b"0"), done.stderr
    assert check_gaps(gaps)["dialogue"][0]["text"] == LETTERS
    assert LETTERS in srt.decode("utf-8")
    assert (drafted, missing, rest) == (b"", b"", b"")
    assert b"draft" in helped
    if "terminal" not in name:
        assert "“" in done.stderr.decode("utf-8")


NAMES = [
    "Gün ter – ä/日本/#1 %20 &.srt",
    "-x.srt",
    "--help.srt",
    "a\nb\t\x1b[31m.srt",
    "l" * 200 + ".srt",
    " .srt",
    "~.srt",
]


@pytest.mark.parametrize("name", NAMES)
def test_any_name(name: str, tmp_path: Path, candidates: Path, monkeypatch, run):
    path = tmp_path / "in" / name
    path.parent.mkdir(parents=True)
    path.write_text(SRT)
    monkeypatch.chdir(path.parent)
    for given in (path, Path("..") / path.parent.name / path.name):
        assert check_gaps(run("gaps", given).out)["end"] == 12
    assert check_gaps(run("gaps", "--", path.name).out)["end"] == 12
    (tmp_path / "link.srt").symlink_to(path)
    assert run("gaps", tmp_path / "link.srt", "-o", path.with_suffix(".json")).code == 0
    check_gaps(path.with_suffix(".json").read_bytes())
    project = path.with_suffix(".adproj")
    drafted = run("draft", f"--subtitles={path}", "--end", 60, f"--candidates={candidates}", f"--output={project}")
    assert drafted.code == 0, drafted
    assert "\x1b" not in drafted.err
    assert drafted.err.splitlines()[-1].endswith("gaps used")
    assert run("export", "--format", "srt", "--", project.name).out.startswith(b"1\n")
    run("gaps", path.with_name("no " + path.name[:100])).refused(2, "no such subtitle file")


def test_a_name_that_is_not_unicode(tmp_path: Path, candidates: Path):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.srt"))
    path.write_text(SRT)
    project = path.with_suffix(".adproj")
    drafted = process("draft", "--subtitles", path, "--end", 60, "--candidates", candidates, "-o", project)
    assert drafted.code == 0, drafted
    assert process("export", project, "--format", "vtt").out.startswith(b"WEBVTT")


def test_an_empty_name(run, srt: Path, problem_file):
    run("gaps", "").refused(2)
    run("solve", "").refused(2)
    ran = run("solve", problem_file(), "-o", "")
    assert ran.code in (2, 3)
    assert ran.out == b""
    run("solve", "a\0b").refused(2)


def test_home_is_not_needed(problem_file, tmp_path: Path, srt: Path):
    path = problem_file("{")
    unset = dict.fromkeys(("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"))
    before = listing(tmp_path)
    # A file where the home should be can hold no log.
    for home in (None, "/dev/null", str(path)):
        ran = process("solve", path, environment={**unset, "HOME": home}, cwd=tmp_path)
        ran.refused(2, str(path))
    ran = process("solve", path, environment={**unset, "XDG_STATE_HOME": str(path)}, cwd=tmp_path)
    ran.refused(2, str(path))
    assert listing(tmp_path) == before


def test_a_log_that_cannot_be_written_is_not_missed(problem_file, tmp_path: Path, monkeypatch, run):
    state = tmp_path / "state"
    (state / "adstudio" / "log" / "adstudio.log").mkdir(parents=True)
    monkeypatch.setenv("XDG_STATE_HOME", str(state))
    run("solve", problem_file("{")).refused(2)
    (state / "adstudio" / "log" / "adstudio.log").rmdir()
    (state / "adstudio" / "log" / "adstudio.log").symlink_to("/dev/full")
    run("solve", problem_file("{")).refused(2)


def test_what_goes_well_is_not_logged(problem_file, tmp_path: Path, monkeypatch, run):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert run("solve", problem_file()).code == 0
    assert not (tmp_path / "state").exists()
    run("solve", problem_file("{"))
    assert "problem.json" in (tmp_path / "state" / "adstudio" / "log" / "adstudio.log").read_text()


COMMANDS = ("demo", "draft", "gaps", "solve", "verify", "explain", "export", "validate")


def test_help_is_for_a_describer(run):
    for arguments in (("--help",), ("-h",), ()):
        told = run(*arguments)
        assert (told.code, told.err) == (0, "")
        assert all(f" {name} " in told.out.decode() for name in COMMANDS)
    for name in COMMANDS:
        told = run(name, "--help").out.decode()
        told = "".join(line for line in told.splitlines() if "--help" not in line)
        for program_speak in ("<str>", "<bool>", "<int", "None", "stdout", "/1", "optional", "Optional"):
            assert program_speak not in told, (name, told)


def test_the_version(run):
    assert run("--version").out.decode() == f"adstudio {version('adstudio')}\n"


@pytest.mark.parametrize(
    ("shell", "mark"), [("bash", "complete "), ("zsh", "#compdef adstudio"), ("fish", "complete --")]
)
def test_completion_is_shown_for_a_shell(shell: str, mark: str, run):
    told = run("--show-completion", shell)
    assert (told.code, told.err) == (0, "")
    assert mark in told.out.decode()


def test_completion_completes(tmp_path: Path):
    def completed(words: str) -> list[str]:
        asked = {
            "_ADSTUDIO_COMPLETE": "complete_bash",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(words.split(" ")) - 1),
        }
        return process(environment=asked).out.decode().split()

    assert completed("adstudio ex") == ["explain", "export"]
    assert "--subtitles" in completed("adstudio draft --su")
    assert {"vtt", "srt"} <= set(completed("adstudio export --format "))


def test_completion_is_installed_where_it_is_asked_for(tmp_path: Path):
    ran = process("--install-completion", "fish", environment={"HOME": str(tmp_path)})
    assert ran.code == 0
    assert (tmp_path / ".config" / "fish" / "completions" / "adstudio.fish").exists()


def test_start_up_imports_no_heavy_library(tmp_path: Path):
    script = (
        "import sys\n"
        "sys.argv = ['adstudio', *sys.argv[1:]]\n"
        "from adstudio.cli.main import main\n"
        "try:\n"
        "    main()\n"
        "except SystemExit:\n"
        "    pass\n"
        "heavy = {'ortools', 'av', 'numpy', 'lxml', 'PIL', 'gurobipy', 'pysrt', 'cattrs', 'sqlite3'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    for arguments in (["--help"], ["draft", "--help"], ["--version"]):
        done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, check=True)
        assert done.stderr == b"[]\n"


def test_debug_shows_the_trace_wherever_it_stands(problem_file):
    path = problem_file("{")
    for arguments in (("--debug", "solve", path), ("solve", path, "--debug")):
        ran = process(*arguments)
        assert ran.code == process("solve", path).code == 2, "the same as without"
        assert "Traceback" in ran.err
        assert str(path) in ran.err


def test_no_colour_reaches_a_file(problem_file):
    done = subprocess.run(
        command("solve", problem_file(problem(elements=[element("e1", [0, 1], 1, 1)]))),
        env={**os.environ, "FORCE_COLOR": "1"},
        capture_output=True,
        check=True,
    )
    assert b"\x1b" not in done.stdout

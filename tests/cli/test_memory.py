"""Input that would take all memory is refused in one sentence, or read within a bound."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_running import PATIENCE, Ran, command

pytestmark = [
    pytest.mark.flood,
    pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from /proc"),
]

MB = 1_000_000
MAX_LINES = 100_000
BOUND = 1_000 * MB
"""The most memory that any command may take at its peak for any of these files."""
GUARD = 4_000 * MB
"""The system refuses more than this."""
LIMITED = f"""
import os, resource, runpy
resource.setrlimit(resource.RLIMIT_AS, ({GUARD}, {GUARD}))
resource.setrlimit(resource.RLIMIT_CPU, ({2 * PATIENCE}, {2 * PATIENCE}))
try:
    runpy.run_module("adstudio.cli.main", run_name="__main__", alter_sys=True)
finally:
    with open("/proc/self/status") as status, open(os.environ["PEAK"], "w") as peak:
        peak.write(next(line.split()[1] for line in status if line.startswith("VmHWM")))
"""
CUE = b"1\n00:00:01,000 --> 00:00:02,000\n"
TT = b'<tt xmlns="http://www.w3.org/ns/ttml"><body><div>'


@pytest.fixture
def bounded(tmp_path: Path) -> Callable[..., Ran]:
    """The program as a process, with its peak memory checked."""

    def ran(*arguments: object) -> Ran:
        peak = tmp_path / "peak"
        given = [sys.executable, "-c", LIMITED, *command(*arguments)[3:]]
        done = subprocess.run(given, capture_output=True, check=False, env={**os.environ, "PEAK": str(peak)})
        taken = int(peak.read_text()) * 1024
        print(f"peak {taken / MB:,.0f} MB, exit code {done.returncode}")
        assert taken <= BOUND, f"{taken / MB:,.0f} MB"
        return Ran(done.returncode, done.stdout, done.stderr.decode())

    return ran


SUBTITLES: dict[str, tuple[Callable[[], bytes], str]] = {
    "newlines.srt": (lambda: b"\n" * 20 * MB, "lines"),
    "newlines behind a cue.srt": (lambda: CUE + b"Yes.\n" + b"\r\n" * 10 * MB, "lines"),
    "newlines.vtt": (lambda: b"WEBVTT\n" + b"\n" * 20 * MB, "lines"),
    "strays.vtt": (lambda: b"WEBVTT\n" + b"\nx\n" * 10 * MB, "lines"),
    "damaged lines.srt": (lambda: CUE + b"a\xff\xfe\n" * 5 * MB, "lines"),
    "deep.ttml": (lambda: TT + b"<div>" * 4 * MB, "elements"),
}


@pytest.mark.attack(16)
@pytest.mark.parametrize("name", SUBTITLES)
def test_subtitles_that_are_none_are_refused(name: str, bounded, tmp_path: Path) -> None:
    content, what = SUBTITLES[name]
    path = tmp_path / name
    path.write_bytes(content())
    bounded("gaps", path, "--end", "60").refused(2, str(path), what)


ENDLESS: dict[str, Callable[[], bytes]] = {
    "line.srt": lambda: CUE + b"x" * 20 * MB,
    "damaged line.srt": lambda: CUE + b"x\xff" * 10 * MB,
    "strays.ass": lambda: b"[Events]\n" + b"x\n" * 1_100_000,
}


@pytest.mark.attack(16)
@pytest.mark.parametrize("name", ENDLESS)
def test_an_endless_line_and_oddities_without_end_are_read_within_bounds(name: str, bounded, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(ENDLESS[name]())
    assert bounded("gaps", path, "--end", "60").code == 0


TEXTS: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "newlines.txt": ("screenplay", lambda: b"\n" * 20 * MB + b"INT. HALL", "too long"),
    "bytes.txt": ("screenplay", lambda: b"\xff" * 90 * MB, "too long"),
}


@pytest.mark.attack(16)
@pytest.mark.parametrize("name", TEXTS)
def test_a_source_of_description_that_is_none_is_refused(name: str, bounded, srt: Path, tmp_path: Path) -> None:
    kind, content, what = TEXTS[name]
    path = tmp_path / name
    path.write_bytes(content())
    draft = ("draft", "--subtitles", srt, "--end", "60", f"--{kind}", path, "-o", tmp_path / "p.adproj")
    bounded(*draft).refused(2, str(path), what)
    assert not (tmp_path / "p.adproj").exists()


PROBLEMS: dict[str, Callable[[], bytes]] = {
    "lists.json": lambda: b"[" + b"[]," * 20 * MB + b"0]",
    "objects.json": lambda: b"[" + b'{"a":1},' * 7 * MB + b"0]",
    "numbers.json": lambda: b"[" + b"1.5," * 15 * MB + b"0]",
    "deep.json": lambda: b"[" * 60 * MB,
}


@pytest.mark.attack(16)
@pytest.mark.parametrize("name", PROBLEMS)
def test_a_problem_that_is_none_is_refused(name: str, bounded, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(PROBLEMS[name]())
    bounded("solve", path).refused(2, str(path))


def test_the_largest_problem_is_not_taken_for_such_a_file() -> None:
    """As many elements as are allowed, each with all its wordings and text with commas."""
    from adstudio.core.json_reading import MOST_COLLECTIONS, MOST_VALUES

    wording = {"rate": 0.5, "text": "He stops, turns, and looks.", "duration": 2.5}
    element = {"id": "e100000", "occurrence": [0.5, 4.5], "salience": 0.5, "variants": [wording] * 6}
    text = json.dumps(element) + ","
    assert text.count(",") * MAX_LINES <= MOST_VALUES
    assert (text.count("{") + text.count("[")) * MAX_LINES <= MOST_COLLECTIONS


@pytest.mark.attack(16)
def test_a_project_of_too_many_lines_is_not_opened(bounded, tmp_path: Path) -> None:
    path = tmp_path / "film.adproj"
    _many_lines(path, 2 * MAX_LINES)
    before = path.read_bytes()
    bounded("export", path, "--format", "srt", "-o", tmp_path / "script.srt").refused(
        2, str(path), "100,000 lines", "several projects"
    )
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir() if each.suffix == ".adproj"] == ["film.adproj"]


def _many_lines(path: Path, count: int) -> None:
    """A project of so many lines, as any version of the program could have written it."""
    from contextlib import closing

    from adstudio.core.film import Film
    from adstudio.core.script import Eventuality, Script, Variant
    from adstudio.core.timebase import Span
    from adstudio.store import database, layout, policies
    from adstudio.store.codec import encode

    line = Eventuality("line-number", (Variant("A door opens."),), Span(1000, 3000), 500_000)
    script = Script(film=Film("Film", 7_200_000))
    start, end = encode(script).split(b'"eventualities":[]')
    one = encode(line)
    lines = b",".join(one.replace(b"line-number", b"e%d" % number) for number in range(count))
    with closing(database.in_memory(path)) as connection:
        layout.create_tables(connection)
        whole = start + b'"eventualities":[' + lines + b"]" + end
        layout.write_snapshot(connection, 0, layout.START, whole)
        policies.write(connection, policies.new_identity(), (), by_user=True)
        layout.write_state(connection, 0, 0, layout.START)
        layout.write_plan(connection, 0, layout.START, None)
        path.write_bytes(connection.serialize())


@pytest.mark.attack(16)
def test_a_film_of_too_many_lines_is_not_written(tmp_path: Path) -> None:
    from adstudio.core.errors import BadInputError
    from adstudio.core.film import Film
    from adstudio.core.script import Eventuality, Script, Variant
    from adstudio.store.project import ProjectFile

    wording = (Variant("A door opens."),)
    lines = tuple(Eventuality(f"e{number}", wording) for number in range(MAX_LINES + 1))
    with pytest.raises(BadInputError, match="100,000 lines"):
        ProjectFile.create(tmp_path / "film.adproj", Script(film=Film("Film", 60_000), eventualities=lines))
    assert list(tmp_path.iterdir()) == []

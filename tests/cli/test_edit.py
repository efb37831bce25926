"""`adstudio edit`, the bare name, and what they say where no window can be opened."""

import builtins
import os
import sys
from pathlib import Path

import pytest
from cli_running import process

from adstudio.cli import edit

ODD = "Gün ter – ä/日本/#1 %20 &.adproj"


@pytest.fixture
def opened(monkeypatch) -> list[Path | None]:
    """Opens no window, but says of which project one would have been."""
    projects: list[Path | None] = []

    def open_editor(project: Path | None) -> int:
        projects.append(project)
        return 0

    monkeypatch.setattr(edit, "open_editor", open_editor)
    return projects


@pytest.fixture
def no_display(monkeypatch):
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")


@pytest.fixture
def a_display(no_display, monkeypatch):
    monkeypatch.setenv("DISPLAY", ":7")


@pytest.mark.parametrize(
    ("environment", "seen"),
    [
        ({}, False),
        ({"DISPLAY": ":0"}, True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, True),
        ({"QT_QPA_PLATFORM": "xcb"}, True),
        ({"QT_QPA_PLATFORM": "offscreen"}, False),
        ({"QT_QPA_PLATFORM": "offscreen:size=1x1", "DISPLAY": ":0"}, False),
    ],
)
def test_whether_somebody_can_see_a_window(no_display, monkeypatch, environment: dict[str, str], seen: bool):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert edit.has_display() is seen


def test_the_bare_name_opens_the_editor_where_there_is_a_display(a_display, opened, run):
    assert run().code == 0
    assert opened == [None]


def test_the_bare_name_is_the_help_where_there_is_none(no_display, opened, run):
    ran = run()
    assert ran.code == 0
    assert opened == []
    assert b"draft" in ran.out


def test_a_project_of_an_odd_name(a_display, opened, run, tmp_path):
    path = tmp_path / ODD
    path.parent.mkdir(parents=True)
    path.touch()
    assert run("edit", path).code == 0
    assert opened == [path]


def test_what_is_not_there_is_bad_input(a_display, opened, run, tmp_path):
    run("edit", tmp_path / ODD).refused(2, "日本", "does not exist")
    run("edit", tmp_path).refused(2, "is a folder")
    assert opened == []


def test_no_display_is_one_sentence(no_display, opened, run, tmp_path):
    run("edit").refused(3, "no display")
    assert opened == []


def test_a_library_that_is_missing_is_one_sentence(a_display, monkeypatch, run):
    real = builtins.__import__

    def without(name, *more, **named):
        if name.startswith("adstudio.ui"):
            raise ImportError("libEGL.so.1: cannot open shared object file: No such file or directory")
        return real(name, *more, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    run("edit").refused(3, "libEGL.so.1", "packaging/demo.sh")


def test_a_display_that_does_not_answer_is_one_sentence(tmp_path):
    ran = process("edit", environment={"QT_QPA_PLATFORM": None, "DISPLAY": ":4099", "WAYLAND_DISPLAY": None})
    ran.refused(3, "no display answers at :4099")
    process("edit", environment={"QT_QPA_PLATFORM": "foo"}).refused(3, "Qt has no platform “foo”")


def test_the_exit_code_is_that_of_the_window(a_display, monkeypatch, run):
    monkeypatch.setattr(edit, "open_editor", lambda project: 130)
    assert run("edit").code == 130


def test_the_window_is_not_loaded_for_other_commands():
    ran = process("solve", "--help", environment={"PYTHONVERBOSE": None})
    assert ran.code == 0
    code = (
        "import sys, adstudio.cli.main, adstudio.cli.program;"
        "print([m for m in sys.modules if m.startswith(('PySide6', 'adstudio.ui'))])"
    )
    import subprocess

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout.strip() == "[]"


def test_the_options_of_the_other_commands_are_not_read_to_open_the_editor():
    code = (
        "import sys; from adstudio.cli.run import run; code = run(['edit', 'nowhere.adproj']);"
        "print(code, [m for m in ('typer', 'rich', 'adstudio.cli.program') if m in sys.modules])"
    )
    import subprocess

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout.strip() == "2 []"


def test_more_than_a_project_is_for_the_option_reader(a_display, opened, run):
    run("edit", "one.adproj", "two.adproj").refused(2, "two.adproj")
    assert run("edit", "--help").code == 0
    assert opened == []


def test_a_shell_that_completes_opens_no_window(a_display, opened, run, monkeypatch):
    monkeypatch.setenv("_ADSTUDIO_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "adstudio edit")
    monkeypatch.setenv("COMP_CWORD", "1")
    run("edit")
    assert opened == []

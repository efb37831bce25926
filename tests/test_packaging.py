"""The lock, the scripts as text, and the wheel. No test here reaches the network."""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

REPOSITORY = Path(__file__).resolve().parents[1]
SCRIPTS = [*sorted((REPOSITORY / "packaging").glob("*.sh")), REPOSITORY / ".ci" / "run"]
LOCK = REPOSITORY / "packaging" / "constraints.txt"
APART = LOCK.with_name("apart.txt")
BUILD_TOOLS = {"hatchling", "editables", "setuptools"}


# The lock


def locked() -> dict[str, str]:
    lines = [line for line in LOCK.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    pins = dict(line.split("==") for line in lines)
    assert len(pins) == len(lines), "a package is pinned twice"
    return {canonicalize_name(name): version for name, version in pins.items()}


def wanted() -> list[Requirement]:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    of_extras = [text for name in ("dev", "eval", "faces", "gurobi", "neural", "words") for text in extras[name]]
    return [Requirement(text) for text in project["dependencies"] + of_extras]


def needed() -> set[str]:
    """The names of all packages that the wanted ones need in turn, as the installed ones say."""
    found: set[tuple[str, str]] = set()
    left = [(canonicalize_name(r.name), extra) for r in wanted() for extra in ("", *r.extras)]
    while left:
        package = left.pop()
        if package in found:
            continue
        found.add(package)
        name, extra = package
        for text in importlib.metadata.requires(name) or []:
            requirement = Requirement(text)
            if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
                left += [(canonicalize_name(requirement.name), e) for e in ("", *requirement.extras)]
    return {name for name, _extra in found}


def test_each_line_of_the_lock_is_an_exact_version_in_order():
    lines = [line for line in LOCK.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.+!]*", line)] == []
    assert lines == sorted(lines, key=str.lower)


def test_what_is_installed_apart_is_pinned_and_installed():
    pins = [line for line in APART.read_text("utf-8").splitlines() if not line.startswith("#")]
    assert pins
    for pin in pins:
        name, version = pin.split("==")
        assert importlib.metadata.version(name) == version
        assert canonicalize_name(name) not in locked()


def test_the_lock_holds_what_the_project_asks_for():
    pins = locked()
    for requirement in wanted():
        version = pins.get(canonicalize_name(requirement.name))
        assert version is not None, f"{requirement.name} is not in the lock"
        assert requirement.specifier.contains(version), f"the lock has {requirement.name} {version}: {requirement}"


def test_the_lock_holds_every_package_that_is_needed_and_no_other():
    assert set(locked()) == needed() | BUILD_TOOLS


def test_the_installed_packages_are_those_of_the_lock():
    pins = locked()
    installed = {name: importlib.metadata.version(name) for name in needed()}
    assert installed == {name: pins[name] for name in installed}


def test_every_package_but_the_window_is_type_checked_strictly():
    strict = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["tool"]["pyright"]["strict"]
    packages = {f"adstudio/{file.parent.name}" for file in REPOSITORY.glob("adstudio/*/__init__.py")}
    assert packages - {"adstudio/ui"} <= set(strict)
    assert "adstudio/ui" not in strict


# The scripts as text


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_bash_can_read_the_script(script: Path):
    run = subprocess.run(["bash", "-n", script], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_shellcheck_has_nothing_to_say(script: Path):
    if shutil.which("shellcheck") is None:
        pytest.skip("shellcheck is not installed; packaging/test.sh installs it")
    run = subprocess.run(
        ["shellcheck", "--external-sources", "--exclude=SC2034", script],  # 2034: used where sourced
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stdout == ""


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_the_script_stops_at_the_first_failure(script: Path):
    text = script.read_text("utf-8")
    assert "set -euo pipefail" in text or "setup.sh" in text


# The wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names of the files in a wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        check=True,
    )
    (file,) = folder.glob("*.whl")
    with zipfile.ZipFile(file) as archive:
        return set(archive.namelist())


def test_the_wheel_carries_every_module_and_resource(wheel: set[str]):
    modules = {path.relative_to(REPOSITORY) for path in (REPOSITORY / "adstudio").rglob("*.py")}
    resources = {
        Path("adstudio") / path.relative_to(REPOSITORY)
        for path in (REPOSITORY / "resources").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert resources, "the resources folder is empty"
    assert {path.as_posix() for path in modules | resources} <= wheel


def test_the_wheel_carries_nothing_else(wheel: set[str]):
    strangers = [name for name in wheel if not re.match(r"adstudio(-[0-9.]+\.dist-info)?/", name)]
    assert strangers == []
    assert [name for name in wheel if "test" in name.split("/")[1]] == []


def test_test_files_have_names_of_their_own() -> None:
    """Without packages, Python knows a test file by its bare name."""
    names = [path.name for path in (REPOSITORY / "tests").rglob("*.py") if path.name != "conftest.py"]
    assert sorted(names) == sorted(set(names))

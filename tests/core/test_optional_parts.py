"""What is missing is installed in the environment that runs, and said in one way."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest

from adstudio.core.optional_parts import install_packages, install_part

ROOT = Path(__file__).resolve().parents[2]


def test_the_interpreter_that_runs_is_named_and_everything_is_quoted_for_a_shell(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "executable", "/opt/my tools/bin/python")
    assert install_part("eval") == "run “'/opt/my tools/bin/python' -m pip install 'adstudio[eval]'”"
    assert install_packages("keyring") == "run “'/opt/my tools/bin/python' -m pip install keyring”"
    monkeypatch.setattr(sys, "executable", "")
    assert install_packages("a", "b") == "run “python3 -m pip install a b”"


def test_no_other_place_says_how_something_is_installed():
    """vLLM has an environment of its own, and so other words."""
    own = {"core/optional_parts.py", "serving/vllm_program.py"}
    sources = {path.relative_to(ROOT / "adstudio").as_posix(): path for path in (ROOT / "adstudio").rglob("*.py")}
    assert len(sources) > 100
    assert {name for name, path in sources.items() if "pip install" in path.read_text("utf-8")} == own


def test_every_part_that_is_named_can_be_installed():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    named = {
        part.partition(")")[0].strip("\"'")
        for path in (ROOT / "adstudio").rglob("*.py")
        for part in path.read_text("utf-8").split("install_part(")[1:]
        if path.name != "optional_parts.py"
    }
    assert named == {"eval", "faces", "gurobi", "neural", "server", "words"}
    assert named <= extras.keys()

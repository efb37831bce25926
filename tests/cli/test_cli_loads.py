"""What a command loads before it works: nothing that asks models, or opens anything, unless it was asked to."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = (
    "asyncio",
    "httpx2",
    "httpcore2",
    "google.genai",
    "keyring",
    "sqlite3",
    "ssl",
    "numpy",
    "cv2",
    "PIL",
    "ortools",
)
LOADED = (
    "import sys\n"
    "from adstudio.cli.main import main\n"
    "try: main(sys.argv[1:])\n"
    "except SystemExit: pass\n"
    f"print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)\n"
)


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["solve", "none.json"], ["solve", "--help"]])
def test_nothing_of_models_is_loaded_unless_one_is_asked(tmp_path: Path, arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert done.stderr.splitlines()[-1] == "[]"


def test_it_runs_as_a_module_too():
    command = [sys.executable, "-m", "adstudio", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("adstudio ")


def test_a_command_loads_no_other(tmp_path: Path) -> None:
    text = (
        "import sys\n"
        "from pathlib import Path\n"
        "import adstudio.cli\n"
        "from adstudio.cli.program import app, run_command\n"
        "from typer.main import get_command\n"
        "names = [name.replace('import', 'import_script') for name in get_command(app).commands]\n"
        "loaded = lambda: sorted(name for name in names if f'adstudio.cli.{name}' in sys.modules)\n"
        "first = loaded()\n"
        "run_command(['verify', '--help'])\n"
        "print(len(names), first, loaded(), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", text], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=300
    )
    assert done.stderr == "27 ['edit'] ['edit', 'verify']\n"

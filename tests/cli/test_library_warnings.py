"""What libraries complain about goes to the log: nothing of it reaches the terminal, in any Python from 3.11 on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from adstudio.system.locations import log_file

COMPLAINING = r"""
import logging, sys, warnings
from adstudio.cli import run as program

def command(arguments):
    compile("'\\s'", "segmenter.py", "eval")
    warnings.warn_explicit("invalid escape sequence '\\s'", SyntaxWarning, "segmenter.py", 66)
    warnings.warn("UNKNOWN is not a valid FinishReason")
    logging.getLogger("google_genai._common").warning("Type mismatch in Candidate")
    logging.getLogger("some.library").error("a field is missing")
    print("done")
    return 0

sys.modules["adstudio.cli.program"] = type(sys)("adstudio.cli.program")
sys.modules["adstudio.cli.program"].run_command = command
sys.exit(program.run(["draft"]))
"""
IMPORTING = """
import sys
from adstudio.cli.failure import logged
with logged():
    from adstudio.drafting.text.language.grammar import sentence_starts
    print(sentence_starts("He parks. She waits."))
    import google.genai.types
"""


def ended(program: str, *, home: Path | None = None, **environment: str) -> tuple[str, str]:
    """What it printed, and what it complained of, with every kind of warning shown."""
    if home is not None:
        environment["HOME"] = str(home)
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONWARNINGS": "always", **environment},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return ran.stdout.strip(), ran.stderr


@pytest.mark.attack(18)
def test_warnings_and_logs_of_libraries_are_in_the_log_alone() -> None:
    assert ended(COMPLAINING) == ("done", "")
    log = Path(log_file()).read_text("utf-8")
    for complaint in ("SyntaxWarning: invalid escape", "Type mismatch", "field is missing"):
        assert complaint in log
    assert "UserWarning: UNKNOWN is not a valid FinishReason" in log


@pytest.mark.attack(18)
def test_pysbd_is_compiled_without_a_word(tmp_path: Path) -> None:
    # As at the first run after an installation: from Python 3.12 on its escapes are warned of by default.
    assert ended(IMPORTING, PYTHONPYCACHEPREFIX=str(tmp_path)) == ("(0, 10)", "")


@pytest.mark.attack(18)
def test_where_no_log_can_be_written_they_are_not_on_the_terminal_either(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    nowhere = {name: str(tmp_path / "file" / "below") for name in ("XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
    assert ended(COMPLAINING, home=tmp_path / "file", **nowhere) == ("done", "")

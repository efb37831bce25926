"""The benchmarks and fuzzers start without what only the set-up for tests brings."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent
ONLY_FOR_TESTS = ("gurobipy", "hypothesis", "pysubs2", "pytest", "srt", "uvicorn")
IMPORTED = """
import runpy, sys
without, files = sys.argv[1].split(), sys.argv[2:]
sys.modules.update(dict.fromkeys(without))  # an import of any of these now fails
for file in files:
    runpy.run_path(file, run_name="bench")
"""


def test_every_benchmark_and_fuzzer_starts_after_the_set_up_for_the_demo():
    files = sorted(path for folder in ("bench", "fuzz") for path in TESTS.joinpath(folder).glob("*.py"))
    assert files
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED, " ".join(ONLY_FOR_TESTS), *files],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(str(TESTS / folder) for folder in ("bench", "fuzz"))},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr

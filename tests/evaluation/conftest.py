"""METEOR and the tokenizer, where this machine has Java and the extra `eval`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from adstudio.evaluation.java_scorer import JavaScorer
from adstudio.evaluation.text_scoring import ScoringError


@pytest.fixture(scope="session")
def java_scorer() -> Iterator[JavaScorer]:
    """One METEOR for all tests of a process; it has read its tables."""
    try:
        scorer = JavaScorer()
    except ScoringError as error:
        pytest.skip(f"texts cannot be scored here: {error}")
    with scorer:
        scorer.meteor([("a dog", "a cat")])
        yield scorer


@pytest.fixture
def gone_process() -> Callable[[int], bool]:
    """Whether a process ends within a while; one that waits to be fetched has ended."""

    def gone(pid: int) -> bool:
        for _ in range(400):
            try:
                if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX":
                    return True
            except OSError:
                return True
            time.sleep(0.05)
        return False

    return gone

"""METEOR and the tokenizer, where this machine has Java and the extra `eval`."""

from __future__ import annotations

from collections.abc import Iterator

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

"""`kill -9` in a loop, during edits and saves: every file re-opens, and at most the act in flight is gone."""

from __future__ import annotations

from pathlib import Path

import pytest
from kill_loop import run

pytestmark = pytest.mark.attack(3)


def test_ten_kills(tmp_path: Path) -> None:
    found = run(10, tmp_path, seed=3)
    assert found.kills == 10
    assert found.steps + found.saves > 10


@pytest.mark.slow
def test_two_hundred_kills(tmp_path: Path) -> None:
    found = run(200, tmp_path)
    print(found)
    assert found.in_save > 0

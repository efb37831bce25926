"""What a stage has computed is computed again once its code, or what it learns from, is other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from adstudio.drafting.text import stage_cache
from adstudio.drafting.text.stages import Worder


@pytest.fixture
def learnt_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "filmable").mkdir()
    (tmp_path / "filmable" / "seen.txt").write_text("It rains.\n", "utf-8")
    monkeypatch.setattr(stage_cache, "resource", lambda name: tmp_path / name)
    stage_cache.code_of.cache_clear()
    yield tmp_path / "filmable"
    stage_cache.code_of.cache_clear()


@pytest.mark.parametrize("name", ["seen.txt", "another.txt"])
def test_sentences_that_are_learnt_from_name_the_stage_too(learnt_from: Path, name: str) -> None:
    before = Worder().name
    stage_cache.code_of.cache_clear()
    assert Worder().name == before
    (learnt_from / name).write_text("It snows.\n", "utf-8")
    stage_cache.code_of.cache_clear()
    assert Worder().name != before

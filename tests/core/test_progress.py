"""Stages and progress as values, and in words."""

from __future__ import annotations

import pytest

from adstudio.core.progress import Progress, Stage, progress_text, stage_name


@pytest.mark.parametrize("stage", Stage)
def test_every_stage_has_a_name_of_its_own_that_fits_into_a_sentence(stage: Stage) -> None:
    name = stage_name(stage)
    assert name
    assert name[0].islower()
    assert not name.endswith(".")
    assert [other for other in Stage if stage_name(other) == name] == [stage]


def test_progress_comes_with_its_share_where_that_is_known() -> None:
    assert progress_text(Progress(Stage.PLANNING)) == stage_name(Stage.PLANNING)
    assert progress_text(Progress(Stage.SCORING, 0.4)) == f"{stage_name(Stage.SCORING)}: 40 %"
    assert progress_text(Progress(Stage.COPYING_SAMPLE, 0.0, "drawing")) == "drawing: 0 %"

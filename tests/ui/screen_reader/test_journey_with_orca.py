"""A describer's fifteen tasks with Orca: every key says what it did, and a row is heard at once."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from display import Program, Screen
from journey import LONGEST_ROW, READING, TASKS, Passage, Task, Traveller, missing, transcript
from seat import orca
from speech_server import SECONDS_PER_WORD


@pytest.fixture
def journey(
    xvfb: str, screen: Screen, on_display: Callable[..., Program], tmp_path: Path, project: Path
) -> list[tuple[Task, list[Passage]]]:
    """The tasks, and what was heard of each."""
    with orca(xvfb, tmp_path / "session") as seat:
        editor = on_display("-m", "adstudio", "edit", project, **seat.environment)
        traveller = Traveller(seat, screen.window(project.name, editor))
        done = [(task, traveller.do(task)) for task in TASKS]
        assert editor.process.poll() is None, editor.said()
        assert "Traceback" not in editor.said()
    written = transcript(done)
    print(written)
    if os.environ.get("ADSTUDIO_TRANSCRIPT"):
        Path(os.environ["ADSTUDIO_TRANSCRIPT"]).write_text(written, "utf-8")
    return done


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_fifteen_tasks_by_keys_and_speech_alone(journey: list[tuple[Task, list[Passage]]]):
    assert len(journey) == 15
    unheard = {task.what: missing(passages, task.heard) for task, passages in journey}
    assert {what: patterns for what, patterns in unheard.items() if patterns} == {}
    for task, passages in journey:
        for passage in passages:
            results = [text for text in passage.texts if ": “" in text]
            assert len(results) <= 1, f"said twice: {passage.texts}"
            if task.what == READING:
                row = [text for text in passage.texts if not text.startswith("Open: ")]  # where that comes late
                text = max(row, key=len)
                assert passage.seconds_before(text) == 0 or passage.texts[0].startswith("Open: "), passage.texts
                beside = sum(len(each.split()) for each in row) - len(text.split())
                assert beside * SECONDS_PER_WORD <= LONGEST_ROW, passage.texts

"""What Orca says of the ask keys, and of the controls that it reads otherwise than their names would suggest."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from display import Program, Screen
from journey import LONGEST_ROW, Task, Traveller, missing, transcript
from seat import orca

WHERE = r"^At \d\d:\d\d:\d\d"
REASON = r"^(Spoken|Left out)\. Why it is (in|out): "
TASKS = (
    Task("Ask where the playhead is, and then in detail", ("Down", "q", "q"), (WHERE, r"^In the panel Script table")),
    Task("Ask why", ("Down", "y"), (r"^(Spoken|Left out): ",)),
    Task("Ask what cannot hold", ("e",), (r"^Every lock holds",)),
    Task("Read state and reason", ("ctrl+i",), (REASON,)),
    Task("A list is read with its name", ("ctrl+comma", "Tab", "Escape"), (r"^Theme combo", r"^Text size combo")),
    Task("A note is left by Tab", ("ctrl+m", "Tab", "Escape"), (r"^Note for this line", r"^(OK|Cancel)")),
    Task("Filters are radio buttons", ("ctrl+f", "Tab", "Tab"), (r"^All: 66 items", r"radio button")),
    Task("A new key is left by Tab", ("F1", "Tab", "Tab", "Tab", "Escape"), (r"^New key text", r"^No key push button")),
    Task("A version is kept", ("ctrl+shift+k", "Return"), (r"^Kept as “Version 1”",)),
    Task("Versions are compared", ("ctrl+shift+v", "Escape"), (r"^Compare versions", r"^Compared lines")),
    Task(
        "A question is read whole",
        ("shift+F6", "ctrl+Home", "a", "ctrl+w", "Escape"),
        (r"Save the changes in sample\.adproj\? Otherwise your changes", r"^Save push button"),
    ),
)
"""Each is said as Orca 43.1 says it."""


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_ask_keys_and_the_controls_as_they_are_heard(
    xvfb: str, screen: Screen, on_display: Callable[..., Program], tmp_path: Path, project: Path
):
    with orca(xvfb, tmp_path / "session") as seat:
        editor = on_display("-m", "adstudio", "edit", project, **seat.environment)
        window = screen.window(project.name, editor)
        done = [(task, Traveller(seat, window).do(task)) for task in TASKS]
        assert editor.process.poll() is None, editor.said()
        assert "Traceback" not in editor.said()
    print(transcript(done))
    reasons = [passage for _, passages in done for passage in passages if passage.key == "ctrl+i"]
    (reason,) = (text for passage in reasons for text in passage.texts if re.search(REASON, text))
    assert all(passage.seconds_before(reason) <= LONGEST_ROW for passage in reasons), "labels are read before it"
    unheard = {task.what: missing(passages, task.heard) for task, passages in done}
    assert {what: patterns for what, patterns in unheard.items() if patterns} == {}

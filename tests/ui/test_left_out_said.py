"""A line that an act was about, and that is not spoken after it, is said to be left out: by name, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from desks import desk_on

from adstudio.core.script import SALIENCE_UNIT, Script
from adstudio.core.steps import Replace, Step
from adstudio.core.timebase import Span
from adstudio.editing import lines, pins, wordings
from adstudio.ui.panels.plan_changes import PlanChangesPanel
from adstudio.ui.session.context import Context


@pytest.fixture
def desk(qapp, qtbot, tmp_path: Path) -> Iterator[Context]:
    with desk_on(tmp_path) as found:
        qtbot.addWidget(PlanChangesPanel(found))
        yield found


@pytest.fixture
def said(desk: Context) -> list[str]:
    found: list[str] = []
    desk.session.messages.said.connect(found.append)
    return found


def words(count: int) -> str:
    """So many of them: three tenths of a second each."""
    return " ".join(["word"] * count)


def limited(script: Script, name: str, span: Span) -> Step:
    line = script.eventuality(name)
    return Replace(line, replace(line, within=span))


ACTS = {
    # c has the gap of four seconds; nine are more than the next one has, too.
    "rewrite": (
        lambda script: wordings.rewrite(script, "c", 0, words(30)),
        "Reworded, and now left out: “word word word word…”, 5.0 s too long. 1 left out.",
    ),
    # Limited to dialogue it has no room at all: a length would say nothing.
    "limits": (
        lambda script: limited(script, "c", Span(18_000, 22_000)),
        "Limited to 00:00:18:00–00:00:22:00, and now left out: “c in 3000 ms”. 1 left out.",
    ),
    "salience": (
        lambda script: lines.set_salience(script, ("e",), round(-0.05 * SALIENCE_UNIT)),
        "Salience -0.05, and now left out: “e in 3000 ms”. 1 left out.",
    ),
    "length": (
        lambda script: wordings.set_duration(script, "c", 0, 9_000),
        "Set duration of “c in 3000 ms” to 9.000 s; it is now left out, 5.0 s too long. 1 left out.",
    ),
    # Before a line of the first gap, e is further from its action than any line may be.
    "order": (
        lambda script: lines.move_lines(script, ("e",), "a"),
        "Item 1 of 5, and now left out: “e in 3000 ms”. 1 left out.",
    ),
    "what was asked": (lambda script: pins.pin_out(script, ("c",)), "Locked out: “c in 3000 ms”. 1 left out."),
    # The nine seconds of a leave b no room: that is no news of a.
    "another line": (
        lambda script: wordings.rewrite(script, "a", 0, words(30)),
        "Reworded: “word word word word…”. 1 left out, 3 moved.",
    ),
}


@pytest.mark.parametrize(("act", "sentence"), ACTS.values(), ids=ACTS.keys())
def test_an_act_on_a_line_says_if_it_is_left_out_by_that(desk: Context, said: list[str], act, sentence: str) -> None:
    def step(script: Script) -> Step | None:
        return act(script)

    desk.session.edits.attempt(step)
    assert said == [sentence]


def test_a_later_act_does_not_say_it_again(desk: Context, said: list[str]) -> None:
    desk.session.edits.attempt(lambda script: wordings.rewrite(script, "c", 0, words(30)))
    said.clear()
    desk.session.edits.attempt(lambda script: pins.set_note(script, "c", "too long?"))
    assert said == ["Note “too long?”: “word word word word…”."]


def test_the_shortest_wording_says_how_much_too_long_it_is(desk: Context, said: list[str]) -> None:
    desk.session.edits.attempt(lambda script: wordings.add_wording(script, "c", words(28)))
    said.clear()
    desk.session.edits.attempt(lambda script: wordings.rewrite(script, "c", 0, words(30)))
    # 28 words are 8.4 s, the gap has 4 s.
    assert said == ["Reworded, and now left out: “word word word word…”, 4.4 s too long. 1 left out."]

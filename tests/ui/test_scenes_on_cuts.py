"""Scenes begin at cuts: where one is split next to a cut, and where all boundaries are moved."""

from __future__ import annotations

import pytest
from desks import window_on

from adstudio.media.shots import Shots


@pytest.fixture
def window(qapp, tmp_path):
    with window_on(tmp_path) as made:
        yield made


def test_a_scene_split_next_to_a_cut_begins_at_it(window):
    session, said = window.session, []
    session.messages.said.connect(said.append)
    window.editor.timeline.films.data.shots = Shots((0, 6_000, 9_000, 16_400, 30_000))
    session.cursor.show_playhead(5_400)
    window.context.actions["scene.split"].trigger()
    assert [scene.span.start for scene in session.script.scenes] == [0, 6_000, 16_000]
    assert "The scene begins at the cut, 00:00:06:00." in said
    # No cut is within a second of 12 s: the playhead counts.
    session.cursor.show_playhead(12_000)
    window.context.actions["scene.split"].trigger()
    assert [scene.span.start for scene in session.script.scenes] == [0, 6_000, 12_000, 16_000]


def test_all_boundaries_move_to_their_cuts(window):
    session, said = window.session, []
    session.messages.said.connect(said.append)
    move = window.context.actions["scene.to_cuts"]
    move.trigger()
    assert "try again later" in said[-1]
    window.editor.timeline.films.data.shots = Shots((0, 6_000, 16_400, 30_000))
    before = session.script
    move.trigger()
    assert [scene.span.start for scene in session.script.scenes] == [0, 16_400]
    move.trigger()
    assert said[-1].startswith("No scene boundary moves")
    assert session.undo()
    assert session.script == before

"""Scenes and sequences."""

from __future__ import annotations

from dataclasses import replace

import pytest
from editing_scripts import SCRIPT, changed, done, with_pin

from adstudio.core.film import Film
from adstudio.core.script import Pin, Scene, Script, Sequence
from adstudio.core.timebase import Span
from adstudio.editing import scenes
from adstudio.editing.change import EditRefused
from adstudio.editing.ids import Ids
from adstudio.editing.labels import label_of

BARE = replace(SCRIPT, scenes=())


def found(script: Script) -> list[tuple[str, int, int]]:
    return [(scene.id, scene.span.start, scene.span.end) for scene in script.scenes]


def of_scene(script: Script) -> dict[str, str | None]:
    return {line.id: line.scene for line in script.eventualities}


def test_splitting() -> None:
    step = scenes.split_scene(SCRIPT, Ids(SCRIPT), 5500)
    after = done(step)
    assert found(after) == [("s1", 0, 5500), ("scene-1", 5500, 30_000), ("s2", 30_000, 60_000)]
    assert after.scenes[1] == Scene("scene-1", Span(5500, 30_000), "", "q1", reviewed=True)
    # e2's middle is at the cut, so it is of the second part; e3 happens nowhere and goes with it.
    assert of_scene(after) == {"e1": "s1", "e2": "scene-1", "e3": "scene-1", "e4": "s2"}
    assert step is not None
    assert label_of(step, SCRIPT) == "Split scene “Yard” at 00:00:05:13"
    late = done(scenes.split_scene(SCRIPT, Ids(SCRIPT), 20_000))
    assert of_scene(late) == of_scene(SCRIPT)
    pinned = with_pin("e3", Pin(start=25_000, override=True))
    assert of_scene(done(scenes.split_scene(pinned, Ids(pinned), 20_000), pinned))["e3"] == "scene-1"


@pytest.mark.parametrize("t", [0, 30_000, 60_000])
def test_scenes_change_there_already(t: int) -> None:
    with pytest.raises(EditRefused, match="already a scene change at"):
        scenes.split_scene(SCRIPT, Ids(SCRIPT), t)
    with pytest.raises(EditRefused, match="There is no scene to split"):
        scenes.split_scene(SCRIPT, Ids(SCRIPT), 60_001)


def test_the_first_scenes_of_a_film_by_splitting_it() -> None:
    assert found(done(scenes.split_scene(BARE, Ids(BARE), 100), BARE)) == [
        ("scene-1", 0, 100),
        ("scene-2", 100, 60_000),
    ]


def test_merging_with_the_next() -> None:
    step = scenes.merge_scene(SCRIPT, "s1")
    after = done(step)
    assert after.scenes == (Scene("s1", Span(0, 60_000), "Yard", "q1", reviewed=False),)
    assert set(of_scene(after).values()) == {"s1"}
    assert step is not None
    assert label_of(step, SCRIPT) == "Merge scenes “Yard” and 00:00:30:00–00:01:00:00"
    with pytest.raises(EditRefused, match="the last scene"):
        scenes.merge_scene(SCRIPT, "s2")
    with pytest.raises(EditRefused, match="no longer in the script"):
        scenes.merge_scene(SCRIPT, "s9")


def test_what_was_split_merges_to_what_it_was() -> None:
    split = done(scenes.split_scene(SCRIPT, Ids(SCRIPT), 5500))
    assert done(scenes.merge_scene(split, "s1"), split) == SCRIPT


def test_the_whole_takes_title_and_sequence_of_the_second_where_the_first_has_none() -> None:
    script = replace(SCRIPT, scenes=(Scene("a", Span(0, 1)), Scene("b", Span(1, 9), "Yard", "q1", reviewed=True)))
    assert done(scenes.merge_scene(script, "a"), script).scenes == (Scene("a", Span(0, 9), "Yard", "q1"),)


def test_titles_and_review() -> None:
    step = scenes.rename_scene(SCRIPT, "s2", "Platform")
    assert done(step).scenes[1].title == "Platform"
    assert step is not None
    assert label_of(step, SCRIPT) == "Rename scene 00:00:30:00–00:01:00:00 to “Platform”"
    after = done(scenes.set_reviewed(SCRIPT, ["s1", "s2"], on=True))
    assert [scene.reviewed for scene in after.scenes] == [True, True]
    assert scenes.set_reviewed(SCRIPT, ["s1"], on=True) is None
    assert scenes.next_unreviewed(after, 0, {"s1", "s2"}) is None


def test_the_next_one_to_review() -> None:
    script = replace(
        SCRIPT,
        scenes=tuple(Scene(f"s{n}", Span(n * 1000, n * 1000 + 1000)) for n in range(4)),
    )

    def following(at: int) -> str:
        scene = scenes.next_unreviewed(script, at, {"s2"})
        assert scene is not None
        return scene.id

    assert [following(at) for at in (-1, 0, 999, 1000, 2500, 3000, 9000)] == ["s0", "s1", "s1", "s3", "s3", "s0", "s0"]


def test_sequences() -> None:
    step = scenes.make_sequence(SCRIPT, Ids(SCRIPT), ["s2"], "Departure")
    after = done(step)
    assert after.sequences == (Sequence("q1", "Arrival"), Sequence("sequence-1", "Departure"))
    assert after.scenes[1].sequence == "sequence-1"
    assert step is not None
    assert label_of(step, SCRIPT) == "Create sequence “Departure”"
    later = replace(SCRIPT, scenes=(replace(SCRIPT.scenes[0], sequence=None), replace(SCRIPT.scenes[1], sequence="q1")))
    before = done(scenes.make_sequence(later, Ids(later), ["s1"], "Night"), later)
    assert [sequence.id for sequence in before.sequences] == ["sequence-1", "q1"]
    assert done(scenes.assign_to_sequence(SCRIPT, ["s1", "s2"], "q1")).scenes[1].sequence == "q1"
    assert done(scenes.assign_to_sequence(SCRIPT, ["s1"], None)).scenes[0].sequence is None
    for edit in (
        lambda: scenes.assign_to_sequence(SCRIPT, ["s1"], "q9"),
        lambda: scenes.make_sequence(SCRIPT, Ids(SCRIPT), [], ""),
    ):
        with pytest.raises(EditRefused):
            edit()


def test_scenes_from_shots() -> None:
    step = scenes.scenes_from_shots(BARE, Ids(BARE), [40_000, 0, 10_000, 10_000, 70_000, 60_000, -5])
    after = done(step, BARE)
    assert found(after) == [("scene-1", 0, 10_000), ("scene-2", 10_000, 40_000), ("scene-3", 40_000, 60_000)]
    assert step is not None
    assert label_of(step, SCRIPT) == "Create 3 scenes"
    with pytest.raises(EditRefused, match="already has scenes"):
        scenes.scenes_from_shots(SCRIPT, Ids(SCRIPT), [10])
    for none in ([], [0], [60_000]):
        with pytest.raises(EditRefused, match="no shot changes"):
            scenes.scenes_from_shots(BARE, Ids(BARE), none)
    with pytest.raises(EditRefused, match="scenes are too many"):
        scenes.scenes_from_shots(BARE, Ids(BARE), range(1, 10_001))


def test_shots_too_short_for_a_scene_are_gathered() -> None:
    after = done(scenes.scenes_from_shots(BARE, Ids(BARE), [5000, 10_000, 14_000, 21_000, 55_000], least=10_000), BARE)
    assert found(after) == [("scene-1", 0, 10_000), ("scene-2", 10_000, 21_000), ("scene-3", 21_000, 60_000)]


def test_ids_of_scenes_that_are_gone_are_not_given_again() -> None:
    split = done(scenes.split_scene(SCRIPT, Ids(SCRIPT), 5500))
    step = scenes.merge_scene(split, "s1")
    assert step is not None
    merged = done(step, split)
    ids = Ids(merged, [step])
    assert [scene.id for scene in done(scenes.split_scene(merged, ids, 7000), merged).scenes][1] == "scene-2"
    assert changed(merged, "e1", note="") == merged


CUTS = (0, 9_000, 10_400, 20_000, 29_000, 45_000)


@pytest.mark.parametrize(
    ("at", "within", "cut"),
    [
        (10_000, 1000, 10_400),
        (9_400, 1000, 9_000),
        (9_700, 1000, 9_000),  # as near to both: the earlier
        (15_000, 1000, None),
        (20_000, 1000, 20_000),
        (50_000, 6000, 45_000),
        (0, 0, 0),
    ],
)
def test_the_nearest_cut(at: int, within: int, cut: int | None) -> None:
    assert scenes.near_cut(at, CUTS, within) == cut
    assert scenes.near_cut(at, (), within) is None


def in_scenes(*starts: int, end: int = 60_000) -> Script:
    spans = zip(starts, (*starts[1:], end), strict=True)
    return Script(Film("f", end), scenes=tuple(Scene(f"s{n}", Span(*span)) for n, span in enumerate(spans)))


def test_boundaries_move_to_the_nearest_cuts_as_one_step() -> None:
    before = in_scenes(0, 10_000, 18_000, 36_000)
    step = scenes.scenes_to_cuts(before, CUTS)
    assert step is not None
    assert label_of(step, before) == "Move scene boundaries to cuts"
    after = step.apply(before)
    # 10 s to 10.4 s, 18 s to 20 s; the next cut is seven seconds from 36 s.
    assert [(scene.span.start, scene.span.end) for scene in after.scenes] == [
        (0, 10_400), (10_400, 20_000), (20_000, 36_000), (36_000, 60_000),
    ]  # fmt: skip
    assert step.inverse().apply(after) == before


def test_no_scene_is_left_without_time() -> None:
    close = in_scenes(0, 9_500, 9_800)
    after = scenes.scenes_to_cuts(close, (9_000,)).apply(close)
    # Only the first can have the cut.
    assert [scene.span.start for scene in after.scenes] == [0, 9_000, 9_800]


@pytest.mark.parametrize("cuts", [(), (30_000,), (10_000, 18_000)])
def test_where_nothing_moves_that_is_said(cuts: tuple[int, ...]) -> None:
    with pytest.raises(EditRefused, match="No scene boundary moves"):
        scenes.scenes_to_cuts(in_scenes(0, 10_000, 18_000), cuts)

"""How a run stands: what the messages make of its scenes, how long the rest takes, which scenes are asked for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adstudio.core.film import Film, SourceFile
from adstudio.core.progress import Progress, Stage
from adstudio.core.provenance import (
    UNKNOWN_PROVENANCE,
    Contribution,
    DescriptionLine,
    FreeText,
    ModelTask,
    ModelWork,
    Provenance,
    ScreenplayLine,
)
from adstudio.core.script import Eventuality, Scene, Script, Variant
from adstudio.core.timebase import Span
from adstudio.drafting.events import ModelFinished, Noted
from adstudio.drafting.model.context import GivenTexts, given_texts
from adstudio.drafting.model.events import Delayed, Found, Moved, SceneDraft, SceneState, Spent, Telling
from adstudio.drafting.run_state import (
    LONGEST_SHOWN,
    MOST_FOUND,
    RunState,
    drafted_scenes,
    scenes_to_draft,
)
from adstudio.llm.messages import Usage

SCENES = (Scene("s1", Span(0, 10_000)), Scene("s2", Span(10_000, 40_000)), Scene("s3", Span(40_000, 50_000)))


def work(model: str, *keys: str) -> ModelWork:
    return ModelWork((Contribution(model, tuple(map(ModelTask.from_key, keys))),), 0)


def line(identity: str, scene: str | None, provenance: Provenance = UNKNOWN_PROVENANCE) -> Eventuality:
    return Eventuality(identity, (Variant(f"{identity} happens."),), scene=scene, provenance=provenance)


def test_why_nothing_comes_is_known_until_something_does():
    course = RunState(SCENES)
    course.update(Moved("s1", SceneState.DESCRIBING))
    assert course.update(Delayed("s1", "nobody answers there")) == "s1"
    stands = course.scenes["s1"]
    assert (stands.state, stands.delay, stands.why) == (SceneState.DESCRIBING, "nobody answers there", "")
    for message in (Telling("s1", 0, "She"), Moved("s1", SceneState.FINDING), Found("s1", 0, "e01", "She", 0, 1)):
        course.update(Delayed("s1", "nobody answers there"))
        course.update(message)
        assert course.scenes["s1"].delay == ""
    course.update(Delayed("s1", "nobody answers there"))
    course.broke_off(SceneState.STOPPED)
    assert (course.scenes["s1"].delay, course.scenes["s1"].state) == ("", SceneState.STOPPED)
    assert course.update(Delayed("s9", "x")) is None


def test_messages_make_up_how_scenes_stand():
    course = RunState(SCENES)
    assert course.update(Progress(Stage.DETECTING_CUTS, 0.25)) is None
    assert course.detecting_cuts == 0.25
    assert course.update(Moved("s1", SceneState.DESCRIBING)) == "s1"
    assert course.detecting_cuts == 1.0
    course.update(Telling("s1", 1, "And sits."))
    course.update(Telling("s1", 0, "She comes."))
    assert course.description("s1") == "She comes.\n\nAnd sits."
    course.update(Found("s1", 0, "e01", "She comes.", 0, 1_000))
    course.update(Found("s1", 1, "e01", "She sits.", None, None))
    assert (course.scenes["s1"].found, course.scenes["s1"].newest) == (2, "She sits.")
    assert course.elements("s1") == ("She comes.", "She sits.")
    course.update(Spent(Usage(1, 2, 3, 4, 5), 1))
    assert course.usage == Usage(1, 2, 3, 4, 5)
    assert course.update(Noted("one prompt was passed over")) is None
    assert course.noted == "one prompt was passed over"
    assert course.update(Moved("s9", SceneState.DONE)) is None
    assert course.update(ModelFinished()) is None
    draft = SceneDraft(
        "s1", SceneState.PARTIAL, (line("a", "s1"),), "one was lost", "She comes and sits.", ("e01: mended",)
    )
    course.update(draft)
    stands = course.scenes["s1"]
    assert (stands.state, stands.why, stands.lines, stands.found) == (SceneState.PARTIAL, "one was lost", 1, 2)
    assert course.description("s1") == "She comes and sits."
    assert course.elements("s1") == ("a happens.",)
    assert (course.ended, course.unhappy) == (1, ("s1",))
    assert course.counts == {SceneState.PARTIAL: 1, SceneState.WAITING: 2}


def test_a_scene_that_talks_without_end_takes_bounded_room():
    course = RunState(SCENES)
    course.update(Telling("s1", 0, "x" * (LONGEST_SHOWN + 5)))
    assert len(course.description("s1")) == LONGEST_SHOWN
    for number in range(MOST_FOUND + 5):
        course.update(Found("s1", 0, str(number), "It.", None, None))
    assert len(course.elements("s1")) == MOST_FOUND


def test_how_long_the_rest_will_take():
    """Two scenes of ten seconds took eight seconds: the thirty seconds that are left take twelve."""
    clock = [100.0]
    course = RunState(SCENES, lambda: clock[0])
    course.update(Moved("s1", SceneState.WAITING))
    clock[0] = 200.0
    course.update(Moved("s1", SceneState.SHOWING))
    clock[0] = 203.0
    course.update(Moved("s1", SceneState.DONE))
    assert course.seconds_left is None
    clock[0] = 208.0
    course.update(Moved("s3", SceneState.FAILED, "lost"))
    assert course.seconds_left == pytest.approx(12.0)
    alone = RunState(SCENES[:1], lambda: clock[0])
    alone.update(Moved("s1", SceneState.SHOWING))
    alone.update(Moved("s1", SceneState.DONE))
    assert alone.seconds_left == 0.0


def test_what_is_not_over_when_it_breaks_off_ends_so():
    course = RunState(SCENES)
    course.update(Moved("s2", SceneState.DONE))
    course.broke_off(SceneState.FAILED, "it broke off")
    assert [(each.state.value, each.why) for each in course.scenes.values()] == [
        ("failed", "it broke off"), ("done", ""), ("failed", "it broke off")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("provenance", "by_model"),
    [
        (UNKNOWN_PROVENANCE, False),
        (Provenance(work("m", "describe 1", "candidates 1")), True),
        (Provenance(work("m", "direct 1"), polished=work("n", "polish 1")), True),
        (Provenance(ScreenplayLine(12), work("m", "weigh 1"), work("n", "polish 1")), False),
        (Provenance(None, work("m", "weigh 1"), work("n", "polish 1")), False),
        (Provenance(FreeText("m, describe 1, 2026-11-28 08:00 UTC")), False),
    ],
)
def test_a_models_lines_are_those_that_a_model_drafted(provenance, by_model):
    assert provenance.by_model is by_model
    assert drafted_scenes(Script(GIVEN, scenes=SCENES, eventualities=(line("a", "s1", provenance),))) == (
        {"s1"} if by_model else set()
    )


GIVEN = replace(Film("F", 50_000), screenplay=SourceFile("film.fountain", "", 0, ""))


def test_a_screenplays_text_is_told_again_a_models_own_description_is_not():
    lines = (
        replace(line("a", "s1", Provenance(ScreenplayLine(3))), extract="She comes."),
        replace(line("b", "s1", Provenance(work("m", "screenplay 1", "candidates 1"))), extract="She sits."),
        replace(line("c", "s2", Provenance(work("m", "describe 1", "candidates 1"))), extract="A man waits."),
        replace(
            line("d", "s2", Provenance(work("m", "describe 1 edited 3f9a01bc"))),
            extract="He goes.",
        ),
        replace(line("f", "s3", Provenance(work("", "describe 1"))), extract="She runs."),
        replace(line("e", None), extract="Nowhere."),
    )
    given = given_texts(Script(GIVEN, scenes=SCENES, eventualities=lines))
    assert given == GivenTexts({"s1": "She comes. She sits."}, {})


def test_a_descriptions_text_is_told_in_the_place_of_the_models_own_candidates_are_not():
    lines = (
        replace(line("a", "s1", Provenance(DescriptionLine(3))), extract="She comes."),
        replace(line("b", "s2", Provenance(work("m", "candidates 1"))), extract="She sits."),
        replace(line("c", "s3", Provenance(work("m", "describe 1", "candidates 1"))), extract="A man waits."),
        replace(line("d", "s3"), extract="Of a list of candidates."),
        replace(line("e", "s3", Provenance(polished=work("m", "polish 1"))), extract="Of that too."),
    )
    given = given_texts(Script(Film("F", 50_000), scenes=SCENES, eventualities=lines))
    assert given == GivenTexts({}, {"s1": "She comes.", "s2": "She sits."})
    assert given.by_scene == {"s1": "She comes.", "s2": "She sits."}


def test_in_a_film_with_a_screenplay_a_scene_may_be_told_by_a_description():
    lines = (
        replace(line("a", "s1", Provenance(DescriptionLine(3))), extract="She comes."),
        replace(line("b", "s2", Provenance(ScreenplayLine(9))), extract="She sits."),
        replace(line("c", "s2", Provenance(DescriptionLine(4), polished=work("m", "polish 1"))), extract="Sun."),
    )
    given = given_texts(Script(GIVEN, scenes=SCENES, eventualities=lines))
    assert given == GivenTexts({"s2": "She sits. Sun."}, {"s1": "She comes."})


def test_which_scenes_are_asked_for():
    by = Provenance(work("m", "describe 1"))
    scenes = (SCENES[0], SCENES[1], replace(SCENES[2], reviewed=True))
    lines = (line("a", "s1", by), line("b", "s2", Provenance(ScreenplayLine(3))), line("c", None, by))
    script = Script(Film("F", 50_000), scenes=scenes, eventualities=lines)
    assert drafted_scenes(script) == {"s1"}
    assert [scene.id for scene in scenes_to_draft(script)] == ["s2"]
    assert [scene.id for scene in scenes_to_draft(script, anew=True)] == ["s1", "s2"]

"""What a draft that goes on in its project asks for and brings in: what is missing, and what was asked in this run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from adstudio.core.document import Document
from adstudio.core.film import Film
from adstudio.core.narration import Pronunciation
from adstudio.core.provenance import Contribution, ModelTask, ModelWork, Provenance, ScreenplayLine
from adstudio.core.script import Eventuality, Origin, Penalty, Pin, Rules, Scene, Script, Silence, Variant
from adstudio.core.timebase import Span
from adstudio.drafting.existing_project import work_in
from adstudio.drafting.landing import land_scenes, land_weights
from adstudio.drafting.model.events import SceneDraft, SceneState
from adstudio.drafting.model.request_store import JobState, JobStore, Totals
from adstudio.drafting.model.run import Outcome
from adstudio.editing.redraft import drafted_scene_id
from adstudio.llm.messages import Usage

GAPS = (Span(0, 30_000),)
BY = Provenance(ModelWork((Contribution("some-model", (ModelTask("describe", 1),)),), 0))


def line(identity: str, text: str, scene: str, at: int, provenance: Provenance = BY) -> Eventuality:
    return Eventuality(
        identity, (Variant(text),), Span(at, at + 1000), 5, scene=scene, confidence=550, provenance=provenance
    )


SCRIPT = Script(
    Film("f", 30_000),
    scenes=tuple(Scene(f"s{n}", Span(n * 10_000, (n + 1) * 10_000)) for n in range(3)),
    eventualities=(
        line("a", "Anna comes.", "s0", 1000),
        line("b", "Tom sits.", "s1", 11_000),
        line("c", "A car stops.", "s2", 21_000, Provenance(ScreenplayLine(3))),
    ),
)


def outcome(*asked: str) -> Outcome:
    """Every scene came, some of them in this run."""
    drafts = tuple(
        SceneDraft(f"s{n}", SceneState.DONE, (line(f"s{n}-e01", f"New in {n}.", f"s{n}", n * 10_000 + 2000),))
        for n in range(3)
    )
    return Outcome(drafts, Totals({}, Usage(), 0), asked=frozenset(asked))


def texts(document: Document) -> list[str]:
    return [each.variants[0].text for each in document.script.eventualities]


def test_what_came_before_is_not_brought_in_again_and_what_no_model_drafted_is() -> None:
    document = Document(SCRIPT)
    assert land_scenes(document, outcome().scenes, "house", asked=frozenset()) == ("s2",)
    assert texts(document) == ["Anna comes.", "Tom sits.", "New in 2."]
    assert [drafted_scene_id(step) for step in document.past] == ["s2"]


def test_what_was_asked_in_this_run_takes_the_machines_lines_a_step_for_each_scene() -> None:
    mine = replace(SCRIPT.eventualities[0], origin=Origin.HUMAN)
    document = Document(SCRIPT.with_eventuality(0, mine))
    assert land_scenes(document, outcome().scenes, "house", asked=frozenset({"s0", "s1"})) == ("s0", "s1", "s2")
    assert texts(document) == ["Anna comes.", "New in 0.", "New in 1.", "New in 2."]
    assert document.script.eventualities[0] == mine
    assert len(document.past) == 3
    while document.undo():
        pass
    assert texts(document) == ["Anna comes.", "Tom sits.", "A car stops."]


def test_a_scene_that_is_gone_or_brought_nothing_changes_nothing() -> None:
    drafts = (SceneDraft("s9", SceneState.DONE, outcome().scenes[0].lines), SceneDraft("s2", SceneState.BLOCKED))
    document = Document(SCRIPT)
    assert land_scenes(document, drafts, "house", asked=frozenset({"s9", "s2"})) == ()
    assert document.past == ()


def test_the_scenes_of_which_something_is_left(tmp_path: Path) -> None:
    with JobStore(tmp_path / "jobs.sqlite") as jobs:
        for key, scene, state in (
            ("1", "s0", JobState.DONE),
            ("2", "s1", JobState.DONE),
            ("3", "s1", JobState.TRUNCATED),
            ("4", "s2", JobState.BLOCKED),
        ):
            jobs.announce(key, "film", scene, "describe")
            jobs.claim(key)
            jobs.finish(key, state)
        jobs.announce("5", "other", "s0", "describe")
        assert jobs.scenes_left("film") == {"s1", "s2"}
        assert jobs.scenes_left("other") == {"s0"}


def test_what_people_have_done_is_counted() -> None:
    assert work_in(SCRIPT, GAPS) == ()
    tied = Rules(penalties=(Penalty("a", "b", 5),))
    assert work_in(SCRIPT.with_changes(rules=tied), GAPS) == ("1 rule",)
    assert work_in(SCRIPT.with_changes(rules=tied), GAPS, suggested_rules=True) == ()
    worked = replace(SCRIPT, eventualities=tuple(replace(each, worked=True) for each in SCRIPT.eventualities))
    worked = worked.with_changes(
        silences=(Silence("x", Span(0, 500)), Silence("y", Span(600, 900))),
        scenes=(replace(SCRIPT.scenes[0], reviewed=True), *SCRIPT.scenes[1:]),
        lexicon=(Pronunciation("Siobhan", "Shivawn"),),
    )
    assert work_in(worked, GAPS) == (
        "3 lines written or worked on",
        "2 silences",
        "1 reviewed scene",
        "1 pronunciation",
    )


def test_a_models_own_holds_are_its_own_until_somebody_moves_one() -> None:
    direct = Eventuality(
        "a", (Variant("Anna comes.", duration=1000),), Span(1000, 2000), 5, scene="s0", pin=Pin(start=1000),
        confidence=550, provenance=BY,
    )  # fmt: skip
    script = SCRIPT.with_changes(eventualities=(direct,))
    assert work_in(script, GAPS) == ()
    moved = replace(direct, pin=Pin(start=1500))
    assert work_in(script.with_eventuality(0, moved), GAPS) == ("1 line written or worked on",)
    accepted = replace(direct, accepted=True)
    assert work_in(script.with_eventuality(0, accepted), GAPS) == ("1 line written or worked on",)


def test_weights_are_one_step_and_none_where_nothing_weighs_otherwise() -> None:
    document = Document(SCRIPT)
    assert land_weights(document, SCRIPT, "house") == 0
    assert document.past == ()
    lines = tuple(replace(each, salience=7) for each in SCRIPT.eventualities)
    assert land_weights(document, SCRIPT.with_changes(eventualities=lines), "house") == 3
    assert [each.salience for each in document.script.eventualities] == [7, 7, 7]
    assert len(document.past) == 1

"""The rows of the ablation table: their names and order, what each speaks, and that the verifier has seen them all."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from adstudio.core.film import Film
from adstudio.core.plan import Plan, Status
from adstudio.core.progress import Progress, Stage
from adstudio.core.script import Eventuality, Pin, Scene, Script, Variant
from adstudio.core.settings import Settings
from adstudio.core.timebase import Span
from adstudio.evaluation import ablations as module
from adstudio.evaluation.ablations import Ablations, ablations
from adstudio.evaluation.material import Description, Transcript
from adstudio.planning.film.film_problem import film_problem

# As in tests/planning/test_ablations.py: the second gap is near the lines, the first a minute before them.
GAPS = (Span(0, 3_000), Span(60_000, 65_000))


def line(identity: str, start: int, salience: int, full: str, short: str) -> Eventuality:
    variants = (Variant(full, duration=4_000), Variant(short, Fraction(1, 2), 2_000 if identity == "e1" else 1_000))
    return Eventuality(identity, variants, Span(start, start + 2_000), salience, "s1")


SCRIPT = Script(
    Film("T", 70_000),
    Settings(),
    scenes=(Scene("s1", Span(0, 70_000)),),
    eventualities=(
        line("e1", 60_000, 900_000, "A man in a long coat runs in.", "A man runs in."),
        line("e2", 61_000, 800_000, "The red umbrella lies on the floor.", "An umbrella."),
    ),
)
REFERENCE = Transcript("british", (Description(Span(60_000, 63_000), "The red umbrella lies on the floor."),))
MODEL_FREE = ("plan", "w/o grounding", "w/o compression", "w/o both", "Random salience", "Embed. text", "BM25")


def spoken(found: Ablations, name: str) -> list[tuple[int, str]]:
    (transcript,) = (each.transcript for each in found.rows if each.name == name)
    return [(each.span.start, each.text) for each in transcript.descriptions]


def test_the_rows_are_those_of_the_paper_and_each_is_as_by_hand() -> None:
    found = ablations(SCRIPT, GAPS, [REFERENCE])
    names = [row.name for row in found.rows]
    assert names == [*MODEL_FREE, "Deletion", "Blend", "BM25 oracle", "Embed. oracle"]
    assert not any(each.transcript.filtered for each in found.rows)
    assert found.notes == ()
    umbrella, runs = "The red umbrella lies on the floor.", "A man in a long coat runs in."
    assert spoken(found, "plan") == [(60_000, runs), (64_000, "An umbrella.")]
    assert spoken(found, "w/o grounding") == [(1_000, "A man runs in."), (60_000, umbrella)]
    assert spoken(found, "w/o compression") == [(60_000, runs)]
    assert spoken(found, "w/o both") == [(60_000, runs)]
    # The oracle has seen that the reference speaks of the umbrella.
    assert umbrella in [text for _, text in spoken(found, "Embed. oracle")]


def test_every_plan_is_checked_by_the_verifier(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[Plan] = []
    monkeypatch.setattr(module, "require_valid", lambda _problem, plan: checked.append(plan))
    found = ablations(SCRIPT, GAPS, [REFERENCE])
    assert checked == [row.plan for row in found.rows]


def test_without_a_reference_there_are_no_oracles_and_that_is_noted() -> None:
    found = ablations(SCRIPT, GAPS)
    assert not any("oracle" in row.name for row in found.rows)
    assert found.notes == ("the rows of the oracles need a reference, and there is none",)


def test_a_reference_outside_the_scenes_leaves_the_oracles_out() -> None:
    later = Transcript("late", (Description(Span(3_660_000, 3_663_000), "The umbrella lies there."),))
    found = ablations(SCRIPT, GAPS, [later])
    assert [row.name for row in found.rows] == [*MODEL_FREE, "Deletion", "Blend"]
    assert [note.split(":")[0] for note in found.notes] == [
        "the row BM25 oracle is missing",
        "the row Embed. oracle is missing",
    ]


def test_the_projects_own_plan_is_its_row() -> None:
    own = Plan(Status.OPTIMAL, "exact", 0, 0, 0)
    found = ablations(SCRIPT, GAPS, plan=own)
    assert found.rows[0].plan is own
    assert found.rows[0].transcript.descriptions == ()


def test_a_row_without_a_plan_is_missing_with_its_reason() -> None:
    # Locked at 60 s in its short wording, e1 has no place there in full, where dialogue begins at 63 s.
    locked = replace(SCRIPT.eventualities[0], pin=Pin(start=60_000, variant=1))
    script = replace(SCRIPT, eventualities=(locked, SCRIPT.eventualities[1]))
    found = ablations(script, (Span(0, 3_000), Span(60_000, 63_000)))
    assert "w/o compression" not in [row.name for row in found.rows]
    assert "the row w/o compression is missing: locks contradict one another" in found.notes
    assert "w/o grounding" in [row.name for row in found.rows]


def test_a_row_without_a_plan_in_time_names_no_limit_that_it_did_not_have() -> None:
    """The project's own plan, and one with rules, have other limits than the other rows."""
    found = ablations(SCRIPT, GAPS, plan=Plan(Status.TIMEOUT, "exact", 0, 0, 0))
    missing = "no plan was found in time: divide the film into scenes, or plan it with --scope scene"
    assert f"the row plan is missing: {missing}" in found.notes


def test_progress_comes_row_by_row_and_may_stop() -> None:
    seen: list[Progress] = []
    ablations(SCRIPT, GAPS, progress=seen.append)
    assert seen[0] == Progress(Stage.MAKING_ABLATIONS, 0.0, "planning plan")
    assert [each.fraction for each in seen] == sorted(each.fraction or 0 for each in seen)
    assert seen[-1].fraction == 1

    def stop(progress: Progress) -> None:
        if progress.fraction:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ablations(SCRIPT, GAPS, progress=stop)


def test_seeds_decide_the_random_row_alone() -> None:
    rng_rows = [
        {row.name: [e.salience for e in row.script.eventualities] for row in ablations(SCRIPT, GAPS, seed=seed).rows}
        for seed in (1, 1, 2)
    ]
    assert rng_rows[0] == rng_rows[1]
    assert [name for name in rng_rows[0] if rng_rows[0][name] != rng_rows[2][name]] == ["Random salience"]


def test_no_row_changes_what_was_given() -> None:
    before = repr(SCRIPT)
    ablations(SCRIPT, GAPS, [REFERENCE])
    assert repr(SCRIPT) == before


def test_rules_are_kept_to_in_every_row() -> None:
    from adstudio.core.script import Rules

    ruled = replace(SCRIPT, rules=Rules(alternatives=(("e1", "e2"),)))
    for row in ablations(ruled, GAPS, [REFERENCE]).rows:
        assert len(row.plan.deliveries) == 1
        assert film_problem(row.script, GAPS).rules == ruled.rules

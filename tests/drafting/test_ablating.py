"""Salience scored anew, in a script and in a problem: by scene, by seed, and by the reference for the oracles."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adstudio.core.errors import BadInputError
from adstudio.core.film import Film
from adstudio.core.script import Eventuality, Scene, Script, Variant
from adstudio.core.timebase import Span
from adstudio.drafting.ablating import ablated_problem, ablated_script, problem_with_salience, with_salience
from adstudio.drafting.ablation import METHODS, NO_ABLATION, Ablation, ReferenceLine
from adstudio.planning.problem import Element, Problem

TEXTS = (
    "Nora hides a red umbrella behind the counter.",
    "The rain falls on the roof.",
    "Tom pushes his round glasses up his nose.",
    "A train stops at the platform.",
    "The guard blows a whistle.",
)
SCENES = (Scene("s1", Span(0, 30_000)), Scene("s2", Span(30_000, 60_000)))


def line(number: int, **more: object) -> Eventuality:
    start = number * 10_000 + 4_000
    fields: dict[str, object] = {"occurrence": Span(start, start + 2_000), "salience": 111_111, **more}
    return Eventuality(f"e{number}", (Variant(TEXTS[number]),), **fields)  # type: ignore[arg-type]


SCRIPT = Script(Film("T", 60_000), scenes=SCENES, eventualities=tuple(map(line, range(5))))


def spoken(number: int, at: int | None = None) -> ReferenceLine:
    start = number * 10_000 + 4_000 if at is None else at
    return ReferenceLine(Span(start, start + 2_000), TEXTS[number])


def saliences(script: Script) -> list[int | None]:
    return [each.salience for each in script.eventualities]


def test_nothing_is_ablated_by_default() -> None:
    assert not NO_ABLATION
    assert not Ablation(seed=3)
    assert ablated_script(SCRIPT, NO_ABLATION) == SCRIPT
    assert all(
        (Ablation(grounding=False), Ablation(compression=False), *(Ablation(salience=method) for method in METHODS))
    )


@pytest.mark.parametrize("method", ["oracle-bm25", "oracle-embedding"])
def test_an_oracle_ranks_what_the_reference_says_first(method) -> None:
    # The reference is made of the second and the fifth line, each spoken in its own scene.
    found = saliences(with_salience(SCRIPT, method, reference=[spoken(1), spoken(4)]))
    assert max(found[:3]) == found[1]
    assert max(found[3:]) == found[4]
    assert [found[0], found[2], found[3]] < [found[1], found[1], found[4]]
    if method == "oracle-embedding":
        assert found[1] == found[4] == 1_000_000  # the cosine of a text and itself


def test_a_line_of_the_reference_counts_in_the_scene_of_its_middle() -> None:
    here = saliences(with_salience(SCRIPT, "oracle-bm25", reference=[spoken(4)]))
    assert here[:3] == [0, 0, 0]
    # In the first scene it is of no line of that scene, and the second scene has no reference.
    there = saliences(with_salience(SCRIPT, "oracle-bm25", reference=[spoken(4, at=28_500)]))
    assert there[4] == 0


def test_a_reference_of_another_time_is_refused() -> None:
    hour_later = [spoken(1, at=3_614_000), spoken(4, at=3_644_000)]
    for method in ("oracle-bm25", "oracle-embedding"):
        for reference in (hour_later, []):
            with pytest.raises(BadInputError, match="no line of the reference is spoken in the time of the scenes"):
                with_salience(SCRIPT, method, reference=reference)
            with pytest.raises(BadInputError, match="no line of the reference"):
                problem_with_salience(problem(*TEXTS), method, reference=reference)


def test_random_depends_on_the_seed_alone() -> None:
    one, again, other = (saliences(with_salience(SCRIPT, "random", seed=seed)) for seed in (1, 1, 2))
    assert one == again != other
    assert len(set(one)) == 5
    assert all(value is not None and 0 <= value <= 1_000_000 for value in one)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_scores_all_lines_that_happen(method) -> None:
    never = line(2, occurrence=None, salience=None)
    script = replace(SCRIPT, eventualities=(*SCRIPT.eventualities[:2], never, *SCRIPT.eventualities[3:]))
    found = saliences(with_salience(script, method, reference=[spoken(0), spoken(3)]))
    assert found[2] is None
    assert all(value is not None and value != 111_111 for value in found[:2] + found[3:])
    assert with_salience(script, method, reference=[spoken(0), spoken(3)]).settings == script.settings


def test_the_passage_that_a_line_was_made_of_is_scored() -> None:
    rewritten = replace(SCRIPT.eventualities[0], variants=(Variant("Something else."),), extract=TEXTS[0])
    script = replace(SCRIPT, eventualities=(rewritten, *SCRIPT.eventualities[1:]))
    assert saliences(with_salience(script, "embedding")) == saliences(with_salience(SCRIPT, "embedding"))


def test_a_film_without_lines_or_scenes() -> None:
    assert with_salience(Script(Film("T", 1_000)), "bm25").eventualities == ()
    bare = replace(SCRIPT, scenes=())
    assert all(value is not None for value in saliences(with_salience(bare, "blend")))


def problem(*texts: str) -> Problem:
    elements = tuple(
        Element(f"e{n}", Span(n * 1_000, n * 1_000 + 500), 111_111, (1_000,), texts=(text,) if text else ())
        for n, text in enumerate(texts)
    )
    return Problem("s", Span(0, 10_000), (Span(0, 10_000),), elements)


def test_a_problem_is_scored_as_one_scene() -> None:
    one_scene = Script(
        Film("T", 10_000),
        scenes=(Scene("s", Span(0, 10_000)),),
        eventualities=tuple(
            Eventuality(f"e{n}", (Variant(text),), Span(n * 1_000, n * 1_000 + 500)) for n, text in enumerate(TEXTS)
        ),
    )
    for method in METHODS:
        reference = [spoken(1, at=2_000), spoken(4, at=7_000)]
        scored = problem_with_salience(problem(*TEXTS), method, seed=5, reference=reference)
        expected = saliences(with_salience(one_scene, method, seed=5, reference=reference))
        assert [element.salience for element in scored.elements] == expected


def test_a_problem_without_texts_has_nothing_to_score() -> None:
    for method in METHODS:
        if method == "random":
            assert len({each.salience for each in problem_with_salience(problem("", ""), method).elements}) == 2
            continue
        with pytest.raises(BadInputError, match=f"no texts, which salience by {method} is scored by"):
            problem_with_salience(problem("", ""), method)


def test_all_together_and_the_salience_is_of_the_full_wordings() -> None:
    both = Ablation(grounding=False, compression=False, salience="random", seed=1)
    script = replace(
        SCRIPT,
        eventualities=tuple(
            replace(each, variants=(*each.variants, Variant("Short."))) for each in SCRIPT.eventualities
        ),
    )
    found = ablated_script(script, both)
    assert saliences(found) == saliences(with_salience(SCRIPT, "random", seed=1))
    assert {len(each.variants) for each in found.eventualities} == {1}
    assert found.settings.delta_max == 60_000
    short = replace(
        problem(*TEXTS), elements=tuple(replace(each, durations=(1_000, 500)) for each in problem(*TEXTS).elements)
    )
    assert {each.durations for each in ablated_problem(short, both).elements} == {(1_000,)}

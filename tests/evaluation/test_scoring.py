"""The whole evaluation, with words for tokens and a coefficient of words for METEOR."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from word_scorer import WordScorer, film, said, spoken

from adstudio.core.progress import Progress, Stage
from adstudio.evaluation.material import Description, EvaluatedFilm, Transcript
from adstudio.evaluation.results import Evaluation, FilterCounts, Measure, Scores, SystemResult, Unrealistic
from adstudio.evaluation.scoring import evaluate, realistic_name, with_realistic

pytest.importorskip("pycocoevalcap.cider.cider", reason="the extra `eval` is not installed")

CIDER, METEOR, SODA_M, SODA_T = Measure.GAP_CIDER, Measure.GAP_METEOR, Measure.SODA_M, Measure.SODA_T


def row(evaluation: Evaluation, name: str) -> SystemResult:
    return next(each for each in evaluation.systems if each.name == name)


def by_sequence(evaluation: Evaluation, name: str, measure: Measure) -> dict[str, float]:
    return {each.sequence: each.scores[measure] for each in row(evaluation, name).sequences if measure in each.scores}


REFERENCE = said((1, 3, "a dog runs"), (6, 8, "a cat"), (22, 24, "the door opens"), (41, 44, "she waves to him"))
DIALOGUE = spoken((4, 5), (10, 20), (30, 40))
BOUNDS = (0, 20, 40, 60)


def test_every_measure_by_hand():
    # METEOR is the Dice coefficient: 2 · common words / all words of both
    draft = said((1, 3, "dog runs"), (6.5, 7, "tree"), (41, 43, "she waves"), (59, 60, "the end"))
    found = evaluate([film({"uk": REFERENCE}, {"draft": draft}, dialogue=DIALOGUE, bounds=BOUNDS)], WordScorer())
    # s1: pairs (a dog runs, dog runs) 4/5 and, on the diagonal, (a cat, tree) 0: 0.8 / ((2 + 2) / 2); both in time
    # s2: nothing is said there: 0
    # s3: (she waves to him, she waves) 4/6 rather than (…, the end) 0: 2/3 / ((1 + 2) / 2); midpoints 42.5 and 42
    assert by_sequence(found, "draft", SODA_M) == pytest.approx({"s1": 40, "s2": 0, "s3": 100 * (2 / 3) / 1.5})
    assert by_sequence(found, "draft", SODA_T) == pytest.approx({"s1": 100, "s2": 0, "s3": 100})
    # gaps: s1 0–4, 5–10; s2 20–30; s3 40–60, where “she waves the end” has 2 · 2 / (4 + 4) words in common
    assert by_sequence(found, "draft", METEOR) == pytest.approx({"s1": (80 + 0) / 2, "s2": 0, "s3": 50})
    # 40–60 lasts 20 s, so that s3 has no gap CIDEr
    assert set(by_sequence(found, "draft", CIDER)) == {"s1", "s2"}
    mean = row(found, "draft").mean
    assert mean[SODA_M] == pytest.approx((40 + 0 + 100 / 2.25) / 3)
    assert mean[METEOR] == pytest.approx(90 / 3)
    assert row(found, "draft").films == {"film": mean}


def test_a_system_that_is_the_reference_has_the_top_value():
    found = evaluate([film({"uk": REFERENCE}, {"same": REFERENCE}, dialogue=DIALOGUE, bounds=BOUNDS)], WordScorer())
    mean = row(found, "same").mean
    assert [mean[measure] for measure in (METEOR, SODA_M, SODA_T)] == pytest.approx([100, 100, 100])
    assert row(found, "same").intervals[SODA_M] == pytest.approx((100, 100))
    half = film({"uk": REFERENCE}, {"half": REFERENCE[:2]}, dialogue=DIALOGUE, bounds=BOUNDS)
    assert row(evaluate([half], WordScorer()), "half").mean[CIDER] < mean[CIDER]


@pytest.mark.parametrize(("shift", "expected"), [(0, 100), (5, 100), (9.999, 100), (10, 0), (10.001, 0), (-9.999, 100)])
def test_a_shift_of_ten_seconds_is_the_edge_of_soda_t(shift: float, expected: float):
    lines = said(*((30 * number, 30 * number + 2, f"word{number}") for number in range(1, 9)))
    moved = said(*((30 * n + shift, 30 * n + 2 + shift, f"word{n}") for n in range(1, 9)))
    found = evaluate([film({"uk": lines}, {"moved": moved}, bounds=(0, 300))], WordScorer())
    assert row(found, "moved").mean[SODA_T] == expected
    assert row(found, "moved").mean[SODA_M] == 100


def test_of_several_references_each_measure_takes_its_best():
    # against “uk” the words are the same but far away, against “us” the times are the same and the words are not
    uk, us = said((80, 82, "a dog runs")), said((10, 12, "one hound"))
    draft = said((10, 12, "a dog runs"))
    found = evaluate([film({"uk": uk, "us": us}, {"draft": draft}, bounds=(0, 100))], WordScorer())
    mean = row(found, "draft").mean
    assert (mean[SODA_M], mean[SODA_T]) == (100, 100)
    one = replace(film({"uk": uk, "us": us}, {}), systems=(Transcript("draft", draft, references=("uk",)),))
    mean = row(evaluate([one], WordScorer()), "draft").mean
    assert (mean[SODA_M], mean[SODA_T]) == (100, 0)


def test_gap_meteor_takes_the_best_reference_that_says_something_and_skips_gaps_without_any():
    dialogue = spoken((10, 11), (20, 21), (30, 31))
    uk, us = said((1, 2, "a dog")), said((1, 2, "some cat"), (12, 13, "rain"))
    draft = said((1, 2, "some cat"), (32, 33, "nobody describes this"))
    found = evaluate([film({"uk": uk, "us": us}, {"draft": draft}, dialogue=dialogue, bounds=(0, 40))], WordScorer())
    # gap 0–10: 100 against “us”; 11–20: silent, 0; 21–30 and 31–40 have no reference
    assert row(found, "draft").mean[METEOR] == 50
    assert [gap.scores.get("draft", {}).get(METEOR) for gap in found.gaps] == [100, 0, None, None]
    assert [gap.systems for gap in found.gaps] == [{"draft": "some cat"}, {}, {}, {"draft": "nobody describes this"}]


def test_both_references_count_in_gap_cider_even_where_one_is_empty():
    # two gaps, of which only “us” describes the second: by hand in test_gap_scores, 250 with the empty reference
    dialogue = spoken((10, 11))
    uk, us = said((12, 13, "c d")), said((1, 2, "a b"), (12, 13, "c e"))
    draft = said((1, 2, "a b"), (12, 13, "c e"))
    found = evaluate([film({"uk": uk, "us": us}, {"draft": draft}, dialogue=dialogue, bounds=(0, 20))], WordScorer())
    assert row(found, "draft").mean[CIDER] == pytest.approx((250 + 312.5) / 2)


def test_an_expert_is_compared_with_the_other_references_only():
    uk, us = said((1, 2, "a dog")), said((1, 2, "a cat"), (5, 6, "rain"))
    experts = [Transcript("expert uk", uk, references=("us",)), Transcript("expert us", us, references=("uk",))]
    found = evaluate([film({"uk": uk, "us": us}, experts)], WordScorer())
    # “a dog” and “a cat” share a word of two: 1/2 / ((1 + 2) / 2)
    assert row(found, "expert uk").mean[SODA_M] == pytest.approx(100 / 3)
    assert row(found, "expert uk").mean[SODA_T] == 50
    assert row(found, "expert us").mean[SODA_T] == 100


def test_an_expert_without_another_reference_has_no_scores():
    found = evaluate([film({"uk": REFERENCE}, [Transcript("expert", REFERENCE, references=("us",))])], WordScorer())
    assert row(found, "expert").mean == {}
    assert found.significance == ()


def test_means_are_over_sequences_and_then_over_films():
    lines = said((1, 2, "a dog"), (11, 12, "a cat"), (21, 22, "a cow"))
    long = film({"uk": lines}, {"draft": lines[:1]}, name="long", bounds=(0, 10, 20, 30))
    short = film({"uk": lines[:1]}, {"draft": lines[:1]}, name="short", bounds=(0, 10))
    found = row(evaluate([long, short], WordScorer()), "draft")
    assert found.films["long"][SODA_T] == pytest.approx(100 / 3)
    assert found.films["short"][SODA_T] == 100
    assert found.mean[SODA_T] == pytest.approx((100 / 3 + 100) / 2)  # over sequences alike it would be 50


def test_a_system_is_scored_in_the_films_that_it_has_and_compared_over_these():
    lines = said((1, 2, "a dog"))
    one = film({"uk": lines}, {"all": lines, "some": lines}, name="one")
    other = film({"uk": lines}, {"all": ()}, name="other")
    found = evaluate([one, other], WordScorer())
    assert row(found, "some").mean[SODA_M] == 100
    assert [each.film for each in row(found, "some").sequences] == ["one"]
    assert row(found, "all").mean[SODA_M] == 50
    differences = {each.measure: each.difference for each in found.significance}
    assert differences[SODA_M] == 0


def test_a_sequence_without_a_reference_is_not_scored():
    found = evaluate([film({"uk": REFERENCE[:1]}, {"draft": REFERENCE}, bounds=(0, 20, 60))], WordScorer())
    assert by_sequence(found, "draft", SODA_M) == {"s1": pytest.approx(100 / 1.5)}
    assert by_sequence(found, "draft", METEOR).keys() == {"s1"}
    assert found.films[0].notes == ("1 of 2 sequences have no description in any reference and are not scored",)


def test_an_empty_system_has_0_everywhere():
    found = evaluate([film({"uk": REFERENCE}, {"empty": ()}, dialogue=DIALOGUE, bounds=BOUNDS)], WordScorer())
    assert row(found, "empty").mean == dict.fromkeys((CIDER, METEOR, SODA_M, SODA_T), 0)
    assert found.films[0].notes == ("“empty” says nothing",)
    assert all(gap.systems == {} for gap in found.gaps)


def test_a_reference_that_says_nothing_is_noted():
    found = evaluate([film({"uk": REFERENCE, "us": ()}, {"draft": REFERENCE})], WordScorer())
    assert found.films[0].notes == ("“us” says nothing",)


def test_empty_references_score_nothing():
    found = evaluate([film({"uk": (), "us": ()}, {"draft": REFERENCE})], WordScorer())
    assert row(found, "draft").mean == {}
    assert row(found, "draft").intervals == {}


def test_descriptions_without_a_word_are_not_counted():
    lines = (*REFERENCE, *said((50, 51, "…")))
    found = evaluate([film({"uk": REFERENCE}, {"draft": lines})], WordScorer())
    assert row(found, "draft").mean[SODA_M] == 100
    assert found.films[0].notes == ("descriptions without a word, which are not counted: 1",)


def test_texts_that_are_too_long_for_meteor_are_not_given_to_it_and_that_is_said():
    # 1001 words in one description; and three of 400 in one gap
    scorer, sheet, third = WordScorer(), "word " * 1_001, "dog " * 400
    lines = said((1, 2, sheet), (11, 12, "a dog"), (21, 22, third), (23, 24, third), (25, 26, third))
    one = film({"uk": lines}, {"same": lines}, dialogue=spoken((5, 6), (15, 20)), bounds=(0, 10, 20, 30))
    found = evaluate([one], scorer)
    assert max(len(text.split()) for pair in scorer.pairs for text in pair) == 400
    assert by_sequence(found, "same", SODA_M) == {"s1": 0, "s2": 100, "s3": 100}
    assert by_sequence(found, "same", METEOR) == {"s2": 100}
    assert by_sequence(found, "same", CIDER).keys() == {"s1", "s2", "s3"}
    assert found.films[0].notes == (
        "descriptions of more than 1000 words, which METEOR does not compare: 2",
        "gaps with a text of more than 1000 words, whose gap METEOR is not computed: 2",
    )


@pytest.mark.parametrize(("count", "cider"), [(1, 0), (2, 1_000)])
def test_gap_cider_of_one_gap_says_nothing_and_that_is_said(count: int, cider: float):
    # The weight of a word is the logarithm of the number of gaps over that of those with it: of one gap log 1 = 0.
    lines = said((1, 3, "the big dog runs"), (6, 8, "a cat sits there"))[:count]
    one = film({"uk": lines, "us": ()}, {"same": lines}, dialogue=spoken((4, 5)), bounds=(0, 10))
    alone = replace(one, references=one.references[:1])
    found = evaluate([alone], WordScorer())
    assert row(found, "same").mean[CIDER] == pytest.approx(cider)
    for each in (found, evaluate([one], WordScorer())):
        assert any("gap CIDEr is 0" in note for note in each.notes) is (count == 1)


@pytest.mark.parametrize(("language", "notes"), [("", 0), ("en", 0), ("en-GB", 0), ("de", 1), ("de-AT", 1)])
def test_meteor_for_another_language_is_said(language: str, notes: int):
    one = replace(film({"uk": REFERENCE}, {"same": REFERENCE}), language=language)
    assert len(evaluate([one], WordScorer()).films[0].notes) == notes


def test_overlapping_descriptions_are_all_scored():
    lines = said((1, 5, "a dog"), (2, 4, "a cat"), (2, 4, "a cow"))
    found = evaluate([film({"uk": lines}, {"same": tuple(reversed(lines))})], WordScorer())
    assert row(found, "same").mean[SODA_M] == 100


FAST = said((1, 2, "one two three four five six"), (2, 4, "a dog"), (3, 5, "a cat"))


def test_a_filtered_system_has_a_second_row_with_what_was_removed():
    one = film({"uk": FAST}, [Transcript("prompted", FAST, filtered=True), Transcript("plan", FAST)])
    found = evaluate([one], WordScorer())
    assert [each.name for each in found.systems] == ["prompted", "prompted, realistic", "plan"]
    assert [each.filtered for each in (found.systems[0], found.systems[2])] == [None, None]
    assert found.systems[1].filtered == FilterCounts(
        3, {Unrealistic.TOO_FAST: 1, Unrealistic.OVER_DIALOGUE: 0, Unrealistic.OVERLAPPING: 1}, 0
    )
    assert found.systems[0].mean[SODA_M] == 100
    assert found.systems[1].mean[SODA_M] == pytest.approx(100 / 2)  # one of three is left
    assert found.gaps[0].systems[realistic_name("prompted")] == "a dog"


def test_the_filtered_systems_are_there_to_be_asked_before_the_scores():
    one = film({"uk": FAST}, [Transcript("prompted", FAST, filtered=True)])
    (two,), counts = with_realistic([one], WordScorer())
    assert [(each.name, len(each.descriptions), each.filtered) for each in two.systems] == [
        ("prompted", 3, True),
        ("prompted, realistic", 1, False),
    ]
    assert counts.keys() == {"prompted, realistic"}
    # and given back they are not added again
    assert evaluate([two], WordScorer()) == evaluate([one], WordScorer())


def test_scores_found_elsewhere_are_reported_and_compared_too():
    lines = said((1, 2, "a dog"), (31, 32, "a cat"))
    one = film({"uk": lines}, {"a": lines, "b": lines}, bounds=(0, 30, 60))
    extra: dict[tuple[str, str, str], Scores] = {
        ("a", "film", "s1"): {Measure.QEVAL: 100.0},
        ("a", "film", "s2"): {Measure.QEVAL: 50.0},
        ("b", "film", "s1"): {Measure.QEVAL: 25.0},
    }
    found = evaluate([one], WordScorer(), extra=extra)
    assert row(found, "a").mean[Measure.QEVAL] == 75
    (test,) = (each for each in found.significance if each.measure is Measure.QEVAL)
    assert (test.one, test.other, test.difference, test.p) == ("a", "b", 75, 1)
    assert [each.name for each in found.systems] == ["a", "b"]


def test_scores_of_what_is_no_system_make_a_row_of_their_own():
    one = film({"uk": REFERENCE}, {"draft": REFERENCE}, dialogue=DIALOGUE, bounds=BOUNDS)
    extra: dict[tuple[str, str, str], Scores] = {
        ("scenes", "film", "s3"): {Measure.QEVAL: 40.0},
        ("scenes", "film", "s1"): {Measure.QEVAL: 60.0},
    }
    found = evaluate([one], WordScorer(), extra=extra)
    assert [each.name for each in found.systems] == ["draft", "scenes"]
    assert row(found, "scenes").mean == {Measure.QEVAL: 50.0}
    assert by_sequence(found, "scenes", Measure.QEVAL) == {"s1": 60.0, "s3": 40.0}
    assert all("scenes" not in (each.one, each.other) for each in found.significance), "they share no measure"


def test_every_pair_of_systems_is_compared_by_every_measure_over_sequences():
    # seven sequences in which “good” has the words and “bad” has not: p = 2 / 2^7
    lines = said(*((10 * number + 1, 10 * number + 3, f"word{number}") for number in range(7)))
    wrong = tuple(replace(each, text="else") for each in lines)
    one = film({"uk": lines}, {"good": lines, "bad": wrong, "again": lines}, bounds=range(0, 80, 10))
    found = evaluate([one], WordScorer())
    tests = {(each.one, each.other, each.measure): (each.difference, each.p) for each in found.significance}
    assert len(tests) == 3 * 4
    assert tests["good", "bad", SODA_M] == pytest.approx((100, 2 / 2**7))
    assert tests["bad", "again", SODA_M] == pytest.approx((-100, 2 / 2**7))
    assert tests["good", "again", SODA_M] == (0, 1)
    assert found.notes == ()


@pytest.mark.parametrize(
    ("sequences", "expected"),
    [
        (1, "no difference can be significant in one sequence: p is at least 1; it takes six sequences"),
        (3, "no difference can be significant in 3 sequences: p is at least 0.25; it takes six sequences"),
        (5, "no difference can be significant in 5 sequences: p is at least 0.062; it takes six sequences"),
        (6, None),
    ],
)
def test_too_few_sequences_are_said(sequences: int, expected: str | None):
    lines = said(*((10 * number + 1, 10 * number + 3, "a dog") for number in range(sequences)))
    one = film({"uk": lines}, {"a": lines, "b": lines}, bounds=range(0, 10 * sequences + 1, 10))
    found = [note for note in evaluate([one], WordScorer()).notes if "significant" in note]
    assert found == ([expected] if expected else [])


def test_texts_become_tokens_once_and_what_systems_share_is_compared_once():
    scorer = WordScorer()
    plan = said((1, 3, "a dog"), (6, 8, "a cat"), (12, 14, "a dog"))
    systems = [Transcript("one", plan, filtered=True), Transcript("two", plan), Transcript("three", plan)]
    evaluate([film({"uk": REFERENCE}, systems, dialogue=spoken((4, 5)))], scorer)
    assert scorer.calls == 1
    assert len(scorer.pairs) == 4 * 2 + 2  # four of the reference by two texts; and two gaps


def test_progress_ends_at_the_whole_and_may_stop_the_run():
    lines = said(*((2 * number, 2 * number + 1, f"word{number} dog") for number in range(40)))
    one = film({"uk": lines}, {"draft": lines}, bounds=range(0, 100, 10))
    seen: list[Progress] = []
    evaluate([one], WordScorer(), on_progress=seen.append)
    fractions = [each.fraction or 0.0 for each in seen]
    assert {each.stage for each in seen} == {Stage.EVALUATING}
    assert fractions == sorted(fractions)
    assert (fractions[0], fractions[-1], fractions[-2]) == (0, 1, 1)
    assert len(fractions) > 10

    def stop(progress: Progress) -> None:
        if progress.fraction and progress.fraction > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate([one], WordScorer(), on_progress=stop)


def test_a_film_of_ten_hours():
    rng = random.Random(1)

    def lines(seed: int) -> tuple[Description, ...]:
        words = random.Random(seed)
        times = [(24 * number, 24 * number + 3) for number in range(1_500)]
        return said(*((start, end, " ".join(f"w{words.randrange(500)}" for _ in range(6))) for start, end in times))

    dialogue = spoken(*((24 * number + 4, 24 * number + 7.5) for number in range(1_500)))
    bounds = sorted({0, 36_000, *(rng.randrange(1, 36_000) for _ in range(400))})
    one = film(
        {"uk": lines(1), "us": lines(2)}, {"same": lines(1), "other": lines(3)}, dialogue=dialogue, bounds=bounds
    )
    found = evaluate([one], WordScorer())
    assert row(found, "same").mean[SODA_M] == pytest.approx(100)
    assert row(found, "other").mean[SODA_M] < 20
    (test,) = (each for each in found.significance if each.measure is SODA_M)
    assert test.p < 0.001


def test_the_result_does_not_depend_on_the_order_of_descriptions_and_subtitles():
    draft = said((1, 3, "dog runs"), (6.5, 7, "tree"), (41, 43, "she waves"))
    one = film({"uk": REFERENCE}, {"draft": draft}, dialogue=DIALOGUE, bounds=BOUNDS)
    assert evaluate([one], WordScorer()) == evaluate([reversed_film(one)], WordScorer())


def reversed_film(one: EvaluatedFilm) -> EvaluatedFilm:
    def turned(transcripts: tuple[Transcript, ...]) -> tuple[Transcript, ...]:
        return tuple(replace(each, descriptions=each.descriptions[::-1]) for each in transcripts)

    return replace(one, dialogue=one.dialogue[::-1], references=turned(one.references), systems=turned(one.systems))

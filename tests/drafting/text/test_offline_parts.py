"""Parts of an offline draft one by one: names, scenes of the film, and what always holds of a drafted script."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plain_stages import plain_stages

from adstudio.core.script import Cue
from adstudio.core.timebase import Span
from adstudio.drafting.text import stage_cache
from adstudio.drafting.text.ground.prose import parse_prose
from adstudio.drafting.text.language.names import names_of
from adstudio.drafting.text.script_items import scene_spans
from adstudio.drafting.text.text_drafting import Footage, from_prose, from_screenplay
from adstudio.screenplay.parsed_screenplay import Action, Screenplay, ScreenplayScene, Speech, Transition


def test_names_are_the_speakers_and_what_stands_beside_them():
    paragraphs = ["NORA VALE hurries along the wall.", "Nora steps up to the GUARD.", "The guard nods.", "A LOUD BANG."]
    assert names_of(["NORA", "GUARD", "TOM"], paragraphs) == ("Nora", "Tom", "Vale")


def test_a_role_that_is_used_as_a_name_is_one():
    assert names_of(["GUARD"], ["Guard looks up.", "Guard nods to the guard."]) == ("Guard",)


def test_a_paragraph_all_in_capitals_names_nobody():
    assert names_of(["NORA"], ["NORA RUNS AWAY."]) == ("Nora",)


def test_scenes_begin_at_the_cut_before_their_first_thing():
    known = (Span(0, 9_000), Span(14_000, 20_000))
    assert scene_spans(known, 30_000, (4_000, 10_000, 12_000, 16_000)) == (Span(0, 12_000), Span(12_000, 30_000))


def test_a_cut_shortly_after_is_taken_and_none_before_what_came_before():
    known = (Span(0, 9_000), Span(9_100, 20_000))
    assert scene_spans(known, 30_000, (8_000, 9_500)) == (Span(0, 9_500), Span(9_500, 30_000))
    assert scene_spans(known, 30_000, (8_000, 15_000)) == (Span(0, 9_100), Span(9_100, 30_000))


def test_a_scene_of_which_nothing_is_known_has_no_stretch():
    known = (None, Span(5_000, 9_000), None, Span(12_000, 13_000))
    assert scene_spans(known, 30_000, ()) == (None, Span(0, 12_000), None, Span(12_000, 30_000))


@given(
    st.lists(
        st.none() | st.tuples(st.integers(0, 99), st.integers(0, 99)).map(lambda t: Span(min(t), max(t))), max_size=8
    ),
    st.lists(st.integers(0, 100), max_size=9).map(sorted),
)
def test_scenes_always_cover_the_film(known: list[Span | None], cuts: list[int]):
    spans = [span for span in scene_spans(known, 100, cuts) if span is not None]
    if any(known):
        assert (spans[0].start, spans[-1].end) == (0, 100)
    assert all(one.end == other.start for one, other in pairwise(spans))
    assert all(span.length > 0 for span in spans)


TEXTS = st.sampled_from(["He waves.", "She opens the door. Rain falls.", "CUT TO:", " ", "Night"])
LINES = st.sampled_from(["Who left the window open all night?", "It was closed when I went to bed.", "No.", ""])
PARTS = st.lists(
    TEXTS.map(Action) | LINES.map(lambda text: Speech("TOM", text)) | st.just(Transition("CUT TO:")), max_size=6
)
SCREENPLAYS = st.lists(PARTS, max_size=4).map(
    lambda scenes: Screenplay(tuple(ScreenplayScene(f"INT. {n}", tuple(parts)) for n, parts in enumerate(scenes)))
)
CUES = st.lists(st.tuples(st.integers(0, 60_000), st.integers(-500, 5_000), LINES), max_size=6).map(
    lambda found: tuple(
        Cue(f"c{n}", start, start + length, text) for n, (start, length, text) in enumerate(sorted(found))
    )
)


@pytest.fixture(scope="module", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory):
    folder: Path = tmp_path_factory.mktemp("drafts")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stage_cache, "folder", lambda: folder)
        yield


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SCREENPLAYS, CUES, st.integers(1, 60_000), st.booleans())
def test_whatever_comes_in_a_sound_script_comes_out(
    screenplay: Screenplay, cues: tuple[Cue, ...], end: int, from_text: bool
):
    footage = Footage(end, cues, cuts=(end // 3, end // 2))
    if from_text:
        text = "\n\n".join(part.text for scene in screenplay.scenes for part in scene.parts)
        made = from_prose(parse_prose(text), footage, stages=plain_stages())
    else:
        made = from_screenplay(screenplay, footage, any_screenplay=True, stages=plain_stages())
    assert (made.scenes[0].span.start, made.scenes[-1].span.end) == (0, end)
    assert all(one.span.end == other.span.start for one, other in pairwise(made.scenes))
    ids = [line.id for line in made.eventualities]
    assert len(set(ids)) == len(ids)
    order = [scene.id for scene in made.scenes]
    assert [order.index(line.scene or "") for line in made.eventualities] == sorted(
        order.index(line.scene or "") for line in made.eventualities
    )
    spans = [line.occurrence for line in made.eventualities if line.occurrence is not None]
    assert all(0 <= span.start < span.end <= end for span in spans)
    assert all(one.start <= other.start for one, other in pairwise(spans))
    assert [cue.id for cue in made.cues] == [cue.id for cue in cues]


def test_where_nothing_has_a_footing_that_is_said_instead_of_pointing_at_every_line():
    text = "\n\n".join(f"Tom waits at the door for the {number} time." for number in ("first", "last", "next", "one"))
    text += "\n\nHe looks up at the clock.\n\nHe leaves."
    told = [odd.what for odd in from_prose(parse_prose(text), Footage(165_000), stages=plain_stages()).oddities]
    assert [what for what in told if "mostly guesses" in what and "6 of 6 lines" in what and "[00:01:23]" in what]
    assert not any("check them first" in what for what in told)
    timed = "\n".join(f"[0:{number:02d}] Tom waits at the door." for number in range(10, 16))
    told = [odd.what for odd in from_prose(parse_prose(timed), Footage(165_000), stages=plain_stages()).oddities]
    assert not any("footing" in what for what in told)


def test_dialogue_that_was_not_read_as_such_is_never_described_and_ties_the_action():
    said = "Who left the window open all night long?", "It was closed when I went to bed, I swear."
    cues = tuple(Cue(f"c{n}", 10_000 * n, 10_000 * n + 3_000, text) for n, text in enumerate(said, 1))
    parts = (Action("Anna", 2), Action(said[0], 3), Action("She shuts the old window.", 4), Action("Tom", 5))
    whole = Screenplay((ScreenplayScene("INT. HALL - DAY", (*parts, Action(said[1], 6))),))
    made = from_screenplay(whole, Footage(30_000, cues), stages=plain_stages())
    assert [line.extract for line in made.eventualities] == ["She shuts the old window."]
    # Between the end of the first line and the beginning of the second.
    assert made.eventualities[0].occurrence == Span(13_000, 20_000)
    assert [odd.line for odd in made.oddities if "4 paragraphs of action" in odd.what] == [2]
    assert [cue.speaker for cue in made.cues] == ["Anna", "Tom"]


def test_a_screenplay_in_which_hardly_anybody_speaks_is_told_of():
    # Ten cues of twelve words each; four words of dialogue are less than a tenth of 120.
    said = "The old house on the hill was never sold to anybody here."
    cues = tuple(Cue(f"c{n}", 4_000 * n, 4_000 * n + 3_000, said) for n in range(10))
    parts = (Speech("TOM", "Never sold to anybody."), Action("Tom shuts the window."))
    made = from_screenplay(
        Screenplay((ScreenplayScene("INT. HALL - DAY", parts),)),
        Footage(45_000, cues),
        any_screenplay=True,
        stages=plain_stages(),
    )
    assert any("hardly any dialogue (4 words, 120 in the film)" in o.what for o in made.oddities)

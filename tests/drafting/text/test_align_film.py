"""A screenplay laid over a film: small cases by hand."""

from __future__ import annotations

import pytest
from changed_films import bounds_of

from adstudio.core.script import Cue, CueKind, Scene
from adstudio.core.timebase import Span
from adstudio.drafting.text.align.align import align, scene_pairs
from adstudio.drafting.text.align.anchors import Anchor
from adstudio.drafting.text.align.edit_distance import AlignmentError
from adstudio.drafting.text.align.match import Match, SceneMatch, match_summary
from adstudio.screenplay.parsed_screenplay import Action, Screenplay, ScreenplayScene, Speech


def scene(heading, *parts):
    """Parts are speeches where a name in capitals stands before a colon, else actions."""
    made = []
    for part in parts:
        name, colon, text = part.partition(": ")
        made.append(Speech(name, text) if colon and name.isupper() else Action(part))
    return ScreenplayScene(heading, tuple(made))


def cue(start, end, text, *, speaker=None, kind=CueKind.SPEECH):
    return Cue(f"c{start}", start, end, text, speaker, kind)


KITCHEN = scene(
    "INT. KITCHEN - DAY",
    "Anna fills the kettle.",
    "ANNA: Where did you leave the lantern last night?",
    "Tom shrugs.",
    "TOM: Behind the boathouse, under a blanket.",
    "She puts on her coat.",
)
SHORE = scene(
    "EXT. SHORE - NIGHT",
    "Waves roll in.",
    "ANNA: Nobody followed me across the marshes.",
    "She lifts the blanket.",
    "TOM: Then light it before the ferry passes.",
)
FILM = (
    cue(10_000, 13_000, "Where did you leave the lantern last night?"),
    cue(20_000, 23_000, "Behind the boathouse, under a blanket."),
    cue(60_000, 63_000, "Nobody followed me across the marshes."),
    cue(80_000, 83_000, "Then light it before the ferry passes."),
)
SCENES = (Scene("s1", Span(0, 50_000)), Scene("s2", Span(50_000, 100_000)))


def laid(*scenes, cues=FILM):
    return align(Screenplay(scenes), cues)


def counterparts(*scenes, cues=FILM, film_scenes=SCENES):
    """The pairs of scenes, and how many scenes of both sides are in one."""
    screenplay = Screenplay(scenes)
    found = align(screenplay, cues)
    return scene_pairs(screenplay, film_scenes, found.words), found.scene_match(screenplay, film_scenes)


def test_wip_is_the_product_of_both_shares():
    match = Match(hits=6, screenplay_words=10, film_words=8)
    assert (match.screenplay_share, match.film_share) == (0.6, 0.75)
    assert match.wip == pytest.approx(0.45)
    assert Match(0, 0, 8).wip == Match(0, 10, 0).wip == 0.0


def test_sip_is_the_product_of_both_shares():
    scenes = SceneMatch(3, 4, 5, 10)
    assert scenes.sip == pytest.approx(0.375)
    assert SceneMatch(0, 0, 0, 0).sip == 0.0


def test_wip_of_two_short_dialogues_by_hand():
    # where are you going home i am tired | where are you going home i am so tired anna: 8 of 8, 8 of 10
    play = scene("INT. HALL", "ANNA: Where are you going?", "TOM: Home. I'm tired.")
    cues = (cue(0, 1_000, "Where are you going?"), cue(2_000, 4_000, "Home. I am so tired, Anna."))
    found = laid(play, cues=cues).match
    assert (found.hits, found.screenplay_words, found.film_words) == (8, 8, 10)
    assert found.wip == pytest.approx(0.8)


def test_sounds_music_brackets_and_hesitations_are_not_dialogue():
    cues = (
        cue(0, 900, "DOOR SLAMS", kind=CueKind.SOUND),
        cue(1_000, 1_900, "Theme music", kind=CueKind.MUSIC),
        cue(2_000, 3_000, "Uh, [sighs] nobody (softly) followed me"),
        cue(4_000, 5_000, "Row the boat", kind=CueKind.SUNG),
    )
    assert laid(KITCHEN, cues=cues).match.film_words == 6


def test_actions_lie_between_the_words_around_them():
    found = laid(KITCHEN, SHORE)
    assert found.match.wip == 1.0
    assert found.anchors == {
        (0, 0): Anchor(None, 10_000, 0.5),  # no dialogue on one side counts a half
        (0, 2): Anchor(13_000, 20_000, 1.0),
        (0, 4): Anchor(23_000, 60_000, 1.0),
        (1, 0): Anchor(23_000, 60_000, 1.0),
        (1, 2): Anchor(63_000, 80_000, 1.0),
    }
    assert bounds_of(found.anchors[0, 0], 100_000) == Span(0, 10_000)


def test_times_inside_a_cue_go_by_its_characters():
    # One cue holds both speeches.
    play = scene("INT. HALL", "ANNA: Lanterns under blankets", "He nods.", "TOM: Ferries crossing marshes")
    found = laid(play, cues=(cue(1_000, 6_300, "Lanterns under blankets. Ferries crossing marshes"),))
    anchor = found.anchors[0, 1]
    # 49 characters in 5,300 ms; the first part's last word ends before its full stop (23), the second starts at 25.
    assert anchor.after == 1_000 + 23 * 5_300 // 49
    assert anchor.before == 1_000 + 25 * 5_300 // 49


def test_cut_dialogue_widens_the_bounds_and_lowers_confidence():
    found = laid(KITCHEN, SHORE, cues=(FILM[0], *FILM[2:]))
    anchor = found.anchors[0, 2]
    assert (anchor.after, anchor.before) == (13_000, 60_000)
    # Before it 8 of 8 words. After it 13 of 19: the cut speech's six are missing, and as it is the next one it halves.
    assert anchor.confidence == pytest.approx(13 / 19 / 2)


def test_dialogue_put_in_lowers_confidence():
    put_in = cue(15_000, 18_000, "Wait until my brother telephones")
    anchor = laid(KITCHEN, SHORE, cues=(FILM[0], put_in, *FILM[1:])).anchors[0, 2]
    assert (anchor.after, anchor.before) == (13_000, 20_000)
    # Five words of the film lie within the bounds, half of them to each side: 8 of 10.5 and 19 of 21.5.
    assert anchor.confidence == pytest.approx(8 / 10.5 * 19 / 21.5)


def test_a_lone_word_far_away_is_no_anchor():
    # The second speech was cut; another film speech far away happens to hold “the”.
    cues = (FILM[0], *(cue(t, t + 900, "Buses and the trams") for t in range(30_000, 50_000, 2_000)), *FILM[2:])
    anchor = laid(KITCHEN, SHORE, cues=cues).anchors[0, 2]
    assert (anchor.after, anchor.before) == (13_000, 60_000)


def test_nothing_in_common_gives_no_bounds_and_no_confidence():
    found = laid(KITCHEN, cues=(cue(0, 1_000, "Guten Morgen allerseits"),))
    assert set(found.anchors.values()) == {Anchor(None, None, 0.0)}
    assert bounds_of(found.anchors[0, 0], 100_000) == Span(0, 100_000)
    assert found.match.wip == 0.0
    assert found.match.another_film


@pytest.mark.parametrize("cues", [(), (cue(5, 900, "♪ ♪", kind=CueKind.MUSIC),)])
def test_a_film_without_dialogue_is_aligned_to_nothing(cues):
    found = laid(KITCHEN, SHORE, cues=cues)
    assert found.match.film_words == 0
    assert found.speakers == ()
    assert found.match.another_film


def test_a_screenplay_without_anything():
    found = align(Screenplay(()), FILM)
    assert (found.anchors, found.scene_match(Screenplay(()), SCENES).sip) == ({}, 0.0)


def test_overlapping_and_reversed_cues_never_make_bounds_cross():
    cues = (
        cue(10_000, 30_000, "Where did you leave the lantern last night?"),
        cue(12_000, 14_000, "Behind the boathouse, under a blanket."),
        cue(60_000, 55_000, "Nobody followed me across the marshes."),
        cue(80_000, 83_000, "Then light it before the ferry passes."),
    )
    anchors = list(laid(KITCHEN, SHORE, cues=cues).anchors.values())
    bounds = [bounds_of(anchor, 100_000) for anchor in anchors]
    assert [span.start for span in bounds] == sorted(span.start for span in bounds)
    assert [span.end for span in bounds] == sorted(span.end for span in bounds)
    assert bounds[1] == Span(12_000, 30_000)


def test_a_speech_that_changed_places_widens_the_bounds():
    # The film has Tom's line first, then the action, then Anna's.
    cues = (
        cue(10_000, 13_000, "Behind the boathouse, under a blanket."),
        cue(20_000, 23_000, "Where did you leave the lantern last night?"),
        *FILM[2:],
    )
    found = laid(KITCHEN, SHORE, cues=cues)
    span = bounds_of(found.anchors[0, 2], 100_000)
    assert span.start <= 13_000
    assert span.end >= 20_000
    assert dict(found.speakers)["c10000"] == "TOM"
    assert dict(found.speakers)["c20000"] == "ANNA"


def test_names_go_to_cues_without_one():
    cues = (FILM[0], cue(20_000, 23_000, "Behind the boathouse, under a blanket.", speaker="Thomas"), *FILM[2:])
    assert laid(KITCHEN, SHORE, cues=cues).speakers == (("c10000", "ANNA"), ("c60000", "ANNA"), ("c80000", "TOM"))


def test_a_cue_that_two_people_share_alike_gets_no_name():
    play = scene("INT. HALL", "ANNA: Lanterns under blankets", "TOM: Ferries crossing marshes")
    assert laid(play, cues=(cue(1_000, 6_000, "Lanterns under blankets. Ferries crossing marshes"),)).speakers == ()


def test_a_cue_mostly_rewritten_gets_no_name():
    cues = (FILM[0], cue(20_000, 23_000, "Ask somebody else, under a blanket, or go home, whatever"), *FILM[2:])
    assert "c20000" not in dict(laid(KITCHEN, SHORE, cues=cues).speakers)


def test_speeches_have_the_time_of_their_words():
    assert laid(KITCHEN, SHORE).speech_spans == {
        (0, 1): Span(10_000, 13_000),
        (0, 3): Span(20_000, 23_000),
        (1, 1): Span(60_000, 63_000),
        (1, 3): Span(80_000, 83_000),
    }


def test_scenes_are_counterparts_by_their_words():
    assert counterparts(KITCHEN, SHORE) == (((0, 0), (1, 1)), SceneMatch(2, 2, 2, 2))


def test_sip_counts_a_scene_that_was_cut_and_one_that_was_put_in():
    attic = scene("INT. ATTIC", "ANNA: Grandmother's letters mention another daughter entirely, yes.")
    film_scenes = (SCENES[0], SCENES[1], Scene("s3", Span(100_000, 120_000)))
    late = cue(105_000, 108_000, "Coastguard vessels report fog")
    _, match = counterparts(KITCHEN, attic, SHORE, cues=(*FILM, late), film_scenes=film_scenes)
    assert match == SceneMatch(2, 3, 2, 3)
    assert match.sip == pytest.approx(4 / 9)


def test_a_silent_scene_lies_between_its_neighbours():
    road = scene("EXT. ROAD", "Headlights pass along the wet road.")
    film_scenes = (
        Scene("s1", Span(0, 40_000)),
        Scene("s2", Span(40_000, 50_000)),
        Scene("s3", Span(50_000, 100_000)),
    )
    pairs, match = counterparts(KITCHEN, road, SHORE, film_scenes=film_scenes)
    assert pairs == ((0, 0), (1, 1), (2, 2))
    assert match.sip == 1.0


def test_without_film_scenes_nothing_has_a_counterpart():
    assert counterparts(KITCHEN, SHORE, film_scenes=()) == ((), SceneMatch(0, 2, 0, 0))


def test_what_stands_before_the_first_heading_is_no_scene_unless_somebody_speaks():
    assert counterparts(scene("", "Black."), KITCHEN)[1].screenplay_scenes == 1
    assert counterparts(scene("", "TOM: Once there was a ferry."), KITCHEN)[1].screenplay_scenes == 2


def test_scenes_of_another_film_are_no_counterparts_because_nobody_speaks_in_them():
    road = scene("EXT. ROAD", "Headlights pass along the wet road.")
    film_scenes = (Scene("s1", Span(0, 40_000)), Scene("s2", Span(40_000, 50_000)))
    strange = (cue(0, 1_000, "Guten Morgen allerseits"),)
    pairs, match = counterparts(KITCHEN, road, cues=strange, film_scenes=film_scenes)
    assert pairs == ()
    assert match.sip == 0.0


def test_another_writing_is_matched_by_its_characters():
    asked, said = "どこへ行くの？今夜は雨だよ。", "港まで歩いていく。"
    play = ScreenplayScene("屋内", (Action("暗い。"), Speech("花子", asked), Action("雨。"), Speech("太郎", said)))
    cues = (cue(1_000, 4_000, "どこへ行くの？\n今夜は雨だよ。"), cue(9_000, 12_000, "港まで歩いていく。"))
    found = laid(play, cues=cues)
    assert found.match.wip == 1.0
    assert (found.anchors[0, 2].after, found.anchors[0, 2].before) == (4_000, 9_000)
    assert found.speakers == (("c1000", "花子"), ("c9000", "太郎"))


def test_too_much_dialogue_is_refused():
    with pytest.raises(AlignmentError, match="60,000"):
        laid(KITCHEN, cues=(cue(0, 1_000, "ferry " * 60_001),))


def test_how_far_they_agree_is_told_in_words() -> None:
    words, scenes = match_summary(Match(30, 60, 40), SceneMatch(3, 4, 2, 2))
    assert words == (
        "50 % of the screenplay’s dialogue is in the film; 75 % of the film’s dialogue is in the screenplay"
    )
    assert scenes == "3 of the screenplay’s 4 scenes were found in the film"
    assert list(match_summary(None, None)) == []
    assert list(match_summary(Match(0, 60, 0), SceneMatch(0, 4, 0, 2))) == []
    assert list(match_summary(Match(0, 0, 60), SceneMatch(0, 4, 0, 2))) == []


@pytest.mark.parametrize(("wip", "share"), [(0.0, 0.2), (0.01, 0.2), (0.2, 0.7), (0.7, 0.9), (1.0, 1.0)])
def test_the_more_a_film_says_as_written_the_more_of_its_action_is(wip: float, share: float):
    """The shares of scenes that people found, by the paper."""
    match = Match(round(1_000_000 * wip), 1_000_000, 1_000_000 * bool(wip) and round(1_000_000 * wip))
    assert match.wip == pytest.approx(wip, abs=1e-6)
    assert match.as_filmed == pytest.approx(share, abs=1e-4)

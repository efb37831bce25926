"""A draft without a network: what comes of a screenplay or of prose, stage by stage, and what is kept of it."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import exp, log
from pathlib import Path

import pytest
from plain_stages import ByLength, FirstHalf, Sentences, plain_stages

from adstudio.core.errors import AdstudioError
from adstudio.core.progress import Progress, Stage
from adstudio.core.provenance import DescriptionLine, Provenance, ScreenplayLine
from adstudio.core.script import Cue, CueKind, Origin
from adstudio.core.timebase import Span
from adstudio.drafting.text import stage_cache
from adstudio.drafting.text.ground.ground import CALIBRATION
from adstudio.drafting.text.ground.prose import parse_prose
from adstudio.drafting.text.score.views import SceneText, Scores
from adstudio.drafting.text.stages import Stages
from adstudio.drafting.text.text_drafting import (
    Drafted,
    Footage,
    OtherFilmError,
    UnreadDialogueError,
    from_prose,
    from_screenplay,
)
from adstudio.screenplay.file import parse_screenplay

FOUNTAIN = """\
INT. HALL - DAY

Anna opens the old door. A dog runs past her.

ANNA
Who left the window open all night long?

She shuts the window.

TOM
It was closed when I went to bed, I swear.

EXT. GARDEN - DAY

Tom kneels beside the roses.

TOM
Somebody has cut every single one of them.

ANNA
Perhaps the gardener wanted them for his wife.

They look at the shed.

INT. CELLAR - NIGHT

A rat runs along the wall.

OLD MAN
Nobody ever comes down here any more, nobody.

EXT. STREET - NIGHT

A car stops.

ANNA
Drive me to the station before it is too late.
"""

SAID = [
    (6_000, "Who left the window open all night long?"),
    (12_000, "It was closed when I went to bed, I swear."),
    (24_000, "Somebody has cut every single one of them."),
    (28_000, "Perhaps the gardener wanted them for his wife."),
    (44_000, "Drive me to the station before it is too late."),
]
CUES = tuple(Cue(f"c{number}", start, start + 3_000, text) for number, (start, text) in enumerate(SAID, 1))
FILM = Footage(50_000, CUES, cuts=(20_000, 36_000, 40_000))


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stage_cache, "folder", lambda: tmp_path / "drafts")


def drafted(text: str = FOUNTAIN, footage: Footage = FILM, **more: object) -> Drafted:
    stages = more.pop("stages", plain_stages())
    return from_screenplay(parse_screenplay(text.encode(), "film.fountain"), footage, stages=stages, **more)  # type: ignore[arg-type]


def test_each_line_lies_between_the_dialogue_around_it():
    found = {line.extract: line for line in drafted().eventualities}
    assert list(found) == [
        *("Anna opens the old door.", "A dog runs past her.", "She shuts the window.", "Tom kneels beside the roses."),
        *("They look at the shed.", "A rat runs along the wall.", "A car stops."),
    ]
    between = {
        "Anna opens the old door.": Span(0, 6_000),
        "A dog runs past her.": Span(0, 6_000),
        "She shuts the window.": Span(9_000, 12_000),
        "Tom kneels beside the roses.": Span(15_000, 24_000),
        "They look at the shed.": Span(31_000, 44_000),
        "A car stops.": Span(31_000, 44_000),
    }
    for text, span in between.items():
        occurrence = found[text].occurrence
        assert occurrence is not None
        assert span.contains(occurrence), text


def test_what_a_line_is_made_of():
    line = drafted().eventualities[0]
    assert [(variant.text, float(variant.rate)) for variant in line.variants] == [
        ("Anna opens the old door.", 1.0),
        ("Anna opens.", 0.5),
    ]
    assert line.salience == 24_000  # 24 characters, a thousandth each, in millionths
    assert (line.origin, line.provenance, line.scene) == (Origin.MACHINE, Provenance(ScreenplayLine(3)), "s1")
    assert line.confidence is not None
    assert 500 < line.confidence <= 1000


def uncalibrated(confidence: int) -> float:
    offset, slope = CALIBRATION
    within = confidence / 1000
    return 1 / (1 + exp(-(log(within / (1 - within)) - offset) / slope))


def test_the_more_the_film_says_other_things_the_less_sure_a_line_is_of_its_time():
    # The film says 44 of the screenplay's 52 words, which are all that it says; then as many others behind the last.
    more = Cue("c9", 48_000, 49_500, " ".join(["never"] * 44))
    as_written, changed = drafted(), drafted(footage=Footage(50_000, (*CUES, more), cuts=(20_000, 36_000, 40_000)))
    for one, other in zip(as_written.eventualities, changed.eventualities, strict=True):
        assert one.occurrence == other.occurrence
        if one.confidence and other.confidence:
            # 0.7 at a word match of 0.2, 0.9 at 0.7, 1 at 1, by its logarithm between.
            changed_share = 0.7 + 0.2 * log(44 / 52 * 44 / 88 / 0.2) / log(0.7 / 0.2)
            written_share = 0.9 + 0.1 * log(44 / 52 / 0.7) / log(1 / 0.7)
            expected = changed_share / written_share
            assert uncalibrated(other.confidence) / uncalibrated(one.confidence) == pytest.approx(expected, abs=0.01)
    assert sum(bool(line.confidence) for line in as_written.eventualities) >= 5


def test_a_scene_that_is_not_in_the_film_is_said_and_its_lines_have_no_place():
    made = drafted()
    rat = next(line for line in made.eventualities if "rat" in line.extract)
    assert (rat.occurrence, rat.confidence) == (None, 0)
    told = [(oddity.line, oddity.what) for oddity in made.oddities]
    assert any(line == 25 and "CELLAR" in what for line, what in told)
    assert any(line == 27 and "A rat runs" in what for line, what in told)


def test_scenes_cover_the_film_and_change_at_cuts():
    made = drafted()
    assert [scene.title for scene in made.scenes] == ["INT. HALL - DAY", "EXT. GARDEN - DAY", "EXT. STREET - NIGHT"]
    assert (made.scenes[0].span.start, made.scenes[-1].span.end) == (0, 50_000)
    assert all(one.span.end == other.span.start for one, other in pairwise(made.scenes))
    assert {line.scene for line in made.eventualities} == {"s1", "s2", "s3"}


def test_names_pass_to_the_cues_and_the_match_is_told():
    made = drafted()
    assert [cue.speaker for cue in made.cues] == ["ANNA", "TOM", "TOM", "ANNA", "ANNA"]
    assert made.matched is not None
    assert (made.matched.words.screenplay_share < 1.0, made.matched.words.film_share) == (True, 1.0)
    # Three of four scenes of the screenplay, all three of the film.
    assert made.matched.scenes.sip == pytest.approx(0.75)


def test_the_screenplay_of_another_film_is_refused_with_the_figure_and_used_on_demand():
    other = tuple(Cue(f"o{n}", n * 5_000, n * 5_000 + 3_000, f"Captain, number {n} engine burns") for n in range(9))
    with pytest.raises(OtherFilmError, match=r"film\.txt.*of its dialogue is in the film"):
        drafted(footage=Footage(50_000, other), name="film.txt")
    made = drafted(footage=Footage(50_000, other), any_screenplay=True)
    assert all(line.occurrence is None for line in made.eventualities)
    assert any("little in common" in oddity.what for oddity in made.oddities)


def _unmarked(text: str) -> str:
    """The screenplay as plain text whose names are in small letters, apart from what is said."""
    for name in ("ANNA", "TOM", "OLD MAN"):
        text = text.replace(f"{name}\n", f"{name.title()}\n\n")
    return text


def test_plain_text_whose_action_the_film_says_is_refused_with_figures():
    text = _unmarked(FOUNTAIN)
    with pytest.raises(UnreadDialogueError, match=r"\d+ paragraphs .* \(\d+ words, 0 in speeches\)"):
        from_screenplay(parse_screenplay(text.encode(), "f.txt"), FILM, any_screenplay=True, stages=plain_stages())


def test_a_slip_in_plain_text_is_told_and_not_described():
    text = FOUNTAIN.replace("TOM\nIt was", "Tom\n\nIt was")
    screenplay = parse_screenplay(text.encode(), "f.txt")
    found = from_screenplay(screenplay, FILM, stages=plain_stages())
    assert not any("I went to bed" in each.extract for each in found.eventualities)
    assert any("treated as dialogue" in oddity.what for oddity in found.oddities)


@pytest.mark.parametrize("slug", ["KATKAUS", "NERO", "WHITE OUT", "THE ROOF", "LATER", "ANNA'S POV"])
def test_a_word_or_two_alone_in_capitals_are_not_described(slug: str):
    """Katkaus is a cut in Finnish, nero is black in Italian."""
    made = drafted(f"INT. HALL - DAY\n\nA cat walks.\n\n{slug}\n\nA dog walks.\n")
    assert [each.extract for each in made.eventualities] == ["A cat walks.", "A dog walks."]
    (oddity,) = (oddity for oddity in made.oddities if slug in oddity.what)
    assert (oddity.line, "are not action, so they are not described" in oddity.what) == (5, True)


@pytest.mark.parametrize("shown", ["DOOR SLAMS.", "A DOG BARKS", "The roof", "!BANG BANG", "> WARNING <"])
def test_with_a_stop_small_letters_more_words_or_a_mark_it_is_action(shown: str):
    made = drafted(f"INT. HALL - DAY\n\nA cat walks.\n\n{shown}\n\nA dog walks.\n")
    assert len(made.eventualities) == 3


@pytest.mark.parametrize("cues", [(), (Cue("m", 1_000, 5_000, "♪", kind=CueKind.MUSIC),)])
def test_without_a_word_of_dialogue_order_alone_tells_and_no_line_is_sure(cues: tuple[Cue, ...]):
    made = drafted(footage=Footage(50_000, cues))
    spans = [line.occurrence for line in made.eventualities if line.occurrence is not None]
    assert spans
    assert all(one.start <= other.start for one, other in pairwise(spans))
    assert all(line.confidence is not None and line.confidence < 500 for line in made.eventualities)
    assert any("only order" in oddity.what for oddity in made.oddities)


def test_a_film_heard_but_without_words_keeps_action_out_of_the_speech():
    speech = (Cue("v1", 5_000, 45_000, ""),)
    text = "INT. HALL - DAY\n\nAnna opens the old door.\n\nA dog runs past her.\n"
    made = drafted(text, Footage(50_000, speech))
    assert [line.occurrence is not None for line in made.eventualities] == [True, True]


GERMAN = (
    "Anna öffnet die alte Tür und sieht nicht, wer da ist. Ein Hund läuft an ihr vorbei in den Garten. Sie macht die "
    "Tür mit dem Fuß wieder zu und geht auf das Fenster zu."
)


def test_a_foreign_language_is_said_and_its_sentences_are_whole():
    made = from_prose(parse_prose(GERMAN), FILM)
    assert [line.extract for line in made.eventualities] == [f"{each.rstrip('.')}." for each in GERMAN.split(". ")]
    assert all(len(line.variants) == 1 for line in made.eventualities)
    assert made.language == "de"
    assert any("its language is not English (de)" in oddity.what for oddity in made.oddities)


def test_a_screenplay_without_action_describes_nothing():
    made = drafted("INT. HALL - DAY\n\nANNA\nWho left the window open all night long?\n")
    assert made.eventualities == ()
    assert any("nothing to describe" in oddity.what for oddity in made.oddities)


def test_stages_are_told_in_order_and_their_share_never_passes_one():
    told: list[Progress] = []
    drafted(progress=told.append)
    assert list(dict.fromkeys(each.stage for each in told)) == [
        Stage.ALIGNING,
        Stage.SEGMENTING,
        Stage.GROUNDING,
        Stage.COMPRESSING,
        Stage.SCORING,
    ]
    assert all(each.fraction is not None and 0 <= each.fraction <= 1 for each in told)


class StoppedError(Exception):
    """Somebody pressed stop."""


def test_a_draft_that_was_broken_off_goes_on_where_it_was():
    stages = plain_stages()
    segmenter, compressor, weigher = stages.segmenter, stages.compressor, stages.weigher
    assert isinstance(segmenter, Sentences)
    assert isinstance(compressor, FirstHalf)
    assert isinstance(weigher, ByLength)

    def stop(progress: Progress) -> None:
        if progress == Progress(Stage.SEGMENTING, 0.5):
            raise StoppedError

    with pytest.raises(StoppedError):
        drafted(stages=stages, progress=stop)
    assert len(segmenter.asked) == 2
    whole = drafted(stages=stages)
    assert len(segmenter.asked) == 4  # the two scenes that were left
    assert (compressor.asked, weigher.asked) == (4, 1)
    assert drafted(stages=stages) == whole
    assert (len(segmenter.asked), compressor.asked, weigher.asked) == (4, 4, 1)


def test_another_stage_makes_its_own_and_a_changed_scene_alone_is_made_anew():
    drafted()
    other = plain_stages()
    assert isinstance(other.segmenter, Sentences)
    other.segmenter.name = "another"
    drafted(stages=other)
    assert len(other.segmenter.asked) == 4
    changed = plain_stages()
    assert isinstance(changed.segmenter, Sentences)
    drafted(FOUNTAIN.replace("A car stops.", "A car stops hard."), stages=changed)
    assert changed.segmenter.asked == [("A car stops hard.",)]


def test_what_is_damaged_on_the_disk_is_made_again(tmp_path: Path):
    whole = drafted()
    for number, path in enumerate(sorted((tmp_path / "drafts").iterdir())):
        path.write_bytes([b"", b"[]", path.read_bytes()[1:], path.read_bytes().replace(b"\n[", b"\n[7,")][number % 4])
    assert drafted() == whole


def test_a_cache_that_cannot_be_written_only_costs_time(tmp_path: Path):
    (tmp_path / "drafts").write_text("a file where the folder should be")
    assert drafted().eventualities


def test_the_cache_is_bounded(tmp_path: Path):
    drafted()
    there = sum(path.stat().st_size for path in (tmp_path / "drafts").iterdir())
    assert stage_cache.tidy(there) == there
    assert stage_cache.tidy(there // 2) <= there // 2
    assert sum(path.stat().st_size for path in (tmp_path / "drafts").iterdir()) <= there // 2
    assert stage_cache.tidy(0) == 0
    assert list((tmp_path / "drafts").iterdir()) == []


def test_prose_with_times():
    prose = parse_prose("[0:05] Anna opens the old door.\n\n[0:20]\nTom kneels beside the roses.\n")
    made = from_prose(prose, FILM, stages=plain_stages())
    spans = [line.occurrence for line in made.eventualities]
    # Read out in 1.5 s, so seen from their times on, for two or three times as long.
    assert [span.start for span in spans if span is not None] == [5_000, 20_000]
    assert all(span is not None and 1_500 <= span.length <= 6_000 for span in spans)
    assert all(line.confidence is not None and line.confidence > 800 for line in made.eventualities)
    assert made.eventualities[1].provenance == Provenance(DescriptionLine(3))


def test_prose_that_quotes_the_dialogue():
    text = "Anna comes in. “Somebody has cut every single one of them,” says Tom and points. They walk to the shed."
    made = from_prose(parse_prose(text), FILM, stages=plain_stages())
    assert [line.extract for line in made.eventualities] == ["Anna comes in.", "They walk to the shed."]
    after = made.eventualities[1].occurrence
    assert after is not None
    assert 24_000 <= after.start <= 30_000
    assert any("no times" in oddity.what for oddity in made.oddities)


def test_prose_without_anything_is_marked_low():
    made = from_prose(parse_prose("Anna comes in. She waits. Tom kneels beside her."), FILM, stages=plain_stages())
    # The first of three is somewhere at the beginning; of the others nothing says where in 50 s they are.
    assert [line.confidence is not None and line.confidence < 200 for line in made.eventualities] == [False, True, True]
    assert all(line.confidence is not None and line.confidence < 700 for line in made.eventualities)


def test_prose_without_times_over_a_long_film_has_no_footing():
    made = from_prose(parse_prose("Anna comes in. She waits. Tom leaves."), Footage(7_200_000), stages=plain_stages())
    assert all(line.occurrence is None for line in made.eventualities)


def test_prose_with_headings_makes_scenes():
    text = "# Hall\n[0:00]\nAnna opens the old door.\n\n# Garden\n[0:20]\nTom kneels beside the roses.\n"
    made = from_prose(parse_prose(text), FILM, stages=plain_stages())
    assert [(scene.title, scene.span) for scene in made.scenes] == [
        ("Hall", Span(0, 20_000)),
        ("Garden", Span(20_000, 50_000)),
    ]


def test_a_time_past_the_end_has_no_place():
    made = from_prose(parse_prose("[0:05] Anna opens the door.\n[9:00] Tom kneels."), FILM, stages=plain_stages())
    assert [line.occurrence is None for line in made.eventualities] == [False, True]
    assert [(odd.line, "past the film’s end" in odd.what) for odd in made.oddities] == [(2, True)]
    # Nor has what follows it: it would be later still.
    made = from_prose(
        parse_prose("[0:05] Anna.\n[9:00] Tom kneels.\n# Street\nA car stops."), FILM, stages=plain_stages()
    )
    assert [line.occurrence is None for line in made.eventualities] == [False, True, True]


def test_the_real_stages_on_a_small_screenplay():
    pytest.importorskip("spacy")
    try:
        made = from_screenplay(parse_screenplay(FOUNTAIN.encode(), "film.fountain"), FILM)
    except AdstudioError as error:
        pytest.skip(str(error))
    assert [line.variants[0].text for line in made.eventualities][:2] == [
        "In the hall, Anna opens the old door.",
        "A dog runs past Anna.",
    ]
    assert all(line.salience is not None and 0 <= line.salience < 1_000_000 for line in made.eventualities)
    for line in made.eventualities:
        texts = [variant.text for variant in line.variants]
        assert len(set(texts)) == len(texts)


def test_how_the_film_is_to_be_made_makes_no_line_and_a_sound_alone_weighs_nothing():
    pytest.importorskip("spacy")
    talk = "MUSIC UP. CAMERA PANS to the stairs. A bell rings. A dog runs past."
    text = FOUNTAIN.replace("A dog runs past her.", talk)
    stages = Stages(compressor=FirstHalf(), weigher=Even())
    try:
        made = drafted(text, stages=stages)
    except AdstudioError as error:
        pytest.skip(str(error))
    assert [(line.extract, line.salience) for line in made.eventualities][:3] == [
        ("Anna opens the old door.", 800_000),
        ("A bell rings.", 0),
        ("A dog runs past.", 800_000),
    ]
    assert any(odd.what.startswith("2 sentences give production directions") for odd in made.oddities)
    assert drafted(text, stages=stages) == made  # what was kept is read as it was made


class Even(ByLength):
    """All alike."""

    def scores(self, scenes: Sequence[SceneText], language: str, told: Callable[[int, int], None]) -> Scores:
        return tuple((0.8,) * len(scene.elements) for scene in scenes)

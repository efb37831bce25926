"""What is given as a description and cannot be one is refused with figures."""

from __future__ import annotations

import pytest

from adstudio.core.script import Cue
from adstudio.drafting.text.ground.prose import parse_prose
from adstudio.drafting.text.prose_checks import OtherTextError, require_description, require_times_in_film
from adstudio.drafting.text.text_drafting import Footage, from_prose

MINUTE = 60_000
SEEN = "He crosses the yard and tries the gate, which is locked. A dog looks up at him from the straw. "


def said(count: int) -> tuple[Cue, ...]:
    """As many cues of ten words, no two of them alike."""
    names = ("key", "lamp", "boat", "hill", "coat", "letter", "song")
    return tuple(
        Cue(
            f"c{n}",
            n * 4_000,
            n * 4_000 + 3_000,
            f"You said the {names[n % 7]} by the {names[n // 7 % 7]} was not ours at {n}.",
        )
        for n in range(count)
    )


def test_a_description_of_the_film_is_taken():
    require_description(parse_prose(SEEN * 50), 5 * MINUTE, said(60))
    require_description(parse_prose(""), MINUTE, ())


def test_a_book_is_refused_with_its_length_and_the_films():
    # 20 words, 200 times, at 200 words a minute.
    with pytest.raises(OtherTextError, match=r"4,000 words take 20 min to read out, and the film lasts 5 min 0 s"):
        require_description(parse_prose(SEEN * 200), 5 * MINUTE, ())


def test_one_with_times_may_be_as_long_as_it_likes():
    require_description(parse_prose(f"[00:00:10] {SEEN * 200}"), 5 * MINUTE, ())


def test_a_story_with_dialogue_is_refused_with_its_share():
    # 12 of 32 words are in quotation marks.
    story = f"{SEEN}“I never had the key, and you know that very well too.” "
    with pytest.raises(OtherTextError, match="38 % of its 960 words are in quotation marks"):
        require_description(parse_prose(story * 30), 10 * MINUTE, ())


@pytest.mark.parametrize("marks", ["「」", "『』"])
def test_a_japanese_story_is_refused_with_its_share(marks: str):
    # More than half of the characters are in quotation marks.
    story = f"彼は、静かに庭を歩いた。{marks[0]}もう、帰らなければならない{marks[1]}。"
    with pytest.raises(OtherTextError, match=r"5\d % of its [\d,]+ words are in quotation marks"):
        require_description(parse_prose(story * 40), 10 * MINUTE, ())


def test_a_quotation_now_and_then_is_none():
    require_description(parse_prose((SEEN * 3 + "“Not now,” says Tom. ") * 12), 10 * MINUTE, ())


def test_a_transcript_is_refused_with_its_share():
    cues = said(60)
    transcript = "\n\n".join(cue.text for cue in cues)
    with pytest.raises(OtherTextError, match=r"100 % of its \d+ words are said in the film’s subtitles"):
        require_description(parse_prose(transcript), 10 * MINUTE, cues)
    # What another film says is not known to be dialogue.
    require_description(parse_prose(transcript), 10 * MINUTE, (Cue("c1", 0, 3_000, "Whose are these?"),))


STORY = """\
Nora pushed open the door. "Good evening, Miss Vale. Lost something again?" said Tom.

"My umbrella. The red one. I left it on the six-forty," said Nora. She wiped the rain from her face and her coat.

Tom glanced down behind the counter for a while. "Red…" said Tom.

"You know it. It has a wooden handle," said Nora. She laid her glove on the counter, beside the lamp and the ledger.
"""


@pytest.mark.parametrize("repeats", [1, 2, 8])
def test_a_story_of_any_length_is_refused_by_how_often_it_says_who_speaks(repeats: int):
    with pytest.raises(OtherTextError, match=rf"and it says who says them {4 * repeats} times"):
        require_description(parse_prose("\n\n".join([STORY] * repeats)), 10 * MINUTE, ())


def test_a_short_transcript_is_refused_too():
    cues = said(5)
    with pytest.raises(OtherTextError, match="a transcript: 100 %"):
        require_description(parse_prose(" ".join(cue.text for cue in cues)), MINUTE, cues)


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_a_transcript_with_names_is_refused_with_its_speeches_and_speakers(gap: str):
    lines = gap.join(["Nora: My umbrella.", "Tom: Red, is it?", "Nora: Yes. I left it there.", "Tom: Nothing red."])
    with pytest.raises(OtherTextError, match="4 of its sentences stand behind a name and a colon, of 2 speakers"):
        require_description(parse_prose(lines), MINUTE, ())


def test_a_narrators_mark_and_lists_are_no_transcript():
    require_description(parse_prose("\n\n".join([f"Narrator: {SEEN}"] * 6)), 5 * MINUTE, ())
    require_description(parse_prose("The ledger. Scarf, grey: N. Vale. Hat, felt: N. Vale. A bell: Nora."), MINUTE, ())


def test_times_that_are_all_past_the_end_are_refused_with_the_first_and_last():
    prose = parse_prose("[00:10:05] He goes.\n\n[00:12:00] She stays.\n\n[00:14:30] A dog barks.")
    with pytest.raises(
        OtherTextError, match=r"all 3 times .* from 00:10:05 to 00:14:30, and the film ends at 00:05:00"
    ):
        require_times_in_film(prose, 5 * MINUTE)
    require_times_in_film(prose, 11 * MINUTE)
    require_times_in_film(parse_prose("[00:10:05] He goes."), 5 * MINUTE)


def test_a_description_that_gives_no_line_is_refused():
    prose = parse_prose("Fade in.\n\nMusic up.")
    with pytest.raises(OtherTextError, match="none of the 4 words of the description can be drafted from"):
        from_prose(prose, Footage(MINUTE))

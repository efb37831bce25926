"""What is given as a description and cannot be one is refused with figures."""

from __future__ import annotations

import pytest

from adstudio.core.script import Cue
from adstudio.drafting.text.ground.prose import parse_prose
from adstudio.drafting.text.prose_checks import OtherTextError, require_description

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
    with pytest.raises(OtherTextError, match="38% of its 960 words are in quotation marks"):
        require_description(parse_prose(story * 30), 10 * MINUTE, ())


def test_a_quotation_now_and_then_is_none():
    require_description(parse_prose((SEEN * 3 + "“Not now,” says Tom. ") * 12), 10 * MINUTE, ())


def test_a_transcript_is_refused_with_its_share():
    cues = said(60)
    transcript = "\n\n".join(cue.text for cue in cues)
    with pytest.raises(OtherTextError, match=r"100% of its \d+ words are said in the film’s subtitles"):
        require_description(parse_prose(transcript), 10 * MINUTE, cues)
    # What another film says is not known to be dialogue.
    require_description(parse_prose(transcript), 10 * MINUTE, (Cue("c1", 0, 3_000, "Whose are these?"),))

"""Dialogue that stands among a screenplay's action, found by what the film says."""

from __future__ import annotations

from adstudio.core.script import Cue
from adstudio.drafting.text.align.unmarked_dialogue import with_found_dialogue
from adstudio.screenplay.parsed_screenplay import Action, Screenplay, ScreenplayScene, Speech

CUES = tuple(
    Cue(f"c{n}", n * 5_000, n * 5_000 + 2_000, text)
    for n, text in enumerate(
        [
            "Good evening, Miss Vale. Lost something again?",
            "My umbrella. The red one. I left it on the six-forty.",
            "Red…",
            "You're quite sure?",
            "Every Thursday.",
        ]
    )
)


def screenplay(*parts: Action | Speech) -> Screenplay:
    return Screenplay((ScreenplayScene("INT. STATION - DAY", parts),))


def test_foreign_tags_names_and_lines_are_paragraphs():
    play, paragraphs = with_found_dialogue(
        screenplay(
            Action("Rain. Nora hurries along the wall.", 2),
            Action("TOM", 3),
            Action("Good evening, Miss Vale. Lost something again?", 4),
            Action("NORA", 5),
            Action("My umbrella. The red one. I left it on the six-forty.", 6),
            Action("Tom glances down.", 7),
            Action("TOM", 8),
            Action("Red…", 9),
            Action("NORA", 10),
            Action("This was cut from the film.", 11),
            Action("Tom bends over the ledger.", 12),
            Action("GUARD", 13),
            Action("You’re quite sure?", 14),
        ),
        CUES,
    )
    assert play.scenes[0].parts == (
        Action("Rain. Nora hurries along the wall.", 2),
        Speech("TOM", "Good evening, Miss Vale. Lost something again?", 4),
        Speech("NORA", "My umbrella. The red one. I left it on the six-forty.", 6),
        Action("Tom glances down.", 7),
        Speech("TOM", "Red…", 9),
        Speech("NORA", "This was cut from the film.", 11),
        Action("Tom bends over the ledger.", 12),
        Speech("GUARD", "You’re quite sure?", 14),
    )
    assert [part.line for part in paragraphs] == [3, 4, 5, 6, 8, 9, 10, 11, 13, 14]


def test_names_in_small_letters_stand_before_what_is_said():
    play, _ = with_found_dialogue(
        screenplay(
            Action("Tom (not looking up) Good evening, Miss Vale. Lost something again?", 3),
            Action("Tom Every Thursday.", 4),
            Action("Tom steps from behind a pillar.", 5),
        ),
        CUES,
    )
    assert play.scenes[0].parts == (
        Speech("Tom", "(not looking up) Good evening, Miss Vale. Lost something again?", 3),
        Speech("Tom", "Every Thursday.", 4),
        Action("Tom steps from behind a pillar.", 5),
    )


def test_action_that_quotes_or_shares_words_stays_action():
    whole = screenplay(
        Speech("TOM", "Good evening, Miss Vale. Lost something again?"),
        Action(
            "Tom writes into the ledger for a while, under the word umbrella: the red one. I left it there, he says."
        ),
        Action("Every Thursday."),
        Action("You see the red one."),
    )
    assert with_found_dialogue(whole, CUES) == (whole, ())
    assert with_found_dialogue(whole, ()) == (whole, ())

"""Capitals and stops of wordings that are cut in two, or run together."""

from __future__ import annotations

from dataclasses import replace

import pytest
from editing_scripts import SCRIPT, changed, done

from adstudio.core.cast import Person
from adstudio.core.script import Cue, Script, Variant
from adstudio.editing.sentences import run_together, two_sentences
from adstudio.editing.splitting import merge_lines


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Tom waits at the gate, | while Anna reads.", ("Tom waits at the gate.", "While Anna reads.")),
        ("She parks. | She runs.", ("She parks.", "She runs.")),
        ("She parks | and runs!", ("She parks.", "And runs!")),
        ("Rain – | and wind.", ("Rain.", "And wind.")),
        # Written without a stop, or without a capital: so are the parts.
        ("She parks | and runs", ("She parks", "And runs")),
        ("and looks down, | hiding a smile.", ("and looks down.", "hiding a smile.")),
        ("a coat | on a hook", ("a coat", "on a hook")),
        # What stands before the first letter stays where it is.
        ("He reads: | “gone fishing.”", ("He reads.", "“Gone fishing.”")),
        ("They count | 3 of them.", ("They count.", "3 of them.")),
        ("At last | 3rd place.", ("At last.", "3rd place.")),
        # Other scripts.
        ("Она ждёт, | потом уходит.", ("Она ждёт.", "Потом уходит.")),
        ("彼女は待ち、 | そして去る。", ("彼女は待ち。", "そして去る。")),
        ("הוא מחכה, | ואז הולך.", ("הוא מחכה.", "ואז הולך.")),
        ("He stops… | then goes.", ("He stops…", "Then goes.")),
        ("“Stop!” | he shouts.", ("“Stop!”", "He shouts.")),
    ],
)
def test_both_parts_are_sentences_where_the_whole_is(text: str, parts: tuple[str, str]) -> None:
    first, second = (part.strip() for part in text.split("|"))
    assert two_sentences(text.replace("| ", ""), first, second) == parts


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        (("She parks.", "She runs."), "She parks. She runs."),
        (("Tom waits.", "and leaves."), "Tom waits and leaves."),
        (("Tom waits", "Anna reads."), "Tom waits. Anna reads."),
        (("Nora hurries along the wall", "to a door."), "Nora hurries along the wall to a door."),
        (("Tom waits,", "Anna reads."), "Tom waits, Anna reads."),
        (("Nora hands it to", "Tom’s brother."), "Nora hands it to Tom’s brother."),
        (("“Stop!”", "he shouts."), "“Stop!” he shouts."),
        (("He stops…", "then goes."), "He stops… then goes."),
        (("He stops...", "then goes."), "He stops... then goes."),
        (("One.", "", "  ", "Two."), "One. Two."),
        # What no sentence goes on with, small letters or not.
        (("Rain falls.", "10 men run."), "Rain falls. 10 men run."),
        (("Rain falls.", "iPhone in hand, he runs."), "Rain falls. iPhone in hand, he runs."),
        (("Rain falls.", "“gone fishing” says the sign."), "Rain falls. “gone fishing” says the sign."),
        (("წვიმს.", "ნედი დგას."), "წვიმს. ნედი დგას."),
        (("彼女は待つ。", "そして去る。"), "彼女は待つ。 そして去る。"),
        ((), ""),
    ],
)
def test_run_together_they_read_as_one_text(parts: tuple[str, ...], text: str) -> None:
    assert run_together(parts, {"tom", "nora"}) == text


def test_merging_knows_the_names_of_the_film() -> None:
    def merged(script: Script) -> str:
        return done(merge_lines(script, ["e1", "e2"]), script).eventuality("e1").variants[0].text

    script = changed(SCRIPT, "e1", variants=(Variant("She looks at"),))
    assert merged(script) == "She looks at. Tom waits."
    assert merged(replace(script, people=(Person.named("Tom Finch"),))) == "She looks at Tom waits."
    assert merged(replace(script, cues=(Cue("x", 0, 1, "Hm.", "TOM"),))) == "She looks at Tom waits."

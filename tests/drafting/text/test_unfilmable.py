"""Sentences that no picture shows, beside those that look like them and are seen. Our own sentences."""

from __future__ import annotations

import pytest

from adstudio.drafting.text.language.grammar import parsed
from adstudio.drafting.text.unfilmable import cannot_be_seen


def unseen(text: str) -> bool:
    return cannot_be_seen(text, parsed([text])[0])


@pytest.mark.parametrize(
    "text",
    [
        "Rumors of war whisper through the village.",
        "Beneath the calm, tension grows.",
        "Beneath the calm, there is tension.",
        "The rhythm of the harbour never stops.",
        "Fear rules the house.",
        "Her past catches up with her.",
        "Curiosity gets the better of Tom.",
        "The truth is out.",
    ],
)
def test_what_has_no_body_does_nothing_that_is_seen(text):
    assert unseen(text)


@pytest.mark.parametrize(
    "text",
    [
        "Relief spreads over her face.",
        "Anger flashes in his eyes.",
        "A word scrolls over the screen.",
        "The plan lies on the table.",
        "A drop of fear-sweat runs down his neck.",
        "The clock strikes.",
        "Nora climbs the stairs in fear.",
    ],
)
def test_what_shows_it_is_seen(text):
    assert not unseen(text)


@pytest.mark.parametrize(
    "text", ["Her office is a testament to a life of work.", "It is the truth.", "Tom is the best."]
)
def test_what_somebody_or_something_is_said_to_stand_for_is_not_seen(text):
    assert unseen(text)


@pytest.mark.parametrize("text", ["The man is a baker.", "It is a lantern.", "On the wall is a wooden sign."])
def test_what_somebody_or_something_is_may_be_seen(text):
    assert not unseen(text)


@pytest.mark.parametrize(
    "text", ["Anything could jump out of the bushes.", "Tom would run too.", "Nora might leave.", "He should stay."]
)
def test_what_may_be_is_not_seen(text):
    assert unseen(text)


@pytest.mark.parametrize("text", ["He can barely walk.", "She looks as if she might fall.", "A cart that may fall."])
def test_what_is_seen_to_be_possible_is(text):
    assert not unseen(text)

"""What a narrator says of himself is no line; what he saw beside it stays."""

from __future__ import annotations

import pytest

from adstudio.drafting.text.ground.prose import parse_prose
from adstudio.drafting.text.text_drafting import Drafted, Footage, from_prose


def drafted(text: str, language: str = "en") -> Drafted:
    return from_prose(parse_prose(text), Footage(60_000, language=language))


def said(draft: Drafted) -> list[str]:
    return [each.variants[0].text for each in draft.eventualities]


def test_sentences_in_the_first_person_become_no_line_and_are_counted():
    draft = drafted(
        "A woman ran along a wet platform. I saw a red umbrella that was hidden by the clerk. He was running and I was"
        " late. A porter opened a gate."
    )
    assert said(draft)[0] == "A woman runs along a wet platform."
    assert said(draft)[-1] == "A porter opens a gate."
    assert not any(" I " in f" {text} " or "late" in text for text in said(draft))
    (told,) = (odd.what for odd in draft.oddities if "“I”" in odd.what)
    assert told.startswith("2 sentences give production directions (fade in, music up) or speak of “I”, “we” or “you”")


@pytest.mark.parametrize(
    ("language", "narrator", "seen"),
    [
        (
            "de",
            "Ich sah einen roten Schirm auf dem Tisch.",
            "Die Frau läuft über den nassen Bahnsteig und winkt ihm zu.",
        ),
        ("fr", "J’ai vu un parapluie rouge sur la table.", "La femme court sur le quai mouillé et elle agite la main."),
        ("es", "Yo vi un paraguas rojo sobre la mesa.", "La mujer corre por el andén mojado y el hombre la saluda."),
    ],
)
def test_so_it_is_in_other_languages(language: str, narrator: str, seen: str):
    lines = said(drafted(f"{seen} {narrator}", language))
    assert lines
    assert all(text.rstrip(".") in seen for text in lines)

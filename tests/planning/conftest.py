"""The paper's worked example (appendix A), as a problem file would hold it."""

import pytest

from adstudio.core.timebase import Span
from adstudio.core.words import spoken_ms
from adstudio.planning.problem import Element, Problem

TAILOR_FULL = "Lisbeth stands with her hands on a table in an upmarket Stockholm tailor shop."
TAILOR_COMPRESSED = (
    "Lisbeth stands with her hands on a table in an upmarket tailor shop.",
    "Lisbeth leans on a table in an upmarket Stockholm tailor shop.",
    "Lisbeth leans on a table in an upmarket tailor shop.",
    "Lisbeth stands in an upmarket Stockholm tailor shop.",
    "Lisbeth stands in an upmarket tailor shop.",
)
TABLE = (
    (0, 4, 800_000, TAILOR_FULL),
    (0, 4, 200_000, "The shop has large windows"),
    (0, 4, 100_000, "that look out onto a road with parked cars,"),
    (0, 4, 100_000, "and there are two mannequin torsos in front of the window."),
    (0, 4, 300_000, "A tailor is standing behind a large table."),
    (0, 4, 400_000, "He is a bald white man,"),
    (0, 4, 200_000, "wearing a blue shirt and a brown vest."),
    (0, 2, 400_000, "The tailor drapes a garment bag across the table"),
    (2, 4, 300_000, "and unzips it."),
    (4, 6, 850_000, "It contains a black, leather motorcycle jacket."),
    (8, 10, 900_000, "It is identical to Mikael's jacket in a slide that Lisbeth is holding."),
    (8, 10, 500_000, "The slide shows Mikael and Erika embracing."),
    (15, 17, 500_000, "The tailor zips the garment bag back up."),
    (17, 18, 700_000, "Lisbeth looks surprised by the tailor's comment,"),
    (17, 18, 600_000, "and gives him a wistful look."),
)


@pytest.fixture
def tailor() -> Problem:
    elements = []
    for number, (first, last, salience, text) in enumerate(TABLE, start=1):
        texts = (text, *TAILOR_COMPRESSED) if number == 1 else (text,)
        elements.append(
            Element(
                id=f"e{number}",
                occurrence=Span(first * 1000, last * 1000),
                salience=salience,
                durations=tuple(spoken_ms(each, 200) for each in texts),
                texts=texts,
                rates=(1.0, 0.9, 0.8, 0.7, 0.6, 0.5)[: len(texts)],
            )
        )
    gaps = (Span(0, 10_000), Span(14_000, 18_000))
    return Problem("tailor", Span(0, 18_000), gaps, tuple(elements))

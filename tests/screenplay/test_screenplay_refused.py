"""Texts that are no screenplay are refused with figures, since their dialogue would be narrated."""

from __future__ import annotations

import pytest

from adstudio.screenplay.file import parse_screenplay
from adstudio.screenplay.parsed_screenplay import ScreenplayError

CHAPTER = """\
The harbour lay still when Miriam came down to the boats, and the gulls had not yet begun.

“You are early,” said Fenn without turning round. “The nets are not dry.”

She put the lamp on the wall and waited until he had finished his knot. The light crossed the water.

“I want you to take me over,” she said. “Today, before the others come.”

Fenn laughed. He laid the rope aside and looked at her for the first time that morning.

“Nobody crosses in March,” he said, “and you least of all, with that coat.”

"""
GERMAN = """\
Der Hafen lag still, als Miriam zu den Booten hinunterkam, und die Möwen schliefen noch.

„Du bist früh dran“, sagte Fenn, ohne sich umzudrehen. Sie stellte die Lampe auf die Mauer und wartete lange.

„Ich will, dass du mich hinüberbringst“, sagte sie leise. Er legte das Seil beiseite und sah sie an.

"""
SAID = """\
I told you not to wait for me.
You always say that, and then you're angry when I don't.
Can we talk about something else, please?
What do you want to talk about?
My father. You never asked me about him.
I thought you didn't want me to.
"""


@pytest.mark.parametrize(
    ("text", "quotations"),
    [(CHAPTER * 5, 30), (GERMAN * 6, 12), (CHAPTER.replace("“", '"').replace("”", '"') * 5, 30)],
    ids=["English", "German", "straight quotation marks"],
)
def test_a_novel_is_refused_with_figures(text: str, quotations: int):
    with pytest.raises(ScreenplayError, match=rf"no speeches below names, and {quotations} quotations in [\d,]+ words"):
        parse_screenplay(text.encode(), "film.txt")


def test_a_transcript_without_names_is_refused_with_figures():
    with pytest.raises(ScreenplayError, match=r"no names above its speeches, and \d+ of its 288 words"):
        parse_screenplay((SAID * 6).encode(), "film.txt")


@pytest.mark.parametrize(
    "text",
    [
        "INT. HALL - DAY\n\n" + CHAPTER * 5,
        "Miriam walks along the quay. She looks at the boats and sits on a box.\n\n" * 40,
        CHAPTER,
        "A sign: “No entry for anybody.”\n\n"
        + "She walks on, past the nets and the boats, to the end of the mole.\n\n" * 40,
    ],
    ids=["with a heading", "a treatment", "a page", "a sign is quoted"],
)
def test_what_may_be_read_is(text: str):
    assert parse_screenplay(text.encode(), "film.txt").scenes

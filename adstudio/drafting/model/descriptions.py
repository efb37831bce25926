"""What of a model's description is narration: plain prose, up to where the model speaks to whoever asked."""

from __future__ import annotations

from adstudio.core.words import composed
from adstudio.drafting.candidates_file.element import unfit
from adstudio.drafting.candidates_file.findings import shortened
from adstudio.drafting.text.language.sentence_ends import split
from adstudio.llm.asides import Aside, aside_in
from adstudio.llm.reasoning_markup import without_reasoning

LONGEST_DESCRIPTION = 20_000
_WHY = {
    Aside.REFUSAL: "the model declined to describe it: “{said}”",
    Aside.REASONING: "the model wrote its reasoning in place of a description: “{said}”",
}


def prose(text: str) -> str:
    """A model's description without reasoning, a code fence, headings, emphasis or control characters."""
    lines: list[str] = []
    for line in composed(without_reasoning(text)[:LONGEST_DESCRIPTION]).replace("\r\n", "\n").split("\n"):
        plain = "".join(letter for letter in line if not unfit(letter)).strip()
        if not plain.startswith(("```", "#")):
            lines.append(plain.replace("**", "").removeprefix("- "))
    return "\n".join(lines).strip()


def narrated(text: str, language: str) -> tuple[str, str]:
    """The beginning of a description that is narration, and why the rest is not; "" if all of it is.

    What follows a sentence in which a model declines explains that, and is none either.
    """
    for sentence in split(text, language):
        if (aside := aside_in(sentence)) is not None:
            return text[: text.index(sentence)].rstrip(), _WHY[aside].format(said=shortened(sentence))
    return text, ""

"""What a model says to whoever asked, in place of narration: that it declines, or what it is thinking.

Narration is in the third person, so a sentence that begins in the first person, outside quotation marks, with what the
speaker cannot or will not do, is none. Models decline in the language of the question or in English, whatever they are
asked, so all languages are looked for at once. Patterns are of whole openings: a word such as “sorry” proves nothing.
"""

from __future__ import annotations

import re
import tomllib
from enum import StrEnum
from functools import cache

from adstudio.llm.reasoning_markup import has_reasoning_markup
from adstudio.system.locations import resource


class Aside(StrEnum):
    """What a text is in place of narration; the value is the end of a sentence about a wording."""

    REFUSAL = "is not narration: the model declines"
    REASONING = "is not narration: the model is reasoning"


_LABEL = re.compile(r"(?i)(?:[\s*_#>`~-]|(?:assistant|answer|response|refusal|note)\s*[:：])*")
"""Markdown and labels in front of a text."""
_MOST = 400
"""Characters that are looked at; no wording is longer."""


def aside_in(text: str) -> Aside | None:
    """What a sentence, or a text by how it begins, is in place of narration; None for narration."""
    if has_reasoning_markup(text[:_MOST]):
        return Aside.REASONING
    patterns = _patterns()
    label = _LABEL.match(text)
    start = text[label.end() if label else 0 :][:_MOST]
    return next((each for each in Aside if patterns[each].match(start)), None)


@cache
def _patterns() -> dict[Aside, re.Pattern[str]]:
    tables = tomllib.loads(resource("asides.toml").read_text("utf-8"))
    listed = {each: [one for ones in tables[each.name.lower()].values() for one in ones] for each in Aside}
    return {each: re.compile("|".join(f"(?:{one})" for one in ones), re.IGNORECASE) for each, ones in listed.items()}

"""The request to polish a passage: what is heard, in order, the lines with the words they may have, and the task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adstudio.core.counts import counted
from adstudio.core.language_tags import primary_subtag
from adstudio.core.words import count_words
from adstudio.drafting.model.context import LONGEST_CUE, LONGEST_NAME, block, plain
from adstudio.drafting.model.requests import ModelOptions, in_language, request_with
from adstudio.drafting.model.response_schema import LONGEST, repair_schema, spelled
from adstudio.drafting.polish.passage import ContextLine, Passage, Wanted
from adstudio.llm.messages import Request, Text

LINE_TOKENS = 120
"""About forty words and the JSON around them; scripts other than Latin take more tokens per word."""
LONGEST_FULL = 800
_CONTEXT_TITLE = "HEARD, in seconds from the beginning of the passage"
UNSPACED = frozenset({"zh", "ja", "th", "lo", "my", "km", "yue"})
"""Languages written without spaces: two characters count as a word (core.words)."""


@dataclass(frozen=True)
class Refused:
    """An unusable answer, and what is wrong with it, as the rest of a sentence that begins with “it”."""

    text: str
    why: str


def about_passage(
    passage: Passage, way: ModelOptions, refused: Mapping[str, Refused] | None = None, *, bound: bool
) -> Request:
    """The request for the lines of a passage, or only for those that were `refused`, with what was wrong with them.

    `bound`: the server enforces the JSON schema; otherwise the form is spelled out.
    """
    wanted = [each for each in passage.wanted if refused is None or each.id in refused]
    start = passage.context[0].start if passage.context else 0
    lines = [_line(each, passage.language, (refused or {}).get(each.id)) for each in wanted]
    schema = repair_schema([each.id for each in wanted])
    parts = [
        block(_CONTEXT_TITLE, [_context_line(each, start) for each in passage.context]),
        block("LINES", lines),
        way.prompts.polish.text + in_language(passage.language),
        *([] if bound else [spelled(schema)]),
    ]
    scene = f"polish {passage.scene} {passage.wanted[0].text if passage.wanted else ''}"
    return request_with(way, [Text("\n\n".join(parts))], scene, tokens=LINE_TOKENS * len(wanted) + 500, schema=schema)


def _context_line(line: ContextLine, start: int) -> str:
    at = f"{(line.start - start) / 1000:.1f}–{(line.end - start) / 1000:.1f}"
    if line.dialogue:
        speaker = f"{plain(line.speaker, LONGEST_NAME)}: " if line.speaker else ""
        return f"{at} dialogue: {speaker}{plain(line.text, LONGEST_CUE)}"
    name = f"line {line.id}" if line.id else "line that stays"
    return f"{at} {name}: {plain(line.text, LONGEST)}"


def _line(wanted: Wanted, language: str, refused: Refused | None) -> str:
    most = f"at most {_amount(wanted.words, language)}, {_amount(count_words(wanted.text), language)} now"
    goes_on = "; goes on" if wanted.goes_on else ""
    full = f" — its full wording: {plain(wanted.full, LONGEST_FULL)}" if wanted.full else ""
    line = f"{wanted.id} ({most}{goes_on}): {plain(wanted.text, LONGEST)}{full}"
    if refused is not None and refused.text.strip():
        line += f" — you wrote: {plain(refused.text, LONGEST)} — but it {plain(refused.why, 200)}"
    return line


def _amount(words: int, language: str) -> str:
    if primary_subtag(language) in UNSPACED:
        return f"{2 * words} characters"
    return counted(words, "word")

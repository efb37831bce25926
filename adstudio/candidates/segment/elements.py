"""Description elements: the parts of a scene's description that each describe one eventuality."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from adstudio.candidates.segment.cuts import pieces
from adstudio.candidates.segment.levelled import levelled, tidied
from adstudio.candidates.segment.stand_alone import Standing, standing
from adstudio.candidates.text.grammar import LONGEST_TEXT, Sentence, parsed, sentence_starts


@dataclass(frozen=True)
class Element:
    """One description element (the paper's w_i).

    `extract` is the description from `start` to `end`, to the letter; `text` says the same as a sentence that stands
    alone. `complete` is False where the description gives no subject or verb for it; then `text` is the extract tidied.
    """

    extract: str
    start: int
    end: int
    text: str
    complete: bool


def elements(description: str, *, language: str = "en", names: Collection[str] = ()) -> tuple[Element, ...]:
    """The elements of one description in the order of the text; see `elements_of`.

    Raises:
        ValueError: for a description of more than 100,000 characters.
        OutsideFailureError: where the parser, its model or pysbd is not installed.
    """
    return elements_of([description], language=language, names=names)[0]


def elements_of(
    descriptions: Sequence[str], *, language: str = "en", names: Collection[str] = ()
) -> tuple[tuple[Element, ...], ...]:
    """The elements of each description, in the order of the text, not overlapping, all words in one of them.

    In English a sentence is cut into its eventualities; in any other language whole sentences are the elements.
    `names` are those of the characters, for words that a screenplay shouts (ANNA is a name, KEY is none). A description
    of white space only has no elements.

    Raises:
        ValueError: for a description of more than 100,000 characters.
        OutsideFailureError: where the parser, its model or pysbd is not installed.
    """
    if any(len(description) > LONGEST_TEXT for description in descriptions):
        raise ValueError(f"a description of more than {LONGEST_TEXT} characters is not cut at once")
    if language.lower().split("-")[0] != "en":
        return tuple(_whole_sentences(description, language.lower().split("-")[0]) for description in descriptions)
    found = parsed([levelled(description, names) for description in descriptions])
    return tuple(
        _elements(description, sentences, names) for description, sentences in zip(descriptions, found, strict=True)
    )


def _elements(description: str, sentences: Sequence[Sentence], names: Collection[str]) -> tuple[Element, ...]:
    starts: list[int] = []
    texts: list[Standing] = []
    for sentence in sentences:
        cut = pieces(sentence)
        starts += [sentence.words[piece.first].start for piece in cut]
        texts += standing(sentence, cut)
    return _between(description, starts, texts, names)


def _whole_sentences(description: str, language: str) -> tuple[Element, ...]:
    return _between(description, sorted({*sentence_starts(description, language)}), [], ())


def _between(
    description: str, starts: Sequence[int], texts: Sequence[Standing], names: Collection[str]
) -> tuple[Element, ...]:
    bounds = [0, *starts[1:], len(description)]
    made: list[Element] = []
    for at, (begin, end) in enumerate(pairwise(bounds)):
        part = description[begin:end]
        extract = part.strip()
        if not any(map(str.isalnum, extract)) and made:
            # A stray quotation mark is none of its own: it goes with what stands before it.
            last = made[-1]
            reach = begin + len(part.rstrip()) if extract else last.end
            made[-1] = replace(last, extract=description[last.start : reach], end=reach)
            continue
        if not extract:
            continue
        start = begin + part.index(extract)
        own = texts[at] if at < len(texts) and texts[at].text else Standing(tidied(extract, names), complete=not texts)
        made.append(Element(extract, start, start + len(extract), own.text, own.complete))
    return tuple(made)

"""Description elements: the parts of a scene's description that each describe one eventuality."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from adstudio.core.language_tags import primary_subtag
from adstudio.drafting.text.language.grammar import LONGEST_TEXT, Sentence, parsed, sentence_starts
from adstudio.drafting.text.language.sentence_ends import ends_in_short_form
from adstudio.drafting.text.segment.breaths import with_breaths
from adstudio.drafting.text.segment.cuts import pieces
from adstudio.drafting.text.segment.foreign_directions import KNOWN, foreign_kind, without_direction
from adstudio.drafting.text.segment.foreign_shouting import prose_of
from adstudio.drafting.text.segment.piece import Kind, Piece
from adstudio.drafting.text.segment.screenplay_cleanup import (
    tidy_sentence,
    with_full_stop,
    with_stops,
    without_capitals,
    without_shouting,
)
from adstudio.drafting.text.segment.sentence_kind import SentenceKind, sentence_kind
from adstudio.drafting.text.segment.standalone_sentence import Standing, goes_on_about, standing
from adstudio.drafting.text.segment.subject import Subject

_UNBROKEN = re.compile(r"\S{200}")
"""So much without white space is no prose, and the parser takes minutes over it: it is left whole."""
_FOR_WHAT_WAS_SAID = frozenset({"it", "its", "they", "their", "this", "these", "that", "those"})
_CLOSING_MARKS = re.compile(r"[”’\"'»)]+")
_EMPTY_LINE = re.compile(r"\n[^\S\n]*\n\s*")


@dataclass(frozen=True)
class Element:
    """One description element (the paper's w_i).

    `extract` is the description from `start` to `end`, to the letter; `text` says the same as a sentence that stands
    alone. `complete` is False where the description gives no subject or verb for it; then `text` is the extract tidied.
    `kind` says whether it is something seen at all. `breaths` say it together with the elements after it, as the source
    does in one sentence: how many elements in all, and the wording.
    """

    extract: str
    start: int
    end: int
    text: str
    complete: bool
    kind: SentenceKind = SentenceKind.SEEN
    breaths: tuple[tuple[int, str], ...] = ()


def elements_of(
    descriptions: Sequence[str], *, language: str = "en", names: Collection[str] = ()
) -> tuple[tuple[Element, ...], ...]:
    """The elements of each description, in the order of the text, not overlapping, all words in one of them.

    In English a sentence is cut into its eventualities; in any other language whole sentences are the elements.
    `names` are those of the characters, for words that a screenplay shouts (ANNA is a name, KEY is none). A description
    without words has no elements.

    Raises:
        ValueError: for a description of more than 100,000 characters.
        OutsideFailureError: where the parser, its model or pysbd is not installed.
    """
    if any(len(description) > LONGEST_TEXT for description in descriptions):
        raise ValueError(f"a description of more than {LONGEST_TEXT} characters is not cut at once")
    code = primary_subtag(language)
    if code != "en":
        return tuple(_whole_sentences(description, code, names) for description in descriptions)
    # A sentence never runs on over an empty line.
    parts = [_paragraphs(without_shouting(with_stops(description), names)) for description in descriptions]
    closed = [[(begin, *_closed_up(text)) for begin, text in paragraphs] for paragraphs in parts]
    found = iter(parsed(["" if _UNBROKEN.search(text) else text for paragraphs in closed for _, text, _ in paragraphs]))
    return tuple(
        _elements(description, [(begin, places, next(found)) for begin, _, places in paragraphs], names)
        for description, paragraphs in zip(descriptions, closed, strict=True)
    )


def _closed_up(text: str) -> tuple[str, list[int]]:
    """A text without doubled white space, which leads the parser astray, and where each of its characters stood."""
    places = [at for at, letter in enumerate(text) if not letter.isspace() or (at and not text[at - 1].isspace())]
    return "".join(text[at] for at in places), places


def _elements(
    description: str, paragraphs: Sequence[tuple[int, list[int], Sequence[Sentence]]], names: Collection[str]
) -> tuple[Element, ...]:
    starts: list[int] = []
    texts: list[Standing] = []
    for begin, places, sentences in paragraphs:
        if not sentences:
            starts.append(begin)
            texts.append(Standing("", complete=False))
        before: Subject | None = None
        for sentence in sentences:
            cut = _with_subjects(sentence, pieces(sentence), before)
            starts += [begin + places[sentence.words[piece.first].start] for piece in cut]
            texts += with_breaths(sentence, cut, standing(sentence, cut, before))
            before = goes_on_about(sentence, cut, before)
    return _between(description, starts, texts, names)


def _with_subjects(sentence: Sentence, cut: tuple[Piece, ...], before: Subject | None) -> tuple[Piece, ...]:
    """The pieces, with each whose subject is uncertain, or said in the piece before it, rejoined to that one."""
    while True:
        elements_found = standing(sentence, cut, before)
        lost = next(
            (
                at
                for at, piece in enumerate(cut)
                if at
                and (
                    _goes_on_about_it(sentence, piece)
                    or (
                        piece.kind in (Kind.VERB_PHRASE, Kind.PARTICIPLE, Kind.RELATIVE)
                        and not elements_found[at].complete
                    )
                )
            ),
            None,
        )
        if lost is None:
            return cut
        cut = (*cut[: lost - 1], replace(cut[lost - 1], last=cut[lost].last), *cut[lost + 1 :])


def _goes_on_about_it(sentence: Sentence, piece: Piece) -> bool:
    """Whether a clause begins with a pronoun for what its sentence spoke of: (A gun is in his hand,) and it shakes."""
    words = sentence.words[piece.first : piece.last]
    first = next((word.text.lower() for word in words if word.tag != "CC" and word.text[0].isalnum()), "")
    return piece.kind is Kind.CLAUSE and first in _FOR_WHAT_WAS_SAID


def _whole_sentences(description: str, language: str, names: Collection[str]) -> tuple[Element, ...]:
    starts = [
        begin + start
        for begin, text in _paragraphs(description)
        for start in (0, *sentence_starts(text, language))
        if (start or begin) and not ends_in_short_form(text[:start], language)
    ]
    found = _between(description, sorted({0, *starts}), [], ())
    return tuple(_foreign(each, names, language) for each in found)


def _foreign(element: Element, names: Collection[str], language: str) -> Element:
    """An element in another language: put right in those whose directions are known, only trimmed in all others."""
    text = without_capitals(" ".join(element.extract.split()), names, language)
    if language not in KNOWN:
        return replace(element, text=text)
    text = prose_of(text, names, language)
    kind = foreign_kind(text, language)
    if kind is SentenceKind.SEEN:
        text = with_full_stop(without_direction(text, language))
    return replace(element, text=text, kind=kind)


def _paragraphs(text: str) -> list[tuple[int, str]]:
    ends = [*(found.end() for found in _EMPTY_LINE.finditer(text)), len(text)]
    return [(begin, text[begin:end]) for begin, end in zip([0, *ends[:-1]], ends, strict=True)]


def _between(
    description: str, starts: Sequence[int], texts: Sequence[Standing], names: Collection[str]
) -> tuple[Element, ...]:
    bounds = [0, *starts[1:], len(description)]
    elements_found: list[Element] = []
    begin = 0
    for at, end in enumerate(bounds[1:]):
        part = description[begin:end].rstrip()
        extract = part.lstrip()
        if any(map(str.isalnum, extract)):
            start = begin + len(part) - len(extract)
            own = texts[at] if at < len(texts) else Standing("", complete=not texts)
            text = own.text or tidy_sentence(extract, names)
            elements_found.append(
                Element(
                    extract,
                    start,
                    begin + len(part),
                    text,
                    own.complete,
                    sentence_kind(extract, text) if texts else SentenceKind.SEEN,
                    own.breaths,
                )
            )
            begin = end
        elif elements_found:
            # A stray quotation mark is no element: it goes with what stands before it, or after it at the beginning.
            last = elements_found[-1]
            reach = begin + len(part) if extract else last.end
            closes = _CLOSING_MARKS.fullmatch(extract) is not None and not last.text.endswith(extract)
            elements_found[-1] = replace(
                last,
                extract=description[last.start : reach],
                end=reach,
                text=last.text + extract if closes else last.text,
            )
            begin = end
    return tuple(elements_found)

"""Pieces of a sentence that are said in one breath, in the words of the sentence."""

from __future__ import annotations

from dataclasses import replace

from adstudio.drafting.text.language.grammar import Sentence, Word
from adstudio.drafting.text.segment.piece import Kind, Piece
from adstudio.drafting.text.segment.standalone_sentence import CONJUNCTIONS, Standing, tidy
from adstudio.drafting.text.segment.subject import joined

LONGEST_RUN = 3
"""Pieces that are said in one breath at most."""


def with_breaths(sentence: Sentence, pieces: tuple[Piece, ...], texts: tuple[Standing, ...]) -> tuple[Standing, ...]:
    """Each piece with the wordings that say it together with those after it, in the words of the sentence."""
    return tuple(
        replace(
            text,
            breaths=tuple(
                (count, said)
                for count in range(2, min(LONGEST_RUN, len(pieces) - first) + 1)
                if (said := _breath(sentence, pieces[first : first + count], text))
            ),
        )
        for first, text in enumerate(texts)
    )


def _breath(sentence: Sentence, run: tuple[Piece, ...], head: Standing) -> str:
    """Some pieces of a sentence in one; "" where the words between them would not make one sentence."""
    words, begins = sentence.words, run[0]
    if not head.complete or any(piece.kind is Kind.CLAUSE and not _is_joined(words, piece.first) for piece in run[1:]):
        return ""
    if begins.kind in (Kind.RELATIVE, Kind.ABSOLUTE) and any(piece.kind is not Kind.RELATIVE for piece in run[1:]):
        return ""  # "his hands shaking, and looks up": who looks up?
    if begins.kind is Kind.PARTICIPLE and begins.first and run[1].kind is Kind.PARTICIPLE:
        return ""  # "reaching out and slamming the window": the first now has another form
    if begins.kind is Kind.PARTICIPLE and begins.first == 0:
        said = joined(words[: begins.last])
    else:
        said = head.text.rstrip(".")
        said += "," if words[begins.last - 1].text == "," else ""
    for number, piece in enumerate(run[1:], 2):
        text = joined(words[piece.first : piece.last])
        listed = piece.kind is Kind.VERB_PHRASE and not _is_joined(words, piece.first)
        if listed and number == len(run) and ", and " not in text:
            said, text = said.removesuffix(","), f"and {text}"
        elif words[piece.first].text.lower() == "and" and said.endswith(",") and len(run) == 2:
            # Two things need no comma before "and", which the third would.
            alone = piece.kind is Kind.VERB_PHRASE and said.count(",") == 1
            said = said.removesuffix(",") if alone else said
        said = f"{said} {text}"
    return tidy(said)


def _is_joined(words: tuple[Word, ...], first: int) -> bool:
    return words[first].text.lower() in CONJUNCTIONS

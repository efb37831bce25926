"""A second parse where a verb seems to have been taken for a plural noun ("kneels", "floods").

It is the parser's most frequent error in description, which is all in the present tense.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adstudio.drafting.text.compress.parse_sanity import in_doubt, noun_for_verb
from adstudio.drafting.text.compress.words import Clause, clause
from adstudio.drafting.text.language import grammar
from adstudio.drafting.text.language.grammar import Sentence

_WITH_OBJECT = "takes"
_WITHOUT = "goes"
_BEFORE_A_NOUN = frozenset(("DT", "JJ", "PRP$", "CD", "POS", "IN", "VBG"))


def clauses(sentences: Sequence[Sentence | None]) -> tuple[Clause | None, ...]:
    """Each sentence by its words.

    Where the parse is in doubt, with the grammar of the sentence in which words that no parser takes for nouns stand
    for the suspects, if that one is beyond doubt.
    """
    first = [clause(sentence) if sentence else None for sentence in sentences]
    doubted = [at for at, found in enumerate(first) if found is None or in_doubt(found)]
    changed = {at: text for at in doubted if (text := _changed(sentences[at], first[at]))}
    for (at, _), parsed in zip(changed.items(), grammar.parsed(list(changed.values())), strict=True):
        sentence = sentences[at]
        if sentence is None or len(parsed) != 1 or len(parsed[0].words) != len(sentence.words):
            continue
        words = zip(sentence.words, parsed[0].words, strict=True)
        again = clause(
            replace(
                sentence,
                words=tuple(replace(new, text=old.text, start=old.start, end=old.end) for old, new in words),
            )
        )
        if again is not None and not in_doubt(again):
            first[at] = again
    return tuple(first)


def _changed(sentence: Sentence | None, found: Clause | None) -> str:
    """The text with unmistakable verbs in the place of the suspects; empty where there is none."""
    if sentence is None or found is None:
        return ""
    text, shift = sentence.text, sentence.start
    for at in reversed(range(len(found.words))):
        word = found.top(at)
        suspect = at == found.root or noun_for_verb(found, at) or found.words[at].head == found.root
        before = found.top(at - 1).tag if at else "DT"
        if not (suspect and word.tag == "NNS" and word.text.islower() and before not in _BEFORE_A_NOUN):
            continue
        following = found.top(at + 1) if at + 1 < len(found.words) and not found.after[at] else None
        takes = following is not None and (following.tag in {"DT", "PRP$", "PRP"} or following.pos == "PROPN")
        text = text[: word.start - shift] + (_WITH_OBJECT if takes else _WITHOUT) + text[word.end - shift :]
    return text if text != sentence.text else ""

"""Which line of a scene another is understood only after.

“He unzips it.” needs “He takes a bag from the shelf.” before it.

Careful rather than complete: a reference is found only where one earlier line, and no other, can be meant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from adstudio.drafting.text.language.grammar import Sentence, Word, parsed


def _all(words: str) -> frozenset[str]:
    return frozenset(words.split())


_WOMEN = _all("woman girl lady nurse nun maid waitress policewoman queen princess mother sister daughter wife")
_MEN = _all("man boy gentleman priest butler waiter policeman sailor king prince father brother son husband")
_PEOPLE = (
    _WOMEN
    | _MEN
    | _all(
        "child baby kid teenager person figure stranger guard clerk doctor officer driver soldier teacher cook farmer"
    )
    | _all("servant porter conductor worker secretary judge lawyer reporter photographer detective thief robber pilot")
    | _all("captain couple rider")
)
_INDEFINITE = frozenset({"a", "an", "another", "one"})
_OBJECTS = ("dobj", "obj")
_SUBJECTS = ("nsubj", "nsubjpass")
_EMPTY = _all("be seem rain snow look appear get grow become take")


@dataclass(frozen=True)
class Antecedent:
    """`line` is understood only after `needs` (places in the scene), for `word` points there."""

    line: int
    needs: int
    word: str


@dataclass(frozen=True)
class _Mention:
    word: str
    line: int
    person: bool
    named: bool
    new: bool
    role: str


def antecedents(texts: Sequence[str], known: Collection[str] = ()) -> tuple[Antecedent, ...]:
    """Which lines of one scene need which earlier line, the surest kind first, each line once.

    `known` are names of people whom the audience has met before.

    Raises:
        OutsideFailureError: where the grammar is not installed.
    """
    lines = parsed(texts)
    mentions = [tuple(_mentions(sentences, place)) for place, sentences in enumerate(lines)]
    met = {part.casefold() for name in known for part in name.split()}
    kinds = (
        (_thing(lines, mentions, place) for place in range(len(lines))),
        (_definite(lines, mentions, place) for place in range(len(lines))),
        (_person(lines, mentions, place, met) for place in range(len(lines))),
    )
    found: dict[int, Antecedent] = {}
    for each in chain.from_iterable(kinds):
        if each is not None:
            found.setdefault(each.line, each)
    return tuple(found.values())


def _mentions(sentences: Sequence[Sentence], line: int) -> Iterator[_Mention]:
    for sentence in sentences:
        for place, word in enumerate(sentence.words):
            if word.pos not in ("NOUN", "PROPN") or word.dep == "compound":
                continue
            named = word.pos == "PROPN"
            person = word.entity == "PERSON" or (not named and word.lemma.lower() in _PEOPLE)
            below = {sentence.words[child].text.lower() for child in sentence.children[place]}
            yield _Mention(word.lemma.lower(), line, person, named, bool(below & _INDEFINITE), word.dep)


def _thing(
    lines: Sequence[Sequence[Sentence]], mentions: Sequence[Sequence[_Mention]], place: int
) -> Antecedent | None:
    """“it” for the one thing that the line before brought in, where this line names none itself."""
    it = _it(lines[place])
    if (
        it is None
        or place == 0
        or _it(lines[place - 1])
        or any(not m.person and m.role != "pobj" for m in mentions[place])
    ):
        return None
    before = [m for m in mentions[place - 1] if not m.person and not m.named]
    objects = [m for m in before if m.role in (*_OBJECTS, "conj")]
    candidates = objects or [m for m in before if m.role in _SUBJECTS]
    if len(candidates) != 1 or not candidates[0].new or _elsewhere(mentions, candidates[0], place):
        return None
    return Antecedent(place, place - 1, it.text)


def _it(sentences: Sequence[Sentence]) -> Word | None:
    return next((w for s in sentences for w in s.words if w.text.lower() == "it" and not _empty_it(s, w)), None)


def _empty_it(sentence: Sentence, word: Word) -> bool:
    # “It rains”, “it seems”: nothing is meant.
    return word.dep == "expl" or (word.dep in _SUBJECTS and sentence.words[word.head].lemma in _EMPTY)


def _definite(
    lines: Sequence[Sequence[Sentence]], mentions: Sequence[Sequence[_Mention]], place: int
) -> Antecedent | None:
    """“The bag” at the start of the line, where the line before brought in “a bag” and no other line names it."""
    start = lines[place][0].words[:2] if lines[place] else ()
    if place == 0 or len(start) < 2 or start[0].text.lower() != "the" or start[1].dep == "compound":
        return None
    meant = [m for m in mentions[place - 1] if m.new and m.word == start[1].lemma.lower()]
    if len(meant) != 1 or _elsewhere(mentions, meant[0], place):
        return None
    return Antecedent(place, place - 1, f"The {start[1].text}")


def _person(
    lines: Sequence[Sequence[Sentence]], mentions: Sequence[Sequence[_Mention]], place: int, met: Collection[str]
) -> Antecedent | None:
    """“He” or “She” at the start of the line, for the one person whom the scene has named or brought in so far."""
    first = _first_word(lines[place])
    if first not in ("he", "she"):
        return None
    people = [m for line in mentions[:place] for m in line if m.person]
    if len(people) != 1:
        return None
    (person,) = people
    wrong = _MEN if first == "she" else _WOMEN
    strange = person.word in met or person.word in wrong or not (person.named or person.new)
    others = any(_speaks_of_somebody(line) for line in lines[: person.line])
    return None if strange or others else Antecedent(place, person.line, first.capitalize())


def _first_word(sentences: Sequence[Sentence]) -> str:
    return sentences[0].words[0].text.lower() if sentences else ""


def _speaks_of_somebody(sentences: Sequence[Sentence]) -> bool:
    return any(w.text.lower() in ("he", "she", "his", "her", "him") for s in sentences for w in s.words)


def _elsewhere(mentions: Sequence[Sequence[_Mention]], mention: _Mention, place: int) -> bool:
    return any(m.word == mention.word for line in mentions[:place] for m in line if m.line != mention.line)

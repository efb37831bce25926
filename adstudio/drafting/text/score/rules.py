"""Rules suggested between the lines of one scene: what says the same twice, and what is not understood alone.

A scene with rules is planned by itself, so there are few: only what is plain, and at most `MOST` of each kind a scene.
They are suggestions, each with its reason in a sentence; nothing applies them by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from adstudio.core.language_tags import primary_subtag
from adstudio.core.script import Penalty, Rules
from adstudio.drafting.text.language.grammar import Sentence, Word, parsed, word_set
from adstudio.drafting.text.language.people import MEN, WOMEN, person_noun
from adstudio.drafting.text.score.embeddings import Encoder
from adstudio.drafting.text.score.views import terms

MOST = 4
"""Suggestions of one kind for a scene, the surest first."""
ALIKE = 0.80
"""The cosine from which two lines may be near-duplicates. MiniLM gives rewordings about 0.75, but up to 0.8 to lines
that merely have their people and things in common; a wrong suggestion costs the describer more than one missed."""
SHARED = 1 / 2
"""The share of the shorter line's words that the other must have too."""


@dataclass(frozen=True)
class Line:
    """A line of the scene, in textual order.

    `worth` is what its full wording adds to the objective, σ·l, in millionths of an objective unit (salience in
    millionths times seconds).
    """

    id: str
    text: str
    worth: int


@dataclass(frozen=True)
class SuggestedPenalty:
    """Two lines that say nearly the same, and why."""

    penalty: Penalty
    reason: str


@dataclass(frozen=True)
class SuggestedRequirement:
    """A line that is understood only after another: `line` only if `needs`; and why."""

    line: str
    needs: str
    reason: str


@dataclass(frozen=True)
class Suggested:
    """What one scene is offered."""

    penalties: tuple[SuggestedPenalty, ...] = ()
    requires: tuple[SuggestedRequirement, ...] = ()

    @property
    def rules(self) -> Rules:
        """All of them as rules."""
        return Rules(
            requires=tuple((each.line, each.needs) for each in self.requires),
            penalties=tuple(each.penalty for each in self.penalties),
        )


def suggested(
    lines: Sequence[Line], encoder: Encoder, *, known: Collection[str] = (), language: str = "en"
) -> Suggested:
    """The rules that one scene's lines suggest.

    `known` are the names of people whom the audience has met before the scene: a “she” for one of them needs no line.
    What follows from grammar is suggested for English only.

    Raises:
        OutsideFailureError: where the grammar is needed and not installed.
    """
    english = primary_subtag(language) == "en"
    return Suggested(_repetitions(lines, encoder), _requirements(lines, known) if english else ())


def _repetitions(lines: Sequence[Line], encoder: Encoder) -> tuple[SuggestedPenalty, ...]:
    """Pairs from the most alike down, each line in one pair at most.

    Two lines also have to share words: the model finds “he sits” and “he stands” alike. Having said one of two lines
    of cosine c, the other adds only the share 1 − c of its worth; so the cost is c times the smaller worth.
    """
    vectors = encoder.embeddings([line.text for line in lines])
    cosines = vectors @ vectors.T
    words = [set(terms(line.text)) for line in lines]
    pairs = sorted(
        (-round(float(cosines[i, j]), 6), i, j)
        for i in range(len(lines))
        for j in range(i + 1, len(lines))
        if cosines[i, j] >= ALIKE and _share_words(words[i], words[j]) and min(lines[i].worth, lines[j].worth) > 0
    )
    taken: set[int] = set()
    found: list[SuggestedPenalty] = []
    for opposite, i, j in pairs:
        if len(found) == MOST or taken & {i, j}:
            continue
        taken |= {i, j}
        cost = round(-opposite * min(lines[i].worth, lines[j].worth))
        reason = f"“{lines[i].text}” and “{lines[j].text}” say nearly the same thing: one of them may be enough."
        found.append(SuggestedPenalty(Penalty(lines[i].id, lines[j].id, cost), reason))
    return tuple(found)


def _share_words(one: set[str], other: set[str]) -> bool:
    return bool(one and other) and len(one & other) >= SHARED * min(len(one), len(other))


def _requirements(lines: Sequence[Line], known: Collection[str]) -> tuple[SuggestedRequirement, ...]:
    found: list[SuggestedRequirement] = []
    for each in antecedents([line.text for line in lines], known)[:MOST]:
        line, needs = lines[each.line], lines[each.needs]
        reason = f"“{each.word}” in “{line.text}” only makes sense after “{needs.text}”."
        found.append(SuggestedRequirement(line.id, needs.id, reason))
    return tuple(found)


_INDEFINITE = frozenset({"a", "an", "another", "one"})
_OBJECTS = ("dobj", "obj")
_SUBJECTS = ("nsubj", "nsubjpass")
_EMPTY = word_set("be seem rain snow look appear get grow become take")


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


_Sentences = Sequence[Sequence[Sentence]]
_Mentions = Sequence[Sequence[_Mention]]


def antecedents(texts: Sequence[str], known: Collection[str] = ()) -> tuple[Antecedent, ...]:
    """Which lines of one scene need which earlier line, the surest kind first, each line once.

    `known` are names of people whom the audience has met before.
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
            person = word.entity == "PERSON" or (not named and person_noun(word) is not None)
            below = {sentence.words[child].text.lower() for child in sentence.children[place]}
            yield _Mention(word.lemma.lower(), line, person, named, bool(below & _INDEFINITE), word.dep)


def _thing(lines: _Sentences, mentions: _Mentions, place: int) -> Antecedent | None:
    """“it” for the one thing that the line before introduced, if this line names none itself."""
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


def _definite(lines: _Sentences, mentions: _Mentions, place: int) -> Antecedent | None:
    """“The bag” at the start of the line, where the line before brought in “a bag” and no other line names it."""
    start = lines[place][0].words[:2] if lines[place] else ()
    if place == 0 or len(start) < 2 or start[0].text.lower() != "the" or start[1].dep == "compound":
        return None
    meant = [m for m in mentions[place - 1] if m.new and m.word == start[1].lemma.lower()]
    if len(meant) != 1 or _elsewhere(mentions, meant[0], place):
        return None
    return Antecedent(place, place - 1, f"The {start[1].text}")


def _person(lines: _Sentences, mentions: _Mentions, place: int, met: Collection[str]) -> Antecedent | None:
    """“He” or “She” at the start of the line, for the one person whom the scene has named or brought in so far."""
    first = lines[place][0].words[0].text.lower() if lines[place] else ""
    if first not in ("he", "she"):
        return None
    people = [m for line in mentions[:place] for m in line if m.person]
    if len(people) != 1:
        return None
    (person,) = people
    wrong = MEN if first == "she" else WOMEN
    strange = person.word in met or person.word in wrong or not (person.named or person.new)
    others = any(_speaks_of_somebody(line) for line in lines[: person.line])
    return None if strange or others else Antecedent(place, person.line, first.capitalize())


def _speaks_of_somebody(sentences: Sequence[Sentence]) -> bool:
    return any(w.text.lower() in ("he", "she", "his", "her", "him") for s in sentences for w in s.words)


def _elsewhere(mentions: _Mentions, mention: _Mention, place: int) -> bool:
    return any(m.word == mention.word for line in mentions[:place] for m in line if m.line != mention.line)

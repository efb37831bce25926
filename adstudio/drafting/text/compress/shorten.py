"""Shorter wordings of a sentence at the paper's rates, each the worthiest that its grammar allows."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from adstudio.core.language_tags import primary_subtag
from adstudio.drafting.text.compress.checklist import grammar_faults, word_faults
from adstudio.drafting.text.compress.film_colours import ColouredThings, coloured_things
from adstudio.drafting.text.compress.knapsack import best_of_each_size
from adstudio.drafting.text.compress.multiword import absolutes
from adstudio.drafting.text.compress.parse_sanity import in_doubt, noun_for_verb, singular_plural
from adstudio.drafting.text.compress.second_check import losses
from adstudio.drafting.text.compress.tree import Tree, tree
from adstudio.drafting.text.compress.words import Clause, clause
from adstudio.drafting.text.language import grammar
from adstudio.drafting.text.language.grammar import Sentence

RATES = tuple(Fraction(tenths, 10) for tenths in (9, 8, 7, 6, 5))
"""The paper's five (section 3): the share of the words that a variant aims at."""
TOLERANCE = 1
"""Words that a variant may differ from its rate."""
OFF_TARGET = 300
"""What a word off the target costs, in the hundredths that worth is counted in.

Enough that the five rates come out as different lengths where they can (the plan chooses among lengths), and not so
much that a whole place or second event is given for the last word.
"""
FEWEST_WORDS = 4
MOST_WORDS = 1_000
SHORT_FRAGMENT = 6
"""Words up to which what has no verb is left whole: A man of few words."""
LONGEST_TEXT = 20_000
"""Above these a text is no line of description, and is left alone."""


@dataclass(frozen=True)
class Compression:
    """A shorter wording and the rate that it is for."""

    text: str
    rate: Fraction


def compressions(
    texts: Sequence[str], *, language: str = "en", names: Collection[str] = (), film: Iterable[str] = ()
) -> tuple[tuple[Compression, ...], ...]:
    """Of each text the shorter wordings that its grammar allows, longest first; those that cannot be had are absent.

    A text is one stand-alone sentence, or a breath of several, each of which is shortened at the same rate. For n words
    and rate r a wording has round(r · n) words or one more or fewer: of all selections that the grammar allows it has
    the greatest worth, less 300 for each word off the target (an adjective's worth is about 100). Where two rates come
    to the same wording the nearer keeps it. Nothing is longer than what stands before it, and nothing equals the text.
    `names` are the people's: they are never lost. `film` is all that the film's descriptions say: a colour by which it
    knows a thing stays. In other languages than English there are none.

    Raises:
        OutsideFailureError: where the parser or its model is not installed.
    """
    if primary_subtag(language) not in {"en", "eng"}:
        return ((),) * len(texts)
    things = coloured_things(film)
    short = [text if len(text) <= LONGEST_TEXT else "" for text in texts]
    parts = [tuple(found.text for found in each) for each in grammar.parsed(short)]
    alone = [text if len(those) == 1 else "" for text, those in zip(short, parts, strict=True)]
    several = list(dict.fromkeys(part for those in parts if len(those) > 1 for part in those))
    found = _of_sentences([*alone, *several], names, things)
    of_parts = dict(zip(several, found[len(alone) :], strict=True))
    return tuple(
        of_one if len(those) < 2 else _together(those, of_parts)
        for of_one, those in zip(found[: len(alone)], parts, strict=True)
    )


def _of_sentences(
    texts: Sequence[str], names: Collection[str], things: ColouredThings
) -> tuple[tuple[Compression, ...], ...]:
    sentences = [found[0] if len(found) == 1 else None for found in grammar.parsed(texts)]
    found = clauses(sentences)
    wordings = [_wordings(text, each, names, things) if each else {} for text, each in zip(texts, found, strict=True)]
    offered = [_Offer(grammar.word_count(text), each) for text, each in zip(texts, wordings, strict=True)]

    def is_sound(at: int, parsed: tuple[Sentence, ...]) -> bool:
        full, reading = sentences[at], found[at]
        return (
            full is not None and len(parsed) == 1 and not losses(full, parsed[0], things, reading and reading.sentence)
        )

    return _checked(offered, is_sound)


def _together(parts: Sequence[str], shorter: Mapping[str, Sequence[Compression]]) -> tuple[Compression, ...]:
    """A breath of several sentences, at each rate those that have a wording at it, or near it, shortened."""
    found: dict[str, Compression] = {}
    for rate in RATES:
        said = [next((one.text for one in reversed(shorter[part]) if one.rate >= rate), part) for part in parts]
        text = " ".join(said)
        if text != " ".join(parts):
            found.setdefault(text, Compression(text, rate))
    return tuple(found.values())


def target(words: int, rate: Fraction) -> int:
    """How many words a wording at a rate aims at; halves go up."""
    return int(words * rate + Fraction(1, 2))


_Wordings = dict[int, tuple[int, str]]
"""By number of words the worthiest wording."""


@dataclass(frozen=True)
class _Offer:
    """A text's number of words and its wordings."""

    count: int
    wordings: _Wordings


def _wordings(text: str, found: Clause, names: Collection[str], things: ColouredThings) -> _Wordings:
    count = grammar.word_count(text)
    if not FEWEST_WORDS <= count <= MOST_WORDS:
        return {}
    if len(found.words) != count:
        return {}
    if "(" in text or (count <= SHORT_FRAGMENT and not _has_a_verb(found)):
        return {}
    whole = tree(found, names, things)
    wordings: _Wordings = {}
    for size, selection in best_of_each_size(whole.units, 0).items():
        if size >= count or all(abs(size - target(count, rate)) > TOLERANCE for rate in RATES):
            continue
        wording = written_out(whole, {word for unit in selection.units for word in whole.members[unit]})
        if not (word_faults(text, wording, names) or grammar_faults(found.sentence, wording)):
            wordings[size] = (selection.worth, wording)
    return wordings


def _has_a_verb(found: Clause) -> bool:
    return any(word.pos in ("VERB", "AUX") for word in found.sentence.words)


def _checked(
    offers: Sequence[_Offer], is_sound: Callable[[int, tuple[Sentence, ...]], bool]
) -> tuple[tuple[Compression, ...], ...]:
    """The wordings at the rates, of those that a second look finds sound.

    Where it does not, the next best at that rate is looked at, until nothing new comes up.
    """
    chosen = [_at_rates(each.count, each.wordings) for each in offers]
    seen: set[tuple[int, str]] = set()
    waiting: Sequence[int] = range(len(offers))
    while waiting:
        new = [(at, one.text) for at in waiting for one in chosen[at] if (at, one.text) not in seen]
        seen.update(new)
        unsound: set[int] = set()
        for (at, text), parsed in zip(new, grammar.dependencies([text for _, text in new]), strict=True):
            if not is_sound(at, parsed):
                wordings = offers[at].wordings
                del wordings[next(size for size, (_, wording) in wordings.items() if wording == text)]
                unsound.add(at)
        for at in unsound:
            chosen[at] = _at_rates(offers[at].count, offers[at].wordings)
        waiting = sorted(unsound)
    return tuple(chosen)


def _at_rates(count: int, wordings: Mapping[int, tuple[int, str]]) -> tuple[Compression, ...]:
    chosen: dict[int, Fraction] = {}
    for rate in RATES:
        aim = target(count, rate)
        near = [size for size in wordings if abs(size - aim) <= TOLERANCE]
        if not near:
            continue
        size = max(near, key=lambda size: (wordings[size][0] - OFF_TARGET * abs(size - aim), size))
        known = chosen.get(size)
        if known is None or abs(size - rate * count) < abs(size - known * count):
            chosen[size] = rate
    return tuple(Compression(wordings[size][1], chosen[size]) for size in sorted(chosen, reverse=True))


_WITH_OBJECT = "takes"
_WITHOUT = "goes"
"""Verbs put in place of a suspected one: taking a verb for a noun is the parser's most frequent error here."""
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
    """The text with unmistakable verbs in place of the suspects; "" if there are none."""
    if sentence is None or found is None:
        return ""
    text, shift = sentence.text, sentence.start
    for at in reversed(range(len(found.words))):
        word = found.top(at)
        suspect = at == found.root or noun_for_verb(found, at) or found.words[at].head == found.root
        suspect = suspect or singular_plural(found, at)
        before = found.top(at - 1).tag if at else "DT"
        if not (suspect and word.tag == "NNS" and word.text.islower() and before not in _BEFORE_A_NOUN):
            continue
        following = found.top(at + 1) if at + 1 < len(found.words) and not found.after[at] else None
        takes = following is not None and (following.tag in {"DT", "PRP$", "PRP"} or following.pos == "PROPN")
        text = text[: word.start - shift] + (_WITH_OBJECT if takes else _WITHOUT) + text[word.end - shift :]
    return text if text != sentence.text else ""


_NEVER_SET_OFF = frozenset(("dobj", "nsubj", "nsubjpass", "pobj", "aux", "auxpass", "neg", "prt", "det", "cc", "ROOT"))
_VOWEL_SOUND = re.compile(r"(?:[aeio]|u(?!ni(?!n)|s[aeiu]|ten|ke)|hour|honest|honou?r|heir)(?<!^eu)", re.IGNORECASE)
_CONSONANT_SOUND = re.compile(r"(?:one\b|once\b|eu|ewe|uni(?!n)|us[aeiu]|ut[ei]|uk)", re.IGNORECASE)
_CLOSED = re.compile(r"[.!?…][\"”»')\]]*$")


def written_out(tree: Tree, selected: Collection[int]) -> str:
    """The sentence that the words at these places make, in their order."""
    words = sorted(selected)
    before, joined = _conjunctions(tree, words)
    out: list[str] = []
    for number, at in enumerate(words):
        if number:
            gap = joined[at] if at in joined else _separator(tree, words[number - 1], at, selected)
            out.append(gap + " ")
        if at in before:
            out.append(before[at] + " ")
        following = words[number + 1] if number + 1 < len(words) else None
        out.append(_article(tree, at, following))
    return _closed(tree, "".join(out))


def _conjunctions(tree: Tree, words: list[int]) -> tuple[dict[int, str], dict[int, str]]:
    """Of the lists whose conjunction wanders: what is said before a word, and the comma before that."""
    before: dict[int, str] = {}
    joined: dict[int, str] = {}
    for found in tree.floating:
        conjunction = found.conjunctions[-1]
        stay = [member for member in found.members if member in words]
        if not stay or conjunction is None:
            continue
        starts = [min(tree.below(member, words)) for member in stay]
        comma = "," if conjunction and tree.clause.after[conjunction - 1] and len(stay) > 1 else ""
        for start in starts[:-1]:
            joined[start] = ","
        joined[starts[-1]] = comma
        before[starts[-1]] = tree.clause.words[conjunction].text
    return before, joined


def _separator(tree: Tree, left: int, right: int, selected: Collection[int]) -> str:
    after = tree.clause.after
    if right == left + 1:
        return after[left]
    for run in absolutes(tree.clause):
        if right == run[0]:
            return ","
        if left == run[-1]:
            return after[left]
    inserted = sum(bool(after[at]) for at in range(left, right)) == 2  # one before it, one after it
    if inserted and tree.clause.top(right).dep == "cc" and not _has_subject(tree.clause, right):
        return ""  # "comes out, her arm in his, and walks away": the commas were those of what was inserted
    of_the_next = tree.clause.words[left].head == right
    if of_the_next and (tree.clause.top(left).dep == "amod" or tree.clause.top(left).pos == "ADJ"):
        return ""  # "bare, jagged mountains"
    wanted = [after[at] for at in range(left, right) if after[at] and _comma_needed(tree, at, selected)]
    return max(wanted, key=len, default="")


def _has_subject(clause: Clause, conjunction: int) -> bool:
    """Whether what a conjunction adds has a subject of its own."""
    members = clause.below(clause.words[conjunction].head, "conj")
    added = next((member for member in members if member > conjunction), None)
    return added is not None and bool(clause.below(added, "nsubj", "nsubjpass", "expl"))


def _comma_needed(tree: Tree, at: int, selected: Collection[int]) -> bool:
    """A comma belongs to what it sets off: the phrase that begins after it, or a fronted or inserted one before it."""
    clause = tree.clause
    for word in selected:
        first, last = tree.spans[word]
        if clause.top(word).dep in _NEVER_SET_OFF:
            continue
        head = tree.heads[word]
        if first == at + 1 and (head < first or clause.after[last]):
            return True
        if last == at and clause.top(word).dep != "conj" and (head > last or (first > 0 and clause.after[first - 1])):
            return True
    return False


def _article(tree: Tree, at: int, following: int | None) -> str:
    text = tree.clause.words[at].text
    if following is None or following == at + 1 or text.lower() not in {"a", "an"}:
        return text
    after = tree.clause.words[following].text.lstrip("\"'“‘(")
    right = "an" if _VOWEL_SOUND.match(after) and not _CONSONANT_SOUND.match(after) else "a"
    return right.capitalize() if text[0].isupper() else right


def _closed(tree: Tree, text: str) -> str:
    first = next((at for at, letter in enumerate(text) if letter.isalnum()), 0)
    text = text[:first] + text[first].upper() + text[first + 1 :]
    return text if _CLOSED.search(text) else text + (tree.clause.end or ".")

"""Names: those that a wording uses although its source does not, and what the people of a screenplay are called.

Every sentence begins with a capital, and in German every noun has one: there a capital means nothing, and a word is
taken for a name if the film has somebody of that name; in English also if it is in none of the grammar's lists, which
hold nearly every word. What the film's texts write in small letters is no name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from adstudio.core.errors import OutsideFailureError
from adstudio.core.language_tags import primary_subtag
from adstudio.core.words import composed, folded, words
from adstudio.drafting.text.language.grammar import is_word, verb_lemmas, word_set

ALIKE = 4
LONGEST_ENDING = 3
"""Words that share this many letters at the beginning, and end within this many more, may be forms of one word."""
_LATIN = re.compile(r"[a-z\u00df-\u024f'-]+\Z")
LEAST_PART = 3
"""Letters of a word that another one is made of."""
_POSSESSIVE = re.compile(r"['’]s?$")
_EDGES = re.compile(r"^\W+|\W+$")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_INSIDE = re.compile(r"[\w,;]['’”\"»)]?\s+\Z")
_CONTRACTED = re.compile(r"(?:n?'t|'(?:s|re|ll|ve|d|m))\Z")
_NOUNS_IN_CAPITALS = frozenset({"de", "lb", "nds"})
"""Languages that capitalise every noun, so that capitals do not mark names."""


_GERMAN_ARTICLES = word_set(
    "der die das den dem des ein eine einen einem einer eines kein keine keinen keiner jeder jede jedes dieser diese"
    " dieses diesen diesem"
)
SMALL = word_set(
    "a an the this that these those his her hers him he she it its they them their theirs himself herself itself"
    " themselves one another other others each both all some any no not nor and or but while as when where who whose"
    " which what then than so too very just still now again also only even with without of to in into on onto at from"
    " for by up down out off over under through across along around about behind before after between beside beneath"
    " against toward towards away back near inside outside upon until till there here is are was were be being been has"
    " have having had does do doing did can will would may might must more most less few many much own same such once"
    " first next if because"
)
"""English words that carry no meaning by themselves."""
_NEVER_NAMES = (SMALL - word_set("will may")) | word_set(
    "i my mine your yours our ours we us you me everyone everybody everything someone somebody something anyone anybody"
    " anything nobody nothing none whoever whatever whichever whether although though unless since during throughout"
    " beyond above below within amid amidst among amongst despite except like unlike per plus via atop alongside"
    " astride aboard underneath opposite yet how why could should shall cannot let o’clock either neither"
)

_MAKE_WORDS = ("r", "er", "rs", "ers", "less", "like", "ish", "ness", "able", "ward", "wards", "ly")


@dataclass(frozen=True)
class Known:
    """What a film's texts show about names: words that they use as names, and words that they use as ordinary words."""

    names: frozenset[str] = field(default_factory=frozenset[str])
    ordinary: frozenset[str] = field(default_factory=frozenset[str])


NOTHING_KNOWN = Known()


def known_words(*texts: str) -> frozenset[str]:
    """The words of texts as `unknown_names` compares them."""
    return frozenset(_bare(folded(word)) for text in texts for word in words(composed(text)))


def known_from(people: Iterable[str], texts: Iterable[str], language: str = "en") -> Known:
    """What is known of names: of `people`, as they are called, and of those whom texts in that language name.

    Somebody who is called by what he is (GUARD) has no name where the texts write that as a word: “the guard”.
    """
    small: set[str] = set()
    inside: set[str] = set()
    articled, alone = Counter[str](), Counter[str]()
    nouns_too = primary_subtag(language) in _NOUNS_IN_CAPITALS
    for text in map(composed, texts):
        before = ""
        for found in _WORD.finditer(text):
            written = _bare(found[0])
            word = folded(written)
            if written[:1].islower():
                small.add(word)
            elif nouns_too:
                (articled if before in _GERMAN_ARTICLES else alone)[word] += 1
            elif not written.isupper() and _INSIDE.search(text, max(found.start() - 4, 0), found.start()):
                inside.add(word)
            before = word
    called = known_words(*people)
    if nouns_too:
        return Known(called, frozenset(small | {word for word in articled if articled[word] > alone[word]}))
    if len(inside - small) > len(small):
        inside.clear()  # Texts Whose Words All Have Capitals tell nothing.
    return Known(called | (inside - small), frozenset(small - inside))


def unknown_names(text: str, known: Collection[str], language: str, film: Known = NOTHING_KNOWN) -> list[str]:
    """The names in a text that are not among the known words."""
    nouns_too = primary_subtag(language) in _NOUNS_IN_CAPITALS
    found: list[str] = []
    before = ""
    for place, word in enumerate(words(composed(text))):
        bare = _bare(word)
        plain = folded(bare)
        if bare[:1].isupper() and plain not in known and bare not in ("I", "I’m", "I'm"):
            if nouns_too:
                strange = before not in _GERMAN_ARTICLES and _is_name(plain, film)
            elif place:
                strange = True
            else:
                strange = _is_name(plain, film) or (primary_subtag(language) == "en" and _no_word(plain, known, film))
            if strange:
                found.append(bare)
        before = plain
    return found


def _is_name(word: str, film: Known) -> bool:
    return word in film.names and word not in film.ordinary and word not in _NEVER_NAMES


def _no_word(word: str, known: Collection[str], film: Known) -> bool:
    """Whether an English word is in no list of words, nor in small letters in the film's texts, nor a form of one."""
    stem = _CONTRACTED.sub("", word)
    if word in film.ordinary or stem in _NEVER_NAMES or len(stem) < 2 or not _LATIN.match(stem):
        return False
    return not _is_english(stem) and not any(_one_word(stem, other) for other in known)


def _one_word(one: str, other: str) -> bool:
    """Whether two words may be forms of one: at least four letters alike, and an ending."""
    alike = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return alike >= ALIKE and max(len(one), len(other)) - alike <= LONGEST_ENDING


@lru_cache(4_096)
def _is_english(word: str) -> bool:
    """Whether it is an English word, or made of some (“smartphone”, “biker”).

    Where the lists are not installed, anything is.
    """
    try:
        return any(is_word(part) or _is_compound(part) for part in word.split("-") if part)
    except OutsideFailureError:
        return True


def _is_compound(word: str) -> bool:
    stems = (word.removesuffix(each) for each in _MAKE_WORDS if word.endswith(each))
    if any(len(stem) >= LEAST_PART and is_word(stem) for stem in stems):
        return True
    return any(is_word(word[:at]) and is_word(word[at:]) for at in range(LEAST_PART, len(word) - LEAST_PART + 1))


def _bare(word: str) -> str:
    return _POSSESSIVE.sub("", _EDGES.sub("", word))


_LETTERS = re.compile(r"[^\W\d_]+")
_SHOUTED = re.compile(r"[^\W\d_a-z]{2,}(?:[ ]+[^\W\d_a-z]{2,})+")
_ARTICLES = word_set("the a an der die das den dem ein eine einen le la les un une el los las una unos unas")


_NOT_OF_NAMES = (SMALL - word_set("will may")) | word_set("young old older younger little big various several voice")
"""What speakers are called beside a name, or in place of one: YOUNG NORA; VARIOUS GUESTS; a VOICE."""

_SHOUTED_WORD = re.compile(r"[^\W\d_a-z]{3,}(?![’'\w])")
_OF_SOMEBODY = re.compile(r"[^.!?;]*\b(?:his|her|himself|herself)\b")
_ONCE_AND_AGAIN = 2


def _introduced(paragraphs: Iterable[str]) -> set[str]:
    """The small letters of the names that are in capitals where their people come in, and capitalised ever after.

    “Behind him stands BRANDT. … Brandt cocks his head. … Brandt lifts his hat.”: a name, although he never speaks. What
    has an article or small letters anywhere, or opens sentences only as things do (Rain falls), is none.
    """
    shouted: set[str] = set()
    small: set[str] = set()
    things: set[str] = set()
    as_names = Counter[str]()
    for paragraph in paragraphs:
        if not any(letter.islower() for letter in paragraph):
            continue
        before = ""
        for found in _WORD.finditer(paragraph):
            written = _bare(found[0])
            word = written.lower()
            if before in _ARTICLES:
                things.add(word)
            if written[:1].islower():
                small.add(word)
            elif _SHOUTED_WORD.fullmatch(written):
                shouted.add(word)
            elif written[1:].islower():
                within = _INSIDE.search(paragraph, max(found.start() - 4, 0), found.start())
                as_names[word] += bool(within or _OF_SOMEBODY.match(paragraph, found.end()))
            before = found[0].lower()
    return {word for word in shouted - small - things if as_names[word] >= _ONCE_AND_AGAIN}


def _tells(word: str) -> bool:
    """Whether a word in capitals after a name may say what its bearer does, or how."""
    return (word.endswith("s") and bool(verb_lemmas(word))) or (word.endswith("ly") and is_word(word))


def names_of(speakers: Iterable[str], paragraphs: Iterable[str]) -> tuple[str, ...]:
    """The words of people's names, in order: the speakers', and surnames in capitals next to them.

    NORA, who speaks, makes VALE a name in “NORA VALE hurries along the wall”. A speaker whom the action calls “the
    guard” more often than “Guard” has a role and no name.
    """
    paragraphs = list(map(composed, paragraphs))
    called = [
        words for speaker in speakers if (words := [word.lower() for word in _LETTERS.findall(composed(speaker))])
    ]
    # Who is called “the old lady”, in any of these languages, has a role.
    named = [words for words in called if words[0] not in _ARTICLES]
    spoken = {word for words in named for word in words if len(word) > 1 and word not in _NOT_OF_NAMES}
    alone, with_article = Counter[str](), Counter[str]()
    beside: set[str] = set()
    for paragraph in paragraphs:
        words = [word.lower() for word in _LETTERS.findall(paragraph)]
        for before, word in zip(["", *words], words, strict=False):
            if word in spoken:
                (with_article if before in _ARTICLES else alone)[word] += 1
        if any(letter.islower() for letter in paragraph):
            for found in _SHOUTED.finditer(paragraph):
                parts = [part.lower() for part in found[0].split()]
                if paragraph[found.end() : found.end() + 1] != "," and any(map(_tells, parts[1:])):
                    continue  # “ZACK GOES DOWN”
                if len(parts) <= 3 and parts[0] in spoken and not any(part in _ARTICLES for part in parts):
                    beside.update(part.strip("'’.-") for part in parts)  # but for “KARL THE GIANT”
    surnames = {word for word in beside | _introduced(paragraphs) if word not in spoken and len(word) > 1}
    names = {word for word in spoken if with_article[word] <= alone[word]}
    return tuple(word.capitalize() for word in sorted(names | surnames))

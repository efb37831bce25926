"""A second look at a shorter wording, which knows nothing of the rules that made it.

It goes by the words of both sentences and by a parse of the short one: the rules go by the parse of the full one, and
where that erred the short sentence mostly reads another way.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from itertools import pairwise

from adstudio.drafting.text.compress import lexicon
from adstudio.drafting.text.compress.clause_verbs import clause_lost_its_verb
from adstudio.drafting.text.compress.film_colours import NO_COLOURS, ColouredThings, is_coloured
from adstudio.drafting.text.compress.firm_modifiers import makes_another_thing
from adstudio.drafting.text.compress.frames import PICTURES
from adstudio.drafting.text.language.grammar import Sentence, Word, noun_lemmas, word_set


class Loss(Enum):
    """What a shorter wording has lost, in a few words."""

    JOIN = "what a conjunction adds is lost in part"
    OTHER = "one of two is lost"
    NAMED = "what follows a dash or colon is without what it explains"
    PHRASE = "the phrase before a preposition is lost"
    DEGREE = "a degree word is left alone"
    COMPLEMENT = "a noun is without its complement"
    VERB = "a verb is without its complement"
    COMPOUND = "a part of a thing's name is lost"
    COLOUR = "a colour that the film comes back to is lost"
    FRAME = "it is no longer only seen in a picture"
    ONE_OF_ALL = "the first, last or only one is no longer that of its kind"
    MEANT = "what a pronoun stands for is lost"
    READING = "it reads another way than the full sentence"


_EXPLAINS = re.compile(r":|\s[–—-]+\s|—")
_NOT_ONE_THING = word_set("VBZ VBP VBD MD NNS")
_DEGREE = word_set(
    "too so very quite rather almost nearly half partly far much barely exactly slightly completely wide badly most as "
    "more less fairly hardly such twice little largely mostly mainly partially scarcely"
)
_NEEDS_LATER = {
    "so": word_set("that as"),
    "such": word_set("that as a an"),
    "too": word_set("to for"),
    "enough": word_set("to for that"),
    "as": word_set("as"),
    "more": word_set("than"),
    "less": word_set("than"),
    "rather": word_set("than"),
}
_STATIC = word_set("in on of at near beside under above behind between beneath outside inside off over along around")
_AFTER_VERB = 4
"""Words after a verb within which its preposition is taken to be its own."""
_BEFORE_NOUN = 3
"""Words before a noun among which its colour is looked for."""
_AT_HOME = word_set("in on within inside through")
_ONE_OF_ALL = word_set("first last only second third next best worst oldest youngest biggest tallest")
_DOERS = word_set("he she they we i who")
_STANDS_FOR = word_set("it that this")
_COMPLETED = frozenset(
    (noun, word)
    for word, nouns in {
        "to": "entrance exit key answer reply road way steps stairs door damage access",
        "with": "time step keeping line contact",
        "for": "queue search hunt demand request",
        "about": "argument story joke",
        "between": "difference gap",
        "like": "noise sound",
        "where": "place point spot",
        "that": "feeling",
    }.items()
    for noun in nouns.split()
)


def losses(
    full: Sentence, short: Sentence, things: ColouredThings = NO_COLOURS, reading: Sentence | None = None
) -> tuple[Loss, ...]:
    """What a shorter wording has lost that its sentence cannot do without; none where it may be offered.

    Both as the parser reads them. The short one must consist of words of the full one in their order (a and an are
    one). `things` are those that the film knows by their colours; `reading` is another parse of the full one, of the
    same words: the short one may be read as either.
    """
    whole, remaining = _words(full), _words(short)
    places = _places(whole, remaining)
    if places is None:
        return (Loss.READING,)
    rest = set(places)
    found = [
        loss
        for loss, is_lost in (
            (Loss.JOIN, _join_is_torn(full, whole, places)),
            (Loss.OTHER, _other_is_lost(whole, rest)),
            (Loss.NAMED, _explained_is_lost(full, whole, places)),
            (Loss.PHRASE, _phrase_is_lost(full, whole, places)),
            (Loss.DEGREE, _degree_is_alone(whole, rest)),
            (Loss.COMPLEMENT, _complement_is_lost(whole, rest) or _with_is_torn(whole, rest)),
            (Loss.VERB, _verb_is_bare(whole, rest) or _look_goes_nowhere(whole, rest)),
            (Loss.COMPOUND, _part_of_name_is_lost(whole, rest)),
            (Loss.COLOUR, _colour_is_lost(whole, rest, things)),
            (Loss.FRAME, _frame_is_lost(whole, rest)),
            (Loss.ONE_OF_ALL, _kind_of_first_is_lost(whole, rest)),
            (Loss.READING, _ends_torn(whole, places[-1])),
            (Loss.VERB, _object_of_particle_is_lost(whole, rest) or clause_lost_its_verb(whole, rest)),
            (Loss.MEANT, _meant_is_lost(whole, rest)),
            (Loss.READING, _article_is_alone(whole, places)),
            (Loss.READING, _auxiliary_is_lost(whole, rest)),
            (Loss.READING, all(_reads_otherwise(each, short, places) for each in (full, reading or full))),
        )
        if is_lost
    ]
    return tuple(found)


def _words(sentence: Sentence) -> list[Word]:
    return [word for word in sentence.words if any(letter.isalnum() for letter in word.text)]


def _same(one: str, other: str) -> bool:
    one, other = one.lower(), other.lower()
    return one == other or {one, other} == {"a", "an"}


def _places(whole: Sequence[Word], remaining: Sequence[Word]) -> list[int] | None:
    """For each word of the short sentence its place in the full one, from the end; None if it has others.

    From the end, so that an article is taken to stand before its own noun. "And" may have wandered to an earlier place.
    """
    return _from_end(whole, remaining, wanders=False) or _from_end(whole, remaining, wanders=True)


def _from_end(whole: Sequence[Word], remaining: Sequence[Word], *, wanders: bool) -> list[int] | None:
    places: list[int] = []
    at = len(whole)
    for word in reversed(remaining):
        free = wanders and word.text.lower() in {"and", "or"}
        range_of_it = range(len(whole) - 1 if free else at - 1, -1, -1)
        found = next((place for place in range_of_it if _same(whole[place].text, word.text)), None)
        if found is None:
            return None
        places.append(found)
        at = at if free else found
    return places[::-1]


def _phrase_is_lost(full: Sentence, whole: Sequence[Word], places: Sequence[int]) -> bool:
    rest = set(places)
    for place in places:
        if not place or place - 1 in rest or not _follows_a_phrase(whole, place):
            continue
        between = full.text[whole[place - 1].end - full.start : whole[place].start - full.start]
        lost = place - 1
        while lost > 0 and lost - 1 not in rest:
            lost -= 1
        if not between.strip() and any(word.pos in {"NOUN", "PROPN", "PRON"} for word in whole[lost:place]):
            return True
    return False


def _follows_a_phrase(whole: Sequence[Word], place: int) -> bool:
    """Whether a word begins what mostly belongs to the phrase before it: on the shelf, nearest to the window."""
    word = whole[place]
    described = word.pos in {"ADJ", "ADV"} and place + 1 < len(whole) and whole[place + 1].pos in {"ADP", "PART"}
    return described or (word.text.lower() in _STATIC and word.pos == "ADP")


def _join_is_torn(full: Sentence, whole: Sequence[Word], places: Sequence[int]) -> bool:
    """As in "lands on all fours (and races) barefoot down the path": what goes with "and" has more to it."""
    rest = set(places)
    if sum(word.tag == "CC" for word in whole) <= sum(whole[place].tag == "CC" for place in places):
        return False  # it wandered
    for place in places:
        between = full.text[whole[place - 1].end - full.start : whole[place].start - full.start] if place else ","
        if between.strip() or place - 1 in rest or whole[place].tag == "CC":
            continue
        lost = place - 1
        while lost > 0 and lost - 1 not in rest and whole[lost].tag != "CC":
            lost -= 1
        if whole[lost].tag == "CC":
            return True
    return False


def _other_is_lost(whole: Sequence[Word], rest: set[int]) -> bool:
    texts = [word.text.lower() for word in whole]
    pairs = [
        (texts.index("one"), at)
        for at in range(1, len(texts))
        if texts[at - 1 : at + 1] == ["the", "other"] and "one" in texts[:at]
    ]
    return any((one in rest) != (other in rest) for one, other in pairs)


def _explained_is_lost(full: Sentence, whole: Sequence[Word], places: Sequence[int]) -> bool:
    rest = set(places)
    for place in places:
        between = full.text[whole[place - 1].end - full.start : whole[place].start - full.start] if place else ""
        named = any(word.dep == "appos" for word in whole[place : place + _BEFORE_NOUN]) and "," in between
        if (named or _EXPLAINS.search(between)) and place - 1 not in rest:
            return True
    return False


def _degree_is_alone(whole: Sequence[Word], rest: set[int]) -> bool:
    texts = [word.text.lower() for word in whole]
    for at in sorted(rest):
        graded = at + 1 < len(whole) and (whole[at + 1].pos in {"ADJ", "ADV"} or whole[at + 1].tag == "VBN")
        if texts[at] in _DEGREE and graded and at + 1 not in rest:
            return True
        later = _NEEDS_LATER.get(texts[at], frozenset())
        partner = next((place for place in range(at + 1, min(len(whole), at + 9)) if texts[place] in later), None)
        if partner is not None and partner not in rest and whole[at].pos in {"ADV", "ADJ", "DET"}:
            return True
    return False


def _complement_is_lost(whole: Sequence[Word], rest: set[int]) -> bool:
    return any(
        at + 1 not in rest
        and (whole[at + 1].text.lower() == "of" or (whole[at].text.lower(), whole[at + 1].text.lower()) in _COMPLETED)
        for at in rest
        if at + 1 < len(whole) and whole[at].pos == "NOUN"
    )


def _meant_is_lost(whole: Sequence[Word], rest: set[int]) -> bool:
    """As in "gestures (with the card), as if that helps": the thing right before a pronoun is what it stands for."""
    for at in rest:
        word = whole[at]
        if word.text.lower() not in _STANDS_FOR or word.dep not in {"nsubj", "nsubjpass", "dobj", "pobj"}:
            continue
        things = [place for place in range(at) if whole[place].tag == "NN" and whole[place].dep != "compound"]
        if things and things[-1] not in rest:
            return True
    return False


def _kind_of_first_is_lost(whole: Sequence[Word], rest: set[int]) -> bool:
    """As in "the town's first (female) mayor": what is the first, last or only one is so of its kind alone."""
    for at in rest:
        noun = at + 1
        while noun < len(whole) and whole[noun].pos == "ADJ":
            noun += 1
        alone = any(place not in rest for place in range(at + 1, noun))
        if whole[at].text.lower() in _ONE_OF_ALL and noun < len(whole) and noun in rest and alone:
            return True
    return False


def _object_of_particle_is_lost(whole: Sequence[Word], rest: set[int]) -> bool:
    """As in "puts on (an apron) and opens one of the jugs": the second verb's object is none of the first."""
    for at in rest:
        noun = at + 1
        while noun < len(whole) and whole[noun].tag in {"DT", "PRP$", "JJ", "CD"}:
            noun += 1
        has_object = noun > at + 1 and noun < len(whole) and whole[noun].tag in {"NN", "NNS"}
        if has_object and noun not in rest and whole[at].dep == "prt" and at - 1 in rest:
            return True
    return False


def _ends_torn(whole: Sequence[Word], last: int) -> bool:
    """As in "before she (finally rings)": a sentence does not end in whoever does something."""
    adverbs = last
    while adverbs > 0 and whole[adverbs].tag == "RB" and whole[adverbs].text.lower().endswith("ly"):
        adverbs -= 1
    return whole[adverbs].text.lower() in _DOERS or (
        last + 1 < len(whole)
        and whole[last].tag in ("IN", "CC", "TO", "DT", "PRP$")
        and whole[last].dep not in {"prt", "advmod"}
    )


def _auxiliary_is_lost(whole: Sequence[Word], rest: set[int]) -> bool:
    """As in "the handle of a watering (can)": an auxiliary alone is never left out, a noun taken for one might be."""
    return any(
        word.pos == "AUX" and at not in rest and at - 1 in rest and whole[at - 1].end + 1 == word.start
        for at, word in enumerate(whole)
    )


def _article_is_alone(whole: Sequence[Word], places: Sequence[int]) -> bool:
    """As in "a hurries down": what followed an article is lost, and what follows now can be no thing of it."""
    return any(
        whole[one].text.lower() in {"a", "an"} and other != one + 1 and whole[other].tag in _NOT_ONE_THING
        for one, other in pairwise(places)
    )


def _with_is_torn(whole: Sequence[Word], rest: set[int]) -> bool:
    """As in "with ink (on his cuffs)"."""
    for at in rest:
        noun = at + 1
        while noun < len(whole) and whole[noun].pos in {"ADJ", "NUM"}:
            noun += 1
        if whole[at].text.lower() != "with" or noun + 2 >= len(whole) or whole[noun].pos != "NOUN" or noun not in rest:
            continue
        held = whole[noun + 2].tag == "PRP$" or whole[noun].lemma.lower() in lexicon.BODY  # "with one leg (in the air)"
        if whole[noun + 1].pos == "ADP" and held and noun + 1 not in rest:
            return True
    return False


def _verb_is_bare(whole: Sequence[Word], rest: set[int]) -> bool:
    for at in rest:
        follows = [word.text.lower() for word in whole[at + 1 : at + 3]]
        if at and whole[at].tag in {"NN", "NNS"} and follows == ["on", "to"] and not {at + 1, at + 2} & rest:
            return True  # "winds the thread (on to a spool)"
    return any(
        lexicon.is_governed(whole[at], whole[after].text) and after not in rest
        for at in rest
        for after in range(at + 1, min(len(whole), at + _AFTER_VERB))
        if whole[at].pos == "VERB" and whole[after].pos == "ADP"
    )


def _look_goes_nowhere(whole: Sequence[Word], rest: set[int]) -> bool:
    """As in "looks (after the train) and holds the glove": where somebody looks is all that the verb says."""

    def says_where(at: int | None) -> bool:
        whither = at is not None and whole[at].text.lower() in lexicon.LOOKED_WHITHER
        return whither and whole[at or 0].pos not in {"SCONJ", "PART"}

    for at in rest:
        if lexicon.is_looking(whole[at]):
            after = [place for place in range(at + 1, len(whole)) if whole[place].pos != "ADV" or says_where(place)]
            following = next((place for place in after if place in rest), None)
            if says_where(next(iter(after), None)) and not says_where(following):
                return True
    return False


def _part_of_name_is_lost(whole: Sequence[Word], rest: set[int]) -> bool:
    for at in range(1, len(whole)):
        before, noun = whole[at - 1], whole[at]
        if at - 1 in rest and at not in rest and makes_another_thing(before.text, noun.text) and noun.pos == "NOUN":
            return True  # "the watering (can)"
        if at - 1 in rest or at not in rest or noun.pos not in {"NOUN", "PROPN"} or noun.dep == "compound":
            continue
        of_one_name = (
            makes_another_thing(before.text, noun.text)
            or before.text.lower() in lexicon.FIRM_ADJECTIVES
            or before.dep == "compound"
            or (before.pos == noun.pos == "NOUN" and before.end + 1 == noun.start)
        )
        if of_one_name or sum(word.text.lower() == noun.text.lower() for word in whole) > 1:
            return True
    return False


def _colour_is_lost(whole: Sequence[Word], rest: set[int], things: ColouredThings) -> bool:
    return any(
        is_coloured(whole[colour].text, whole[at].text, things)
        for at in rest
        if whole[at].pos in {"NOUN", "PROPN"}
        for colour in range(max(0, at - _BEFORE_NOUN), at)
        if colour not in rest and whole[colour].text.lower() in lexicon.COLOURS
        if not any(whole[other].pos == "ADP" for other in range(colour, at))
    )


def _frame_is_lost(whole: Sequence[Word], rest: set[int]) -> bool:
    first_verb = next((at for at, word in enumerate(whole) if word.pos in {"VERB", "AUX"}), len(whole))
    for at in range(first_verb):
        text = whole[at].text.lower()
        picture = {text, *noun_lemmas(text)} & PICTURES or (at == 1 and text == "it")
        led_in = any(word.text.lower() in _AT_HOME for word in whole[max(0, at - 6) : at])
        if picture and led_in and at not in rest and not any(place in rest for place in range(at)):
            return True
    return False


def _reads_otherwise(full: Sentence, short: Sentence, places: Sequence[int]) -> bool:
    """Whether other words of the short sentence are verb, subject and object than in the full one."""
    whole, remaining = _words(full), _words(short)
    number = {id(word): at for at, word in enumerate(whole)}
    place_of = {id(word): place for word, place in zip(remaining, places, strict=True)}
    rest = set(places)
    for word, place in zip(remaining, places, strict=True):
        before = whole[place]
        head = short.words[word.head]
        old_head = number.get(id(full.words[before.head]))
        if word.text.lower() in {"and", "or"} or id(head) not in place_of or old_head not in rest:
            continue
        same = place_of[id(head)] == old_head and word.dep == before.dep
        if not same and {word.dep, before.dep} & _CORE:
            return True
    return False


_CORE = word_set("ROOT nsubj nsubjpass dobj")
"""Relations by which it is known who does what; of the others parsers do not agree with themselves."""

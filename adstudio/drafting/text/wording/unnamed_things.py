"""Which lines say “it”, “them” or “some” of what they do not name, so that they cannot be spoken without another."""

from __future__ import annotations

from collections.abc import Sequence

from adstudio.drafting.text.language.grammar import Sentence, Word, word_set
from adstudio.drafting.text.language.people import PROPER, person_noun

OBJECTS = ("dobj", "pobj")
SUBJECTS = ("nsubj", "nsubjpass")
BESIDE = word_set("beside behind near by under beneath")
"""What leads to that beside which something else is."""
_IDLE = word_set("be rain snow hail pour thunder drizzle dawn seem appear look take turn happen get begin start stop")
"""Verbs whose “it” may stand for nothing: It rains; It takes a while."""
_OF_NOTHING = word_set("laugh make lose floor get call mean beat leg wing shrug bluff tough rough")
"""Verbs whose object “it” may stand for nothing: She laughs it off; He makes it."""
_TIMES = word_set(
    "morning night day evening afternoon noon midnight dawn dusk sunset sunrise winter summer spring autumn fall rain"
    " snow weather time o'clock weekend birthday"
)
_SOME_OF_THEM = word_set("none some any another neither others")
"""Of what these are, the line before says: She finds none."""
_PARTS_OF_THEM = word_set("some others one another each most several many none neither")
_SEVERAL = word_set(
    "they their both all everyone everybody couple pair crowd family group gang team band audience class herd flock row"
    " bunch army"
)
"""Words that speak of several, whom “them” may mean then."""
_FELT = word_set(
    "cold hot warm dark light bright late early quiet silent still foggy windy sunny rainy wet dry noisy crowded empty"
)
"""What “it is” may be said of a place or a time."""
_ONTO = word_set("on onto upon over against")


def lacks_a_thing(line: Sequence[Sentence]) -> bool:
    """Whether a line says “it”, “them” or “some” of what it does not name: She picks it up; Others weep; not: It rains.

    A line before it may say what, but no one knows whether a plan will speak that.
    """
    word = unnamed_thing(line)
    lacks = word is not None and word.text.lower() != "its"
    return lacks or (bool(line) and (_opens_with_a_part(line[0]) or _lacks_several(line[0])))


def _lacks_several(sentence: Sentence) -> bool:
    """Whether a sentence does something to several whom, or which, it does not name before: Nora sets them down."""
    words = sentence.words
    them = next((at for at, word in enumerate(words) if word.text.lower() == "them"), None)
    if them is None or words[them].dep not in (*OBJECTS, "dative"):
        return False
    before = words[:them]
    # The parser takes many a verb for a plural: Nora glides among them.
    plural = any(word.tag in ("NNS", "NNPS", "CC", "CD") and word.dep != "ROOT" for word in before)
    several = plural or any(word.text.lower() in _SEVERAL for word in before)
    single = [
        word
        for word in before
        if word.tag in PROPER or person_noun(word) is not None or word.text.lower() in ("he", "she", "him", "her")
    ]
    return not several and len({word.text for word in single}) <= 1


def _opens_with_a_part(sentence: Sentence) -> bool:
    """Whether a sentence is about some of those whom another names: Others bow; One hits a guard; Two more fall."""
    words = sentence.words
    first = words[0]
    counted = first.tag == "CD" and len(words) > 1 and words[1].text.lower() == "more"
    partial = first.text.lower() in _PARTS_OF_THEM and first.dep in SUBJECTS and not _of_what(sentence, first)
    return counted or partial


def unnamed_thing(line: Sequence[Sentence]) -> Word | None:
    """The first “it”, “its” or “none” of a line that stands for a thing which the line does not name before it."""
    if not line:
        return None
    words = line[0].words
    for place, word in enumerate(words):
        if word.text.lower() in _SOME_OF_THEM and word.dep == "dobj" and not _of_what(line[0], word):
            return word
        thing = word.tag == "NN" or (word.tag == "NNP" and word.dep in OBJECTS)
        if thing and person_noun(word) is None and word.entity != "PERSON" and not _is_apart(line[0], place):
            return None
        if word.text.lower() in ("it", "its"):
            idiom = word.dep == "dobj" and words[word.head].lemma.lower() in _OF_NOTHING
            real = word.dep in ("dobj", "pobj", "poss", "nsubjpass") or (
                word.dep == "nsubj" and (words[word.head].lemma not in _IDLE or _comes_to_rest(line[0], word))
            )
            real = real and not idiom and not (word.dep == "nsubj" and _is_of_a_place(line[0]))
            real = real and not _is_somebody(line[0], word)
            real = real or is_said_again(line[0], word)
            return word if real or _is_identified(line[0], word) or _is_described(line[0], word) else None
    return None


def _is_apart(sentence: Sentence, place: int) -> bool:
    """Whether a thing cannot be the “it” after it, since it is itself placed by that, or used on it.

    The clock beside it; Tom lays the hat beside it; with the side of his shoe, Tom pushes it; not: the bag that has it.
    """
    words = sentence.words
    its = next((at for at in range(place + 1, len(words)) if words[at].text.lower() == "it"), None)
    if its is None or words[its].dep not in OBJECTS:
        return False
    top = place
    while words[top].dep == "pobj" and words[words[top].head].text.lower() == "of":
        top = words[words[top].head].head
    led = words[its].head if words[its].dep == "pobj" else its
    beside = words[its].dep == "pobj" and words[led].text.lower() in BESIDE | _ONTO and words[led].dep == "prep"
    if beside and words[led].head == top:
        return True
    verb = words[led].head
    verb = words[verb].head if words[verb].dep in ("advmod", "prt") else verb  # “down on it”
    same = beside and words[top].dep == "dobj" and verb == words[top].head
    used = words[top].dep == "pobj" and words[words[top].head].text.lower() == "with"
    return same or (used and words[its].dep == "dobj" and words[words[top].head].head == words[its].head)


def _comes_to_rest(sentence: Sentence, word: Word) -> bool:
    """Whether “it” is a thing that stops somewhere: It stops against his shin; not: It stops."""
    words = sentence.words
    return words[word.head].lemma == "stop" and any(words[at].dep == "prep" for at in sentence.children[word.head])


def _of_what(sentence: Sentence, word: Word) -> bool:
    """Whether what follows says of what: none of the letters."""
    place = sentence.words.index(word)
    return any(sentence.words[at].dep == "prep" for at in sentence.children[place])


def _is_somebody(sentence: Sentence, word: Word) -> bool:
    """Whether a sentence says of “it” only who it is: It’s Ann, the miller."""
    words = sentence.words
    return is_being(words[word.head]) and any(
        words[at].dep == "attr" and words[at].tag in PROPER for at in sentence.children[word.head]
    )


def is_being(word: Word) -> bool:
    """Whether a verb is a form of “be”, also a short one."""
    return word.lemma == "be" or word.text.lower() in ("'s", "’s")


def _is_identified(sentence: Sentence, word: Word) -> bool:
    """Whether a sentence says of “it” which or what it is: It’s one of his men; but not: It is night, it is Tom."""
    words = sentence.words
    if word.dep != "nsubj" or words[word.head].lemma != "be" or is_compared(sentence, word):
        return False
    said = [words[at] for at in sentence.children[word.head] if words[at].dep == "attr"]
    return any(each.tag in ("NN", "NNS", "CD") and each.lemma.lower() not in _TIMES for each in said)


def is_said_again(sentence: Sentence, word: Word) -> bool:
    """Whether a sentence says “it” twice, or what it is like: It stops as it began; It looks like a library."""
    words = sentence.words
    like = any(words[at].text.lower() in ("like", "more") for at in sentence.children[word.head])
    again = any(each.text.lower() == "it" and each is not word for each in words)
    return again or (like and word.dep == "nsubj" and words[word.head].lemma in ("look", "seem", "appear", "feel"))


def _is_of_a_place(sentence: Sentence) -> bool:
    """Whether a sentence says where or when “it” is so: It is still light outside."""
    return any(word.text.lower() in ("outside", "inside", "here", "now") for word in sentence.words)


def _is_described(sentence: Sentence, word: Word) -> bool:
    """Whether a sentence says how “it” is or looks, of a thing: It is old and worn; not: It is cold."""
    words = sentence.words
    if word.dep != "nsubj" or words[word.head].lemma not in ("be", "look", "seem"):
        return False
    below = [words[at] for at in sentence.children[word.head] if at > words.index(word)]
    how = any(each.dep == "acomp" and each.text.lower() not in _FELT for each in below)
    more = any(each.dep in ("ccomp", "csubj", "advcl", "xcomp") for each in below)
    return (
        how and not more and not _is_of_a_place(sentence)
    )  # “It is clear that …”, “It is blue outside” is about nothing


def is_compared(sentence: Sentence, word: Word) -> bool:
    """Whether “it” may be the place or all that happens: It is louder here; It does not look good."""
    verb = sentence.words[word.head]
    looks = word.dep == "nsubj" and verb.lemma in ("look", "seem", "appear", "feel")
    return looks or any(sentence.words[at].tag in ("JJR", "RBR") for at in sentence.children[word.head])

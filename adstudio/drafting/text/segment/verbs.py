"""Which words of a sentence are finite verbs, the parser's commonest slips mended.

The parser takes "stops" in "pulls into the yard and stops by the bay" for a noun, and "kneels" in "Ruth kneels". A
word is taken for a verb against its word only where its neighbours leave little doubt.
"""

from __future__ import annotations

from enum import Enum

from adstudio.drafting.text.language.grammar import Sentence, Word, noun_lemmas, verb_lemmas, word_set
from adstudio.drafting.text.language.people import NOUNS


class Form(Enum):
    """How a finite verb is inflected; verbs that share a subject agree in it."""

    S = "stops"
    BASE = "stop"
    PAST = "stopped"
    MODAL = "can stop"


SURE = word_set(
    "blows climbs coughs crawls crouches dashes dives drags draws drops enters exits falls flicks flings flips follows "
    "freezes gasps gazes glares gets goes grabs grins gulps halts hides hugs hurries jerks jumps kicks kneels knocks "
    "lands laughs leans leaps listens lunges marches moves nods opens pauses peers plucks pounces pours presses pulls "
    "pushes rides rises runs rushes scrambles scribbles shakes shivers shrugs shuts sighs sinks slams slides slips "
    "slumps smiles snaps snatches sneaks sobs spins sprints squats squeezes staggers stares starts stops strides "
    "struggles stumbles swings switches takes taps throws tosses touches trips trots trudges tugs turns unzips "
    "appears arrives barks rings bursts collapses disappears emerges gathers glances hesitates hurls sips sits"
    " soars stirs swerves wakes "
    "vanishes whispers wipes yanks yawns yells"
)
"""Forms in -s that descriptions use as verbs hardly ever as nouns."""
_WHOLE_ALONE = word_set(
    "arrive enter leave park return wait listen undress dress land pray applaud cheer dance "
    "blush bow collapse cough crouch cry curtsy doze faint flinch freeze frown gasp giggle grin hesitate kneel laugh "
    "nod rise scream shiver shrug sigh sit sleep smile sneeze sob squat stand stumble wake weep wince yawn"
)
_TAKE_AN_OBJECT = word_set(
    "pick put take pull lift tear fold roll hold set lay turn switch hand throw cut fill wrap carry bring push "
    "try come go stop start stay pause"
)
_NEEDS_OBJECT = word_set(
    "grab lift take hit hold put push pull raise lower examine throw seize swing open close carry bring catch drop "
    "find give get make set lay place touch grip snatch shove tear unzip zip fold wipe cut kill shoot"
)
_OBJECT_STARTS = frozenset({"DT", "PRP", "PRP$", "RP", "WDT"})
_FINITE = {"VBZ": Form.S, "VBP": Form.BASE, "VBD": Form.PAST, "MD": Form.MODAL}


def finite(sentence: Sentence, place: int) -> Form | None:
    """The form of a word that the parser takes for a finite verb; None for any other word."""
    word = sentence.words[place]
    if word.tag in ("VBP", "VBD") and _has_s_form(word) and word.text.lower() != "was":
        return Form.S
    if _has_s_form(word) and word.tag == "NNS" and word.text.islower() and verb_lemmas(word.text):
        pronoun = place and sentence.words[place - 1].text.lower() in ("he", "she", "it")
        head = sentence.words[word.head]
        if word.dep == "nsubj" and head.tag == "VBZ" and head.lemma != "be" and place and word.head > place + 1:
            return Form.S  # no noun in the plural is the subject of "lifts"
        if pronoun or any(_is_conjoined_verb(sentence.words[below]) for below in sentence.children[place]):
            return Form.S
    if word.tag in _FINITE:
        return _FINITE[word.tag]
    if word.tag == "VB" and not any(
        sentence.words[below].dep in ("aux", "auxpass") and below < place for below in sentence.children[place]
    ):
        return Form.BASE
    return None


def slipped(sentence: Sentence, place: int) -> Form | None:
    """The form of a verb that the parser took for a noun, judged by its neighbours; None if in doubt."""
    words = sentence.words
    word = words[place]
    if word.tag not in NOUNS or not word.text.islower() or not verb_lemmas(word.text):
        return None
    after = words[place + 1] if place + 1 < len(words) else None
    form = Form.S if _has_s_form(word) else Form.BASE
    if form is Form.S and _after_one_thing(words, place):
        return form
    if after is None or not after.text[0].isalnum():
        sound = word.text in SURE
    elif after.tag in NOUNS or after.text.lower() == "of" or after.tag in ("VBZ", "VBP", "VBD", "MD"):
        sound = False
    else:
        sound = after.tag in _OBJECT_STARTS or word.text in SURE or after.tag in ("IN", "RB", "TO")
    return form if sound else None


def surely_slipped(sentence: Sentence, place: int) -> Form | None:
    """As `slipped`, where a noun is possible too: only if an object follows, or the word is hardly ever a noun."""
    form = slipped(sentence, place)
    words = sentence.words
    if form is None or place + 1 >= len(words):
        return None
    follows = words[place + 1]
    if words[place].text in SURE or not noun_lemmas(words[place].text) or follows.tag in _OBJECT_STARTS:
        return form
    if place and words[place - 1].tag == "RB":
        return form
    return None


def _after_one_thing(words: tuple[Word, ...], place: int) -> bool:
    # "A dog barks": no noun in the plural has the article "a".
    noun = place > 1 and words[place - 1].tag == "NN"
    begin = next((at for at in range(place - 1, -1, -1) if words[at].tag not in ("NN", "JJ")), 0)
    return noun and words[begin].text.lower() in ("a", "an", "another", "each", "every")


def _is_conjoined_verb(word: Word) -> bool:
    return word.dep == "conj" and word.tag == "VBZ"


def _has_s_form(word: Word) -> bool:
    return word.text.endswith("s") and not word.text.endswith("ss")


def bare_is_whole(form: str) -> bool:
    """Whether a verb says all without an object or a place: she kneels, but not she lifts (and examines the box)."""
    return not _WHOLE_ALONE.isdisjoint(verb_lemmas(form.lower()))


def may_need_object(form: str, after: Word) -> bool:
    """Whether a verb with one more word may lack the object that it shares: picks up (and examines the box)."""
    if after.dep in ("dobj", "pobj", "acomp", "attr"):
        return False
    return not _TAKE_AN_OBJECT.isdisjoint(verb_lemmas(form.lower())) or after.text.lower().endswith("ly")


def needs_object(form: str) -> bool:
    """Whether a verb without an object shares the next verb's: he grabs, (swings and throws the chair)."""
    return not _NEEDS_OBJECT.isdisjoint(verb_lemmas(form.lower()))


_THIRD = {"be": "is", "have": "has", "do": "does", "go": "goes", "undergo": "undergoes", "forgo": "forgoes"}
_PLURAL = {"be": "are"}
_VOWELS = "aeiou"


def present(lemma: str, *, plural: bool) -> str:
    """The present tense of a verb for a third person: look → looks, carry → carries, be → are in the plural."""
    if plural:
        return _PLURAL.get(lemma, lemma)
    if lemma in _THIRD:
        return _THIRD[lemma]
    if lemma.endswith("y") and lemma[-2:-1] not in _VOWELS:
        return lemma[:-1] + "ies"
    if lemma in ("quiz", "whiz"):
        return lemma + "zes"
    if lemma.endswith(("s", "x", "z", "ch", "sh", "o")) and not lemma.endswith(("oo", "eo", "io", "stomach")):
        return lemma + "es"
    return lemma + "s"


def participle(lemma: str) -> frozenset[str]:
    """The present participles that a verb may have: hop → hopping; travel → travelling, traveling."""
    if lemma.endswith("ie"):
        return frozenset({lemma[:-2] + "ying"})
    if lemma.endswith("e") and not lemma.endswith(("ee", "oe", "ye")) and lemma != "be":
        soft = lemma.endswith("nge") and lemma in {"singe", "tinge", "swinge", "binge"}
        return frozenset({lemma + "ing"} if soft else {lemma[:-1] + "ing"})
    if lemma.endswith("c"):
        return frozenset({lemma + "king"})
    plain, doubled = lemma + "ing", lemma + lemma[-1:] + "ing"
    closed = lemma[-1:] not in _VOWELS + "wxy" and lemma[-2:-1] in _VOWELS and lemma[-3:-2] not in _VOWELS
    syllables = sum(
        letter in _VOWELS and before not in _VOWELS for before, letter in zip(" " + lemma, lemma, strict=False)
    )
    if closed and syllables == 1:
        return frozenset({doubled})
    return frozenset({plain, doubled}) if closed else frozenset({plain})


def verb_of_participle(form: str) -> str:
    """The verb of a present participle (staring → stare, starring → star), or "" if unknown."""
    form = form.lower()
    if not form.endswith("ing"):
        return ""
    lemmas = [lemma for lemma in verb_lemmas(form) if lemma != form]
    fitting = [lemma for lemma in lemmas if form in participle(lemma)]
    return next(iter(fitting or lemmas), "")

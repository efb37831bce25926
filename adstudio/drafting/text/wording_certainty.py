"""How sure it is that a line can be said as it is worded: one estimate, from signs that tell bad lines from good ones.

No rule of grammar or list of words catches every line that a describer would strike. Each of these signs is seen far
more often in such lines than in good ones, none by itself is proof, and they add up. English.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from adstudio.drafting.text.language.grammar import Sentence, Word, verb_lemmas, word_count, word_set
from adstudio.drafting.text.language.people import FINITE, NOUNS, PROPER, is_name, person_noun, pronoun
from adstudio.drafting.text.line_faults import REFUSALS
from adstudio.drafting.text.segment.verbs import slipped
from adstudio.drafting.text.unfilmable import cannot_be_seen

LEAST_CERTAIN = 0.55
"""Below this a line is left out of the plan: a wrong line costs the describer more than a missing one."""
SOMEBODYS, NOBODYS = 1.0, 1.7
"""What a likeness of 1 to what no picture shows costs where somebody does something, and where nobody does."""
LONG = 32
"""Words from which a line is more often two that run together."""
_FEW = 3
_LEADS = ("IN", "TO", "RB", "CC", "RP")
_PLACES = word_set("in inside into outside at on under behind above below beneath upstairs downstairs across beside")
"""What a line may open with that only says where: Inside the barn."""
_TIMES = word_set(
    "night day morning evening afternoon noon midnight dawn dusk darkness sunset sunrise daylight sunlight moonlight"
    " winter spring summer autumn rain snow fog mist storm lightning thunder smoke blackness nobody"
)
"""Of these a word alone says what there is to see: Night. Dense fog. Nobody."""
_POINTING = word_set("this that these those")
_COMPARED = word_set("more another again still too also either other else even than same instead")
_NAMES_TOO = word_set("james charles thomas nicholas marcus rufus woods marks parks brooks mills wells waters rivers")
_GROUPS = word_set("crowd family couple group team pair audience gang class people police")
_AFTER_A_VERB = word_set("back away up down off over around")
"""What follows a verb that may look like a noun: Heads back inside."""
_WHITHER = word_set("to into toward towards onto through with from like")
"""What only leads to something: Through the gloom."""
_PAIRS = (("“", "”"), ("(", ")"), ("[", "]"))
_TRAILS_OFF = re.compile(r"(?:\.\.\.|…|--|[–—])[.”\"]?$")
_TORN_JOIN = re.compile(
    r" and (?:from|on|in|with|into|at|under|behind|over) (?:his|her|the|an?|their) [^,;]{1,50}\.$"
    r"|^(?:[A-Z]\w+ )+(?:very )?\w+ly and \w+s\b"
)
"""What a cut leaves of a sentence: He lifts the lid and from his pocket. Ida slowly and opens it."""
_STRANGE = re.compile(r"[<>{}\\|=_#@~^]|[^\w\s]{4,}|\bhttps?:|[^\W\d]:\S|\b[bf]\.g\b|\bo\.s\b")


@dataclass(frozen=True)
class Judged:
    """A line to be judged: its wording, its grammar, whether its text gave it subject and verb, and its meaning.

    `unseen` is how much it is like what no picture shows (`filmable.unseen`).
    """

    text: str
    sentences: tuple[Sentence, ...]
    complete: bool
    unseen: float


def certainty(line: Judged) -> float:
    """From 0 to 1 how sure it is that a describer would leave the wording, or change no more than a word."""
    doubts = _by_meaning(line) + _by_writing(line.text) + sum(map(_by_grammar, line.sentences))
    if not line.complete and any(_has_verb(sentence) for sentence in line.sentences):
        doubts += 0.15
    return max(0.0, 1.0 - doubts)


def _by_meaning(line: Judged) -> float:
    if any(_says_who(each) or _refuses(each) for each in line.sentences) or line.text.strip(".").lower() in _TIMES:
        return 0.0
    if all(map(_presents, line.sentences)):
        return 0.0
    acts = any(map(_somebody_acts, line.sentences))
    return max(0.0, line.unseen) * (SOMEBODYS if acts else NOBODYS)


def _by_writing(text: str) -> float:
    torn = any(text.count(opens) != text.count(closes) for opens, closes in _PAIRS) or text.count('"') % 2
    count = word_count(text)
    return (
        0.4 * bool(torn)
        + 0.3 * bool(_TRAILS_OFF.search(text))
        + 0.5 * bool(_STRANGE.search(text) or _TORN_JOIN.search(text))
        + 0.15 * (count > LONG)
        + 0.2 * (count > LONG + LONG // 2)
    )


def _by_grammar(sentence: Sentence) -> float:
    words = [word for word in sentence.words if word.text[0].isalnum()]
    if not words:
        return 0.0
    pointing = words[0].text.lower() in _POINTING or words[0].text.lower() in ("there", "here")
    doubts = 0.2 * pointing + 0.1 * any(word.text.lower() in _COMPARED for word in words)
    if _lacks_its_subject(words):
        return doubts + 0.5
    if words[0].text.lower() == "its" and not _has_verb(sentence):
        return doubts + 0.5
    owned = words[0].text.lower() == "at" and len(words) > 1 and words[1].tag in ("PRP$", *PROPER)
    if (words[0].text.lower() in _WHITHER or owned) and not any(word.tag in FINITE for word in words):
        return doubts + 0.5  # "Into the light, dust in the air"
    if not _has_verb(sentence):
        # “Toward the gate”; but “Under a lamp, apples” says what there is.
        led = (
            words[0].tag in _LEADS
            and words[0].text.lower() not in _PLACES
            and len(words) <= 2 * _FEW
            and "," not in sentence.text
        )
        return doubts + _of_fragment(words, leads_nowhere=led)
    first = words[0]
    # “Stops at the door”, or a verb in its base form, lacks whoever does it.
    bare = first.tag in ("VB", "VBP", "VBZ") and first.dep == "ROOT"
    strange = any(
        sentence.words[root].tag in ("VBZ", "VBP") and not verb_lemmas(sentence.words[root].text.lower())
        for root in sentence.roots
        if sentence.words[root].text[:1] not in "'’"
    )
    doubts += 0.5 * _points_elsewhere(sentence)
    return doubts + 0.5 * bare + 0.3 * strange + 0.1 * (len(sentence.roots) > 1)


def _lacks_its_subject(words: Sequence[Word]) -> bool:
    """Whether it begins with a verb, taken for a noun or a name: Grabs the phone; Taps Ned on the shoulder."""
    if len(words) < _FEW:
        return False
    first, second = words[0].text.lower(), words[1]
    verb = first.endswith("s") and bool(verb_lemmas(first)) and words[0].tag not in ("PRP", "PRP$", "DT", "IN", "RB")
    led_on = second.text.lower() in _AFTER_A_VERB and not any(word.tag in FINITE for word in words[1:])
    named = second.tag in PROPER and first not in _NAMES_TOO
    return verb and (second.tag in ("DT", "PRP", "PRP$") or named or led_on)


def _points_elsewhere(sentence: Sentence) -> bool:
    """Whether it says “this” of what is in no picture, or “them” of those whom it does not name: He sees this."""
    words = sentence.words
    for at, word in enumerate(words):
        if word.text.lower() in ("this", "that") and word.dep in ("dobj", "pobj"):
            return True
        if word.text.lower() == "them" and word.dep in ("dobj", "pobj", "dative"):
            several = any(each.tag in ("NNS", "NNPS", "CC") or each.lemma.lower() in _GROUPS for each in words[:at])
            return not several
    return False


def _of_fragment(words: Sequence[Word], *, leads_nowhere: bool) -> float:
    """What it costs a line that it has no verb: the shorter it is, the less it says what there is to see."""
    nouns = [word for word in words if word.tag in NOUNS]
    if nouns and (nouns[0].lemma.lower() in _TIMES or (len(words) <= _FEW and nouns[-1].lemma.lower() in _TIMES)):
        return 0.0
    presented = words[0].tag in ("DT", "CD", "PRP$") or words[0].text.lower() in ("several", "many")
    presented = presented or (is_name(words[0]) and len(words) > 1) or words[0].text.lower() in _PLACES
    said = 0.15 + 0.3 * (not nouns) + 0.3 * leads_nowhere
    return said + (0.0 if presented else 0.35 if len(words) <= _FEW + 1 else 0.05)


def _has_verb(sentence: Sentence) -> bool:
    words = sentence.words
    if any(word.tag in FINITE or (word.tag == "VB" and word.dep == "ROOT") for word in words):
        return True
    # What the parser takes for a noun may be the verb of the one before it: Ida motions to the boy.
    return any(
        place
        and words[place - 1].tag in NOUNS
        and (
            slipped(sentence, place) is not None
            or (word.tag == "NNS" and _is_somebody(words[place - 1]) and bool(verb_lemmas(word.text.lower())))
        )
        for place, word in enumerate(words)
    )


def _somebody_acts(sentence: Sentence) -> bool:
    """Whether somebody, or a part of him, is what a sentence is about, other than by what he is."""
    words = sentence.words
    subjects = [at for at, word in enumerate(words) if word.dep == "nsubj" and words[word.head].lemma != "be"]
    opening = next((at for at, word in enumerate(words) if word.tag in (*NOUNS, "PRP")), None)
    if not subjects and opening is not None and not any(word.lemma == "be" for word in words):
        subjects = [opening]
    return any(
        _is_somebody(words[at]) or any(words[own].dep == "poss" for own in sentence.children[at]) for at in subjects
    )


def _is_somebody(word: Word) -> bool:
    return pronoun(word) is not None or is_name(word) or person_noun(word) is not None


def _presents(sentence: Sentence) -> bool:
    """Whether it is a thing and its article alone, which means little by itself: The ledger."""
    words = [word for word in sentence.words if word.text[0].isalnum()]
    return (
        1 <= len(words) <= _FEW
        and words[0].tag == "DT"
        and words[-1].tag in NOUNS
        and not cannot_be_seen(sentence.text, (sentence,))
    )


def _refuses(sentence: Sentence) -> bool:
    """Whether somebody is seen not to do something: Ida does not look up."""
    words = sentence.words
    return any(
        words[root].lemma.lower() in REFUSALS and any(words[at].dep == "neg" for at in sentence.children[root])
        for root in sentence.roots
    )


def _says_who(sentence: Sentence) -> bool:
    """Whether it only says who somebody is: It is Ida, the miller."""
    words = sentence.words
    return any(word.dep == "attr" and word.tag in PROPER and words[word.head].lemma == "be" for word in words)

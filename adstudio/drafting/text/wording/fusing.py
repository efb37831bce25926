"""Which neighbouring lines can be said in one breath, and how: what was one sentence, and what shares its subject.

Nothing is fused where the grammar leaves a doubt, or the breath would be longer than a describer's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adstudio.drafting.text.language.grammar import Sentence, verb_lemmas, word_count, word_set
from adstudio.drafting.text.language.people import PROPER, Gender, pronoun
from adstudio.drafting.text.segment.verbs import participle
from adstudio.drafting.text.wording.references import Reference
from adstudio.drafting.text.wording.spoken_pronouns import with_pronoun
from adstudio.drafting.text.wording.things import Thing
from adstudio.drafting.text.wording.unnamed_things import lacks_a_thing

LONGEST_BREATH = 24
"""Words that are said in one breath at most."""
LONGEST_HALF = 10
"""Words of each of two sentences that “and” makes one."""
SHORT_FRAGMENT = 5
_POSTURES = word_set("sit stand lie kneel lean wait crouch squat perch walk stroll pace lounge stay sprawl huddle")
_STATES = word_set("hold carry wear watch stare gaze clutch grip smile clasp cradle read smoke sip hug face study")
_FINITE = ("VBZ", "VBP")
_PAIR = 2


@dataclass(frozen=True)
class Fused:
    """`count` neighbouring lines of a scene, from number `first`, said in one breath."""

    first: int
    count: int
    text: str


@dataclass(frozen=True)
class Half:
    """A line to be fused: its wording as the source has it, its grammar, and whom its subject is.

    `subject` is a name, or "" where it is not certain; `own` is the wording that it has by itself, with the name.
    `lacks_a_thing`: by itself it says “it” of what it does not name; `thing_in_doubt`: so it does with the line before.
    """

    own: str
    text: str
    sentences: tuple[Sentence, ...]
    subject: str = ""
    lacks_a_thing: bool = False
    thing_in_doubt: bool = False


def half_of(
    text: str,
    line: tuple[Sentence, ...],
    reference: Reference | None,
    thing: Thing | None,
    possessive: str,
) -> Half:
    """A line with the name and the thing that its pronouns mean; `possessive` ends a name, as in “Nora’s”."""
    own, lacks = text, lacks_a_thing(line)
    in_doubt = thing is not None and not thing.text
    follows = reference is not None and thing is not None and thing.end <= reference.start
    if reference is not None and follows:
        own = reference.named(own, possessive)
    if thing is not None and thing.text:
        own, lacks = thing.named(own), False
    if reference is None:
        return Half(own, text, line, _subject_name(line), lacks, in_doubt)
    opens = reference.start == 0 and not reference.possessive
    subject = reference.name if opens else _subject_name(line)
    own = own if follows else reference.named(own, possessive)
    return Half(own, text, line, subject, lacks, in_doubt)


def _subject_name(line: tuple[Sentence, ...]) -> str:
    """The name that a line begins with, or that is the subject of its verb; "" where there is none."""
    if len(line) != 1:
        return ""
    words = line[0].words
    if words[0].tag in PROPER:
        return words[0].text
    subjects = [word for word in words if word.dep == "nsubj" and words[word.head].dep == "ROOT"]
    return subjects[0].text if len(subjects) == 1 and subjects[0].tag in PROPER else ""


def followed(one: str, other: str) -> str:
    """Two wordings as one breath of two sentences; "" where it would be too long."""
    return f"{one} {other}" if one.endswith((".", "!")) and word_count(f"{one} {other}") <= LONGEST_BREATH else ""


def fused_pair(one: Half, other: Half) -> str:
    """Two neighbouring lines as one wording; "" where that is not certain.

    Nora sits on a bench. She holds a letter. → Nora sits on a bench, holding a letter.
    Tom crosses to the bench. He picks up the glove. → Tom crosses to the bench and picks up the glove.
    Night. Rain falls. → Night. Rain falls.
    """
    if len(one.sentences) != 1 or len(other.sentences) != 1 or not _plain(one.text) or not _plain(other.text):
        return ""
    first, second = one.sentences[0], other.sentences[0]
    lengths = word_count(one.own), word_count(other.text)
    if sum(lengths) > LONGEST_BREATH:
        return ""
    if _is_fragment(first):
        return f"{one.own} {other.own}" if lengths[0] <= SHORT_FRAGMENT and _opens_freely(second) else ""
    if not one.subject or one.subject != other.subject or max(lengths) > LONGEST_HALF:
        return ""
    return _with_one_subject(one.own.rstrip("."), first, second)


def _with_one_subject(own: str, first: Sentence, second: Sentence) -> str:
    """The first sentence with what the second says of its subject; "" where that is not certain."""
    shared = _shares_subject(first, second)
    doing = _as_participle(first, second) if shared else ""
    if doing:
        return f"{own}, {doing}"
    alone = "," not in own and not _has_several_verbs(first) and not _has_several_verbs(second)
    return f"{own} and {shared}" if shared and alone else ""


def _plain(text: str) -> bool:
    return text.endswith(".") and not any(mark in text for mark in ':;“"—–…(') and " - " not in text


def _is_fragment(sentence: Sentence) -> bool:
    # What the parser takes for a plural may be a verb, as “stares” in “Nora stares at the umbrella”.
    return not any(
        word.pos in ("VERB", "AUX") or (word.tag == "NNS" and place and verb_lemmas(word.text.lower()))
        for place, word in enumerate(sentence.words)
    )


def _opens_freely(sentence: Sentence) -> bool:
    return sentence.words[0].text.lower() not in ("it", "its", "that", "this", "but", "and")


def _shares_subject(first: Sentence, second: Sentence) -> str:
    """The second sentence without its subject, where both are a subject, one finite verb in the same form, and more."""
    begin = _verb_phrase(second)
    if begin is None or _verb_phrase(first) is None:
        return ""
    verb, other = _root_verb(first), _root_verb(second)
    if verb is None or other is None or first.words[verb].tag != second.words[other].tag:
        return ""
    if any(word.dep in ("aux", "auxpass", "neg") for word in (first.words[at] for at in first.children[verb])):
        return ""
    return second.text[second.words[begin].start - second.start :]


def _root_verb(sentence: Sentence) -> int | None:
    roots = [at for at in sentence.roots if sentence.words[at].tag in _FINITE]
    return roots[0] if len(roots) == 1 and len(sentence.roots) == 1 else None


def _verb_phrase(sentence: Sentence) -> int | None:
    """Where a sentence goes on after the one word or name that is its subject; None where it begins otherwise."""
    words = sentence.words
    root = _root_verb(sentence)
    if root is None:
        return None
    first = words[0]
    begin = 1
    if pronoun(first) is None:
        while begin < len(words) and words[begin].tag in PROPER and words[begin - 1].tag in PROPER:
            begin += 1
        if first.tag not in PROPER:
            return None
    elif first.text.lower() not in ("he", "she", "they"):
        return None
    adverbs = begin
    while adverbs < root and words[adverbs].tag == "RB":
        adverbs += 1
    return begin if adverbs == root else None


def _as_participle(first: Sentence, second: Sentence) -> str:
    """What the second sentence says of somebody who is seen sitting, standing … as a participle; "" otherwise."""
    verb, other = _root_verb(first), _root_verb(second)
    if verb is None or other is None or first.words[verb].lemma.lower() not in _POSTURES:
        return ""
    word = second.words[other]
    forms = participle(word.lemma.lower())
    if word.lemma.lower() not in _STATES or len(forms) != 1 or other != _verb_phrase(second):
        return ""
    if "," in first.text or _has_several_verbs(second):
        return ""
    return next(iter(forms)) + second.text[word.end - second.start :]


def _has_several_verbs(sentence: Sentence) -> bool:
    return sum(word.tag in (*_FINITE, "CC") for word in sentence.words) > 1


def chains(pairs: Sequence[Fused], halves: Sequence[Half]) -> list[Fused]:
    """Three lines of which the first is a short fragment and the others make one wording: Night. Nora sits, reading."""
    by_first = {pair.first: pair for pair in pairs if pair.count == _PAIR}
    found: list[Fused] = []
    for first, pair in by_first.items():
        after = by_first.get(first + 1)
        half = halves[first]
        fragment = len(half.sentences) == 1 and _is_fragment(half.sentences[0])
        if after is not None and fragment and pair.text == f"{half.own} {halves[first + 1].own}":
            text = f"{half.own} {after.text}"
            if word_count(text) <= LONGEST_BREATH:
                found.append(Fused(first, _PAIR + 1, text))
    return found


def about_one_person(
    texts: Sequence[str], free: Sequence[bool], pair: Mapping[int, str], genders: Mapping[str, Gender]
) -> list[Fused]:
    """Breaths of two or three sentences about one person, who is named in the first.

    `free` tells which may be reworded. `pair` are the wordings that say two lines in one sentence, by the first: they
    stay whole.
    """

    def after(first: int, count: int, text: str, following: str) -> Fused | None:
        reworded = with_pronoun(following, texts[first + count - 2], genders) if text else ""
        said = followed(text, reworded) if reworded else ""
        return Fused(first, count, said) if said else None

    found: list[Fused | None] = []
    for first in range(len(texts) - 1):
        two = after(first, 2, texts[first], texts[first + 1]) if all(free[first : first + 2]) else None
        found.append(two)
        if first + 2 >= len(texts) or not all(free[first : first + 3]):
            continue
        if first in pair:
            found.append(after(first, 3, pair[first], texts[first + 2]))
        elif first + 1 in pair:
            reworded = with_pronoun(pair[first + 1], texts[first], genders)
            said = followed(texts[first], reworded) if reworded else ""
            found.append(Fused(first, 3, said) if said else None)
        else:
            found.append(after(first, 3, two.text if two is not None else "", texts[first + 2]))
    return [each for each in found if each is not None]

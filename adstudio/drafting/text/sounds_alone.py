"""Lines that only say what is heard, which the audience of most films hears for itself. English."""

from __future__ import annotations

import re
from collections.abc import Sequence

from adstudio.drafting.text.language.grammar import Sentence, Word, word_set
from adstudio.drafting.text.language.people import is_name, person_noun, pronoun

_AUDIBLE = re.compile(
    r"(?:an? |the )?(?:\w+ ){0,2}(?:sounds?|noises?) of\b(?!.*\b(?:turns?|makes?|startles?|wakes?|looks?|convinces?)\b)"
    r"|.*\b(?:is|are|can be) heard\b|we hear\b"
    r"|(?:[\w’'-]+ ){0,4}(?:says|asks|adds|continues|replies)[.…:,—– ]*$",
    re.IGNORECASE,
)
"""What is heard, and the announcement of a speech: And he says …"""
_NOT_SEEN = word_set("room air house hall silence street voice voices space night")
_PURE_SOUNDS = word_set(
    "sound noise music voice footstep gunshot gunfire applause laughter thunder scream shriek crash bang thud knock"
    " knocking silence click hum buzz ringing buzzing beeping honking humming rumbling barking wailing splash"
    " clink clank thump groan clatter hiss whirr beep squeak murmur chatter roar rumble gunshot ringtone"
)
"""A line without a verb that is about these says what is heard: The familiar noise in the hall."""
_ONLY_SOUND = word_set(
    "beep ring buzz chime honk blare toll clang ding squeal screech wail chirp bark meow mew mewl toot whirr whir"
)
"""What a thing does that is heard and not seen: The intercom buzzes."""
_SOUND_IF_NO_MORE = word_set("creak groan squeak rattle rustle crack pop thud click clatter crackle")
"""What a thing does that is seen only where it moves: The boards creak; but: The door creaks open."""
_SOUNDS = word_set(
    "bell doorbell phone telephone alarm siren buzzer horn gong foghorn thunder applause laughter music song voice"
    " footstep gunshot gunfire noise sound scream shriek whistle knock bang crash thud echo tune melody buzz hum roar"
    " rumble ringtone announcement beat anthem drum drumbeat"
)
_SOUNDING = word_set(
    "ring chime buzz beep honk blare wail clang ding sound toll shrill echo play swell fade fill drown boom rumble"
    " resound reverberate approach recede crackle hum continue stop start begin come rise blast howl drone emanate"
    " drift carry erupt appear"
)


def is_sound_alone(text: str, sentences: Sequence[Sentence]) -> bool:
    """Whether a line, without what it quotes, says nothing but what is heard."""
    return bool(_AUDIBLE.match(text)) or (bool(sentences) and all(map(_sounds, sentences)))


def _sounds(sentence: Sentence) -> bool:
    """Whether a sentence says no more than that something makes a sound."""
    words = sentence.words
    for root in sentence.roots:
        subjects = _subjects(sentence, root)
        verbs = [root, *(at for at in sentence.children[root] if words[at].dep == "conj")]
        if any(words[at].dep == "dobj" and _seen_object(words[at]) for at in sentence.children[root]):
            return False
        if not subjects and _is_verb_after_several(sentence, root):
            continue
        if not subjects:
            if words[root].pos in ("VERB", "AUX") or words[root].lemma.lower() not in _PURE_SOUNDS:
                return False
            continue
        if words[root].lemma.lower() == "sound" and words[subjects[0]].tag == "VBG":
            continue  # "Whirring sounds as the printer warms up"
        subject, lemmas = words[subjects[0]], {words[verb].lemma.lower() for verb in verbs}
        if lemmas <= _ONLY_SOUND | _SOUND_IF_NO_MORE and _is_thing(subject) and not _moves(sentence, verbs):
            continue
        if subject.lemma.lower() == "voice" or (lemmas <= _ONLY_SOUND and _is_thing(subject)):
            continue
        if subject.lemma.lower() not in _SOUNDS or not lemmas <= _SOUNDING:
            return False
    return True


def _is_verb_after_several(sentence: Sentence, root: int) -> bool:
    """Whether a sentence ends in a sound of several things that the parser takes for a noun: The boards creak."""
    words = sentence.words
    last = all(not word.text[0].isalnum() for word in words[root + 1 :])
    plural = root > 0 and words[root - 1].tag == "NNS" and words[root].tag == "NN"
    return last and plural and words[root].lemma.lower() in _ONLY_SOUND | _SOUND_IF_NO_MORE


def _moves(sentence: Sentence, verbs: Sequence[int]) -> bool:
    """Whether a sound says how something moves: The door creaks open; The lock clicks shut."""
    return any(
        sentence.words[at].dep in ("acomp", "oprd", "prt", "advcl", "dobj")
        or sentence.words[at].text.lower() in ("open", "shut", "closed", "off", "apart")
        for verb in verbs
        for at in sentence.children[verb]
    )


def _is_thing(word: Word) -> bool:
    return pronoun(word) is None and not is_name(word) and person_noun(word) is None


def _seen_object(word: Word) -> bool:
    return word.lemma.lower() not in _NOT_SEEN


def _subjects(sentence: Sentence, verb: int) -> list[int]:
    return [at for at in sentence.children[verb] if sentence.words[at].dep in ("nsubj", "nsubjpass") and at < verb]

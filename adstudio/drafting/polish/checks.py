"""Whether a polished line may be proposed: one sentence, its time, its tense, its names, its language.

Nothing is taken on trust, whatever schema the server enforces. What makes a line unusable is put into words for both
the model, which gets a second request, and the describer; what should only be looked at is a remark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from functools import cache

from adstudio.core.errors import OutsideFailureError
from adstudio.core.language_tags import primary_subtag
from adstudio.core.timebase import tenths_down, tenths_up
from adstudio.core.words import count_words, folded, words
from adstudio.drafting.candidates_file.element import tidy
from adstudio.drafting.candidates_file.findings import shown
from adstudio.drafting.model.checks import no_line
from adstudio.drafting.polish.passage import Passage, Unusable, Wanted, Worded
from adstudio.drafting.text.compress.checklist import FormFault, form_faults
from adstudio.drafting.text.language import grammar as parser
from adstudio.drafting.text.language.names import SMALL, known_words, unknown_names
from adstudio.drafting.text.language.sentence_ends import sentences
from adstudio.subtitles.languages import LANGUAGES

NEW_WORDS = 2
"""New words that a line may have; more are remarked on."""
ALIKE = 4
"""Words that share this many first letters count as forms of one word."""
ENOUGH = 4
"""A text of this many words must share one with the line that it rewrites."""
MISSING = "is missing"
UNCHANGED = "is good as it is"
RUNS_ON = "It runs on into the next line."
_QUOTED = re.compile(r"[\"“„«][^\"“”„«»]*[\"”“»]")
_EDGES = re.compile(r"^\W+|\W+$")
_POSSESSIVE = re.compile(r"['’]s?$")


Grammar = Callable[[str], tuple[str, str]]
"""What is wrong with a sentence’s tense, as the rest of a sentence about it, and a remark on what it lacks; or ""."""
NO_SUBJECT = "It has no subject."
NO_VERB = "It has no verb."
_WILL = frozenset({"will", "’ll", "'ll", "wo"})
_VERBS = frozenset({"VERB", "AUX"})


_ADDRESSING = frozenset(
    ("we us our ours ourselves you your yours yourself i me my mine myself let's let’s").split()  # noqa: SIM905
)


def check(wanted: Wanted, given: object, passage: Passage, grammar: Grammar | None = None) -> Worded:
    """The result for one line of a passage; an unchanged line is neither a proposal nor a fault."""
    if not isinstance(given, str) or not given.strip():
        return Worded(wanted.id, why=MISSING, unusable=Unusable.MISSING)
    text, lack = tidy(given), ""
    if text == tidy(wanted.text):
        return Worded(wanted.id, why=UNCHANGED, unusable=Unusable.UNCHANGED)
    why = _fault(wanted, text, passage)
    if not why:
        why, lack = (grammar or grammar_for(passage.language))(text)
    if why:
        return Worded(wanted.id, why=why, unusable=Unusable.FAULTY)
    if wanted.goes_on and text[:1].islower():
        lack = ""  # the line before has them
    if wanted.leads_on and not _ended(text) and _ended(wanted.text):
        lack = lack or RUNS_ON
    remarks = (lack, _new_words(wanted, text, passage))
    return Worded(wanted.id, text, remarks=tuple(filter(None, remarks)))


def _fault(wanted: Wanted, text: str, passage: Passage) -> str:
    if why := no_line(text):
        return why
    if sentences(text, passage.language) > 1:
        return "is more than one sentence"
    lasts = passage.lasts(wanted.id, text)
    if lasts > wanted.room:
        return (
            f"has {count_words(text)} words where at most {wanted.words} fit: it lasts {tenths_up(lasts) / 1000:.1f} s "
            f"and there are {tenths_down(wanted.room) / 1000:.1f} s"
        )
    # What is no fault in a line that stands in the middle of a passage.
    allowed = {FormFault.NO_CAPITAL: wanted.goes_on, FormFault.NO_FULL_STOP: wanted.leads_on}
    faults = form_faults(" ".join((wanted.text, *wanted.wordings)), text)
    if fault := next((each for each in faults if not allowed.get(each)), None):
        quotes = fault is FormFault.CUT_QUOTATION
        return "quotes what is not quoted in the line" if quotes else f"has {fault.value}"
    return _named(wanted, text, passage) or _spoken_to(wanted, text, passage) or _foreign(wanted, text, passage)


def _ended(text: str) -> bool:
    return FormFault.NO_FULL_STOP not in form_faults(text, text)


def _named(wanted: Wanted, text: str, passage: Passage) -> str:
    known = known_words(wanted.text, *wanted.wordings) | wanted.named
    found = unknown_names(text, known, passage.language, passage.known)
    return f"names {shown(found[0])}, whom neither the line nor those before it name" if found else ""


def _spoken_to(wanted: Wanted, text: str, passage: Passage) -> str:
    if primary_subtag(passage.language) != "en":
        return ""
    before = set(_plain(words(" ".join((wanted.text, *wanted.wordings)))))
    said = next((word for word in _plain(words(_QUOTED.sub(" ", text))) if word in _ADDRESSING - before), "")
    return f"says “{said}”: description is in the third person" if said else ""


def _foreign(wanted: Wanted, text: str, passage: Passage) -> str:
    """Whether a text is in another language, or about something else: it shares no word with the line it rewrites."""
    mine = _plain(words(text))
    if _letters(text) and _letters(wanted.text) and _letters(text) != _letters(wanted.text):
        return "is not in the language of the script"
    own, english = _commons(passage.language), _commons("en")
    if primary_subtag(passage.language) != "en" and own:
        in_english = sum(word in english - own for word in mine)
        if in_english > 1 and in_english > sum(word in own for word in mine):
            return "is not in the language of the script"
    known = _plain(words(" ".join((wanted.text, *wanted.wordings))))
    if len(mine) >= ENOUGH and len(known) >= 2 and not any(_same(word, known) for word in mine if word not in SMALL):
        return "says nothing of what the line says"
    return ""


def _new_words(wanted: Wanted, text: str, passage: Passage) -> str:
    known = _plain(words(" ".join((wanted.text, *wanted.wordings))))
    if primary_subtag(passage.language) != "en" and not _commons(passage.language):
        return ""
    small = SMALL if primary_subtag(passage.language) == "en" else _commons(passage.language)
    new = [
        word
        for word in _plain(words(text))
        if len(word) > 2 and word not in small and word not in wanted.named and not _same(word, known)
    ]
    fresh = list(dict.fromkeys(new))
    return f"It says more than the line did: {', '.join(fresh)}." if len(fresh) > NEW_WORDS else ""


def _plain(found: Iterable[str]) -> list[str]:
    bare = (_POSSESSIVE.sub("", _EDGES.sub("", folded(word))) for word in found)
    return [word for word in bare if word]


def _same(word: str, known: Collection[str]) -> bool:
    return word in known or (len(word) >= ALIKE and any(other.startswith(word[:ALIKE]) for other in known))


def _letters(text: str) -> str:
    """The writing system of most letters of a text; "" without letters."""
    import unicodedata

    counts: dict[str, int] = {}
    for letter in text:
        if letter.isalpha():
            name = unicodedata.name(letter, "").split(" ")[0]
            name = "EAST ASIAN" if name in {"CJK", "HIRAGANA", "KATAKANA"} else name
            counts[name] = counts.get(name, 0) + 1
    return max(counts, key=lambda name: counts[name], default="")


@cache
def _commons(language: str) -> frozenset[str]:
    found = next((each for each in LANGUAGES if each.tag == primary_subtag(language)), None)
    return frozenset(found.words.split()) if found else frozenset()


def grammar_for(language: str) -> Grammar:
    """The check for a language; without a parser it never finds anything."""
    return english if primary_subtag(language) == "en" else lambda _text: ("", "")


def english(text: str) -> tuple[str, str]:
    """See `Grammar`. As the parser errs, what may be a present form, such as “put”, counts as one."""
    try:
        (found,) = parser.parsed([_QUOTED.sub("“so”", text)])
    except OutsideFailureError:
        return "", ""
    for sentence in found:
        tense = _tense(sentence)
        if tense:
            return f"is not in the present tense: “{tense}”", ""
    return "", _lack(found[0]) if len(found) == 1 else ""


def _tense(sentence: parser.Sentence) -> str:
    """A verb of a main clause that is in the past or the future; "" if there is none."""
    for root in sentence.roots:
        verb = sentence.words[root]
        helpers = [word for at in sentence.children[root] if (word := sentence.words[at]).dep in {"aux", "auxpass"}]
        for word in helpers:
            if word.text.lower() in _WILL or word.tag == "VBD":
                return word.text
        if verb.tag == "VBD" and not helpers and verb.text.lower() != verb.lemma.lower():
            return verb.text
    return ""


def _lack(sentence: parser.Sentence) -> str:
    # What the parser takes for a plural may be a verb, as “parks” in “She parks”.
    plurals = (word for word in sentence.words if word.tag in {"NNS", "NNPS"})
    if not any(word.pos in _VERBS for word in sentence.words) and not any(
        parser.verb_lemmas(word.text.lower()) for word in plurals
    ):
        return NO_VERB
    has_subject = any(word.dep.startswith("nsubj") or word.dep == "expl" for word in sentence.words)
    roots = [sentence.words[root] for root in sentence.roots]
    # A sentence whose root is not a verb was not understood, so nothing is said about it.
    return NO_SUBJECT if not has_subject and all(word.pos in _VERBS for word in roots) else ""

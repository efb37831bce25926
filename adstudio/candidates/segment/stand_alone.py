"""A piece of a sentence as a sentence of its own: "and unzips it" becomes a whole sentence.

"Anna parks and unzips it" gives "Anna unzips it.": the subject is taken from the text, never guessed. A name or a
pronoun is said again, a thing is named by its noun
("a tailor … and unzips it" becomes "The tailor unzips it."), several are "they". Where the text has none that is sure,
the piece stays as it stands and is marked as not complete.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from adstudio.candidates.segment.cuts import Kind, Piece
from adstudio.candidates.segment.inflection import present, verb_of_participle
from adstudio.candidates.segment.levelled import capitalised, ended, shows_a_thing, without_cue
from adstudio.candidates.segment.verbs import SURE, Form, finite
from adstudio.candidates.text.grammar import Sentence, Word


@dataclass(frozen=True)
class Standing:
    """A sentence that stands alone; `complete` where it has a subject that the text gives and a finite verb."""

    text: str
    complete: bool


@dataclass(frozen=True)
class _Subject:
    text: str
    plural: bool


_PRONOUNS = {"he": False, "she": False, "it": False, "they": True, "we": True, "you": True, "i": True}
_AS_SUBJECT = {"him": ("he", False), "her": ("she", False), "them": ("they", True)}
_SOMEONE = frozenset({"someone", "somebody", "everyone", "everybody", "something", "everything"})
_SEEN = frozenset({"see", "watch", "notice", "glimpse"})
_NAMES = ("NNP", "NNPS")
_CONJUNCTIONS = frozenset({"and", "but", "yet", "then", "or", "so"})


def standing(sentence: Sentence, pieces: tuple[Piece, ...]) -> tuple[Standing, ...]:
    """Each piece of a sentence as a sentence that stands alone, in the same order."""
    made: list[Standing] = []
    subject, past = None, False
    for at, piece in enumerate(pieces):
        if piece.kind in (Kind.OPENING, Kind.CLAUSE):
            subject, past = _subject(sentence, piece), piece.form is Form.PAST
        own = subject
        if piece.kind is Kind.PARTICIPLE and at == 0 and len(pieces) > 1:
            own, past = _subject(sentence, pieces[1]), pieces[1].form is Form.PAST
        made.append(_made(sentence, piece, own, past))
    return tuple(made)


def _made(sentence: Sentence, piece: Piece, subject: _Subject | None, past: bool) -> Standing:
    if piece.kind in (Kind.OPENING, Kind.CLAUSE):
        return _own_clause(sentence, piece, subject)
    words = sentence.words
    begin = _without_conjunction(words, piece.first)
    said = _said(sentence, piece, begin, subject, past)
    if said is None:
        return Standing(_tidy(_joined(words[begin : piece.last])), complete=False)
    return Standing(_tidy(said), complete=True)


def _said(sentence: Sentence, piece: Piece, begin: int, subject: _Subject | None, past: bool) -> str | None:
    """A piece that has no subject of its own, or no finite verb, with both; None where they cannot be had."""
    words = sentence.words
    if piece.verb is None:
        return None
    before, after = _joined(words[begin : piece.verb]), _joined(words[piece.verb + 1 : piece.last])
    if piece.kind is Kind.ABSOLUTE:
        return f"{before} {_absolute_verb(words, piece, past)} {after}"
    if piece.kind is Kind.RELATIVE:
        antecedent = _antecedent(sentence, piece.first)
        return antecedent and f"{antecedent.text} {_joined(words[piece.first + 1 : piece.last])}"
    if subject is None or not _fits(sentence, piece, subject):
        return None
    if piece.kind is Kind.VERB_PHRASE:
        return f"{subject.text} {_joined(words[begin : piece.last])}"
    if piece.kind is Kind.PASSIVE:
        inflected = f"{_be(subject.plural, past)} {before} {words[piece.verb].text}"
    else:
        inflected = _active(words[begin : piece.verb], words[piece.verb], subject.plural, past)
        after = _joined_participles(sentence, piece, subject.plural, past)
    return f"{subject.text} {inflected} {after}" if inflected else None


def _joined_participles(sentence: Sentence, piece: Piece, plural: bool, past: bool) -> str:
    """What follows a participle, the participles that are coordinated with it inflected as it is."""
    words, verb = sentence.words, piece.verb or 0
    said = ""
    for place in range(verb + 1, piece.last):
        word = words[place]
        gap = " " if word.start > words[place - 1].end else ""
        lemma = verb_of_participle(word.text) if word.tag == "VBG" and word.dep == "conj" and word.head == verb else ""
        said += gap + (present(lemma, plural=plural) if lemma and not past else word.text)
    return said


def _be(plural: bool, past: bool) -> str:
    return ("were" if plural else "was") if past else present("be", plural=plural)


def _own_clause(sentence: Sentence, piece: Piece, subject: _Subject | None) -> Standing:
    words = sentence.words
    begin = _without_conjunction(words, piece.first)
    if words[begin].text.lower() == "we" and subject is not None and begin + 1 < piece.last:
        seen = _what_we_see(sentence, begin, piece)
        if seen is not None:
            return seen
    text = _joined(words[begin : piece.last])
    has_subject = subject is not None or _has_subject(sentence, piece)
    headless = words[begin].tag == "VBZ" or words[begin].text.lower() in SURE
    told = piece.form is not None and has_subject and not headless and not shows_a_thing(text)
    return Standing(_tidy(text), complete=told)


def _what_we_see(sentence: Sentence, begin: int, piece: Piece) -> Standing | None:
    words = sentence.words
    if words[begin + 1].lemma not in _SEEN and words[begin + 1].text.lower() not in _SEEN:
        return None
    shown = begin + 2
    if shown >= piece.last or words[shown].tag in ("WRB", "WP", ".", "WDT") or words[shown].dep == "mark":
        return None
    for verb in range(shown + 1, piece.last):
        word = words[verb]
        subjects = [below for below in sentence.children[verb] if words[below].dep == "nsubj" and shown <= below < verb]
        if subjects and word.tag in ("VB", "VBP", "VBG", "VBZ") and min(sentence.subtree(subjects[0])) == shown:
            who = _noun_phrase(sentence, subjects[0])
            plural = who.plural if who is not None else words[subjects[0]].tag in ("NNS", "NNPS")
            said = _joined(words[shown:verb])
            said, plural = _AS_SUBJECT.get(said.lower(), (said, plural))
            after = _joined(words[verb + 1 : piece.last])
            lemma = verb_of_participle(word.text) if word.tag == "VBG" else word.lemma
            if lemma:
                return Standing(_tidy(f"{said} {present(lemma, plural=plural)} {after}"), complete=True)
    if any(finite(sentence, verb) or words[verb].tag == "VB" for verb in range(shown, piece.last)):
        return None
    return Standing(_tidy(_joined(words[shown : piece.last])), complete=False)


def _has_subject(sentence: Sentence, piece: Piece) -> bool:
    return any(word.dep in ("nsubj", "nsubjpass", "expl") for word in sentence.words[piece.first : piece.last])


def _fits(sentence: Sentence, piece: Piece, subject: _Subject) -> bool:
    """Whether the verb of a piece can have this subject: a participle of another noun's cannot."""
    word = sentence.words[piece.verb or 0]
    if word.dep != "acl":
        return True
    head = sentence.words[word.head]
    return head.dep in ("nsubj", "nsubjpass", "attr", "ROOT") or subject.text.lower() == head.text.lower()


def _active(before: tuple[Word, ...], word: Word, plural: bool, past: bool) -> str:
    lemma = verb_of_participle(word.text)
    if not lemma:
        return ""
    adverbs = [one for one in before if one.text.lower() not in ("not", "never", "still", ",")]
    negated = any(one.text.lower() == "not" for one in before)
    kept = [one.text.lower() for one in before if one.text.lower() in ("never", "still")]
    manner = " ".join([*kept, *(one.text for one in adverbs)])
    if past:
        return f"{_be(plural, past)} {'not ' if negated else ''}{manner} {word.text}"
    if lemma == "be":
        return f"{present('be', plural=plural)} {'not ' if negated else ''}{manner} being"
    if negated:
        return f"{present('do', plural=plural)} not {manner} {lemma}"
    return f"{manner} {present(lemma, plural=plural)}"


def _absolute_verb(words: tuple[Word, ...], piece: Piece, past: bool) -> str:
    verb = words[piece.verb or 0]
    nouns = [word for word in words[piece.first : piece.verb] if word.tag in ("NN", "NNS")]
    plural = bool(nouns) and nouns[-1].tag == "NNS"
    lemma = verb_of_participle(verb.text) if verb.tag == "VBG" and not past else ""
    return present(lemma, plural=plural) if lemma and lemma != "be" else f"{_be(plural, past)} {verb.text}"


def _subject(sentence: Sentence, piece: Piece) -> _Subject | None:
    """What the text gives as subject for the verbs that share it, None where that is not sure."""
    words = sentence.words
    if piece.verb is None or piece.form is None:
        return None
    verb = piece.verb
    owners = {verb, words[verb].head} if words[verb].dep in ("aux", "auxpass") else {verb}
    found = [
        below
        for owner in owners
        for below in sentence.children[owner]
        if words[below].dep in ("nsubj", "nsubjpass") and piece.first <= below < verb
    ]
    head = found[0] if found else _nearest_noun(words, piece.first, verb)
    if head is None:
        return None
    if words[head].text.lower() == "it" and words[verb].lemma == "be" and (who := _who_it_is(sentence, verb)):
        return _noun_phrase(sentence, who)
    subject = _noun_phrase(sentence, head)
    if subject is None or piece.form not in (Form.S, Form.BASE):
        return subject
    plural = piece.form is Form.BASE
    if plural != subject.plural and words[verb].lemma != "be":
        # The verb's form says how many they are: "the family sits", "the police run".
        return _Subject(subject.text if not plural or words[head].tag in _NAMES else "They", plural)
    return subject


def _who_it_is(sentence: Sentence, verb: int) -> int | None:
    """The name in "it is Scott", whose doings the verbs after it tell."""
    words = sentence.words
    return next((at for at in sentence.children[verb] if words[at].dep == "attr" and words[at].tag in _NAMES), None)


def _nearest_noun(words: tuple[Word, ...], first: int, verb: int) -> int | None:
    before = verb - 1
    while before >= first and words[before].tag == "RB":
        before -= 1
    named = words[before].tag in ("NN", "NNS", "NNP", "NNPS", "PRP") or (
        words[before].tag == "JJ" and words[before].text[0].isupper()
    )
    plain = all(
        word.tag in ("DT", "JJ", "NN", "NNS", "NNP", "NNPS", "PRP", "PRP$", "CD", "POS", "JJR")
        for word in words[first:before]
    )
    return before if before >= first and named and plain else None


def _noun_phrase(sentence: Sentence, head: int) -> _Subject | None:
    """A noun phrase as it is named a second time."""
    words = sentence.words
    word = words[head]
    lower = word.text.lower()
    below = sentence.children[head]
    if any(words[at].dep == "conj" for at in below) and word.tag != "PRP":
        return _Subject("They", plural=True)
    if lower in _PRONOUNS:
        return _Subject("I" if lower == "i" else lower.capitalize(), _PRONOUNS[lower])
    if lower in _SOMEONE:
        return _Subject(lower.capitalize(), plural=False)
    if word.tag in _NAMES or (word.tag == "JJ" and word.text[0].isupper() and not below):
        return _name(sentence, head)
    return _thing(sentence, head, "They" if word.tag == "NNS" else "")


def _name(sentence: Sentence, head: int) -> _Subject:
    words = sentence.words
    first = head
    while first and words[first - 1].tag in _NAMES and words[first - 1].end + 1 == words[first].start:
        first -= 1
    article = any(words[at].text.lower() == "the" and at < first for at in sentence.children[head])
    said = ("the " if article else "") + _joined(words[first : head + 1])
    return _Subject(capitalised(said), plural=words[head].tag == "NNPS")


def _thing(sentence: Sentence, head: int, several: str) -> _Subject | None:
    """A common noun with its owner or the article, its last adjective and what it is compounded of.

    `several` is what is said in place of one that has no owner; "" to name it.
    """
    words = sentence.words
    word, below = words[head], [at for at in sentence.children[head] if at < head]
    if word.tag not in ("NN", "NNS") or any(words[at].text.lower() in ("no", "neither") for at in below):
        return None
    owned = [at for at in below if words[at].dep == "poss"]
    if several and not owned:
        return _Subject(several, plural=True)
    named = [words[at] for at in below if words[at].dep == "compound"] + [word]
    if owned:
        owner = _joined(tuple(words[at] for at in sentence.subtree(owned[0])))
        return _Subject(capitalised(f"{owner} {_joined(tuple(named))}"), word.tag == "NNS")
    kind = [words[at] for at in below if words[at].dep == "amod" and words[at].tag != "JJR"][-1:]
    article = "The " if any(words[at].dep == "det" for at in below) or several or word.tag == "NNS" else ""
    return _Subject(capitalised(article + _joined((*kind, *named))), word.tag == "NNS")


def _antecedent(sentence: Sentence, relative: int) -> _Subject | None:
    words = sentence.words
    before = relative - 1
    while before >= 0 and words[before].text == ",":
        before -= 1
    verb = next((at for at in range(relative + 1, len(words)) if words[at].dep == "relcl"), None)
    if before < 0 or verb is None or words[verb].head > before:
        return None
    head = words[verb].head
    if words[head].tag not in ("NN", "NNS", *_NAMES) or head != before:
        return None
    if words[head].tag == "NNS":
        return _thing(sentence, head, "")
    return _noun_phrase(sentence, head)


def _without_conjunction(words: tuple[Word, ...], first: int) -> int:
    begin = first
    while begin + 1 < len(words) and (
        words[begin].text.lower() in _CONJUNCTIONS or words[begin].text in (",", ";", "—", "–", "--")
    ):
        if words[begin].text.lower() in ("so", "or") and begin == 0:
            break
        begin += 1
    return begin


def _joined(words: tuple[Word, ...]) -> str:
    said = ""
    for before, word in zip((None, *words), words, strict=False):
        gap = " " if before is not None and word.start > before.end else ""
        said += gap + word.text
    return said


def _tidy(text: str) -> str:
    plain = re.sub(r" (?=[,.;:!?…])", "", " ".join(text.split()))
    return ended(capitalised(without_cue(plain)))

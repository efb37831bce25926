"""The subject that a piece of a sentence shares: as the text gives it, and as it is named a second time."""

from __future__ import annotations

from dataclasses import dataclass

from adstudio.drafting.text.language.grammar import Sentence, Word
from adstudio.drafting.text.segment.piece import Piece
from adstudio.drafting.text.segment.screenplay_cleanup import capitalised
from adstudio.drafting.text.segment.verbs import Form

_PRONOUNS = {"he": False, "she": False, "it": False, "they": True, "we": True, "you": True, "i": True}
_SOMEONE = frozenset({"someone", "somebody", "everyone", "everybody", "something", "everything"})
_PEOPLE = frozenset({"he", "she", "they", "him", "them", "man", "woman", "boy", "girl", "child", "person"})
NAMES = ("NNP", "NNPS")
"""The tags of proper nouns."""


@dataclass(frozen=True)
class Subject:
    """A subject in the words in which it is said again, a capital first, and whether its verb is in the plural."""

    text: str
    plural: bool


def subject_of(sentence: Sentence, piece: Piece) -> Subject | None:
    """The subject that the text gives for the verbs that share it; None if that is uncertain."""
    words = sentence.words
    if piece.verb is None or piece.form is None or words[piece.first].dep == "expl":
        return None  # "There is laughter as Ida sits down, (waving)": who waves?
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
        return named_again(sentence, who)
    return _agreeing(sentence, head, named_again(sentence, head), piece.form)


def later_subject(sentence: Sentence, piece: Piece, clause: Piece) -> Subject | None:
    """The subject of the verb that a verb phrase is joined to, where it stands after the verb of their clause.

    None where the clause has one subject: “Ann waves, and slowly he stands up and bows”: he bows.
    """
    words = sentence.words
    if piece.verb is None or piece.form is None or clause.verb is None or words[piece.verb].dep != "conj":
        return None
    joined_to = words[piece.verb].head
    own = [at for at in sentence.children[joined_to] if words[at].dep in ("nsubj", "nsubjpass")]
    if not own or not clause.verb < own[0] < joined_to < piece.verb:
        return None
    return _agreeing(sentence, own[0], named_again(sentence, own[0]), piece.form)


def _agreeing(sentence: Sentence, head: int, subject: Subject | None, form: Form) -> Subject | None:
    words = sentence.words
    if subject is None or form not in (Form.S, Form.BASE):
        return subject
    plural = form is Form.BASE
    if plural == subject.plural:
        return subject
    # The verb's form says how many they are: "Billups is", "the family sits", "the police run".
    if plural:
        return Subject(subject.text if words[head].tag in NAMES else "They", plural)
    if any(words[below].dep == "conj" for below in sentence.children[head]):
        return None
    return Subject(capitalised(words[head].text), plural) if subject.text == "They" else Subject(subject.text, plural)


def person(sentence: Sentence, subject: Subject | None) -> Subject | None:
    """A subject that the next sentence may leave out: one name, he or she, if no one else is mentioned."""
    if subject is None or subject.plural:
        return None
    own = set(subject.text.lower().split())
    named = own & {"he", "she"} or any(word.tag in NAMES and word.text.lower() in own for word in sentence.words)
    return subject if named and nobody_else(sentence, subject) else None


def nobody_else(sentence: Sentence, subject: Subject) -> bool:
    """Whether a sentence speaks of no one else that the next could be about."""
    own = set(subject.text.lower().split())
    return not any(
        (word.tag in NAMES or word.text.lower() in _PEOPLE or word.tag == "NNS") and word.text.lower() not in own
        for word in sentence.words
    )


def within(subject: Subject) -> str:
    """A subject as it is written within a sentence: she; the tailor; Nora."""
    first = subject.text.split()[0].lower()
    small = first in _PRONOUNS and first != "i"
    small = small or first in _SOMEONE or first in ("the", "his", "her", "its", "their", "my", "our", "your")
    return subject.text[0].lower() + subject.text[1:] if small else subject.text


def _who_it_is(sentence: Sentence, verb: int) -> int | None:
    """The name in "it is Scott", which is the subject of the verbs after it."""
    words = sentence.words
    return next((at for at in sentence.children[verb] if words[at].dep == "attr" and words[at].tag in NAMES), None)


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
    fronted = (
        before - first > 1
        and words[first].tag == "IN"
        and words[before].tag in NAMES
        and words[before - 1].tag in ("NN", "NNS")
        and all(word.tag in ("IN", "DT", "JJ", "NN", "NNS", "PRP$", "CD") for word in words[first:before])
    )  # "Outside the window Nora hurries past"
    return before if fronted or (before >= first and named and plain) else None


def named_again(sentence: Sentence, head: int) -> Subject | None:
    """A noun phrase as it is named a second time."""
    words = sentence.words
    word = words[head]
    lower = word.text.lower()
    below = sentence.children[head]
    if any(words[at].dep == "conj" for at in below) and word.tag != "PRP":
        return Subject("They", plural=True)
    if lower in _PRONOUNS:
        return Subject("I" if lower == "i" else lower.capitalize(), _PRONOUNS[lower])
    if lower in _SOMEONE:
        return Subject(lower.capitalize(), plural=False)
    if (word.tag in NAMES and not word.text.islower()) or (word.tag == "JJ" and word.text[0].isupper() and not below):
        return _name(sentence, head)
    return _thing(sentence, head, "They" if word.tag == "NNS" else "")


def _name(sentence: Sentence, head: int) -> Subject:
    words = sentence.words
    first = head
    while first and words[first - 1].tag in NAMES and words[first - 1].end + 1 == words[first].start:
        first -= 1
    article = any(words[at].text.lower() == "the" and at < first for at in sentence.children[head])
    said = ("the " if article else "") + joined(words[first : head + 1])
    return Subject(capitalised(said), plural=words[head].tag == "NNPS")


def _thing(sentence: Sentence, head: int, several: str) -> Subject | None:
    """A common noun with its owner or the article, its last adjective and what it is compounded of.

    `several` is what is said in place of one that has no owner; "" to name it.
    """
    words = sentence.words
    word, below = words[head], [at for at in sentence.children[head] if at < head]
    if word.tag not in ("NN", "NNS", *NAMES) or any(words[at].text.lower() in ("no", "neither") for at in below):
        return None
    owned = [at for at in below if words[at].dep == "poss"]
    if several and not owned:
        return Subject(several, plural=True)
    named = [words[at] for at in below if words[at].dep == "compound"] + [word]
    if owned:
        owner = joined(tuple(words[at] for at in sentence.subtree(owned[0])))
        return Subject(capitalised(f"{owner} {joined(tuple(named))}"), word.tag == "NNS")
    kind = [words[at] for at in below if words[at].dep == "amod" and words[at].tag != "JJR"][-1:]
    begin = min((at for at in range(head + 1) if words[at] in (*kind, *named)), default=head)
    has_article = any(words[at].dep == "det" for at in below) or (begin > 0 and words[begin - 1].tag == "DT")
    article = "The " if has_article or several or word.tag == "NNS" else ""
    return Subject(capitalised(article + joined((*kind, *named))), word.tag == "NNS")


def antecedent(sentence: Sentence, relative: int) -> Subject | None:
    """The noun that a relative clause is about, if it comes right before the clause; else None."""
    words = sentence.words
    before = relative - 1
    while before >= 0 and words[before].text == ",":
        before -= 1
    verb = next((at for at in range(relative + 1, len(words)) if words[at].dep == "relcl"), None)
    if before < 0 or verb is None or words[verb].head > before:
        return None
    head = words[verb].head
    if words[head].tag not in ("NN", "NNS", *NAMES) or head != before:
        return None
    if words[head].tag == "NNS":
        return _thing(sentence, head, "")
    return named_again(sentence, head)


def joined(words: tuple[Word, ...]) -> str:
    """Words with the spaces that the text has between them."""
    said = ""
    for before, word in zip((None, *words), words, strict=False):
        gap = " " if before is not None and word.start > before.end else ""
        said += gap + word.text
    return said

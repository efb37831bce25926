"""A piece of a sentence as a sentence of its own: "and unzips it" becomes a whole sentence.

"Anna parks and unzips it" gives "Anna unzips it.": the subject is taken from the text, never guessed. A name or a
pronoun is said again, a thing is named by its noun
("a tailor … and unzips it" becomes "The tailor unzips it."), several are "they". Where the text has none that is sure,
the piece stays as it stands and is marked as not complete.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from adstudio.drafting.text.language.grammar import Sentence, Word, verb_lemmas, word_set
from adstudio.drafting.text.segment.cuts import Kind, Piece
from adstudio.drafting.text.segment.screenplay_cleanup import capitalised, shows_a_thing, with_full_stop, without_cue
from adstudio.drafting.text.segment.subject import (
    NAMES,
    Subject,
    antecedent,
    joined,
    later_subject,
    named_again,
    nobody_else,
    person,
    subject_of,
    within,
)
from adstudio.drafting.text.segment.verbs import SURE, Form, finite, present, verb_of_participle

_AS_SUBJECT = {"him": ("he", False), "her": ("she", False), "them": ("they", True)}
_SEEN = frozenset({"see", "watch", "notice", "glimpse"})
_PERCEIVED = _SEEN | {"hear", "find", "spot", "feel", "discover", "reveal"}
_DOING = frozenset({"VB", "VBP", "VBG", "VBZ"})
_PARTS = word_set("face eye eyes mouth lips hand hands head smile expression jaw brow voice body shoulders gaze")
_MOODS = word_set(
    "bother shock surprise annoy embarrass relieve confuse worry frighten scare amuse puzzle startle hurt offend"
    " disappoint frustrate irritate delight please impress intrigue touch move stun"
)
_TORN = re.compile(r"(?<=\w),? (?:just )?(?:as|because|while|until|when)[\s:–—-]*$")
_CONJUNCTIONS = frozenset({"and", "but", "yet", "then", "or", "so"})


@dataclass(frozen=True)
class Standing:
    """A stand-alone sentence; `complete` if it has a finite verb and a subject given by the text.

    `breaths` say it together with the pieces after it, as the source does: how many pieces in all, and the wording.
    """

    text: str
    complete: bool
    breaths: tuple[tuple[int, str], ...] = ()


def standing(sentence: Sentence, pieces: tuple[Piece, ...], before: Subject | None = None) -> tuple[Standing, ...]:
    """Each piece of a sentence as a stand-alone sentence, in the same order.

    `before` is the person that a sentence without a subject goes on about ("Takes off one glove."): `goes_on_about`.
    """
    results: list[Standing] = []
    subject, past, clause = None, False, pieces[0] if pieces else None
    for at, piece in enumerate(pieces):
        if piece.kind in (Kind.OPENING, Kind.CLAUSE):
            subject, past, clause = subject_of(sentence, piece), piece.form is Form.PAST, piece
            if subject is not None and subject.text == "We" and (shown := _shown(sentence, piece)):
                subject = named_again(sentence, shown.subject) if shown.subject is not None else None
        if at == 0 and before is not None and telegraphic(sentence, piece):
            subject = before
            text = joined(sentence.words[piece.first : piece.last])
            results.append(Standing(_tidy(f"{before.text} {text[0].lower()}{text[1:]}"), complete=True))
            continue
        own = subject
        if piece.kind is Kind.VERB_PHRASE and clause is not None:
            own = later_subject(sentence, piece, clause) or own
            if own is not None and _another_acts(sentence, clause, piece, own):
                own = None
        if piece.kind in (Kind.PARTICIPLE, Kind.PASSIVE) and at and _comes_after_another(sentence, pieces, at):
            own = None
        if piece.kind is Kind.PARTICIPLE and at == 0 and len(pieces) > 1:
            own, past = subject_of(sentence, pieces[1]), pieces[1].form is Form.PAST
        results.append(_piece_sentence(sentence, piece, own, past))
    return tuple(results)


def _another_acts(sentence: Sentence, clause: Piece, piece: Piece, subject: Subject) -> bool:
    """Whether somebody else does something before a verb, which may be his too: Ann counts and Bob turns, (kicks …)."""
    words = sentence.words
    own = {word.lower() for word in subject.text.split()}
    return any(
        words[at].tag in NAMES
        and words[at].text.lower() not in own
        and words[at + 1].text.endswith("s")
        and bool(verb_lemmas(words[at + 1].text.lower()))
        for at in range((clause.verb or 0) + 1, piece.first - 1)
    )


def _comes_after_another(sentence: Sentence, pieces: tuple[Piece, ...], at: int) -> bool:
    """Whether a participle follows a clause about somebody else: Ann sees Bob, who nods, (smiling); and Bob nods, (…).

    Who does it, only the sentence as a whole says.
    """
    before = pieces[at - 1]
    if before.kind is Kind.RELATIVE:
        return True
    words = sentence.words
    main = next((piece.verb for piece in reversed(pieces[:at]) if piece.verb is not None), None)
    return main is not None and any(
        words[place].dep in ("nsubj", "nsubjpass", "compound")
        and place > main
        and words[place].tag not in ("WP", "WDT", "PRP")
        and words[words[place].head].tag in _VERBS
        for place in range(before.first, before.last)
    )


_VERBS = ("VBZ", "VBP", "VBD")
LONGEST_RUN = 3
"""Pieces that are said in one breath at most."""


def with_breaths(sentence: Sentence, pieces: tuple[Piece, ...], texts: tuple[Standing, ...]) -> tuple[Standing, ...]:
    """Each piece with the wordings that say it together with those after it, in the words of the sentence."""
    return tuple(
        replace(
            text,
            breaths=tuple(
                (count, said)
                for count in range(2, min(LONGEST_RUN, len(pieces) - first) + 1)
                if (said := _breath(sentence, pieces[first : first + count], text))
            ),
        )
        for first, text in enumerate(texts)
    )


def _breath(sentence: Sentence, run: tuple[Piece, ...], head: Standing) -> str:
    """Some pieces of a sentence in one; "" where the words between them would not make one sentence."""
    words, begins = sentence.words, run[0]
    if not head.complete or any(piece.kind is Kind.CLAUSE and not _is_joined(words, piece.first) for piece in run[1:]):
        return ""
    if begins.kind in (Kind.RELATIVE, Kind.ABSOLUTE) and any(piece.kind is not Kind.RELATIVE for piece in run[1:]):
        return ""  # "his hands shaking, and looks up": who looks up?
    if begins.kind is Kind.PARTICIPLE and begins.first and run[1].kind is Kind.PARTICIPLE:
        return ""  # "reaching out and slamming the window": the first now has another form
    if begins.kind is Kind.PARTICIPLE and begins.first == 0:
        said = joined(words[: begins.last])
    else:
        said = head.text.rstrip(".")
        said += "," if words[begins.last - 1].text == "," else ""
    for number, piece in enumerate(run[1:], 2):
        text = joined(words[piece.first : piece.last])
        listed = piece.kind is Kind.VERB_PHRASE and not _is_joined(words, piece.first)
        if listed and number == len(run) and ", and " not in text:
            said, text = said.removesuffix(","), f"and {text}"
        elif words[piece.first].text.lower() == "and" and said.endswith(",") and len(run) == 2:
            # Two things need no comma before "and", which the third would.
            alone = piece.kind is Kind.VERB_PHRASE and said.count(",") == 1
            said = said.removesuffix(",") if alone else said
        said = f"{said} {text}"
    return _tidy(said)


def _is_joined(words: tuple[Word, ...], first: int) -> bool:
    return words[first].text.lower() in _CONJUNCTIONS


def telegraphic(sentence: Sentence, piece: Piece) -> bool:
    """Whether a sentence begins with the verb of a subject that it does not say: Takes off one glove."""
    begins = sentence.words[piece.first]
    return piece.kind is Kind.OPENING and piece.verb == piece.first and begins.tag == "VBZ"


def goes_on_about(sentence: Sentence, pieces: tuple[Piece, ...], before: Subject | None) -> Subject | None:
    """The one person that a sentence is about; None if there are several or it is uncertain."""
    clauses = [piece for piece in pieces if piece.kind in (Kind.OPENING, Kind.CLAUSE)]
    if len(clauses) != 1:
        return None
    if telegraphic(sentence, clauses[0]):
        return before if before is not None and nobody_else(sentence, before) else None
    return person(sentence, subject_of(sentence, clauses[0]))


def _piece_sentence(sentence: Sentence, piece: Piece, subject: Subject | None, past: bool) -> Standing:
    if piece.kind in (Kind.OPENING, Kind.CLAUSE):
        return _own_clause(sentence, piece, subject)
    words = sentence.words
    begin = _without_conjunction(words, piece.first)
    said = _said(sentence, piece, begin, subject, past)
    if said is None:
        return Standing(_tidy(joined(words[begin : piece.last])), complete=False)
    return Standing(_tidy(said), complete=True)


def _said(sentence: Sentence, piece: Piece, begin: int, subject: Subject | None, past: bool) -> str | None:
    """A piece without a subject of its own, or a finite verb, completed by both; None if that is impossible."""
    words = sentence.words
    if piece.verb is None:
        return None
    before, after = joined(words[begin : piece.verb]), joined(words[piece.verb + 1 : piece.last])
    if piece.kind is Kind.ABSOLUTE:
        adverbs = piece.verb
        while adverbs > begin + 2 and words[adverbs - 1].tag == "RB":
            adverbs -= 1  # "her face half hidden": her face is half hidden
        verb = _absolute_verb(words, piece, past)
        if adverbs < piece.verb and verb.endswith(f" {words[piece.verb].text}"):
            be = verb.removesuffix(words[piece.verb].text)
            return f"{joined(words[begin:adverbs])} {be}{joined(words[adverbs : piece.verb + 1])} {after}"
        return f"{before} {verb} {after}"
    if piece.kind is Kind.RELATIVE:
        return _relative(sentence, piece)
    if subject is None or not _fits(sentence, piece, subject):
        return None
    return _with_subject(sentence, piece, begin, subject, past)


def _relative(sentence: Sentence, piece: Piece) -> str | None:
    if sentence.words[min(piece.first + 1, len(sentence.words) - 1)].text in ("'s", "’s"):
        return None  # "James, who's tall": not “James 's tall”
    noun = antecedent(sentence, piece.first)
    if noun is None or (piece.form in (Form.S, Form.BASE) and noun.plural != (piece.form is Form.BASE)):
        return None  # "the boys in the yard, who are trying": not the yard
    return f"{noun.text} {joined(sentence.words[piece.first + 1 : piece.last])}"


def _with_subject(sentence: Sentence, piece: Piece, begin: int, subject: Subject, past: bool) -> str | None:
    words, verb = sentence.words, piece.verb or 0
    whole = joined(words[begin : piece.last])
    if piece.kind is Kind.VERB_PHRASE:
        aside = joined(words[begin:verb])
        if aside.endswith(","):  # "and, with one finger, strokes it"
            return f"{aside} {within(subject)} {joined(words[verb : piece.last])}"
        return f"{subject.text} {whole}"
    mixed = any(words[at].dep == "conj" and words[at].tag == "VBN" for at in sentence.children[verb])
    if piece.kind is Kind.PASSIVE or mixed:
        return f"{subject.text} {_be(subject.plural, past)} {whole}"
    inflected = _active(words[begin:verb], words[verb], subject.plural, past)
    after = _joined_participles(sentence, piece, subject.plural, past)
    return f"{subject.text} {inflected} {after}" if inflected else None


def _joined_participles(sentence: Sentence, piece: Piece, plural: bool, past: bool) -> str:
    """What follows a participle, with coordinated participles inflected in the same way."""
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


def _own_clause(sentence: Sentence, piece: Piece, subject: Subject | None) -> Standing:
    words = sentence.words
    begin = _without_conjunction(words, piece.first)
    text = joined(words[begin : piece.last])
    shown = _shown(sentence, piece)
    if shown is not None:
        return _what_is_shown(sentence, shown, piece)
    if telling := _telegram(sentence, piece, begin):
        return Standing(_tidy(telling), complete=True)
    has_subject = subject is not None or _has_subject(sentence, piece)
    headless = words[begin].tag == "VBZ" or words[begin].text.lower() in SURE
    complete = piece.form is not None and has_subject and not headless and not shows_a_thing(text)
    return Standing(_tidy(text), complete=complete)


def _telegram(sentence: Sentence, piece: Piece, begin: int) -> str:
    """A sentence in which somebody is doing something without “is”, as one that tells it: Ned rowing. → Ned rows.

    "" for any other.
    """
    words = sentence.words
    if piece.form is not None or piece.first or piece.last < len(words):
        return ""
    for root in sentence.roots:
        children = sentence.children[root]
        subjects = [at for at in children if words[at].dep in ("nsubj", "nsubjpass") and at < root]
        # The parser makes either the participle or the noun before it the sentence’s head.
        doing = [at for at in children if words[at].dep == "acl" and at == root + 1]
        who, verb = (subjects[0], root) if len(subjects) == 1 else (root, doing[0]) if doing else (root, root)
        if words[verb].tag != "VBG" or who == verb or words[verb - 1].text == ",":
            continue
        before = words[begin:verb]
        lemma = verb_of_participle(words[verb].text)
        if lemma and not any(word.tag in ("IN", "TO", ":", ",") or word.text in ("'s", "’s") for word in before):
            several = words[who].tag in ("NNS", "NNPS") or any(word.text.lower() == "and" for word in before)
            return f"{joined(before)} {present(lemma, plural=several)} {joined(words[verb + 1 : piece.last])}"
    return ""


@dataclass(frozen=True)
class _Shown:
    """What follows "we see": where it begins, and the subject and verb of what it does, if it does something."""

    first: int
    subject: int | None = None
    verb: int | None = None


def _shown(sentence: Sentence, piece: Piece) -> _Shown | None:
    words = sentence.words
    begin = _without_conjunction(words, piece.first)
    first = begin + 2
    if first >= piece.last or words[begin].text.lower() != "we" or words[begin + 1].text.lower() not in _SEEN:
        return None
    if words[first].tag in ("WRB", "WP", ".", "WDT") or words[first].dep == "mark":
        return None
    for verb in range(first + 1, piece.last):
        subjects = [below for below in sentence.children[verb] if words[below].dep == "nsubj" and first <= below < verb]
        if subjects and words[verb].tag in _DOING and min(sentence.subtree(subjects[0])) == first:
            return _Shown(first, subjects[0], verb)
    for verb in range(first + 1, piece.last):
        named = words[verb - 1].tag in NAMES and words[verb - 1].text[0].isupper()
        if named and words[verb].tag == "NN" and words[verb].text in verb_lemmas(words[verb].text):
            return _Shown(first, verb - 1, verb)  # "we see Mia crawl", crawl taken for a noun
    if any(finite(sentence, verb) or words[verb].tag == "VB" for verb in range(first, piece.last)):
        return None
    return _described_apart(sentence, begin + 1, first, piece.last) or _Shown(first)


def _described_apart(sentence: Sentence, seeing: int, first: int, last: int) -> _Shown | None:
    """What is seen with a participle after a comma that says what it does: we see a boy, Danny, watching."""
    words = sentence.words
    things = [at for at in sentence.children[seeing] if words[at].dep == "dobj" and at >= first]
    if len(things) != 1 or min(sentence.subtree(things[0])) != first:
        return None
    for verb in range(things[0] + 1, last):
        word = words[verb]
        if word.tag == "VBG" and words[verb - 1].text == "," and word.head in (seeing, things[0]):
            between = words[first : verb - 1]
            plain = not any(one.pos in ("VERB", "AUX") or one.tag in ("CC", "WP", "WDT") for one in between)
            return _Shown(first, things[0], verb) if plain else None
    return None


def _what_is_shown(sentence: Sentence, shown: _Shown, piece: Piece) -> Standing:
    words = sentence.words
    if shown.subject is None or shown.verb is None:
        return Standing(_tidy(joined(words[shown.first : piece.last])), complete=False)
    who, word = named_again(sentence, shown.subject), words[shown.verb]
    several = who.plural if who is not None else words[shown.subject].tag in ("NNS", "NNPS")
    said = joined(words[shown.first : shown.verb])
    if said.count(",") == 1:
        said = said.removesuffix(",")
    said, several = _AS_SUBJECT.get(said.lower(), (said, several))
    after = joined(words[shown.verb + 1 : piece.last])
    lemma = verb_of_participle(word.text) if word.tag == "VBG" else word.lemma
    doing = present(lemma, plural=several) if lemma else f"{present('be', plural=several)} {word.text}"
    return Standing(_tidy(f"{said} {doing} {after}"), complete=True)


def _has_subject(sentence: Sentence, piece: Piece) -> bool:
    return any(word.dep in ("nsubj", "nsubjpass", "expl") for word in sentence.words[piece.first : piece.last])


def _fits(sentence: Sentence, piece: Piece, subject: Subject) -> bool:
    """Whether the verb of a piece can have this subject: a participle of another noun's cannot."""
    words = sentence.words
    word = words[piece.verb or 0]
    if (
        piece.kind in (Kind.PARTICIPLE, Kind.PASSIVE)
        and words[0].text.lower() != "we"
        and _another_does(sentence, piece.first)
    ):
        return False
    if piece.kind is Kind.PASSIVE and word.lemma.lower() in _MOODS and _is_part(subject):
        return False  # "Her face falls, bothered by the noise": she is
    if word.dep != "acl":
        return True
    head = sentence.words[word.head]
    return head.dep in ("nsubj", "nsubjpass", "attr", "ROOT") or subject.text.lower() == head.text.lower()


def _is_part(subject: Subject) -> bool:
    """Whether it is a part of somebody: Nora’s face."""
    return subject.text.lower().rsplit(" ", 1)[-1] in _PARTS


def _another_does(sentence: Sentence, place: int) -> bool:
    """Whether the words before describe what someone else does: she sees a helicopter drop into view, (hovering).

    Or may do: Nak stoops as Scott fumbles at his belt, (drawing a gun).
    """
    words = sentence.words
    main = min(sentence.roots, default=0)
    aside = any(
        words[at].dep == "advcl"
        and words[at].tag in ("VBZ", "VBP")
        and any(words[below].dep == "nsubj" and words[below].tag in NAMES for below in sentence.children[at])
        for at in range(main + 1, place)
    )
    noticed = main < place and words[main].lemma.lower() in _PERCEIVED
    doing = noticed and any(words[at].tag == "VBG" and words[at - 1].text != "," for at in range(main + 1, place))
    return (
        aside
        or doing
        or _is_perceived(words, main, place)
        or any(
            words[at].tag in ("VB", "VBG")
            and words[at].dep in ("ccomp", "xcomp")
            and any(words[below].dep == "nsubj" and below < at for below in sentence.children[at])
            for at in range(place)
            if at not in range(2)
        )
    )


def _is_perceived(words: tuple[Word, ...], main: int, place: int) -> bool:
    """Whether what is seen or heard comes before a participle, so that it may be what does it: in time to see a bus."""
    return any(
        word.lemma.lower() in _PERCEIVED and word.tag in ("VB", "VBG") and at > main
        for at, word in enumerate(words[:place])
    )


def _active(before: tuple[Word, ...], word: Word, plural: bool, past: bool) -> str:
    lemma = verb_of_participle(word.text)
    if not lemma:
        return ""
    adverbs = [one for one in before if one.text.lower() not in ("not", "never", "still", ",")]
    negated = any(one.text.lower() == "not" for one in before)
    unnegated = " ".join(one.text.lower() for one in before if one.text.lower() in ("never", "still"))
    manner = " ".join(one.text for one in adverbs)
    if past:
        return f"{_be(plural, past)} {unnegated} {'not ' if negated else ''}{manner} {word.text}"
    if lemma == "be":
        return f"{present('be', plural=plural)} {unnegated} {'not ' if negated else ''}{manner} being"
    if negated:
        return f"{unnegated} {present('do', plural=plural)} not {manner} {lemma}"
    return f"{unnegated} {manner} {present(lemma, plural=plural)}"


def _absolute_verb(words: tuple[Word, ...], piece: Piece, past: bool) -> str:
    verb = words[piece.verb or 0]
    nouns = [word for word in words[piece.first : piece.verb] if word.tag in ("NN", "NNS")]
    plural = bool(nouns) and nouns[-1].tag == "NNS"
    lemma = verb_of_participle(verb.text) if verb.tag == "VBG" and not past else ""
    return present(lemma, plural=plural) if lemma and lemma != "be" else f"{_be(plural, past)} {verb.text}"


def _without_conjunction(words: tuple[Word, ...], first: int) -> int:
    begin = first
    while begin + 1 < len(words) and (
        words[begin].text.lower() in _CONJUNCTIONS or words[begin].text in (",", ";", "—", "–", "--")
    ):
        if words[begin].text.lower() in ("so", "or") and begin == 0:
            break
        begin += 1
    return begin


def _tidy(text: str) -> str:
    plain = re.sub(r" (?=[,.;:!?…])", "", " ".join(text.split()).replace(" & ", " and "))
    # "Tom watches as" is all that a heading in the middle of a sentence leaves of it.
    return with_full_stop(capitalised(without_cue(_TORN.sub("", plain))))

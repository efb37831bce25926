"""A piece of a sentence as a sentence of its own: "and unzips it" becomes a whole sentence.

"Anna parks and unzips it" gives "Anna unzips it.": the subject is taken from the text, never guessed. A name or a
pronoun is said again, a thing is named by its noun ("a tailor … and unzips it" becomes "The tailor unzips it."),
several are "they". Where the text has none that is sure, the piece stays as it stands and is marked as not complete.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from adstudio.drafting.text.language.grammar import Sentence, Word, verb_lemmas, word_set
from adstudio.drafting.text.segment.piece import Kind, Piece
from adstudio.drafting.text.segment.screenplay_cleanup import capitalised, shows_a_thing, with_full_stop, without_cue
from adstudio.drafting.text.segment.shown import SEEN, Shown, as_sentence, shown_to_us
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
from adstudio.drafting.text.segment.telegrams import with_finite_verb
from adstudio.drafting.text.segment.verbs import SURE, Form, present, verb_of_participle

_PERCEIVED = SEEN | {"hear", "find", "spot", "feel", "discover", "reveal"}
_PARTS = word_set("face eye eyes mouth lips hand hands head smile expression jaw brow voice body shoulders gaze")
_MOODS = word_set(
    "bother shock surprise annoy embarrass relieve confuse worry frighten scare amuse puzzle startle hurt offend"
    " disappoint frustrate irritate delight please impress intrigue touch move stun"
)
_TORN = re.compile(r"(?<=\w),? (?:just )?(?:as|because|while|until|when)[\s:–—-]*$")
CONJUNCTIONS = frozenset({"and", "but", "yet", "then", "or", "so"})


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
            results.append(Standing(tidy(f"{before.text} {text[0].lower()}{text[1:]}"), complete=True))
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
        and words[words[place].head].tag in ("VBZ", "VBP", "VBD")
        for place in range(before.first, before.last)
    )


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
        return Standing(tidy(joined(words[begin : piece.last])), complete=False)
    return Standing(tidy(said), complete=True)


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


def _shown(sentence: Sentence, piece: Piece) -> Shown | None:
    return shown_to_us(sentence, _without_conjunction(sentence.words, piece.first), piece.last)


def _own_clause(sentence: Sentence, piece: Piece, subject: Subject | None) -> Standing:
    words = sentence.words
    begin = _without_conjunction(words, piece.first)
    text = joined(words[begin : piece.last])
    shown = _shown(sentence, piece)
    if shown is not None:
        return Standing(tidy(as_sentence(sentence, shown, piece.last)), complete=shown.verb is not None)
    if said := with_finite_verb(sentence, piece, begin):
        return Standing(tidy(said), complete=True)
    has_subject = subject is not None or _has_subject(sentence, piece)
    headless = words[begin].tag == "VBZ" or words[begin].text.lower() in SURE
    complete = piece.form is not None and has_subject and not headless and not shows_a_thing(text)
    return Standing(tidy(text), complete=complete)


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
        words[begin].text.lower() in CONJUNCTIONS or words[begin].text in (",", ";", "—", "–", "--")
    ):
        if words[begin].text.lower() in ("so", "or") and begin == 0:
            break
        begin += 1
    return begin


def tidy(text: str) -> str:
    """A text as a sentence: a capital first, a stop last, no space before marks, and no cue of the camera."""
    plain = re.sub(r" (?=[,.;:!?…])", "", " ".join(text.split()).replace(" & ", " and "))
    # "Tom watches as" is all that a heading in the middle of a sentence leaves of it.
    return with_full_stop(capitalised(without_cue(_TORN.sub("", plain))))

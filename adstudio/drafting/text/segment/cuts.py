"""Where a sentence is cut into pieces that each describe one eventuality.

The criterion is what the paper's first figure and worked example show. Coordinated clauses and verb phrases are cut,
and so are a participle ("…, wearing a blue shirt"), an absolute construction ("…, his hands shaking") and a relative
clause that a comma sets off or that adds a state to what something has ("large windows | that look out onto a road").
When, as, until and if clauses stay, and other relative clauses stay with their noun. Each cut is checked; where the
parse leaves a doubt, there is none.
"""

from __future__ import annotations

from functools import lru_cache

from adstudio.drafting.text.language.grammar import Sentence, Word, word_set
from adstudio.drafting.text.segment.asides import goes_on_behind_aside, is_held, past_aside
from adstudio.drafting.text.segment.cut_checks import parts_cleanly
from adstudio.drafting.text.segment.piece import Kind, Piece, Start
from adstudio.drafting.text.segment.verbs import (
    Form,
    bare_is_whole,
    finite,
    may_need_object,
    needs_object,
    slipped,
    surely_slipped,
)

LONGEST_SENTENCE = 200
"""Words; what is longer is no sentence that a parser could be trusted with."""


_SUBORDINATE = word_set("advcl relcl ccomp xcomp acl pcomp csubj csubjpass")
_CONJUNCTIONS = frozenset({"and", "but", "yet"})
_DASHES = frozenset({";", "—", "–", "--", " - "})
"""Not the colon: what follows it is what is written or shown, and belongs to what precedes it."""


def pieces(sentence: Sentence) -> tuple[Piece, ...]:
    """The pieces of a sentence in order, all of its words in them; one piece where nothing is to be cut."""
    words = sentence.words
    if len(words) > LONGEST_SENTENCE:
        return (Piece(Kind.OPENING, 0, len(words), None, None),)
    quoted_places = _quoted_places(words)
    found: list[Piece] = []
    first, start = 0, _opening(sentence, len(words))
    for place in range(1, len(words)):
        if place in quoted_places or place <= first:
            continue
        left = start if first else _opening(sentence, place)
        begins = _begins(sentence, first, place, left, _main(found, left))
        if begins is not None and left.kind is Kind.RELATIVE and begins.kind is Kind.VERB_PHRASE:
            continue  # "Lily, who shrugs, and goes back to her book": who goes back?
        if begins is None or not parts_cleanly(sentence, first, place, left, begins):
            continue
        found.append(Piece(left.kind, first, place, left.verb if left.verb >= 0 else None, left.form))
        first, start = place, begins
    verb = start.verb if start.verb >= 0 else None
    return (*found, Piece(start.kind, first, len(words), verb, start.form))


def _main(found: list[Piece], left: Start) -> Start:
    """The finite verb that a verb phrase after this would share its subject with."""
    if left.form is not None and left.kind is not Kind.RELATIVE:
        return left
    for piece in reversed(found):
        if piece.form is not None and piece.verb is not None and piece.kind is not Kind.RELATIVE:
            return Start(piece.kind, piece.verb, piece.form)
    return left


def _opening(sentence: Sentence, last: int) -> Start:
    words = sentence.words
    hidden = _quoted_places(words)
    for place in range(last):
        form = finite(sentence, place)
        owner = words[place].head if words[place].dep in ("aux", "auxpass") else place
        apart = words[owner].dep not in _SUBORDINATE or _speech_of_root(sentence, owner)
        if form and apart and not _within_subordinate(sentence, place, last):
            if place in hidden:
                continue
            return Start(Kind.OPENING, place, form)
    has_verb = any(finite(sentence, place) for place in range(last))
    for place in range(1, last):
        form = None if has_verb or place in hidden else slipped(sentence, place)
        if form and _could_be_subject(words[place - 1]):
            return Start(Kind.OPENING, place, form)
    if words and words[0].tag == "VBG":
        return Start(Kind.PARTICIPLE, 0, None)
    return Start(Kind.OPENING, -1, None)


def _could_be_subject(word: Word) -> bool:
    return word.tag in ("NN", "NNS", "NNP", "NNPS", "PRP", "JJ") and word.text[0].isalpha()


def _within_subordinate(sentence: Sentence, place: int, last: int) -> bool:
    # A clause that opens with when, as, that or who, and no verb outside it.
    return any(
        below < place and sentence.words[below].dep == "mark" and sentence.words[place].dep != "ROOT"
        for below in sentence.children[place]
        if below < last
    )


def _begins(sentence: Sentence, first: int, place: int, left: Start, main: Start) -> Start | None:
    words = sentence.words
    word, before = words[place], words[place - 1]
    if word.text.lower() in _CONJUNCTIONS and word.tag in ("CC", "RB"):
        return _coordinated(sentence, first, place, left, main)
    if before.text in _DASHES and left.form is not None:
        return _clause(sentence, place, place) or _verb_phrase(sentence, first, place, place, main)
    if before.text == ",":
        return _after_comma(sentence, first, place, left, main)
    if word.text.lower() in ("that", "which", "who") and left.form and left.verb >= 0:
        return _added_state(sentence, place, left)
    return None


def _coordinated(sentence: Sentence, first: int, place: int, left: Start, main: Start) -> Start | None:
    if left.form is None and left.kind not in (Kind.PARTICIPLE, Kind.PASSIVE, Kind.ABSOLUTE):
        return None
    follows = sentence.words[min(place + 1, len(sentence.words) - 1)].text.lower()
    if follows in ("so", "neither", "nor") or (follows == "there" and sentence.words[place - 1].text.lower() == "here"):
        return None  # "and so does she"; "here and there"
    after = past_aside(sentence, place + 1)
    verb_at = _past_adverbs(sentence, after)
    if left.kind is Kind.PARTICIPLE and verb_at < len(sentence.words) and sentence.words[verb_at].tag == "VBG":
        more = any(word.text[0].isalnum() for word in sentence.words[verb_at + 1 :])
        return Start(Kind.PARTICIPLE, verb_at, None) if more and place - left.verb > 1 else None
    return _verb_phrase(sentence, first, place, after, main) or (_clause(sentence, place, after) if left.form else None)


def _after_comma(sentence: Sentence, first: int, place: int, left: Start, main: Start) -> Start | None:
    words = sentence.words
    if left.kind is Kind.PARTICIPLE and first == 0 and left.verb == 0:
        objects = [below for below in sentence.children[0] if words[below].dep == "dobj" and below < place]
        whole = any(
            words[at].tag == "PRP" or any(words[below].dep in ("det", "poss") for below in sentence.children[at])
            for at in objects
        )
        return _clause(sentence, place, place) if whole else None
    if left.form is None and left.kind is Kind.OPENING:
        return None
    if words[place].tag in ("WP", "WDT") and words[place].text.lower() in ("who", "which"):
        return _relative(sentence, place)
    return (
        _participle(sentence, place)
        or _absolute(sentence, place)
        or (_verb_phrase(sentence, first, place, place, main) if words[place].tag != "CC" else None)
    )


def _past_adverbs(sentence: Sentence, place: int) -> int:
    words = sentence.words
    while place < len(words) and (words[place].tag == "RB" or words[place].text.lower() == "then"):
        place += 1
    return place


def _verb_phrase(sentence: Sentence, first: int, place: int, after: int, main: Start) -> Start | None:
    words = sentence.words
    at = _past_adverbs(sentence, after)
    if at >= len(words) or main.form in (None, Form.MODAL) or is_held(words, at):
        return None
    form = finite(sentence, at) or surely_slipped(sentence, at)
    if (
        form is not main.form
        or _inside_subordinate(sentence, at, place)
        or goes_on_behind_aside(words, main.verb, place)
    ):
        return None
    if words[place - 1].text in {",", *_DASHES}:
        broken = main.verb == place - 2 and needs_object(words[main.verb].text)
    else:
        ends = at == after and not any(word.text[0].isalnum() for word in words[at + 1 :])
        broken = ends or _shares_object(words, main.verb, first, place)  # "looks up and smiles" is one movement
    return None if broken else Start(Kind.VERB_PHRASE, at, form)


def _shares_object(words: tuple[Word, ...], verb: int, first: int, place: int) -> bool:
    """Whether a verb before "and" may have its object after it: she lifts (and examines the box)."""
    if verb < first:
        return False
    own = [word for word in words[verb + 1 : place] if word.text[0].isalnum()]
    if not own:
        return not bare_is_whole(words[verb].text)
    return len(own) == 1 and may_need_object(words[verb].text, own[0])


def _inside_subordinate(sentence: Sentence, at: int, place: int) -> bool:
    """Whether the verb belongs, by the parser, to a subordinate clause that begins before the cut."""
    words = sentence.words
    here = at
    for _ in words:
        quoted = here in _quoted_places(words)
        if words[here].dep in _SUBORDINATE and here < place and not quoted and not _speech_of_root(sentence, here):
            return True
        if words[here].head == here:
            return False
        here = words[here].head
    return False


def _speech_of_root(sentence: Sentence, here: int) -> bool:
    # "Waves break, then a boat appears": the parser makes the first clause a complement of the second.
    return sentence.words[here].dep == "ccomp" and sentence.words[here].head > here


def _clause(sentence: Sentence, place: int, after: int) -> Start | None:
    words = sentence.words
    at = _past_adverbs(sentence, after)
    for verb in range(at + 1, len(words)):
        subjects = [
            below
            for below in sentence.children[verb]
            if words[below].dep in ("nsubj", "nsubjpass", "expl") and at <= below < verb
        ]
        if not subjects or words[verb].dep in ("relcl", "advcl", "acl", "xcomp", "pcomp"):
            continue
        form = finite(sentence, verb)
        helping = [
            below for below in sentence.children[verb] if words[below].dep in ("aux", "auxpass") and below < verb
        ]
        if form is None and helping:
            form = finite(sentence, helping[0])
        form = form or slipped(sentence, verb)
        begins = min(sentence.subtree(subjects[0]))
        if form is None or begins not in (at, after) or _inside_subordinate(sentence, verb, place):
            return None
        return Start(Kind.CLAUSE, helping[0] if helping else verb, form)
    return None


def _participle(sentence: Sentence, place: int) -> Start | None:
    words = sentence.words
    at = _past_adverbs(sentence, place)
    if at >= len(words):
        return None
    word = words[at]
    before = words[place - 2] if place > 1 else word
    listed = place > 2 and before.tag == "JJ" and words[place - 3].tag in ("DT", "PRP$", "JJ")  # "a large, limping man"
    met = before.tag in ("NNP", "NNPS") and before.dep in ("pobj", "dobj", "dative")
    if listed or met or (word.tag == "VBG" and _leads_a_clause(sentence, at)):
        return None  # "she looks at Tom, still eating": who eats?
    if word.tag == "VBG" and word.dep in ("advcl", "acl", "conj", "ROOT", "dep"):
        hung = next((found for found in reversed(words[: place - 1]) if found.tag not in ("RB", "UH", ",")), word)
        if hung.lemma == "be" or hung.text.lower() in ("be", "is", "are", "was", "were"):
            return None
        earlier = [found for found in words[max(0, place - 3) : place - 1] if found.tag == "VBG"]
        return (
            None
            if earlier or _inside_subordinate(sentence, words[at].head, place)
            else Start(Kind.PARTICIPLE, at, None)
        )
    if word.tag == "VBN" and word.dep in ("advcl", "acl") and at + 1 < len(words) and words[at + 1].tag == "IN":
        return Start(Kind.PASSIVE, at, None)
    return None


def _leads_a_clause(sentence: Sentence, at: int) -> bool:
    """Whether a clause follows a participle that belongs to it: (he retreats, then,) grinning at Ann, he waves."""
    words = sentence.words
    comma = next((place for place in range(at + 1, len(words)) if words[place].text == ","), len(words))
    subject = comma + 1
    return subject < len(words) and words[subject].dep in ("nsubj", "nsubjpass") and words[subject].tag != "WP"


def _absolute(sentence: Sentence, place: int) -> Start | None:
    words = sentence.words
    if words[place].tag != "PRP$":
        return None
    for verb in range(place + 2, min(place + 6, len(words))):
        if words[verb].tag in ("VBG", "VBN"):
            subject = words[verb - 1]
            plain = all(word.tag in ("JJ", "NN", "NNS", "RB", "VBN") for word in words[place + 1 : verb])
            return Start(Kind.ABSOLUTE, verb, None) if plain and subject.tag in ("NN", "NNS", "RB") else None
        if words[verb].tag not in ("JJ", "NN", "NNS", "RB"):
            return None
    return None


def _relative(sentence: Sentence, place: int) -> Start | None:
    words = sentence.words
    at = _past_adverbs(sentence, place + 1)
    if at >= len(words) or words[at].text in ("'s", "’s"):
        return None
    form = finite(sentence, at) or slipped(sentence, at)
    return Start(Kind.RELATIVE, at, form) if form else None


def _added_state(sentence: Sentence, place: int, left: Start) -> Start | None:
    words = sentence.words
    if words[left.verb].lemma != "have" or left.kind not in (Kind.OPENING, Kind.CLAUSE):
        return None
    head = words[place - 1]
    sound = head.tag in ("NN", "NNS") and head.dep == "dobj" and words[head.head].lemma == "have"
    begins = _relative(sentence, place) if sound else None
    return begins if begins and len(words) - place >= 4 else None


@lru_cache(maxsize=256)
def _quoted_places(words: tuple[Word, ...]) -> frozenset[int]:
    """The places within quotation marks or brackets, where nothing is cut."""
    quoted: set[int] = set()
    closing = {"(": ")", "[": "]", "“": "”", '"': '"', "«": "»", "‘": "’", "``": "''"}
    start, waits = -1, ""
    for place, word in enumerate(words):
        if waits and word.text == waits:
            quoted.update(range(start, place + 1))
            waits = ""
        elif not waits and word.text in closing:
            start, waits = place, closing[word.text]
    if waits:
        quoted.update(range(start, len(words)))
    return frozenset(quoted)

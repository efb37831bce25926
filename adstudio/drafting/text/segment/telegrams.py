"""Sentences that leave out their “is”, as those of telegrams: Ned rowing. → Ned rows."""

from __future__ import annotations

from adstudio.drafting.text.language.grammar import Sentence, word_set
from adstudio.drafting.text.segment.piece import Piece
from adstudio.drafting.text.segment.subject import joined
from adstudio.drafting.text.segment.verbs import present, verb_of_participle

_SEVERAL = word_set("and they we you i both all many few police people")
"""With these before it a verb has no -s."""
_NOT_BEFORE = ("IN", "TO", ":", ",")
_NOT_AMONG = word_set("'s ’s not never")
"""“Ned not rowing” takes a “does”; after “Ned’s” there is an “is”."""


def with_finite_verb(sentence: Sentence, piece: Piece, begin: int) -> str:
    """A sentence that says what somebody is doing without “is”, from word `begin`, in the present; "" for any other."""
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
        if lemma and not any(word.tag in _NOT_BEFORE or word.text.lower() in _NOT_AMONG for word in before):
            several = words[who].tag in ("NNS", "NNPS") or any(word.text.lower() in _SEVERAL for word in before)
            return f"{joined(before)} {present(lemma, plural=several)} {joined(words[verb + 1 : piece.last])}"
    return ""

"""What makes a noun what it is: the noise like a kettle, the entrance to the mine, a scar on her chin."""

from __future__ import annotations

from adstudio.drafting.text.compress import lexicon
from adstudio.drafting.text.compress.words import Clause
from adstudio.drafting.text.language.grammar import word_set

_COMPLEMENTS = {
    "to": "entrance exit way road path route door gate key answer reply letter call visit trip journey approach access "
    "damage return stairs staircase step steps stairway passage bridge ticket threat link clue solution guide "
    "invitation introduction testament tribute monument witness heir reaction response lid turn trapdoor hatch "
    "toast attachment limit danger prelude",
    "from": "letter call message gift present card noise sound light smoke exit escape view steam refugee survivor "
    "note parcel souvenir scene photograph picture step inch foot feet yard metre mile block",
    "for": "queue search hunt demand request reason need desire cure recipe bid plan order offer place time chance "
    "love respect contempt fight waiting look excuse bill receipt sign advertisement ad poster room money list line",
    "with": "fight argument appointment date meeting conversation contact struggle battle affair interview problem "
    "quarrel encounter duel match deal man woman boy girl person people one figure",
    "on": "scar stain mark hand attack writing light ring tattoo wound bruise kiss dent lid label name bounty tag "
    "foot knee spot scratch button message line report assault raid cut bandage words eye",
    "in": "hole gap crack tear break crease interest tooth lump knife bullet arrow gun belief faith dent opening "
    "change increase rise drop rip rent split slit look smile twinkle tears role part",
    "over": "bridge victory power control view argument fight blanket hood",
    "about": "argument story book song question doubt joke film rumour letter dream conversation report",
    "between": "difference distance gap space fight argument choice border line wall",
    "against": "fight struggle case protest",
    "at": "look glance attempt stab shot date view",
    "like": "noise sound look thing something creature animal face",
    "around": "arm arms",
    "into": "look glance door window road way turn",
    "through": "hole way path journey view gap",
    "under": "gap lump",
    "after": "chase",
    "behind": "look reason",
    "of": "all",
}
_COMPLEMENTED = frozenset((noun, word) for word, nouns in _COMPLEMENTS.items() for noun in nouns.split())
_LIGHT_VERBS = word_set("have feel make give get take see hear find be")
_GENERIC = word_set(
    "man woman boy girl person people child guy lady direction place point spot moment feeling sense fact idea hope "
    "fear belief news sign impression thing way house day night sound noise look expression air one those figure "
    "someone room"
)
"""Nouns that mean little without the clause after them: the man who shot her, the point where the path divides."""


def completes_noun(clause: Clause, at: int) -> bool:
    """Whether a phrase or clause after a noun says what noun it is, so that both go or stay together."""
    head = clause.words[at].head
    noun = clause.top(head)
    if noun.pos != "NOUN" or head >= at:
        return False
    first = clause.spans[at][0]
    if clause.after[first - 1]:
        return False  # set off by a comma: it only adds
    lemma, below = noun.lemma.lower(), clause.words_below(head)
    if clause.top(at).dep == "prep":
        if (lemma, clause.lower(at)) in _COMPLEMENTED and not (below & {"with"} and clause.lower(at) != "with"):
            return not _person_with(clause, at, head)
        return _newly_named(clause, head) and clause.lower(at) in _WHERE_IT_IS
    generic = lemma in _GENERIC and bool(below & lexicon.DEFINITE)
    return clause.top(at).dep in {"relcl", "acl"} and (generic or _newly_named(clause, head))


_WHERE_IT_IS = word_set("on in around about over")


def _person_with(clause: Clause, at: int, head: int) -> bool:
    """As in "a man with a knife" who is known otherwise: an adjective or another complement is enough."""
    return clause.lower(at) == "with" and "the" not in clause.words_below(head)


def _newly_named(clause: Clause, at: int) -> bool:
    """Whether a noun is brought in by an empty verb: has a scar, feels a hand, there is a queue."""
    if not clause.words_below(at) & {"a", "an"} or clause.below(at, "amod", "compound"):
        return False
    governor = clause.top(clause.words[at].head)
    return clause.top(at).dep in {"dobj", "attr"} and governor.lemma.lower() in _LIGHT_VERBS

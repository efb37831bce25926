"""What a word brings to the story, so that modifiers go first and what happens goes last.

The figures are chosen by hand and read against the two hundred sentences; they are counted for a word alone, and a
unit is worth what its words are. A verb in a list (a second thing that happens) stands above places, agents and
circumstances, these above clauses that only describe, these above adjectives, adverbs and intensifiers.
"""

from __future__ import annotations

from adstudio.drafting.text.compress.lexicon import GOALS, INTENSIFIERS
from adstudio.drafting.text.compress.words import Clause

_OWN = {"PROPN": 300, "VERB": 120, "NOUN": 120, "NUM": 100, "ADJ": 50, "PRON": 40}
_RELATION = {"agent": 420, "acl": 240, "relcl": 220, "advcl": 320, "appos": 200, "amod": 90, "npadvmod": 200}
_SECOND_EVENT, _SECOND_THING = 500, 330
_GOAL, _CIRCUMSTANCE, _OF_A_NOUN = 460, 400, 200
_INTENSIFIER, _MANNER, _OTHER_ADVERB = 50, 90, 140


def worth(clause: Clause, at: int) -> int:
    """What a word is worth, in hundredths: its own and that of its relation, less the deeper it stands."""
    word = clause.top(at)
    relation = _RELATION.get(word.dep, 0)
    text = word.text.lower()
    if word.dep == "prep":
        of_a_noun = clause.top(clause.words[at].head).pos in {"NOUN", "PROPN", "PRON", "NUM"}
        relation = _OF_A_NOUN if of_a_noun else _GOAL if text in GOALS else _CIRCUMSTANCE
    elif word.dep == "advmod":
        relation = _INTENSIFIER if text in INTENSIFIERS else _MANNER if text.endswith("ly") else _OTHER_ADVERB
    elif word.dep == "conj":
        relation = _SECOND_EVENT if word.pos in {"VERB", "AUX"} else _SECOND_THING
    return (_OWN.get(word.pos, 0) + relation) * 10 // (10 + clause.depth[at])

"""Rules suggested between the lines of one scene: what says the same twice, and what is not understood alone.

A rule makes its scene one for CP-SAT, so there are few: only what is plain, and at most `MOST` of each kind a scene.
They are suggestions, each with its reason in a sentence; nothing applies them by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from adstudio.core.script import Penalty, Rules
from adstudio.drafting.text.score.embeddings import Encoder
from adstudio.drafting.text.score.references import Antecedent, antecedents
from adstudio.drafting.text.score.terms import terms

MOST = 4
"""Suggestions of one kind for a scene, the surest first."""
ALIKE = 0.80
"""The cosine from which two lines may be near-duplicates. MiniLM gives rewordings about 0.75, but up to 0.8 to lines
that merely have their people and things in common; a wrong suggestion costs the describer more than one missed."""
SHARED = 1 / 2
"""The share of the shorter line's words that the other must have too."""


@dataclass(frozen=True)
class Line:
    """A line of the scene, in textual order.

    `worth` is what its full wording adds to the objective, σ·l, in millionths of an objective unit (salience in
    millionths times seconds).
    """

    id: str
    text: str
    worth: int


@dataclass(frozen=True)
class SuggestedPenalty:
    """Two lines that say nearly the same, and why."""

    penalty: Penalty
    reason: str


@dataclass(frozen=True)
class SuggestedRequirement:
    """A line that is understood only after another: `line` only if `needs`; and why."""

    line: str
    needs: str
    reason: str


@dataclass(frozen=True)
class Suggested:
    """What one scene is offered."""

    penalties: tuple[SuggestedPenalty, ...] = ()
    requires: tuple[SuggestedRequirement, ...] = ()

    @property
    def rules(self) -> Rules:
        """All of them as rules."""
        return Rules(
            requires=tuple((each.line, each.needs) for each in self.requires),
            penalties=tuple(each.penalty for each in self.penalties),
        )


def suggested(
    lines: Sequence[Line], encoder: Encoder, *, known: Collection[str] = (), language: str = "en"
) -> Suggested:
    """The rules that one scene's lines suggest.

    `known` are the names of people whom the audience has met before the scene: a “she” for one of them needs no line.
    What follows from grammar is suggested for English only.

    Raises:
        OutsideFailureError: where the grammar is needed and not installed.
    """
    english = language.lower().split("-")[0] == "en"
    return Suggested(_repetitions(lines, encoder), _requirements(lines, known) if english else ())


def _repetitions(lines: Sequence[Line], encoder: Encoder) -> tuple[SuggestedPenalty, ...]:
    """Pairs from the most alike down, each line in one pair at most.

    Two lines also have to share words: the model finds “he sits” and “he stands” alike. Having said one of two lines
    of cosine c, the other adds only the share 1 − c of its worth; so the cost is c times the smaller worth.
    """
    vectors = encoder.embeddings([line.text for line in lines])
    cosines = vectors @ vectors.T
    words = [set(terms(line.text)) for line in lines]
    pairs = sorted(
        (-round(float(cosines[i, j]), 6), i, j)
        for i in range(len(lines))
        for j in range(i + 1, len(lines))
        if cosines[i, j] >= ALIKE and _share_words(words[i], words[j]) and min(lines[i].worth, lines[j].worth) > 0
    )
    taken: set[int] = set()
    found: list[SuggestedPenalty] = []
    for opposite, i, j in pairs:
        if len(found) == MOST or taken & {i, j}:
            continue
        taken |= {i, j}
        cost = round(-opposite * min(lines[i].worth, lines[j].worth))
        reason = f"“{lines[i].text}” and “{lines[j].text}” say nearly the same thing: one of them may be enough."
        found.append(SuggestedPenalty(Penalty(lines[i].id, lines[j].id, cost), reason))
    return tuple(found)


def _share_words(one: set[str], other: set[str]) -> bool:
    return bool(one and other) and len(one & other) >= SHARED * min(len(one), len(other))


def _requirements(lines: Sequence[Line], known: Collection[str]) -> tuple[SuggestedRequirement, ...]:
    found = antecedents([line.text for line in lines], known)
    return tuple(_requirement(lines, each) for each in found[:MOST])


def _requirement(lines: Sequence[Line], found: Antecedent) -> SuggestedRequirement:
    line, needs = lines[found.line], lines[found.needs]
    reason = f"“{found.word}” in “{line.text}” only makes sense after “{needs.text}”."
    return SuggestedRequirement(line.id, needs.id, reason)

"""Gap METEOR and gap CIDEr of single gaps: what the plan says there against what a reference says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adstudio.evaluation.gap_rows import GapRow
from adstudio.evaluation.gap_scores import cider
from adstudio.evaluation.text_scoring import TextScorer


@dataclass(frozen=True, slots=True)
class GapTexts:
    """The descriptions of reference and plan in a gap."""

    reference: tuple[str, ...]
    plan: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GapScore:
    """The scores of a gap, as `results.Scores` has them."""

    meteor: float
    cider: float


def texts_of(row: GapRow) -> GapTexts:
    """What is scored of a gap."""
    reference, plan = (tuple(line.description.text for line in each.lines) for each in (row.reference, row.plan))
    return GapTexts(reference, plan)


def row_scores(gaps: Sequence[GapTexts], scorer: TextScorer) -> tuple[GapScore | None, ...]:
    """The scores of each gap of a film, in order; None where the reference says nothing.

    Words are weighed for gap CIDEr by all gaps in which the reference speaks.

    Raises:
        ScoringError: where a program that scores is missing or fails.
    """
    texts = list(dict.fromkeys(text for gap in gaps for text in (*gap.reference, *gap.plan)))
    tokens = dict(zip(texts, scorer.tokens(texts), strict=True))

    def joined(side: Sequence[str]) -> str:
        return " ".join(filter(None, (tokens[text] for text in side)))

    pairs = [(joined(gap.reference), joined(gap.plan)) for gap in gaps]
    scored = [number for number, (reference, _) in enumerate(pairs) if reference]
    meteors = scorer.meteor([pairs[number] for number in scored])
    ciders = cider([[pairs[number][0]] for number in scored], [pairs[number][1] for number in scored])
    found = {
        number: GapScore(100 * meteor, weighed) for number, meteor, weighed in zip(scored, meteors, ciders, strict=True)
    }
    return tuple(found.get(number) for number in range(len(gaps)))

"""Gap CIDEr and gap METEOR: what is said in a gap in the dialogue against what the references say there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from adstudio.core.timebase import Span
from adstudio.evaluation.material import Description, EvaluatedFilm
from adstudio.evaluation.results import GapComparison
from adstudio.evaluation.sequences import by_sequence, gaps_around, gaps_by_sequence
from adstudio.evaluation.text_scoring import ScoringError, missing_package

CIDER_BELOW_MS = 20_000
"""Gap CIDEr is reported over gaps shorter than this, as the benchmark does: a long one holds many descriptions."""


def texts_by_gap(descriptions: Sequence[Description], texts: Sequence[str], gaps: Sequence[Span]) -> tuple[str, ...]:
    """What is said in each gap: the texts of the descriptions that it contains, in the order of their times.

    A description belongs to every gap that fully contains it within the collar. `descriptions` are in order; `texts`
    is what is joined of each, as its words or its tokens.
    """
    found: list[list[str]] = [[] for _ in gaps]
    for description, text in zip(descriptions, texts, strict=True):
        for number in gaps_around(description.span, gaps):
            found[number].append(text)
    return tuple(" ".join(filter(None, each)) for each in found)


def compared_gaps(film: EvaluatedFilm) -> tuple[GapComparison, ...]:
    """Every gap of a film with what the references and the systems say in it; `scoring` adds the scores."""

    def said(descriptions: Sequence[Description], gaps: Sequence[Span]) -> tuple[str, ...]:
        return texts_by_gap(descriptions, [each.text for each in descriptions], gaps)

    gaps = gaps_by_sequence(film)
    references = {each.name: by_sequence(film, each.descriptions) for each in film.references}
    systems = {each.name: by_sequence(film, each.descriptions) for each in film.systems}
    found: list[GapComparison] = []
    for number, sequence in enumerate(film.sequences):
        here = gaps[number]
        of_references = {name: said(parts[number], here) for name, parts in references.items()}
        of_systems = {name: said(parts[number], here) for name, parts in systems.items()}
        for place, gap in enumerate(here):
            by_reference = {name: texts[place] for name, texts in of_references.items() if texts[place]}
            by_system = {name: texts[place] for name, texts in of_systems.items() if texts[place]}
            found.append(GapComparison(film.name, sequence.name, gap, by_reference, by_system, {}))
    return tuple(found)


def cider(references: Sequence[Sequence[str]], hypotheses: Sequence[str]) -> list[float]:
    """CIDEr of the tokens said in each gap, per cent of its usual scale: at most 1000; the paper's experts have 51.4.

    This is pycocoevalcap's CIDEr times 100, as the benchmark prints it. It is CIDEr-D: n-grams of 1 to 4 tokens, each
    weighted by the logarithm of the number of gaps over the number of gaps in whose references it occurs; cosines
    clipped at the reference's counts and damped by the difference in length (σ = 6); the mean over n and over the
    references, times 10. `references` are those of every gap of the whole run in which at least one says something, as
    the weights come from them; one that says nothing in a gap is given as an empty text, and counts in the mean.

    Raises:
        ScoringError: where the package is missing.
    """
    if not references:
        return []
    try:
        from pycocoevalcap.cider import cider as library  # pyright: ignore[reportMissingTypeStubs]
    except ImportError:
        raise ScoringError(missing_package("CIDEr")) from None
    given = {number: list(texts) for number, texts in enumerate(references)}
    said = {number: [text] for number, text in enumerate(hypotheses)}
    _mean, scores = cast("Any", library).Cider().compute_score(given, said)
    return [float(score) * 100 for score in scores]

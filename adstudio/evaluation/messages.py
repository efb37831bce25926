"""What reports say of an evaluation, in words: names of measures, strata and reasons, marks, notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from adstudio.core.counts import counted
from adstudio.core.timebase import clock
from adstudio.evaluation.material import SequenceSource
from adstudio.evaluation.results import (
    Evaluation,
    Measure,
    QuestionResult,
    Significance,
    SystemAnswer,
    SystemResult,
    Unrealistic,
)
from adstudio.evaluation.run_comparison import RunComparison
from adstudio.evaluation.significance import ALPHA
from adstudio.evaluation.strata import Stratum

STRICT_ALPHA = 0.01
"""Below this p a difference gets two marks."""


@dataclass(frozen=True)
class MeasureName:
    """A measure as the paper's tables head it: a group and a column in it; its full name, and what it says."""

    group: str
    column: str
    name: str
    about: str


MEASURE_NAMES: Mapping[Measure, MeasureName] = {
    Measure.GAP_CIDER: MeasureName(
        "Gaps", "C", "Gap CIDEr", "how many telling words the descriptions in a gap share with the references there"
    ),
    Measure.GAP_METEOR: MeasureName(
        "Gaps", "M", "Gap METEOR", "the same with synonyms, word stems and word order; the best reference counts"
    ),
    Measure.SODA_M: MeasureName(
        "SODA", "M", "SODA-M", "descriptions aligned in order with those of the reference: how alike the pairs are"
    ),
    Measure.SODA_T: MeasureName(
        "SODA", "T", "SODA-T", "the share of the reference’s descriptions with an aligned one less than 10 s away"
    ),
    Measure.QEVAL: MeasureName(
        "QEval", "Acc", "QEval", "the share of questions about the film that a model answers right from the AD alone"
    ),
    Measure.QEVAL_T: MeasureName(
        "QEval", "T", "QEval-T", "the same, where the answer comes from a description less than 10 s from its place"
    ),
}

REASON_NAMES: Mapping[Unrealistic, str] = {
    Unrealistic.TOO_FAST: "too fast (300 wpm or more)",
    Unrealistic.OVER_DIALOGUE: "over dialogue",
    Unrealistic.OVERLAPPING: "overlapping the one before",
}

SEQUENCE_SOURCES: Mapping[SequenceSource, str] = {
    SequenceSource.FILE: "groups of scenes, from a file",
    SequenceSource.SCENES: "the scenes",
    SequenceSource.FILM: "the whole film as one",
}


@dataclass(frozen=True)
class Row:
    """A system's row in a table: with its name, or indented below the row of the same system without the filter."""

    system: SystemResult
    label: str
    indented: bool = False

    @property
    def full(self) -> str:
        """The name where nothing is above it."""
        return f"{self.system.unfiltered}, {self.label}" if self.indented else self.label


REALISTIC = "realistic"
"""The label of a row below that of the same system without the realistic filter."""


def rows_of(evaluation: Evaluation) -> tuple[Row, ...]:
    """The rows in the order of the systems, each realistic one right below its system."""
    names = {system.name for system in evaluation.systems}
    below: dict[str, list[Row]] = {}
    first: list[SystemResult] = []
    for system in evaluation.systems:
        if system.unfiltered in names and system.unfiltered != system.name:
            below.setdefault(system.unfiltered or "", []).append(Row(system, REALISTIC, indented=True))
        else:
            first.append(system)
    return tuple(row for system in first for row in (Row(system, system.name), *below.get(system.name, ())))


def measures_of(evaluation: Evaluation) -> tuple[Measure, ...]:
    """The measures that at least one row has."""
    return tuple(measure for measure in Measure if any(measure in system.mean for system in evaluation.systems))


def score(value: float) -> str:
    """A score to one decimal."""
    return f"{value:.1f}".replace("-", "−")


def signed(value: float) -> str:
    """A difference to one decimal, with its sign; without one where it rounds to nothing."""
    return "0.0" if abs(value) < 0.05 else f"{value:+.1f}".replace("-", "−")


def p_value(p: float) -> str:
    """A p as it is read: `p < 0.001`, `p = 0.020`."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def mark(p: float) -> str:
    """The stars of a difference: two below 0.01, one below 0.05."""
    return "**" if p < STRICT_ALPHA else "*" if p < ALPHA else ""


def differences(evaluation: Evaluation, base: str) -> dict[tuple[str, Measure], Significance]:
    """The tests of all other systems against `base`, each turned so that `one` is the other system."""
    found: dict[tuple[str, Measure], Significance] = {}
    for each in evaluation.significance:
        if each.other == base:
            found[each.one, each.measure] = each
        elif each.one == base:
            found[each.other, each.measure] = Significance(each.other, base, each.measure, -each.difference, each.p)
    return found


def mark_notes(evaluation: Evaluation, base: str) -> Iterator[str]:
    """What the stars of a table mean; nothing where no test was made against `base`."""
    if differences(evaluation, base):
        count = len({(each.film, each.sequence) for system in evaluation.systems for each in system.sequences})
        yield (
            f"* differs from {base}, p < {ALPHA:g}; ** p < {STRICT_ALPHA:g}"
            f" (two-tailed paired permutation test over {counted(count, 'sequence')})"
        )


def run_notes(compared: RunComparison) -> Iterator[str]:
    """What is to be known of a comparison with an earlier run."""
    counts = {each.sequences for each in compared.changes}
    if counts:
        least, most = min(counts), max(counts)
        number = counted(most, "sequence") if least == most else f"{least:,} to {counted(most, 'sequence')}"
        yield (
            f"Over the {number} that both runs have: * p < {ALPHA:g}, ** p < {STRICT_ALPHA:g}"
            " (two-tailed paired permutation test)"
        )
    else:
        yield "The runs have no system and sequence in common"
    if compared.added:
        yield f"Only in this run: {', '.join(compared.added)}"
    if compared.gone:
        yield f"Only in the earlier run: {', '.join(compared.gone)}"
    for film in compared.lacking:
        yield f"{film}: its references or sequences are not those of the earlier run: its numbers do not compare"


def per_cent(part: int, whole: int) -> str:
    """A share to one decimal, in per cent; a dash of nothing."""
    return f"{100 * part / whole:.1f} %" if whole else "–"


def filter_message(row: Row) -> str:
    """What the realistic filter removed of a system's descriptions; empty where it was not applied."""
    counts = row.system.filtered
    if counts is None:
        return ""
    removed = sum(counts.removed.values())
    name = row.system.unfiltered if row.indented else row.label
    start = f"{name}: the realistic filter removes {removed:,} of {counted(counts.total, 'description')}"
    reasons = {reason: counts.removed[reason] for reason in Unrealistic if counts.removed.get(reason)}
    parts = [f"{number:,} {REASON_NAMES[reason]}" for reason, number in reasons.items()]
    if counts.faster_than_500:
        parts.append(f"{counts.faster_than_500:,} over 500 wpm")
    return start + (f": {', '.join(parts)}" if parts else "")


def answer_message(question: QuestionResult, answer: SystemAnswer) -> str:
    """What an answer is worth: `right, by the description at 00:00:06.000`."""
    if answer.given != question.right:
        return "wrong" if answer.given else "no answer"
    if answer.source is None:
        return "right"
    late = "" if answer.in_time or question.time is None else ", not in time"
    return f"right, by the description at {clock(answer.source.start)}{late}"


def proof_label(stratum: Stratum) -> str:
    """A stratum of difficulty: `0.1 to 1 s`."""
    if stratum.low is None and stratum.high is None:
        return "not proven"
    return _range(stratum, 1)


def free_label(stratum: Stratum) -> str:
    """A stratum of narration time: `5 to 10 s`."""
    return _range(stratum, 1000)


def _range(stratum: Stratum, unit: int) -> str:
    low = None if stratum.low is None else f"{stratum.low / unit:g}"
    high = None if stratum.high is None else f"{stratum.high / unit:g}"
    if low is None:
        return f"under {high} s"
    return f"{low} s or more" if high is None else f"{low} to {high} s"

"""What the page of an evaluation shows, part by part, for the templates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import ClassVar, Generic, TypeVar

from markupsafe import Markup

from adstudio import __version__
from adstudio.core.counts import counted
from adstudio.evaluation.messages import (
    MEASURE_NAMES,
    REASON_NAMES,
    SEQUENCE_SOURCES,
    STRICT_ALPHA,
    Row,
    answer_message,
    differences,
    free_label,
    mark,
    mark_notes,
    measures_of,
    proof_label,
    rows_of,
    run_notes,
)
from adstudio.evaluation.plots import IntervalRow, PanelRow, interval_plot, panel_plot
from adstudio.evaluation.results import (
    Evaluation,
    GapComparison,
    Measure,
    QuestionResult,
    Scores,
    SequenceFacts,
    Significance,
    Unrealistic,
)
from adstudio.evaluation.run_comparison import Change, RunComparison
from adstudio.evaluation.significance import ALPHA
from adstudio.evaluation.strata import (
    SelectionTotals,
    Stratum,
    difficulty_strata,
    narration_strata,
    selection_totals,
)

_FIRST = (Measure.SODA_T, Measure.QEVAL)
"""The measures that the paper stratifies; the others are folded away."""
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,4}\Z")
LabelledStrata = Sequence[tuple[str, Stratum]]


@dataclass(frozen=True)
class Part:
    """A section of the page: its template and anchor, and its heading."""

    id: str
    title: str


@dataclass(frozen=True)
class SequenceRows:
    """A sequence with the rows of the systems that have scores there."""

    name: str
    facts: SequenceFacts | None
    rows: Sequence[tuple[Row, Scores]]


Piece = TypeVar("Piece", GapComparison, QuestionResult)


@dataclass(frozen=True)
class FilmPieces(Generic[Piece]):
    """A film's gaps or questions by sequence; `language` is the tag for its texts, empty where it is not known."""

    film: str
    language: str
    sequences: Mapping[str, Sequence[Piece]]


@dataclass(frozen=True)
class SelectionTable:
    """What plans select by strata, and its plot."""

    title: str
    strata: LabelledStrata
    plot: Markup


@dataclass(frozen=True)
class ReportPage:
    """The page; `base` is the system that others are compared with, empty where there is none.

    `compared` is an earlier run beside this one.
    """

    evaluation: Evaluation
    rows: tuple[Row, ...]
    base: str
    compared: RunComparison | None = None

    version: ClassVar = __version__
    names: ClassVar = MEASURE_NAMES
    gap_scores: ClassVar = {measure: name.name.removeprefix("Gap ") for measure, name in MEASURE_NAMES.items()}
    reasons: ClassVar = tuple(Unrealistic)
    reason_names: ClassVar = REASON_NAMES
    sources: ClassVar = SEQUENCE_SOURCES
    answer_message: ClassVar = staticmethod(answer_message)
    alpha: ClassVar = f"{ALPHA:g}"
    strict_alpha: ClassVar = f"{STRICT_ALPHA:g}"

    @classmethod
    def of(cls, evaluation: Evaluation, base: str | None = None, compared: RunComparison | None = None) -> ReportPage:
        """The page of an evaluation; without a `base`, the first row is the one."""
        rows = rows_of(evaluation)
        if base not in {row.system.name for row in rows}:
            base = rows[0].system.name if rows else ""
        return cls(evaluation, rows, base, compared)

    @property
    def title(self) -> str:
        """The title of the window: what was evaluated."""
        names = [film.name for film in self.evaluation.films]
        more = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
        return f"Evaluation: {names[0]}{more}" if names else "Evaluation"

    @property
    def lead(self) -> str:
        """How much was evaluated, and when."""
        found = self.evaluation
        numbers = [(len(found.films), "film"), (sum(film.sequences for film in found.films), "sequence")]
        numbers += [(len(self.rows), "system"), (len(found.gaps), "gap")]
        day = f" {_long_date(found.day)}." if found.day else ""
        return f"{', '.join(counted(*each) for each in numbers)}.{day}"

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The sections that there is something for."""
        found = self.evaluation
        parts = [Part("results", "Results")]
        if self.compared:
            parts.append(Part("earlier", "Since the earlier run"))
        if self.tested:
            parts.append(Part("differences", "Differences between systems"))
        parts += [Part("films", "Films"), Part("sequences", "Sequences")]
        if self.difficulty:
            parts.append(Part("difficulty", "By difficulty"))
        if self.narration:
            parts.append(Part("narration", "By narration time"))
        if self.selections:
            parts.append(Part("selection", "What plans select"))
        if any(system.filtered for system in found.systems):
            parts.append(Part("realistic", "Realistic filter"))
        if found.questions:
            parts.append(Part("questions", "Question by question"))
        return (*parts, Part("gaps", "Gap by gap")) if found.gaps else tuple(parts)

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """The columns."""
        return measures_of(self.evaluation)

    @property
    def first_measures(self) -> tuple[Measure, ...]:
        """The measures that strata show at once: the paper's, or else the first."""
        return tuple(measure for measure in _FIRST if measure in self.measures) or self.measures[:1]

    @property
    def other_measures(self) -> tuple[Measure, ...]:
        """The measures that strata fold away."""
        return tuple(measure for measure in self.measures if measure not in self.first_measures)

    @property
    def has_intervals(self) -> bool:
        """Whether any mean has its interval."""
        return any(system.intervals for system in self.evaluation.systems)

    @property
    def has_indented(self) -> bool:
        """Whether a row is of the system above it, after the realistic filter."""
        return any(row.indented for row in self.rows)

    @property
    def notes(self) -> tuple[tuple[str, str], ...]:
        """All notes, each with its film or an empty name."""
        found = self.evaluation
        of_films = tuple((film.name, note) for film in found.films for note in film.notes)
        return (*(("", note) for note in found.notes), *of_films)

    @property
    def mark_notes(self) -> tuple[str, ...]:
        """What the stars mean."""
        return tuple(mark_notes(self.evaluation, self.base))

    @cached_property
    def _base_tests(self) -> dict[tuple[str, Measure], Significance]:
        return differences(self.evaluation, self.base)

    def stars(self, system: str, measure: Measure) -> str:
        """The stars of a mean in the table of results."""
        test = self._base_tests.get((system, measure))
        return "" if test is None else mark(test.p)

    @cached_property
    def changes(self) -> dict[tuple[str, Measure], Change]:
        """What changed since the earlier run, by system and measure."""
        return {(each.system, each.measure): each for each in (self.compared.changes if self.compared else ())}

    @property
    def changed_rows(self) -> tuple[Row, ...]:
        """The systems that both runs have."""
        names = {system for system, _ in self.changes}
        return tuple(row for row in self.rows if row.system.name in names)

    @property
    def run_notes(self) -> tuple[str, ...]:
        """What is to be known of the comparison with the earlier run."""
        return tuple(run_notes(self.compared)) if self.compared else ()

    @property
    def tested(self) -> tuple[Measure, ...]:
        """The measures with tests."""
        found = {each.measure for each in self.evaluation.significance}
        return tuple(measure for measure in Measure if measure in found)

    def tests_of(self, system: str) -> dict[tuple[str, Measure], Significance]:
        """The tests of a system against all others, each with the system first."""
        turned = differences(self.evaluation, system)
        return {
            key: Significance(system, each.one, each.measure, -each.difference, each.p) for key, each in turned.items()
        }

    @property
    def sequence_groups(self) -> Iterator[tuple[str, Sequence[SequenceRows]]]:
        """The sequences of each film with their scores."""
        facts = {(each.film, each.sequence): each for each in self.evaluation.sequences}
        films: dict[str, dict[str, list[tuple[Row, Scores]]]] = {film.name: {} for film in self.evaluation.films}
        for row in self.rows:
            for each in row.system.sequences:
                films.setdefault(each.film, {}).setdefault(each.sequence, []).append((row, each.scores))
        for film, sequences in films.items():
            if sequences:
                yield film, [SequenceRows(name, facts.get((film, name)), rows) for name, rows in sequences.items()]

    @cached_property
    def difficulty(self) -> LabelledStrata:
        """The strata by time to proof."""
        return [(proof_label(each), each) for each in difficulty_strata(self.evaluation)]

    @cached_property
    def narration(self) -> LabelledStrata:
        """The strata by narration time."""
        return [(free_label(each), each) for each in narration_strata(self.evaluation)]

    @cached_property
    def selections(self) -> Sequence[tuple[Row, SelectionTotals]]:
        """What each plan selects."""
        return [(row, selection_totals(row.system.selections)) for row in self.rows if row.system.selections]

    @property
    def rates(self) -> Sequence[int]:
        """The rates of wordings that plans use, the full one first."""
        return sorted({rate for _, totals in self.selections for rate in totals.variants}, reverse=True)

    @property
    def selection_strata(self) -> Iterator[SelectionTable]:
        """What plans select by each kind of strata that there is."""
        for title, strata in (("by narration time", self.narration), ("by time to proof", self.difficulty)):
            if strata:
                rows = [PanelRow(row.full, [_share(row, each) for _, each in strata]) for row, _ in self.selections]
                plot = panel_plot(f"Share of the items selected {title}", [label for label, _ in strata], rows)
                yield SelectionTable(title, strata, _svg(plot))

    def interval_plot(self, measure: Measure) -> Markup:
        """The means of a measure with their intervals and all sequences."""
        rows = [
            IntervalRow(
                row.full,
                row.system.mean[measure],
                row.system.intervals.get(measure),
                [each.scores[measure] for each in row.system.sequences if measure in each.scores],
            )
            for row in self.rows
            if measure in row.system.mean
        ]
        return _svg(interval_plot(f"{MEASURE_NAMES[measure].name} by system", rows))

    def score_plot(self, title: str, strata: LabelledStrata, measure: Measure) -> Markup:
        """The means of a measure by strata."""
        rows = [
            PanelRow(row.full, [stratum.scores[row.system.name].get(measure) for _, stratum in strata])
            for row in self.rows
        ]
        name = f"{MEASURE_NAMES[measure].name} {title}"
        return _svg(panel_plot(name, [label for label, _ in strata], rows))

    def wording_plot(self) -> Markup:
        """The share of each plan's lines in each wording."""
        rows = [
            PanelRow(row.full, [100 * totals.variants.get(rate, 0) / max(1, totals.spoken) for rate in self.rates])
            for row, totals in self.selections
        ]
        return _svg(panel_plot("Share of the lines in each wording", [f"{rate} %" for rate in self.rates], rows))

    @property
    def gap_groups(self) -> Iterator[FilmPieces[GapComparison]]:
        """The gaps of each film by sequence."""
        return self._by_film(self.evaluation.gaps)

    @property
    def question_groups(self) -> Iterator[FilmPieces[QuestionResult]]:
        """The questions of each film by sequence."""
        return self._by_film(self.evaluation.questions)

    def _by_film(self, pieces: Sequence[Piece]) -> Iterator[FilmPieces[Piece]]:
        languages = {film.name: film.language for film in self.evaluation.films}
        films: dict[str, dict[str, list[Piece]]] = {film.name: {} for film in self.evaluation.films}
        for each in pieces:
            films.setdefault(each.film, {}).setdefault(each.sequence, []).append(each)
        for film, sequences in films.items():
            if sequences:
                tag = languages.get(film, "")
                yield FilmPieces(film, tag if _LANGUAGE.match(tag) else "", sequences)

    def silent(self, gap: GapComparison) -> Sequence[str]:
        """The systems that say nothing in a gap."""
        return [row.system.name for row in self.rows if row.system.name not in gap.systems]


def _share(row: Row, stratum: Stratum) -> float | None:
    totals = stratum.selections.get(row.system.name)
    return None if totals is None else totals.share


def _svg(plot: str) -> Markup:
    return Markup(plot)  # noqa: S704 - ElementTree escaped its texts


def _long_date(day: str) -> str:
    try:
        found = date.fromisoformat(day)
    except ValueError:
        return day
    return f"{found.day} {found:%B} {found.year}"

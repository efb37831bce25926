"""The evaluation of systems: every measure in every sequence, means, intervals and significance.

Sequences are scored by themselves, as the benchmark does: what is said in one is compared with what the references say
in it, and pauses in the dialogue end at its ends. A sequence in which no reference says anything is not scored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from adstudio.core.progress import OnProgress, Progress, Stage, ignore_progress
from adstudio.core.timebase import Span
from adstudio.evaluation.gap_scores import CIDER_BELOW_MS, cider, compared_gaps, texts_by_gap
from adstudio.evaluation.material import Description, EvaluatedFilm, Transcript
from adstudio.evaluation.means import comparisons, notes, rows
from adstudio.evaluation.realistic import realistic, total
from adstudio.evaluation.request import realistic_name
from adstudio.evaluation.results import Evaluation, FilmFacts, FilterCounts, GapComparison, Measure, Scores
from adstudio.evaluation.sequences import by_sequence, gaps_by_sequence
from adstudio.evaluation.soda import alignment, soda_m, soda_t
from adstudio.evaluation.text_scoring import LONGEST, TextScorer

_PAIRS = 2_000
"""Pairs of texts between two reports of progress."""

_ByMeasure = dict[Measure, float]
_Report = Callable[[int], None]


@dataclass(frozen=True)
class _Side:
    """What one transcript says in one sequence, in order, with its tokens, also by gap."""

    descriptions: tuple[Description, ...]
    tokens: tuple[str, ...]
    by_gap: tuple[str, ...]


@dataclass(frozen=True)
class _Part:
    """One sequence of one film. `compared` are the references of each system."""

    film: str
    sequence: str
    gaps: tuple[Span, ...]
    references: Mapping[str, _Side]
    systems: Mapping[str, _Side]
    compared: Mapping[str, tuple[str, ...]]

    def texts(self, system: str, gap: int) -> list[str]:
        """What the references of a system say in a gap, in tokens; all of the film's where it has no such system."""
        return [self.references[name].by_gap[gap] for name in self.compared.get(system, tuple(self.references))]


def evaluate(
    films: Sequence[EvaluatedFilm],
    scorer: TextScorer,
    *,
    extra: Mapping[tuple[str, str, str], Scores] | None = None,
    on_progress: OnProgress = ignore_progress,
) -> Evaluation:
    """Score every system of the films against their references.

    A system that has `filtered` transcripts gets a second row, `realistic_name`, of what the realistic filter leaves. A
    system that has no transcript of a film is not scored in it; one whose transcript is empty scores 0. `extra` are
    scores found elsewhere, as QEval, by the names of system, film and sequence: those of a name that is none of the
    systems make a row of their own, behind the others. `on_progress` may raise to stop.

    Raises:
        ScoringError: where texts cannot be scored here.
    """
    on_progress(Progress(Stage.EVALUATING, 0.0))
    tokens = _tokens(films, scorer)
    films, counts = _with_realistic(films, tokens)
    parts = [part for film in films for part in _parts(film, tokens)]
    names = list(dict.fromkeys(system.name for film in films for system in film.systems))
    places = [(part.film, part.sequence) for part in parts]
    scores = {
        name: {number: _ByMeasure() for number, part in enumerate(parts) if name in part.systems} for name in names
    }
    gaps = [list(compared_gaps(film)) for film in films]
    report = _reporting(sum(map(_pairs, parts)), on_progress)
    in_gaps = {name: {number: [_ByMeasure() for _ in parts[number].gaps] for number in scores[name]} for name in names}
    for number, part in enumerate(parts):
        for name, found in _soda(part, scorer, report).items():
            scores[name][number].update(found)
        for name, by_gap in _gap_meteor(part, scorer, report).items():
            for gap, score in by_gap.items():
                in_gaps[name][number][gap][Measure.GAP_METEOR] = score
    for name in names:
        for (number, gap), score in _gap_cider(parts, name).items():
            in_gaps[name][number][gap][Measure.GAP_CIDER] = score
        for number, found in scores[name].items():
            found.update(_gap_means(parts[number], in_gaps[name][number]))
            found.update((extra or {}).get((name, *places[number]), {}))
    numbers = {place: number for number, place in enumerate(places)}
    for (name, *place), found in (extra or {}).items():
        if name not in names:
            scores.setdefault(name, {})[numbers[place[0], place[1]]] = dict(found)
    on_progress(Progress(Stage.EVALUATING, 1.0))
    return Evaluation(
        films=tuple(_facts(film, parts, tokens) for film in films),
        systems=tuple(rows(places, scores, counts)),
        significance=tuple(comparisons(places, scores)),
        gaps=tuple(_scored_gaps(gaps, parts, in_gaps)),
        notes=(*_cider_notes(parts), *notes(scores)),
    )


def with_realistic(
    films: Sequence[EvaluatedFilm], scorer: TextScorer
) -> tuple[tuple[EvaluatedFilm, ...], dict[str, FilterCounts]]:
    """The films with the filtered systems that `evaluate` adds, and what the filter removed, by the added name.

    Raises:
        ScoringError: where texts cannot be scored here.
    """
    return _with_realistic(films, _tokens(films, scorer))


def _tokens(films: Iterable[EvaluatedFilm], scorer: TextScorer) -> dict[str, str]:
    """The tokens of every text, in one call: a scorer may start a process for each."""
    transcripts = (each for film in films for each in (*film.references, *film.systems))
    texts = list(dict.fromkeys(each.text for transcript in transcripts for each in transcript.descriptions))
    return dict(zip(texts, scorer.tokens(texts), strict=True))


def _with_realistic(
    films: Sequence[EvaluatedFilm], tokens: Mapping[str, str]
) -> tuple[tuple[EvaluatedFilm, ...], dict[str, FilterCounts]]:
    counts: dict[str, list[FilterCounts]] = {}
    found: list[EvaluatedFilm] = []
    for film in films:
        gaps = [gap for each in gaps_by_sequence(film) for gap in each]
        there = {system.name for system in film.systems}
        systems: list[Transcript] = []
        for system in film.systems:
            systems.append(system)
            name = realistic_name(system.name)
            if system.filtered:
                remaining, removed = realistic(system.descriptions, tokens, gaps)
                counts.setdefault(name, []).append(removed)
                if name not in there:
                    systems.append(replace(system, name=name, descriptions=remaining, filtered=False))
        found.append(replace(film, systems=tuple(systems)))
    return tuple(found), {name: total(each) for name, each in counts.items()}


def _parts(film: EvaluatedFilm, tokens: Mapping[str, str]) -> Iterator[_Part]:
    gaps = gaps_by_sequence(film)

    def sides(transcripts: Iterable[Transcript], number: int) -> dict[str, _Side]:
        return {each.name: _side(said[id(each)][number], gaps[number], tokens) for each in transcripts}

    said = {
        id(each): by_sequence(film, (line for line in each.descriptions if tokens[line.text]))
        for each in (*film.references, *film.systems)
    }
    every = tuple(each.name for each in film.references)
    compared = {each.name: tuple(n for n in each.references or every if n in every) for each in film.systems}
    for number, sequence in enumerate(film.sequences):
        references, systems = sides(film.references, number), sides(film.systems, number)
        yield _Part(film.name, sequence.name, gaps[number], references, systems, compared)


def _side(descriptions: tuple[Description, ...], gaps: Sequence[Span], tokens: Mapping[str, str]) -> _Side:
    of_each = tuple(tokens[each.text] for each in descriptions)
    return _Side(descriptions, of_each, texts_by_gap(descriptions, of_each, gaps))


# Measures


def _reporting(pairs: int, on_progress: OnProgress) -> _Report:
    done = 0

    def report(number: int) -> None:
        nonlocal done
        done += number
        on_progress(Progress(Stage.EVALUATING, min(1.0, done / pairs) if pairs else 1.0))

    return report


def _against(part: _Part, reference: str) -> tuple[list[str], list[str]]:
    """The systems that are compared with a reference, and all that they say, each text once."""
    systems = [name for name in part.systems if reference in part.compared[name]]
    return systems, list(dict.fromkeys(text for name in systems for text in part.systems[name].tokens))


def _is_long(text: str) -> bool:
    return text.count(" ") >= LONGEST


def _gap_pairs(part: _Part) -> list[tuple[str, str]]:
    """What a reference and a system say in one gap, each pair once."""
    pairs = (
        (text, side.by_gap[gap])
        for name, side in part.systems.items()
        for gap in range(len(part.gaps))
        for text in part.texts(name, gap)
    )
    return [pair for pair in dict.fromkeys(pairs) if all(pair) and not any(map(_is_long, pair))]


def _pairs(part: _Part) -> int:
    """How many pairs of texts METEOR compares in a sequence."""
    within = sum(len(side.tokens) * len(_against(part, name)[1]) for name, side in part.references.items())
    return within + len(_gap_pairs(part))


def _soda(part: _Part, scorer: TextScorer, report: _Report) -> dict[str, _ByMeasure]:
    """SODA-M and SODA-T of each system: each the best over the references that say something here."""
    best: dict[str, _ByMeasure] = {}
    for name, reference in part.references.items():
        if not reference.tokens:
            continue
        systems, texts = _against(part, name)
        row_of = {text: row for row, text in enumerate(texts)}
        scores = _meteors(texts, reference.tokens, scorer, report)
        for system in systems:
            side = part.systems[system]
            own = scores[np.array([row_of[text] for text in side.tokens], dtype=int)]
            pairs = alignment(own)
            spans = [(reference.descriptions[right].span, side.descriptions[left].span) for left, right in pairs]
            summed = sum(float(own[pair]) for pair in pairs)
            found = {
                Measure.SODA_M: soda_m(summed, len(reference.tokens), len(side.tokens)),
                Measure.SODA_T: soda_t(spans, len(reference.tokens)),
            }
            before = best.setdefault(system, found)
            best[system] = {measure: max(score, before[measure]) for measure, score in found.items()}
    return best


def _meteors(
    hypotheses: Sequence[str], references: Sequence[str], scorer: TextScorer, report: _Report
) -> NDArray[np.float64]:
    """METEOR of every hypothesis (row) against every reference (column); 0 where either is too long for it."""
    found = np.zeros((len(hypotheses), len(references)))
    at_once = max(1, _PAIRS // len(references))
    for start in range(0, len(hypotheses), at_once):
        some = hypotheses[start : start + at_once]
        pairs = [
            ("", "") if _is_long(reference) or _is_long(hypothesis) else (reference, hypothesis)
            for hypothesis in some
            for reference in references
        ]
        found[start : start + at_once] = np.reshape(scorer.meteor(pairs), (len(some), len(references)))
        report(len(pairs))
    return found


def _gap_meteor(part: _Part, scorer: TextScorer, report: _Report) -> dict[str, dict[int, float]]:
    """Gap METEOR of each system by the number of the gap: the best over the references that say something there.

    A gap in which a text is too long for METEOR has none: as where a film without dialogue is one gap.
    """
    pairs = _gap_pairs(part)
    scores: dict[tuple[str, str], float] = {}
    for start in range(0, len(pairs), _PAIRS):
        some = pairs[start : start + _PAIRS]
        scores.update(zip(some, scorer.meteor(some), strict=True))
        report(len(some))
    found: dict[str, dict[int, float]] = {name: {} for name in part.systems}
    for name, side in part.systems.items():
        for gap in range(len(part.gaps)):
            texts = [text for text in part.texts(name, gap) if text]
            if texts and not any(map(_is_long, (*texts, side.by_gap[gap]))):
                found[name][gap] = 100 * max(scores.get((text, side.by_gap[gap]), 0.0) for text in texts)
    return found


def _gap_cider(parts: Sequence[_Part], system: str) -> dict[tuple[int, int], float]:
    """Gap CIDEr of a system by the numbers of sequence and gap; the weights of words are those of the whole run."""
    places: list[tuple[int, int]] = []
    references: list[list[str]] = []
    for number, part in enumerate(parts):
        for gap in range(len(part.gaps)):
            texts = part.texts(system, gap)
            if any(texts):
                places.append((number, gap))
                references.append(texts)
    sides = [parts[number].systems.get(system) for number, _gap in places]
    said = [side.by_gap[gap] if side else "" for side, (_number, gap) in zip(sides, places, strict=True)]
    scored = zip(places, sides, cider(references, said), strict=True)
    return {place: score for place, side, score in scored if side}


def _cider_notes(parts: Sequence[_Part]) -> Iterator[str]:
    """That words have no weight where there is one gap, which they would have to tell from others."""
    if sum(any(part.texts("", gap)) for part in parts for gap in range(len(part.gaps))) == 1:
        yield "only one gap has a reference description: no word distinguishes it from others, so gap CIDEr is 0"


def _gap_means(part: _Part, by_gap: Sequence[_ByMeasure]) -> _ByMeasure:
    """The means over the gaps of a sequence; CIDEr's over the short ones."""
    short = [scores for gap, scores in zip(part.gaps, by_gap, strict=True) if gap.length < CIDER_BELOW_MS]
    found = {
        Measure.GAP_CIDER: [scores[Measure.GAP_CIDER] for scores in short if Measure.GAP_CIDER in scores],
        Measure.GAP_METEOR: [scores[Measure.GAP_METEOR] for scores in by_gap if Measure.GAP_METEOR in scores],
    }
    return {measure: sum(scores) / len(scores) for measure, scores in found.items() if scores}


# What is reported beside the measures


def _scored_gaps(
    gaps: Sequence[Sequence[GapComparison]],
    parts: Sequence[_Part],
    in_gaps: Mapping[str, Mapping[int, Sequence[_ByMeasure]]],
) -> Iterator[GapComparison]:
    places = ((number, gap) for number, part in enumerate(parts) for gap in range(len(part.gaps)))
    for (number, place), gap in zip(places, (gap for film in gaps for gap in film), strict=True):
        found = {name: in_gaps[name][number][place] for name in parts[number].systems}
        yield replace(gap, scores={name: scores for name, scores in found.items() if scores})


def _facts(film: EvaluatedFilm, parts: Sequence[_Part], tokens: Mapping[str, str]) -> FilmFacts:
    own = [part for part in parts if part.film == film.name]
    odd: list[str] = []
    silent = sum(not any(side.tokens for side in part.references.values()) for part in own)
    if silent:
        odd.append(f"{silent} of {len(own)} sequences have no description in any reference and are not scored")
    odd += [
        f"“{side.name}” says nothing"
        for side in (*film.references, *film.systems)
        if not any(tokens[each.text] for each in side.descriptions)
    ]
    wordless = sum(not tokens[each.text] for side in (*film.references, *film.systems) for each in side.descriptions)
    if wordless:
        odd.append(f"descriptions without a word, which are not counted: {wordless}")
    sides = [side for part in own for side in (*part.references.values(), *part.systems.values())]
    long = sum(_is_long(text) for side in sides for text in side.tokens)
    if long:
        odd.append(f"descriptions of more than {LONGEST} words, which METEOR does not compare: {long}")
    gaps = sum(
        any(_is_long(side.by_gap[gap]) for side in (*part.references.values(), *part.systems.values()))
        for part in own
        for gap in range(len(part.gaps))
    )
    if gaps:
        odd.append(f"gaps with a text of more than {LONGEST} words, whose gap METEOR is not computed: {gaps}")
    if film.language and film.language.partition("-")[0].lower() != "en":
        odd.append("METEOR is that for English: of other languages only words that are the same count as alike")
    names = tuple(each.name for each in film.references)
    return FilmFacts(film.name, len(film.sequences), film.sequence_source, names, tuple(odd))

"""The scores of single gaps: those that the evaluation of the film as one sequence has, and the process for them."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from process_end import gone
from word_scorer import WordScorer, film, said, spoken
from worker_process import running

from adstudio.core.film import Film
from adstudio.core.script import Script
from adstudio.evaluation.gap_rows import SpokenLine, film_gaps, gap_rows
from adstudio.evaluation.java_scorer import JavaScorer
from adstudio.evaluation.material import Description
from adstudio.evaluation.results import Measure
from adstudio.evaluation.row_scores import GapTexts, row_scores, texts_of
from adstudio.evaluation.row_scores_events import PROTOCOL, Event, GapsScored, ScoreGaps
from adstudio.evaluation.scoring import evaluate
from adstudio.system.worker import STOPPED, Failed

METEOR = "meteor-1.5.jar"

REFERENCE = said(
    (1, 3, "A dog runs. It barks."), (4, 5, "Rain falls."), (15, 17, "He opens the door."), (31, 33, "Ah.")
)
PLAN = said((1.5, 3, "The dog barks."), (22, 24, "Night falls."), (30.5, 33, "He opens it."), (15, 16, "He opens."))
DIALOGUE = spoken((8, 12), (18, 21), (26, 30))


@pytest.fixture
def library() -> None:
    pytest.importorskip("pycocoevalcap.cider.cider", reason="the extra `eval` is not installed")


def lines(descriptions: tuple[Description, ...]) -> list[SpokenLine]:
    return [SpokenLine(each, each.span.length) for each in sorted(descriptions)]


def test_a_gap_has_the_scores_that_the_evaluation_of_the_whole_film_has(library: None):
    scored = film({"r": REFERENCE}, {"plan": PLAN}, dialogue=DIALOGUE, bounds=(0, 100))
    expected = {gap.gap: gap.scores.get("plan", {}) for gap in evaluate([scored], WordScorer()).gaps}
    gaps = film_gaps(Script(Film("F", 100_000), cues=DIALOGUE))
    rows = gap_rows(gaps, lines(REFERENCE), lines(PLAN))
    assert [row.span for row in rows] == list(expected)
    found = row_scores([texts_of(row) for row in rows], WordScorer())
    for row, score in zip(rows, found, strict=True):
        if score is None:
            assert not row.reference.lines
            assert expected[row.span] == {}
        else:
            assert score.meteor == pytest.approx(expected[row.span][Measure.GAP_METEOR])
            assert score.cider == pytest.approx(expected[row.span][Measure.GAP_CIDER])
    assert [score is None for score in found] == [False, False, True, False]


def test_where_the_plan_is_silent_the_scores_are_zero_and_where_the_reference_is_there_are_none(library: None):
    gaps = [GapTexts(("A dog.",), ()), GapTexts((), ("A cat.",)), GapTexts((), ()), GapTexts(("…",), ("Rain.",))]
    (first, *others) = row_scores(gaps, WordScorer())
    assert first is not None
    assert (first.meteor, first.cider) == (0, 0)
    assert others == [None, None, None]
    assert row_scores([], WordScorer()) == ()


def ask(request: ScoreGaps) -> Event:
    with running(PROTOCOL, request) as process:
        return process.event()


def test_the_process_says_what_is_missing(monkeypatch):
    monkeypatch.setenv("PATH", "")
    answer = ask(ScoreGaps((GapTexts(("A dog.",), ("A dog.",)),)))
    assert isinstance(answer, Failed)
    assert "needs" in answer.message


def test_the_process_scores_by_the_real_programs(java_scorer: JavaScorer):
    gaps = (GapTexts(("A dog runs.", "It barks."), ("A dog runs.", "It barks.")), GapTexts(("Rain.",), ("A big dog.",)))
    answer = ask(ScoreGaps(gaps))
    assert isinstance(answer, GapsScored)
    assert answer.scores == row_scores(gaps, java_scorer)
    same, other = answer.scores
    assert same is not None
    assert other is not None
    # The same words are the top of either measure: 1000 for CIDEr over the n-grams that there are.
    assert (same.meteor, other.meteor) == (pytest.approx(100), 0)
    assert same.cider == pytest.approx(1000)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_stopped_it_takes_java_along(java_scorer: JavaScorer):
    gaps = tuple(GapTexts((f"Dog number {n} runs over the street.",), (f"Dog {n} ran.",)) for n in range(3_000))
    with running(PROTOCOL, ScoreGaps(gaps)) as process:
        children = Path(f"/proc/{process.process.pid}/task/{process.process.pid}/children")
        while not (found := [pid for pid in children.read_text().split() if METEOR in command(pid)]):
            assert process.process.poll() is None
            time.sleep(0.05)
        process.close_input()
        assert process.wait() == STOPPED
        assert all(gone(int(pid)) for pid in found)


def command(pid: str) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""

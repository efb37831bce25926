"""At what rate pictures follow one another, judged by the times at which they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from adstudio.core.timebase import RATES

RATE_TOLERANCE = Fraction(1, 5000)
"""How far, in proportion, a measured rate may be from the true one; 24 and 24000/1001 are 1/1000 apart."""
INTERVAL_TOLERANCE = Fraction(1, 10)
"""How far, in proportion, the time to the next picture may differ from the usual one at a constant rate."""
LEAST_JITTER = Fraction(1, 500)
"""Seconds by which it may differ in any case: files that count in milliseconds cannot do better."""
DRIFT_TOLERANCE = Fraction(1, 100)
"""How far, in proportion, the rates of different parts of a film may differ at a constant rate."""


@dataclass(frozen=True)
class MeasuredRate:
    """Frames a second, None where fewer than two pictures were seen, and whether the rate varies."""

    rate: Fraction | None
    variable: bool


def measured_rate(runs: Sequence[Sequence[int]], tick: Fraction, declared: Fraction | None) -> MeasuredRate:
    """The pace of pictures shown at the times in `runs`, in units of `tick` seconds.

    Each run is an unbroken stretch of the film in the order of presentation. The rate is the average over all runs,
    taken to the rate of the trade, or else to the `declared` one, that lies within what the measurement can tell
    apart. It varies if some picture stays for a time that differs from the median by more than a tenth and more than
    2 ms, if one lies half a picture off its place in a steady run, or if runs differ by more than a hundredth.
    """
    long_runs = [run for run in runs if len(run) > 1 and run[-1] > run[0]]
    if not long_runs:
        return MeasuredRate(None, variable=False)
    intervals = sum(len(run) - 1 for run in long_runs)
    length = sum(run[-1] - run[0] for run in long_runs) * tick
    average = intervals / length
    uncertainty = RATE_TOLERANCE + 2 * tick * len(long_runs) / length
    rate = _true_rate(average, uncertainty, declared)
    return MeasuredRate(rate, _varies(long_runs, tick, average))


def _true_rate(average: Fraction, uncertainty: Fraction, declared: Fraction | None) -> Fraction:
    def near(rate: Fraction) -> bool:
        return abs(rate - average) <= average * uncertainty

    known = [frame_rate.rate for frame_rate in RATES.values() if near(frame_rate.rate)]
    if declared is not None and (declared in known or (near(declared) and not known)):
        return declared
    if known:
        return min(known, key=lambda rate: abs(rate - average))
    return average.limit_denominator(1001) or average


def _varies(runs: Sequence[Sequence[int]], tick: Fraction, average: Fraction) -> bool:
    intervals = sorted(after - before for run in runs for before, after in pairwise(run))
    usual = intervals[len(intervals) // 2]
    tolerance = max(usual * INTERVAL_TOLERANCE, LEAST_JITTER / tick, Fraction(2))
    if usual - intervals[0] > tolerance or intervals[-1] - usual > tolerance:
        return True
    return any(_drifts(run, tick, average) for run in runs)


def _drifts(run: Sequence[int], tick: Fraction, average: Fraction) -> bool:
    """Whether a run is off the average pace, or a picture of it off its place in an even row from first to last."""
    steps = len(run) - 1
    length = run[-1] - run[0]
    uncertainty = DRIFT_TOLERANCE + 2 / Fraction(length)
    if abs(steps / (length * tick) - average) > average * uncertainty:
        return True
    # Both sides times 2 × steps, so that the whole test is done in integers.
    margin = length + 4 * steps
    return any(abs(2 * ((time - run[0]) * steps - place * length)) > margin for place, time in enumerate(run))

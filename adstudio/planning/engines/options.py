"""Each eventuality's options, worked out once: which variants may start where, and what each brings.

A `Row` belongs to one eventuality. Finishes are kept as *ready times*: the end of a delivery plus the pause that must
follow it, so that the next delivery may start at any time not before. Going through the film backwards is the same
problem in mirrored time, so the backward rows are the forward rows mirrored.
"""

from __future__ import annotations

from typing import NamedTuple

from adstudio.planning.problem import Element, Problem, Window, start_windows

NEVER = 1 << 44
"""Later than any time in a film."""

KEEP = 1 << 17
"""Gains are counted in this many parts, so that one part can stand for a choice of the previous plan that is kept."""


class Option(NamedTuple):
    """One variant that can be placed: `shift` is its duration plus the pause, `gain` what it brings (in 1/KEEP)."""

    variant: int
    length: int
    shift: int
    gain: int
    windows: tuple[Window, ...]


class Row(NamedTuple):
    """An eventuality's options; `first` is the earliest start of any, `must` whether one has to be taken."""

    must: bool
    options: tuple[Option, ...]
    first: int

    def mirrored(self) -> Row:
        """The same row in mirrored time, where a delivery [d, d+L] is [−d−L, −d]."""
        options = tuple(
            [
                Option(variant, length, shift, gain, tuple([(-hi - length, -lo - length) for lo, hi in windows[::-1]]))
                for variant, length, shift, gain, windows in self.options
            ]
        )
        return Row(self.must, options, min([option.windows[0][0] for option in options], default=NEVER))


def row(problem: Problem, element: Element, kept: int | None = None) -> Row:
    """The options of one eventuality, the full wording first; the variant that is `kept` gains one part in KEEP."""
    pause, worth = problem.min_pause, element.worth * KEEP
    options: list[Option] = []
    first = NEVER
    for variant, length in enumerate(element.durations):
        windows = start_windows(problem, element, variant)
        if windows:
            options.append(Option(variant, length, length + pause, worth * length + (variant == kept), windows))
            first = min(first, windows[0][0])
    return Row(element.must, tuple(options), first)


def rows(problem: Problem) -> list[Row]:
    """The options of every eventuality, in textual order, with the choices of `previous` favoured among equals."""
    kept = problem.kept
    return [row(problem, element, kept.get(element.id)) for element in problem.elements]

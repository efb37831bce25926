"""Each eventuality's options: where its variants may start, and what each gains.

A `Row` belongs to one eventuality. Finishes are *ready times*: the end of a delivery plus the pause that must follow,
so that the next delivery may start at or after them. Planning backwards is the same problem in mirrored time, so the
backward rows are the forward rows mirrored.
"""

from __future__ import annotations

from typing import NamedTuple

from adstudio.planning.problem import Element, Problem, Window, start_windows

NEVER = 1 << 44
"""Later than any time in a film."""

GAIN_SCALE = 1 << 17
"""Gains are multiplied by this, so that one unit can reward repeating a choice of the previous plan."""


class Option(NamedTuple):
    """One variant that can be placed: `shift` is its duration plus the pause, `gain` its value times GAIN_SCALE."""

    variant: int
    length: int
    shift: int
    gain: int
    windows: tuple[Window, ...]


class Row(NamedTuple):
    """An eventuality's options; `first` is the earliest start of any, `must` whether one must be taken."""

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


def row(problem: Problem, element: Element, previous: int | None = None) -> Row:
    """The options of one eventuality, the full wording first; the `previous` variant gains one unit more."""
    pause, worth = problem.min_pause, element.worth * GAIN_SCALE
    options: list[Option] = []
    first = NEVER
    for variant, length in enumerate(element.durations):
        windows = start_windows(problem, element, variant)
        if windows:
            options.append(Option(variant, length, length + pause, worth * length + (variant == previous), windows))
            first = min(first, windows[0][0])
    return Row(element.must, tuple(options), first)


def rows(problem: Problem) -> list[Row]:
    """The options of every eventuality, in textual order, favouring the choices of `previous` among equals."""
    previous = problem.previous_variants
    return [row(problem, element, previous.get(element.id)) for element in problem.elements]

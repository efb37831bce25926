"""The time map by itself: where times and spans of the former cut are in the new one."""

from __future__ import annotations

from fractions import Fraction

import pytest
from conform_scripts import cut_of

from adstudio.conform.time_map import Fate, Piece, TimeMap, time_map
from adstudio.core.timebase import Span

LENGTH = 100_000


def test_film_that_is_as_it_was():
    found = cut_of(LENGTH, (0, LENGTH))
    assert found.changes_nothing
    assert found.at(12_345) == 12_345
    assert found.shared == LENGTH


def test_a_scene_cut_out():
    found = cut_of(LENGTH, (0, 30_000), (50_000, LENGTH))
    assert [found.at(time) for time in (29_999, 40_000, 50_001, LENGTH)] == [29_999, None, 30_001, 80_000]
    assert [(each.fate, each.old, each.new) for each in found.stretches] == [
        (Fate.SAME, Span(0, 30_000), Span(0, 30_000)),
        (Fate.REMOVED, Span(30_000, 50_000), None),
        (Fate.SHIFTED, Span(50_000, LENGTH), Span(30_000, 80_000)),
    ]
    # A span around what was removed closes over it.
    assert found.span(Span(29_000, 51_500)) == Span(29_000, 31_500)
    assert not found.is_whole(Span(29_000, 51_500))
    assert found.is_whole(Span(51_000, 52_000))


def test_of_a_span_at_a_cut_what_is_left_counts():
    found = cut_of(LENGTH, (0, 30_000), (50_000, LENGTH))
    assert found.span(Span(29_000, 31_000)) == Span(29_000, 30_000)
    assert found.span(Span(29_700, 32_000)) is None  # 0.3 s of 2.3 s
    assert found.span(Span(29_700, 30_200)) == Span(29_700, 30_000)  # the greater part of a short one
    assert found.span(Span(30_500, 49_000)) is None
    assert found.span(Span(29_999, 29_999)) == Span(29_999, 29_999)


def test_titles_in_front_and_film_in_the_middle():
    found = cut_of(LENGTH, 12_400, (0, 60_000), 20_000, (60_000, LENGTH))
    assert found.at(0) == 12_400
    assert found.at(70_000) == 102_400
    assert [each.new for each in found.of(Fate.INSERTED)] == [Span(0, 12_400), Span(72_400, 92_400)]
    # A span is not stretched over what was inserted, unless that is asked for; the longer part stays.
    assert found.span(Span(57_000, 62_000)) == Span(69_400, 72_400)
    assert found.span(Span(57_000, 62_000), 30_000) == Span(69_400, 94_400)
    # Over a moment it is.
    assert cut_of(LENGTH, (0, 60_000), 500, (60_000, LENGTH)).span(Span(57_000, 62_000)) == Span(57_000, 62_500)


def test_a_scene_moved():
    found = cut_of(LENGTH, (0, 20_000), (30_000, 80_000), (20_000, 30_000), (80_000, LENGTH))
    assert [each.old for each in found.of(Fate.MOVED)] == [Span(20_000, 30_000)]
    assert found.at(25_000) == 75_000
    assert found.at(90_000) == 90_000
    assert [each.fate for each in found.stretches] == [Fate.SAME, Fate.MOVED, Fate.SHIFTED, Fate.SAME]
    # Across the seam the longer part stays.
    assert found.span(Span(18_000, 21_000)) == Span(18_000, 20_000)


def test_another_speed():
    found = cut_of(LENGTH, (0, LENGTH), ratio=Fraction(24, 25))
    assert found.at(50_000) == 48_000
    assert found.span(Span(50_000, 60_000)) == Span(48_000, 57_600)
    assert not found.changes_nothing
    assert found.is_whole(Span(50_000, 60_000))


def test_less_than_a_frame_is_no_cut():
    pieces = (Piece(Span(0, 1000), Span(0, 1000)), Piece(Span(1030, 5000), Span(1030, 5000)))
    found = time_map(pieces, 5000, 5000)
    assert found.pieces == (Piece(Span(0, 5000), Span(0, 5000)),)
    assert not time_map((Piece(Span(30, 5000), Span(0, 4970)),), 5000, 4970).of(Fate.REMOVED)
    assert time_map((Piece(Span(30, 5000), Span(0, 4970)),), 5000, 4970).at(0) == 0


def test_pieces_that_overlap_are_no_map():
    for other in (Piece(Span(500, 1500), Span(2000, 3000)), Piece(Span(2000, 3000), Span(500, 1500))):
        with pytest.raises(ValueError, match="overlap"):
            TimeMap((Piece(Span(0, 1000), Span(0, 1000)), other), 3000, 3000)

"""Files after public reports of what other programs got wrong: their right values."""

from __future__ import annotations

from pathlib import Path

import pytest

from adstudio.core.script import Cue
from adstudio.subtitles.dialogue import dialogue
from adstudio.subtitles.parsed_file import SubtitleFile
from adstudio.subtitles.reading import read_subtitles

REPORTS = Path(__file__).resolve().parents[2] / "../shared/data/reports"
pytestmark = pytest.mark.skipif(not REPORTS.is_dir(), reason="the collection of reports is not beside the repository")


def read(name: str) -> SubtitleFile:
    return read_subtitles(REPORTS / name)


def said(name: str) -> list[Cue]:
    return list(dialogue(read(name)).cues)


def odd(name: str) -> list[tuple[int | None, str]]:
    file = read(name)
    return [(oddity.line, oddity.what) for oddity in (*file.oddities, *dialogue(file).oddities)]


@pytest.mark.parametrize(
    ("name", "starts"),
    [("57/order.srt", [2000, 8000, 20_000]), ("57/order.ass", [1820, 8630, 12_390, 15_370, 1_434_000])],
)
def test_cues_in_disorder_are_sorted_and_no_overlap_is_listed(name: str, starts: list[int]) -> None:
    assert [cue.start for cue in said(name)] == starts
    (found,) = odd(name)
    assert "sorted by time" in found[1]

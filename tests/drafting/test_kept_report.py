"""A draft's report is kept in its project: whoever opens it later, after a copy or under another name, has it."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from adstudio.core.errors import Oddity
from adstudio.core.script import Penalty
from adstudio.drafting.events import Finished
from adstudio.drafting.report import Found, Report, report_from, stored_report
from adstudio.drafting.request import DraftRequest, Sources
from adstudio.drafting.service import DraftRun
from adstudio.drafting.text.align.match import Match, SceneMatch
from adstudio.drafting.text.score.rules import SuggestedPenalty, SuggestedRequirement
from adstudio.store.project import ProjectFile

SRT = "1\n00:00:04,000 --> 00:00:07,000\nWho left the window open?\n\n2\n00:00:09,000 --> 00:00:08,000\nTom did.\n"
LINES = [
    {
        "audio_description": "A heavy door opens.",
        "occurrence_start": "00:00:10.000",
        "occurrence_end": "00:00:12.000",
        "salience": 0.9,
    },
    {"audio_description": "A dog barks.", "mood": "loud"},
]


@pytest.fixture
def finished(tmp_path: Path) -> Finished:
    (tmp_path / "film.srt").write_text(SRT)
    (tmp_path / "film.json").write_text(json.dumps(LINES))
    sources = Sources(subtitles=tmp_path / "film.srt", candidates=tmp_path / "film.json", end=30_000)
    events: list[object] = []
    DraftRun(DraftRequest(tmp_path / "film.adproj", sources), events.append).run()
    found = [event for event in events if isinstance(event, Finished)]
    assert len(found) == 1
    return found[0]


def test_the_project_has_the_report_that_the_draft_gave(finished: Finished) -> None:
    with ProjectFile.open(finished.project, read_only=True) as project:
        report = report_from(project.report)
    assert report == finished.report
    assert report is not None
    assert report.lines == 2
    assert [each for each in report.found if "mood" in each.oddity.what]


def test_it_goes_with_a_copy_and_under_another_name(finished: Finished, tmp_path: Path) -> None:
    with ProjectFile.open(finished.project) as project:
        other = tmp_path / "other.adproj"
        ProjectFile.create(other, project.saved_script, like=project).close()
    with ProjectFile.open(other, read_only=True) as project:
        assert report_from(project.report) == finished.report


def test_one_that_was_altered_is_none_and_the_project_opens(finished: Finished) -> None:
    connection = sqlite3.connect(finished.project)
    connection.execute("UPDATE report SET report = ?", (b'{"lines": 1}',))
    connection.commit()
    connection.close()
    with ProjectFile.open(finished.project, read_only=True) as project:
        assert (project.report, project.oddities) == (b"", ())


FULL = Report(
    3,
    2,
    ("e1",),
    ("e2",),
    words=Match(10, 12, 11),
    scenes=SceneMatch(2, 3, 2, 4),
    cues=7,
    speakers=2,
    repetitions=(SuggestedPenalty(Penalty("e1", "e2", 500_000), "alike"),),
    needs=(SuggestedRequirement("e2", "e1", "Tom"),),
    rules_set=True,
    found=(Found("film.srt", Oddity("odd", 4), ("e1",)),),
)


def test_a_report_comes_back_as_it_was() -> None:
    assert report_from(stored_report(FULL)) == FULL


@pytest.mark.parametrize("stored", [b"", b"{", b"[]", b'{"lines": "many"}', b'{"lines": 1, "spoken": 1, "more": 2}'])
def test_what_is_no_report_is_none(stored: bytes) -> None:
    assert report_from(stored) is None

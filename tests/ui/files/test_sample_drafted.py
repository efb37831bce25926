"""The sample film's shooting script drafted through the assistant by the real process, read, and drafted again."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from adstudio.core.script import Origin
from adstudio.core.timebase import clock
from adstudio.drafting.report import Report
from adstudio.editing.wordings import rewrite
from adstudio.ui.drafts.redraft_banner import RedraftBanner
from adstudio.ui.drafts.report_page import ReportPage
from adstudio.ui.files.new_project import NewProjectDialog
from adstudio.ui.session.selection import Kind, Selection
from sample_film.source import WRITTEN, read_source

WORD_MS = 300


@pytest.fixture
def spoken(folder: Path) -> Path:
    """The sample film's dialogue as subtitles, timed by the words."""
    lines = [(shot.at(line.at), line.text) for shot in read_source().shots for line in shot.lines]
    blocks = [
        f"{number}\n{clock(at, separator=',')} --> {clock(at + WORD_MS * len(text.split()), separator=',')}\n{text}\n"
        for number, (at, text) in enumerate(lines, 1)
    ]
    path = folder / "umbrella.srt"
    path.write_text("\n".join(blocks), "utf-8")
    return path


def test_from_the_assistant_to_a_scene_drafted_again(context, files, folder, spoken, qtbot, monkeypatch, tmp_path):
    pytest.importorskip("spacy")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    script_file = folder / "umbrella.fountain"
    script_file.write_bytes((WRITTEN / "shooting-script.fountain").read_bytes())
    panel, banner = ReportPage(context.session, context.actions, context.theme), RedraftBanner(context)
    for each in (panel, banner):
        qtbot.addWidget(each)
    reports: list[Report] = []
    files.drafted.connect(lambda report, _: (reports.append(report), panel.tell(report)))

    def fill() -> None:
        assistant = QApplication.activeModalWidget()
        assert isinstance(assistant, NewProjectDialog)
        assistant.sources.length_field.setText("2:44.2")
        assistant.sources.subtitles.take(spoken)
        assistant.sources.text.take(script_file)
        assistant.place.field.setText(str(folder / "umbrella.adproj"))
        assert assistant.make.isEnabled(), assistant.problem
        assistant.make.click()

    QTimer.singleShot(0, fill)
    files.new()
    session = context.session
    (report,) = reports
    assert session.script.film.screenplay.path == str(script_file)
    assert report.lines == len(session.script.eventualities) > 60
    # The scene in the signal box was never shot.
    assert report.scenes is not None
    assert (report.scenes.screenplay_scenes, report.scenes.screenplay_aligned) == (4, 3)
    assert [session.script.eventuality(line).extract.split()[-1] for line in report.lost]
    assert any("SIGNAL BOX" in found.oddity.what for found in report.found)
    (about,) = (found for found in report.found if "nothing indicates when" in found.oddity.what)
    assert set(about.lines) == set(report.lost)
    assert report.speakers == len(session.script.cues)
    # One line is worded by hand; the scene is drafted again, and nothing else changes.
    session.cursor.select(Selection(Kind.SCENE, (session.script.scenes[0].id,)))
    mine = session.script.eventualities[2].id
    session.edits.attempt(lambda script: rewrite(script, mine, 0, "My own words."))
    session.cursor.select(Selection(Kind.SCENE, (session.script.scenes[0].id,)))
    script_file.write_text(
        script_file.read_text("utf-8").replace("One window is lit.", "A single window glows."), "utf-8"
    )
    steps = len(session.edits.document.past)
    banner.redraft()
    qtbot.waitUntil(lambda: not banner._drafter.busy)
    texts = [line.variants[0].text for line in session.script.eventualities]
    assert "My own words." in texts
    assert "A single window glows." in texts
    assert "One window is lit." not in texts
    assert session.script.eventuality(mine).origin is Origin.HUMAN
    assert len(session.edits.document.past) == steps + 1
    assert "1 of yours kept" in banner.sentence

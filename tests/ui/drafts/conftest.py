"""The window with a small film open in it that the house's model may draft, the drafts in front."""

from __future__ import annotations

import pytest
from model_work import ALLOWED, Scripted, film_script, know_the_house
from PySide6.QtTest import QTest

from adstudio.store.project import ProjectFile
from adstudio.ui.app.window import Window


@pytest.fixture
def worker(tmp_path, monkeypatch) -> Scripted:
    return Scripted(tmp_path, monkeypatch)


@pytest.fixture
def window(qapp, qtbot, tmp_path):
    know_the_house()
    made = Window()
    made.resize(1600, 1000)
    made.show()
    project = ProjectFile.create(tmp_path / "small.adproj", film_script(), policy=ALLOWED)
    made.session.open_project(project)
    made.editor.timeline.films._soon.stop()  # there is no such film
    QTest.qWait(50)
    made.actions_["plan.by_model"].trigger()
    QTest.qWait(50)
    yield made
    if made.session.project is not None:
        made.session.edits.document.mark_saved()
    made.close()
    made.deleteLater()


@pytest.fixture
def page(window):
    return window.editor.drafts.page


@pytest.fixture
def said(window) -> list[str]:
    heard: list[str] = []
    window.session.messages.said.connect(heard.append)
    return heard

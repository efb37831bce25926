"""Steps that the disk does not have stay in sight until it has them."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QPushButton

from adstudio.core.errors import OutsideFailureError
from adstudio.editing.wordings import rewrite
from adstudio.store.project import ProjectFile
from adstudio.ui.files.unwritten_banner import UnwrittenBanner
from adstudio.ui.session.project_storage import UnwrittenSteps

FULL = "the disk is full: free some space"


@pytest.fixture
def banner(desk, files, qtbot):
    made = UnwrittenBanner(desk)
    qtbot.addWidget(made)
    return made


def edit(desk, text: str) -> None:
    assert desk.session.edits.attempt(lambda script: rewrite(script, "a", 0, text))


def refuse(monkeypatch, project, error: str = FULL) -> None:
    def full():
        raise OutsideFailureError(error)

    monkeypatch.setattr(project._file, "writing", full)


def press(banner: UnwrittenBanner, name: str) -> None:
    next(button for button in banner.findChildren(QPushButton) if button.text() == name).click()


def test_the_sign_stays_whatever_is_said_and_is_announced_once(desk, banner, said, monkeypatch):
    project = desk.session.project
    with monkeypatch.context() as patch:
        refuse(patch, project)
        edit(desk, "One")
        desk.session.messages.say("Something else")
        edit(desk, "Two")
        assert not banner.isHidden()
        assert banner.sentence == f"2 steps are not on the disk: {FULL}."
        assert banner.accessibleDescription() == banner.sentence
        assert [text for text in said if "not on the disk" in text] == [f"1 step is not on the disk: {FULL}."]
        press(banner, "Try again")
        assert said[-1] == FULL
        assert not banner.isHidden()
    press(banner, "Try again")
    assert banner.isHidden()
    assert banner.sentence == ""
    assert project.unwritten == 0
    assert said[-1] == "Everything is on the disk."
    desk.session.close_project()
    with ProjectFile.open(project.path) as opened:
        assert opened.last_script.eventuality("a").variants[0].text == "Two"


def test_the_next_step_that_is_written_takes_the_sign_away(desk, banner, monkeypatch):
    with monkeypatch.context() as patch:
        refuse(patch, desk.session.project)
        edit(desk, "One")
        assert not banner.isHidden()
    edit(desk, "Two")
    assert banner.isHidden()


def test_another_reason_is_told_too(desk, banner, said, monkeypatch):
    refuse(monkeypatch, desk.session.project)
    edit(desk, "One")
    desk.session.project.path.unlink()
    monkeypatch.undo()
    edit(desk, "Two")
    assert desk.session.storage.unwritten.steps == 2
    assert "moved, replaced or removed" in banner.sentence
    assert len([text for text in said if "not on the disk" in text]) == 2


def test_saving_under_another_name_takes_it_away_and_so_it_stays(desk, banner, odd, asked, qtbot):
    desk.session.project.path.unlink()
    edit(desk, "One")
    asked.answers = [(odd(" rescued.adproj"), "")]
    press(banner, "Save as…")
    assert desk.session.project.path == odd(" rescued.adproj")
    assert banner.isHidden()
    edit(desk, "Two")
    with qtbot.waitSignal(desk.session.idle.became_idle):
        pass
    assert desk.session.storage.unwritten == UnwrittenSteps()


def test_after_saving_as_a_refusal_is_seen_and_its_end_too(desk, banner, odd, files, monkeypatch, qtbot):
    # The journal of the new file hears of a step after the session does.
    assert files.save_to(odd(" other.adproj"))
    with monkeypatch.context() as patch:
        refuse(patch, desk.session.project)
        edit(desk, "One")
        assert desk.session.storage.unwritten == UnwrittenSteps(1, FULL)
    edit(desk, "Two")
    qtbot.waitUntil(banner.isHidden)


def test_leaving_the_project_takes_it_away(desk, banner, asked, files):
    desk.session.project.path.unlink()
    edit(desk, "One")
    assert not banner.isHidden()
    asked.answers = [1]
    assert files.close()
    assert banner.isHidden()


def test_save_is_possible_while_a_project_is_open_changed_or_not(desk, files):
    desk.actions.refresh()
    assert not desk.session.edits.document.changed
    assert desk.actions["file.save"].isEnabled()
    # What is being typed is not a step yet: saving takes it.
    desk.session.flush_asked.connect(lambda: edit(desk, "Typed"))
    desk.actions["file.save"].trigger()
    path = desk.session.project.path
    desk.session.close_project()
    desk.actions.refresh()
    assert not desk.actions["file.save"].isEnabled()
    with ProjectFile.open(path) as opened:
        assert opened.saved_script.eventuality("a").variants[0].text == "Typed"

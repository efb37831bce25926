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
def banner(context, files, qtbot):
    made = UnwrittenBanner(context)
    qtbot.addWidget(made)
    return made


def edit(context, text: str) -> None:
    assert context.session.edits.attempt(lambda script: rewrite(script, "a", 0, text))


def refuse(monkeypatch, project, error: str = FULL) -> None:
    def full():
        raise OutsideFailureError(error)

    monkeypatch.setattr(project._file, "writing", full)


def press(banner: UnwrittenBanner, name: str) -> None:
    next(button for button in banner.findChildren(QPushButton) if button.text() == name).click()


def test_the_sign_stays_whatever_is_said_and_is_announced_once(context, banner, said, monkeypatch):
    project = context.session.project
    with monkeypatch.context() as patch:
        refuse(patch, project)
        edit(context, "One")
        context.session.messages.say("Something else")
        edit(context, "Two")
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
    context.session.close_project()
    with ProjectFile.open(project.path) as opened:
        assert opened.last_script.eventuality("a").variants[0].text == "Two"


def test_the_next_step_that_is_written_takes_the_sign_away(context, banner, monkeypatch):
    with monkeypatch.context() as patch:
        refuse(patch, context.session.project)
        edit(context, "One")
        assert not banner.isHidden()
    edit(context, "Two")
    assert banner.isHidden()


def test_another_reason_is_told_too(context, banner, said, monkeypatch):
    refuse(monkeypatch, context.session.project)
    edit(context, "One")
    context.session.project.path.unlink()
    monkeypatch.undo()
    edit(context, "Two")
    assert context.session.storage.unwritten.steps == 2
    assert "moved, replaced or removed" in banner.sentence
    assert len([text for text in said if "not on the disk" in text]) == 2


def test_saving_under_another_name_takes_it_away_and_so_it_stays(context, banner, odd, asked, qtbot):
    context.session.project.path.unlink()
    edit(context, "One")
    asked.answers = [(odd(" rescued.adproj"), "")]
    press(banner, "Save as…")
    assert context.session.project.path == odd(" rescued.adproj")
    assert banner.isHidden()
    edit(context, "Two")
    with qtbot.waitSignal(context.session.idle.became_idle):
        pass
    assert context.session.storage.unwritten == UnwrittenSteps()


def test_after_saving_as_a_refusal_is_seen_and_its_end_too(context, banner, odd, files, monkeypatch, qtbot):
    # The journal of the new file hears of a step after the session does.
    assert files.save_to(odd(" other.adproj"))
    with monkeypatch.context() as patch:
        refuse(patch, context.session.project)
        edit(context, "One")
        assert context.session.storage.unwritten == UnwrittenSteps(1, FULL)
    edit(context, "Two")
    qtbot.waitUntil(banner.isHidden)


def test_leaving_the_project_takes_it_away(context, banner, asked, files):
    context.session.project.path.unlink()
    edit(context, "One")
    assert not banner.isHidden()
    asked.answers = [1]
    assert files.close()
    assert banner.isHidden()


def test_save_is_possible_while_a_project_is_open_changed_or_not(context, files):
    context.actions.refresh()
    assert not context.session.edits.document.changed
    assert context.actions["file.save"].isEnabled()
    # What is being typed is not a step yet: saving takes it.
    context.session.flush_asked.connect(lambda: edit(context, "Typed"))
    context.actions["file.save"].trigger()
    path = context.session.project.path
    context.session.close_project()
    context.actions.refresh()
    assert not context.actions["file.save"].isEnabled()
    with ProjectFile.open(path) as opened:
        assert opened.saved_script.eventuality("a").variants[0].text == "Typed"

"""Opening, saving, leaving: nothing is lost without being asked about, whatever the disk does."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from desks import small_script
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from adstudio.core.errors import OutsideFailureError
from adstudio.core.policy import Host, Policy
from adstudio.core.steps import SetFilm
from adstudio.editing.wordings import rewrite
from adstudio.store.backups import add_backup, backups_folder
from adstudio.store.content import RestorePoint
from adstudio.store.project import ProjectFile
from adstudio.ui.widgets.file_dialogs import ask

HOUSE = Policy("on premises", (Host("gpu.house", 8000),))


def edit(context, text: str = "Another wording") -> None:
    assert context.session.edits.attempt(lambda script: rewrite(script, "a", 0, text))


def text_of(script) -> str:
    return script.eventuality("a").variants[0].text


def other(path: Path) -> Path:
    ProjectFile.create(path, small_script()).close()
    return path


def test_a_project_of_an_odd_name_is_opened_and_remembered(context, files, odd):
    path = other(odd(".adproj"))
    assert files.open_path(path)
    assert context.session.project.path == path
    assert context.preferences.recent[0] == path


def test_the_project_that_is_open_stays_so(context, files, said):
    project = context.session.project
    assert files.open_path(Path(os.path.relpath(project.path)))
    assert context.session.project is project
    assert not project.read_only
    assert "open already" in said[-1]


def test_what_is_no_project_is_told_and_the_old_one_stays(context, files, odd, asked):
    path = odd(".adproj")
    path.write_bytes(b"no project")
    before = context.session.project
    assert not files.open_path(path)
    assert context.session.project is before
    assert path.name in asked.told[0]
    assert not files.open_path(odd(" gone.adproj"))
    assert "gone" in asked.told[1]


def test_leaving_asks_only_when_the_other_project_is_sure_to_open(context, files, odd, asked):
    edit(context)
    assert not files.open_path(odd(" gone.adproj"))
    assert asked.asked == []
    # Whatever was not asked about is journalled as ever.
    edit(context, "Still journalled")
    assert context.session.project.unwritten == 0
    context.session.close_project()
    with ProjectFile.open(odd(".adproj").with_name("small.adproj")) as opened:
        assert text_of(opened.last_script) == "Still journalled"


@pytest.mark.parametrize(("answer", "kept"), [(0, "Another wording"), (1, "a in 6000 ms")])
def test_leaving_saves_or_lets_go(context, files, odd, asked, answer: int, kept: str):
    mine = context.session.project.path
    edit(context)
    asked.answers = [answer]
    assert files.open_path(other(odd(".adproj")))
    with ProjectFile.open(mine) as opened:
        assert not opened.recoverable
        assert text_of(opened.saved_script) == kept


def test_staying_keeps_everything(context, files, odd, asked):
    edit(context)
    mine = context.session.project
    asked.answers = [None]
    path = other(odd(".adproj"))
    assert not files.open_path(path)
    assert context.session.project is mine
    ProjectFile.open(path).close()  # it is not locked any more
    asked.answers = [None]
    assert not files.close()
    assert context.session.project is mine


def test_nothing_is_asked_where_nothing_changed(context, files, asked):
    edit(context)
    context.session.undo()
    assert files.close()
    assert asked.asked == []
    assert context.session.project is None


@pytest.fixture
def crashed(folder: Path) -> Path:
    """A project whose editor died after a save and one more step."""
    path = other(folder / "crashed.adproj")
    project = ProjectFile.open(path)
    document = project.document(RestorePoint.LAST_SAVE, on_failure=lambda error: None)
    document.apply(rewrite(document.script, "a", 0, "Saved"))
    project.save()
    document.apply(rewrite(document.script, "a", 0, "After the save"))
    project._stop_journalling()
    project._file.connection.close()
    return path


@pytest.mark.parametrize(("answer", "text", "changed"), [(0, "After the save", True), (1, "Saved", False)])
def test_after_a_crash_the_describer_chooses(context, files, crashed, asked, answer: int, text: str, changed: bool):
    asked.answers = [answer]
    assert files.open_path(crashed)
    assert "wasn’t closed properly" in asked.asked[0]
    assert text_of(context.session.script) == text
    assert context.session.edits.document.changed is changed
    context.session.close_project()
    with ProjectFile.open(crashed) as opened:  # nothing but a step or a save takes anything out
        assert text_of(opened.last_script) == "After the save"


def test_not_now_leaves_the_file_alone(context, files, crashed, asked):
    before = context.session.project
    asked.answers = [None]
    assert not files.open_path(crashed)
    assert context.session.project is before
    with ProjectFile.open(crashed) as opened:
        assert opened.recoverable


def test_a_recovery_that_is_damaged_is_set_aside_and_told(context, files, crashed, asked):
    import sqlite3

    with sqlite3.connect(crashed) as connection:
        connection.execute("UPDATE journal SET step = x'00' WHERE seq = (SELECT max(seq) FROM journal)")
    connection.close()
    assert files.open_path(crashed)
    assert text_of(context.session.script) == "Saved"
    assert "damaged" in asked.told[0]
    assert [path.name for path in crashed.parent.glob("crashed (damaged)*")] == ["crashed (damaged).adproj"]
    assert files.close()
    asked.told.clear()
    assert files.open_path(crashed)  # it opens clean the next time
    assert asked.told == []


@pytest.mark.parametrize("damage", ["zeros", "cut", "gone"])
def test_the_copy_that_was_kept_is_offered(context, files, odd, asked, damage: str):
    path = other(odd(".adproj"))
    assert files.open_path(path)
    assert files.close()
    assert list(backups_folder().iterdir())
    data = path.read_bytes()
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(b"\0" * len(data) if damage == "zeros" else data[: len(data) // 2])
    damaged = path.read_bytes() if path.exists() else None
    asked.answers = [0]
    assert files.open_path(path)
    assert "A backup was made" in asked.asked[-1]
    assert context.session.project.path == path.with_name(f"{path.stem} (copy).adproj")
    assert context.session.script == small_script()
    assert (path.read_bytes() if path.exists() else None) == damaged
    assert files.close()
    asked.answers = [None]
    assert not files.open_path(path)


@pytest.fixture
def locked(folder: Path):
    path = other(folder / "locked.adproj")
    with ProjectFile.open(path):
        yield path


def test_a_project_that_is_open_elsewhere_is_told_of_in_one_sentence(context, files, locked, asked):
    before = context.session.project
    backups_folder().mkdir(parents=True)
    add_backup(locked, locked.read_bytes(), backups_folder())
    assert not files.open_path(locked)
    assert context.session.project is before
    assert asked.told == [f"{locked} is in use by another window or command of adstudio: close or end that first."]


@pytest.fixture
def read_only(folder: Path) -> Path:
    path = other(folder / "read only.adproj")
    path.chmod(0o444)
    return path


def test_a_project_that_may_only_be_read_is_opened_to_read(context, files, read_only, said, asked):
    assert files.open_path(read_only)
    assert context.session.project.read_only
    assert "marked read-only" in said[-1]
    assert "under another name" in said[-1]
    said.clear()
    edit(context, "One")
    edit(context, "Two")
    context.session.undo()
    assert len([text for text in said if "read-only: save it under" in text]) == 1


def test_save_as_is_the_way_out_of_a_project_opened_to_read(context, files, read_only, odd, asked, said):
    assert files.open_path(read_only)
    edit(context, "Kept")
    target = odd(" v2")
    asked.answers = [(target, "")]
    assert files.save()
    path = target.with_name(target.name + ".adproj")
    assert context.session.project.path == path
    assert not context.session.edits.document.changed
    edit(context, "Journalled")
    context.session.close_project()
    with ProjectFile.open(path) as opened:
        assert text_of(opened.saved_script) == "Kept"
        assert text_of(opened.last_script) == "Journalled"


@pytest.mark.parametrize("answer", [0, 1, None])
def test_leaving_a_project_opened_to_read(context, files, read_only, odd, asked, answer: int | None):
    assert files.open_path(read_only)
    edit(context, "Kept")
    asked.answers = [answer]
    if answer == 0:
        asked.answers.append((odd(".adproj"), ""))
    assert files.close() is (answer is not None)
    assert "under another name" in asked.asked[0]
    if answer == 0:
        with ProjectFile.open(odd(".adproj")) as opened:
            assert text_of(opened.saved_script) == "Kept"


def test_save_as_goes_on_in_the_other_file_and_leaves_the_first_as_saved(context, files, odd, asked):
    mine = context.session.project.path
    edit(context)
    context.session.project.set_policy(HOUSE)
    identity = context.session.project.identity
    asked.answers = [(odd(".adproj"), "")]
    assert files.save_as()
    assert context.session.project.path == odd(".adproj")
    assert (context.session.project.policy, context.session.project.identity) == (HOUSE, identity)
    assert not context.session.edits.document.changed
    context.session.undo()
    assert text_of(context.session.script) == "a in 6000 ms"  # the undo list goes on
    with ProjectFile.open(mine) as opened:
        assert not opened.recoverable
        assert text_of(opened.saved_script) == "a in 6000 ms"


def test_dots_in_a_name_are_no_ending(context, files, folder, asked):
    there = other(folder / "film.v2.adproj")
    content = there.read_bytes()
    asked.answers = [(folder / "film.v2", ""), False]
    assert not files.save_as()
    assert there.read_bytes() == content


def test_save_as_over_itself_is_saving(context, files, asked):
    edit(context)
    asked.answers = [(context.session.project.path, "")]
    assert files.save_as()
    assert not context.session.edits.document.changed


def test_save_as_over_a_project_that_is_open_elsewhere(context, files, locked, asked):
    edit(context)
    mine = context.session.project
    asked.answers = [(locked, "")]
    assert not files.save_as()
    assert "in use by another window" in asked.told[0]
    assert context.session.project is mine
    assert context.session.edits.document.changed


@pytest.mark.parametrize("harm", ["removed", "replaced"])
def test_a_file_that_goes_away_under_us(context, files, odd, asked, said, harm: str):
    mine = context.session.project.path
    if harm == "removed":
        mine.unlink()
    else:
        shutil.copy(mine, odd(".adproj"))
        odd(".adproj").replace(mine)
    edit(context, "Not lost")
    assert any("another program" in text for text in said)
    asked.answers = [0, (odd(" rescued.adproj"), "")]
    assert files.save()
    assert "could not be saved" in asked.asked[0]
    assert "another program" in asked.asked[0]
    assert context.session.project.path == odd(" rescued.adproj")
    with_it = context.session.project
    assert with_it.unwritten == 0
    assert files.close()
    with ProjectFile.open(odd(" rescued.adproj")) as opened:
        assert text_of(opened.saved_script) == "Not lost"


def test_a_full_disk_loses_nothing(context, files, asked, said, monkeypatch):
    project = context.session.project
    whole = project._file.writing

    def full():
        raise OutsideFailureError("the disk is full: free some space")

    monkeypatch.setattr(project._file, "writing", full)
    edit(context, "Kept in memory")
    assert project.unwritten == 1
    assert "the disk is full" in said[-1]
    asked.answers = [None]
    assert not files.save()
    assert "Nothing is lost" in asked.asked[0]
    assert text_of(context.session.script) == "Kept in memory"
    monkeypatch.setattr(project._file, "writing", whole)
    assert files.save()
    assert project.unwritten == 0


def test_letting_go_works_even_where_nothing_can_be_written(context, files, asked, said):
    context.session.project.path.unlink()
    edit(context)
    asked.answers = [1]
    assert files.close()
    assert context.session.project is None


def test_a_folder_is_no_project(context, files, folder, asked):
    files.take(folder)
    assert "is a folder" in asked.told[0]


def test_a_project_is_known_by_its_content_too(context, files, odd):
    path = other(odd(".adproj"))
    renamed = path.replace(odd(".bak"))
    files.take(renamed)
    assert context.session.project.path == renamed


def test_the_actions_follow_the_project(context, files):
    context.actions.refresh()
    on = {
        name
        for name in ("file.save", "file.save_as", "file.close", "file.relink", "file.export", "file.settings")
        if context.actions[name].isEnabled()
    }
    assert on == {"file.save", "file.save_as", "file.close", "file.relink", "file.export", "file.settings"}
    edit(context)
    context.actions.refresh()
    assert context.actions["file.save"].isEnabled()
    context.actions["file.save"].trigger()
    assert not context.session.edits.document.changed
    assert files.close()
    context.actions.refresh()
    assert not context.actions["file.save_as"].isEnabled()
    assert {"file.new", "file.open", "file.sample"} <= {
        name for name in ("file.new", "file.open", "file.sample") if context.actions[name].isEnabled()
    }


def test_a_film_that_was_linked_is_found_from_the_copy(context, files, odd, asked, clip):
    film = context.session.script.film
    context.session.edits.do(SetFilm(film, replace(film, title="Umlaut: ä")))
    asked.answers = [(odd(".adproj"), "")]
    assert files.save_as()
    assert context.session.script.film.title == "Umlaut: ä"


@pytest.mark.parametrize(("press", "answer"), [("Save", 0), ("Don’t save", 1), ("Cancel", None), (None, None)])
def test_a_question_is_answered_by_its_buttons_and_by_escape(context, qtbot, press: str | None, answer: int | None):
    def click() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        assert box.defaultButton().text() == "Save"
        if press is None:
            box.reject()
        else:
            next(button for button in box.buttons() if button.text() == press).click()

    QTimer.singleShot(0, click)
    assert ask(context.session.parent(), "Save?", "More.", ("Save", "Don’t save")) == answer


def test_preparing_the_sample_film_is_one_task_and_stops(context, files, said, qtbot):
    files.sample()
    (job,) = context.jobs.running
    announced = said[-1]
    files.sample()
    assert context.jobs.running == (job,)
    assert said[-1] != announced
    job.stop()
    qtbot.waitUntil(lambda: not context.jobs.running)
    assert not files._sample.project.exists()


@pytest.mark.parametrize("recoverable", [True, False])
def test_a_recovery_that_brings_the_program_down_is_set_aside(
    context, files, crashed, folder, asked, monkeypatch, recoverable
):
    path = crashed if recoverable else other(folder / "sound.adproj")
    content = path.read_bytes()
    real = context.session.open_project
    calls: list[RestorePoint] = []

    def falls(project, at):
        calls.append(at)
        if len(calls) == 1:
            raise ZeroDivisionError
        real(project, at)

    monkeypatch.setattr(context.session, "open_project", falls)
    if recoverable:
        asked.answers = [0]
        assert files.open_path(path)
        assert calls == [RestorePoint.LAST_STEP, RestorePoint.LAST_SAVE]
        assert text_of(context.session.script) == "Saved"
        assert (folder / "crashed (not recovered).adproj").read_bytes() == content
        assert "saved as crashed (not recovered).adproj" in asked.told[0]
    else:
        with pytest.raises(ZeroDivisionError):
            files.open_path(path)
        assert context.session.project is None
        ProjectFile.open(path).close()  # it is not locked any more


def drive(qtbot, make: bool) -> None:
    """Wait for the assistant to know the film, then make the project, or leave."""

    def press() -> None:
        assistant = QApplication.activeModalWidget()
        assert assistant is not None
        if not make:
            assistant.reject()
        elif assistant.make.isEnabled():
            assistant.make.click()
        else:
            QTimer.singleShot(50, press)

    QTimer.singleShot(0, press)


def test_a_video_becomes_an_open_project(context, files, clip, srt, qtbot):
    drive(qtbot, make=True)
    files.take(clip)
    assert context.session.project.path == clip.with_suffix(".adproj")
    assert context.session.script.film.media.path == str(clip)
    assert context.preferences.recent[0] == clip.with_suffix(".adproj")
    assert not context.session.edits.document.changed
    # Lines of the describer's own can be written in it.
    from adstudio.editing.lines import new_line

    assert context.session.edits.attempt(lambda script: new_line(script, context.session.edits.ids, 500, "He stirs."))
    assert context.session.save()


def test_a_new_project_asks_about_the_old_one(context, files, clip, asked, qtbot):
    edit(context)
    mine = context.session.project
    asked.answers = [None]
    drive(qtbot, make=True)
    files.take(clip)
    assert context.session.project is mine
    ProjectFile.open(clip.with_suffix(".adproj")).close()  # made all the same, and not locked


def test_leaving_the_assistant_changes_nothing(context, files, clip, qtbot):
    mine = context.session.project
    drive(qtbot, make=False)
    files.take(clip)
    assert context.session.project is mine
    assert not clip.with_suffix(".adproj").exists()
    qtbot.waitUntil(lambda: not context.jobs.running)


def test_the_report_of_a_draft_made_elsewhere_is_there_when_the_project_is_opened(context, files, folder):
    from adstudio.drafting.report import Report, stored_report

    report, path = Report(5, 3, unsure=("a",)), folder / "drafted.adproj"
    script = context.session.script
    ProjectFile.create(path, script, report=stored_report(report)).close()
    told: list[object] = []
    files.drafted.connect(lambda *given: told.append(given))
    files.open_path(path)
    # It is there to be read, and not brought to the front: nothing was drafted just now.
    assert told == [(report, False)]

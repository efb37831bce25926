"""A new project whose lines are left to a model: chosen in the assistant, allowed in the open, begun by one button."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from model_work import HOUSE
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from test_drafts_for_real import FAKES

from adstudio.connections.saved_connections import SavedConnection, default_place, write_connections
from adstudio.core.policy import OFFLINE
from adstudio.ui.ai_settings.policy_page import PolicyPage
from adstudio.ui.ai_settings.window import AiSettingsWindow
from adstudio.ui.app.window import Window
from adstudio.ui.drafts import model_request
from adstudio.ui.drafts.panel import GONE
from adstudio.ui.drafts.scenes_page import NEW, SELECTED
from adstudio.ui.drafts.scenes_table import ROW_HEIGHT
from adstudio.ui.files.draft_source_fields import KINDS, NO_CONNECTION, SCREENPLAY_FIRST, THEN_A_MODEL, SourceKind
from adstudio.ui.files.new_project import NewProjectDialog

OTHER = SavedConnection("Other", "vllm", "maker/other", "https://other.example:8000/v1")
GEMINI = SavedConnection("Gemini", "gemini", "gemini-3.1-flash-lite")


@pytest.fixture
def window(qapp, qtbot, tmp_path, monkeypatch) -> Iterator[Window]:
    for kind in ("CACHE", "DATA"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind.lower()))
    made = Window()
    made.resize(1600, 1000)
    made.show()
    yield made
    if made.session.project is not None:
        made.session.edits.document.mark_saved()
    made.close()
    made.deleteLater()
    qtbot.waitUntil(lambda: not made.jobs.running)


@pytest.fixture
def asked(tmp_path) -> Callable[[], str]:
    """What the server's log holds: a line for each request."""
    return (tmp_path / "asked.jsonl").read_text


@pytest.fixture
def house(tmp_path) -> Iterator[SavedConnection]:
    """A server that answers by a script, as the connection “House”, the only one known."""
    command = [sys.executable, str(FAKES / "scripted_server.py"), "--log", str(tmp_path / "asked.jsonl")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[1].removesuffix("/v1") + "/v1"
            named = SavedConnection("House", "vllm", "Qwen3.5-27B-scripted", address)
            write_connections([named])
            yield named
        finally:
            process.terminate()


@pytest.fixture
def video(tmp_path) -> Path:
    """150 s without sound: a film of two scenes."""
    sys.path.insert(0, str(FAKES))
    try:
        from model_films import small_film
    finally:
        sys.path.remove(str(FAKES))
    return small_film(tmp_path / "film.mp4", 150)


def leave_to_a_model(assistant: NewProjectDialog, qtbot) -> None:
    qtbot.waitUntil(lambda: not assistant.sources.looking)
    choose(assistant, SourceKind.MODEL)


def choose(assistant: NewProjectDialog, kind: SourceKind) -> None:
    assistant.sources.text.kind_field.setCurrentIndex(KINDS.index(kind))


def new_project(window: Window, qtbot, video: Path, meanwhile: Callable[[], object] = lambda: None) -> None:
    """The whole of the assistant; something may happen while the project is being made."""

    def found() -> None:
        assistant = QApplication.activeModalWidget()
        assert isinstance(assistant, NewProjectDialog)
        try:
            leave_to_a_model(assistant, qtbot)
            assert assistant.make.isEnabled(), assistant.problem
            assistant.make.click()
            assert "○  Detecting cuts · to come" in assistant.stages.lines
            meanwhile()
            qtbot.waitUntil(lambda: assistant.result() or assistant.wrong.isVisible())
        finally:
            if not assistant.result():
                assistant.reject()

    QTimer.singleShot(0, found)
    window.files.new(video)
    assert window.session.project is not None
    QTest.qWait(50)


def what_may_leave(window: Window) -> tuple[AiSettingsWindow, PolicyPage]:
    """The page that the button in the drafts leads to, which the project's policy is changed on."""
    window.editor.drafts.page.out_button.click()
    models = window.findChild(AiSettingsWindow)
    assert isinstance(models, AiSettingsWindow)
    assert models.isVisible()
    assert models.shown == "policy"
    page = models.page("policy")
    assert isinstance(page, PolicyPage)
    return models, page


def test_from_the_assistant_to_planned_lines(window: Window, qtbot, house, video, asked):
    said: list[str] = []
    window.session.messages.said.connect(said.append)
    new_project(window, qtbot, video)
    page, session = window.editor.drafts.page, window.session
    # All is chosen: the tab in front, the model, its scenes; and nothing was sent, as nothing may be.
    assert page.isVisible()
    assert not page.is_unseen
    # It is as high as a tab to be read is, whatever the layout gives its tabs at first.
    qtbot.waitUntil(lambda: page.table.viewport().height() >= 4 * ROW_HEIGHT)
    assert page.model.currentText() == "House"
    assert [(scene.span.start, scene.span.end) for scene in session.script.scenes][-1][1] == 150_000
    assert len(session.script.scenes) == 2
    assert (page.which.currentIndex(), [scene.id for scene in page._wanted]) == (NEW, ["s1", "s2"])
    assert session.project is not None
    assert session.project.policy == OFFLINE
    assert page.progress.whole == model_request.OFFLINE
    assert said[-1] == f"2 scenes for House to draft. {model_request.OFFLINE}"
    assert not page.start_button.isEnabled()
    assert window.focusWidget() is page.out_button
    assert asked() == ""
    # Where the film may go is said in the models' window, as ever.
    models, policy = what_may_leave(window)
    policy.choice.group.button(1).click()
    (machine,) = policy.servers.rows
    assert machine.place == str(house.host)
    machine.tick.click()
    policy.premises_button.click()
    models.close()
    assert page.start_button.isEnabled()
    assert page.start_button.text() == "Draft 2 scenes"
    assert window.focusWidget() is page.start_button
    QTest.qWait(300)
    assert asked() == "", "what may be sent is not sent before the button is pressed"
    qtbot.keyClick(page.start_button, Qt.Key.Key_Space)
    assert window.editor.drafts.drafts.busy
    qtbot.waitUntil(lambda: not window.editor.drafts.drafts.busy)
    qtbot.waitUntil(lambda: not window.editor.drafts.drafts.insertions.waiting)
    lines = session.script.eventualities
    assert {line.scene for line in lines} == {"s1", "s2"}
    assert all(line.provenance.by_model for line in lines)
    assert session.plan.deliveries
    assert asked() != ""


def test_permission_that_is_refused_sends_nothing(window: Window, qtbot, house, video, asked):
    new_project(window, qtbot, video)
    page, session = window.editor.drafts.page, window.session
    # Looked at, ticked even, and put away.
    models, policy = what_may_leave(window)
    policy.choice.group.button(1).click()
    policy.servers.rows[0].tick.click()
    models.close()
    assert page.out_button.isVisible()
    assert not page.start_button.isEnabled()
    page.start()
    page.draft_current_scene()
    assert not window.editor.drafts.drafts.busy
    assert session.project is not None
    assert session.project.policy == OFFLINE
    QTest.qWait(300)
    assert asked() == ""
    assert session.script.eventualities == ()


def test_offline_again_before_the_press_sends_nothing(window: Window, qtbot, house, video, asked):
    new_project(window, qtbot, video)
    page = window.editor.drafts.page
    models, policy = what_may_leave(window)
    policy.choice.group.button(1).click()
    policy.servers.rows[0].tick.click()
    policy.premises_button.click()
    assert page.start_button.isEnabled()
    policy.choice.group.button(0).click()
    policy.offline_button.click()
    models.close()
    assert not page.start_button.isEnabled()
    assert page.progress.whole == model_request.OFFLINE
    page.start()
    QTest.qWait(300)
    assert asked() == ""


def test_a_connection_that_goes_while_the_project_is_made_is_told(window: Window, qtbot, video):
    write_connections([OTHER, HOUSE])
    window.context.preferences.store("model", "House")
    said: list[str] = []
    window.session.messages.said.connect(said.append)
    new_project(window, qtbot, video, lambda: write_connections([OTHER]))
    page = window.editor.drafts.page
    assert said[-1] == f"{GONE.format('House')} {model_request.OFFLINE}"
    assert page.model.currentText() == "Other"
    assert not page.start_button.isEnabled()


def test_scenes_chosen_in_the_film_before_are_not_chosen_here(window: Window, qtbot, video):
    write_connections([HOUSE])
    new_project(window, qtbot, video)
    page = window.editor.drafts.page

    def chosen() -> None:
        page.table.clearSelection()
        page.table.selectRow(1)
        assert page.which.currentIndex() == SELECTED

    qtbot.waitUntil(chosen)  # while a run goes on, what is selected asks for nothing
    window.session.edits.document.mark_saved()
    # The next film's scenes have the same ids.
    new_project(window, qtbot, video)
    assert (page.which.currentIndex(), [scene.id for scene in page._wanted]) == (NEW, ["s1", "s2"])


def test_made_in_the_background_it_stands_ready_when_it_is_opened_first(window: Window, qtbot, video, tmp_path):
    write_connections([HOUSE])
    new_project(window, qtbot, video)
    first = window.session.project
    window.session.edits.document.mark_saved()

    def found() -> None:
        assistant = QApplication.activeModalWidget()
        assert isinstance(assistant, NewProjectDialog)
        leave_to_a_model(assistant, qtbot)
        assistant.place.field.setText(str(tmp_path / "second.adproj"))
        assistant.make.click()
        assistant.background_button.click()

    QTimer.singleShot(0, found)
    window.files.new(video)
    qtbot.waitUntil((tmp_path / "second.adproj").exists)
    qtbot.waitUntil(lambda: not any("second" in job.title for job in window.jobs.running))
    assert window.session.project is first
    table = window.editor.table
    table.setFocus()
    window.files.open_path(tmp_path / "second.adproj")
    assert window.focusWidget() is window.editor.drafts.page.out_button
    # Opened again, it is a project like any other: the hand is not taken to the drafts.
    window.session.edits.document.mark_saved()
    window.files.open_path(first.path if first is not None else tmp_path)
    window.session.edits.document.mark_saved()
    table.setFocus()
    window.files.open_path(tmp_path / "second.adproj")
    assert window.focusWidget() is not window.editor.drafts.page.out_button


@contextlib.contextmanager
def shown(window: Window, video: Path | None, qtbot) -> Iterator[NewProjectDialog]:
    """The assistant beside the window."""
    made = NewProjectDialog(window.context, window, video)
    made.show()
    try:
        qtbot.waitUntil(lambda: not made.sources.looking)
        yield made
    finally:
        made.reject()
        made.deleteLater()
        qtbot.waitUntil(lambda: not window.jobs.running)


def about(assistant: NewProjectDialog) -> str:
    label = assistant.sources.text._about
    return label.text() if label.isVisible() else ""


def test_without_a_connection_it_says_where_one_is_made(window: Window, qtbot, video):
    with shown(window, video, qtbot) as assistant:
        field = assistant.sources.text.kind_field
        place = KINDS.index(SourceKind.MODEL)
        assert not field.model().flags(field.model().index(place, 0)) & Qt.ItemFlag.ItemIsEnabled
        assert field.itemText(place) == "AI model (none known yet)"
        assert about(assistant) == field.accessibleDescription() == NO_CONNECTION
        # The keys pass it by.
        choose(assistant, SourceKind.DESCRIPTION)
        qtbot.keyClick(field, Qt.Key.Key_Down)
        assert assistant.sources.text.kind is SourceKind.NOTHING
        assert (assistant.model, assistant._given.in_scenes) == ("", False)
        assert assistant.make.isEnabled()
        # One that is made meanwhile can be chosen from the next look on.
        write_connections([HOUSE])
        assistant.sources.text.read_models()
        assert about(assistant) == field.accessibleDescription() == ""
        choose(assistant, SourceKind.MODEL)
        assert assistant.model == "House"


def test_a_list_of_connections_that_cannot_be_read_is_told(window: Window, qtbot):
    default_place().parent.mkdir(parents=True, exist_ok=True)
    default_place().write_text("no list")
    with shown(window, None, qtbot) as assistant:
        assert "repair it, or delete it" in about(assistant)
        assert about(assistant).endswith(".")


def test_what_is_chosen_and_heard(window: Window, qtbot, video):
    write_connections([OTHER, HOUSE, GEMINI])
    window.context.preferences.store("model", "House")
    with shown(window, video, qtbot) as assistant:
        text = assistant.sources.text
        assert not text.model_field.isVisible()
        height, width = assistant.height(), assistant.width()
        choose(assistant, SourceKind.MODEL)
        assert text.model_field.isVisible()
        assert not text.file_field.isVisible()
        assert (assistant.height(), assistant.width()) == (height, width)
        assert text.model_field.accessibleName() == "Drafting model"
        # The one that was used last is offered first.
        assert assistant.model == "House"
        assert about(assistant) == "Nothing is sent to 127.0.0.1:9 until you allow it in the Drafts tab."
        qtbot.keyClick(text.model_field, Qt.Key.Key_Down)
        assert assistant.model == "Gemini"
        assert "googleapis.com" in about(assistant)
        assert assistant._given.in_scenes
        text.kind_field.setFocus()
        assert text.kind_field.nextInFocusChain() is not text.kind_field
        choose(assistant, SourceKind.NOTHING)
        assert text.file_field.isVisible()
        assert (assistant.model, assistant._given.in_scenes) == ("", False)


def test_a_screenplay_goes_first_and_a_model_by_it(window: Window, qtbot, video):
    (video.parent / f"{video.stem} screenplay.txt").write_text("INT. STATION - NIGHT\n\nA woman waits at the gate.\n")
    with shown(window, video, qtbot) as assistant:
        assert assistant.sources.text.kind is SourceKind.SCREENPLAY, "it lies beside the film"
        assert about(assistant) == "", "no model is known"
        write_connections([HOUSE])
        assistant.sources.text.read_models()
        assert about(assistant) == THEN_A_MODEL
        choose(assistant, SourceKind.MODEL)
        assert about(assistant).startswith("Nothing is sent to 127.0.0.1:9 until you allow it")
        assert about(assistant).endswith(SCREENPLAY_FIRST)
        choose(assistant, SourceKind.DESCRIPTION)
        assert about(assistant) == ""


def test_without_a_video_there_is_nothing_to_show_a_model(window: Window, qtbot):
    write_connections([HOUSE])
    with shown(window, None, qtbot) as assistant:
        assistant.sources.length_field.setText("90")
        assert assistant.make.isEnabled()
        choose(assistant, SourceKind.MODEL)
        assert assistant.wrong.text() == "A model needs the film’s pictures: choose the video."
        assert not assistant.make.isEnabled()


def test_a_connection_that_is_gone_is_not_changed_for_another(window: Window, qtbot, video, tmp_path):
    write_connections([HOUSE, OTHER])
    with shown(window, video, qtbot) as assistant:
        choose(assistant, SourceKind.MODEL)
        assert assistant.model == "House"
        write_connections([OTHER])
        assistant.make.click()
        assert assistant.wrong.text() == (
            "The connection “House” no longer exists: choose another model, or start with a blank script."
        )
        field = assistant.sources.text.model_field
        assert field.currentText() == "House (removed)"
        assert not assistant.make.isEnabled()
        assert not assistant._drafter.busy
        qtbot.keyClick(field, Qt.Key.Key_Down)
        assert assistant.model == "Other"
        assert assistant.make.isEnabled()
        # Nor where none is left.
        write_connections([])
        assistant.make.click()
        assert assistant.wrong.text() == NO_CONNECTION
        assert not assistant.make.isEnabled()
        choose(assistant, SourceKind.NOTHING)
        assert assistant.make.isEnabled()
    assert not list(tmp_path.glob("*.adproj"))

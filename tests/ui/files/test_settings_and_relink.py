"""Project settings and the video: each is one undo step, and says what it changes."""

import shutil
from dataclasses import replace

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from small_films import make_clip

from adstudio.core.policy import Host, Policy
from adstudio.core.settings import Settings
from adstudio.core.steps import Insert
from adstudio.core.timebase import RATES
from adstudio.core.word_times import CueWords, SpokenWord
from adstudio.gaps.word_edges import EDGE_MS
from adstudio.store.media import VideoState, find_video, source_file
from adstudio.ui.files.plan_fields import PlanFields
from adstudio.ui.files.project_settings import GONE, ProjectSettingsDialog
from adstudio.ui.files.relink import ASKED_AGAIN, WAS_ALLOWED


@pytest.fixture
def dialog(context, qtbot):
    made = ProjectSettingsDialog(context.session.script)
    qtbot.addWidget(made)
    return made


def test_nothing_changed_is_no_step(dialog):
    assert dialog.step is None
    assert dialog.free.text() == "3 gaps · 22.0 s free of 30.0 s"
    assert dialog.changes.text() == "The gaps do not change."


def test_what_changes_is_said(dialog):
    dialog.plan.least.setValue(5)
    assert dialog.free.text() == "2 gaps · 18.0 s free of 30.0 s"
    assert dialog.changes.text() == "1 gap fewer; 4.0 s less free."
    dialog.plan.rate.setValue(100)
    assert dialog.changes.text().endswith("lines take 100 % more time to speak.")


def test_film_and_settings_are_one_undo_step(context, files, qtbot):
    session = context.session
    before = session.script

    def fill() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, ProjectSettingsDialog)
        dialog.film.title_field.setText("Neuer Titel")
        dialog.film.show_language("de")
        dialog.film.show_rate(RATES["29.97 DF"])
        dialog.film.start_field.setText("10:00:00;00")
        dialog.plan.before.setValue(0.5)
        dialog.plan.share.setValue(80)
        dialog.accept()

    QTimer.singleShot(0, fill)
    context.actions["file.settings"].trigger()
    film, settings = session.script.film, session.script.settings
    assert (film.title, film.language, film.frame_rate.name, film.start_timecode) == (
        "Neuer Titel",
        "de",
        "29.97 DF",
        "10:00:00;00",
    )
    assert (settings.gaps.margin_before, settings.max_share) == (500, 800_000)
    assert session.gaps[0].end == 9_500
    assert len(session.edits.document.past) == 1
    assert session.undo()
    assert session.script == before
    assert not session.edits.document.changed
    assert session.redo()
    assert session.script.film.title == "Neuer Titel"


def test_dialogue_counts_by_its_words_once_that_is_set_and_once_they_are_known(context, files, qtbot):
    session = context.session
    first = session.script.cues[0]
    middle = (first.start + first.end) // 2
    said = (SpokenWord("Now", middle, middle + 50, 900),)

    def fill() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, ProjectSettingsDialog)
        dialog.plan.words.setChecked(True)
        dialog.accept()

    before = session.gaps
    QTimer.singleShot(0, fill)
    context.actions["file.settings"].trigger()
    assert session.script.settings.gaps.word_edges
    assert session.gaps == before, "no words are known yet"
    session.edits.attempt(lambda _: Insert(CueWords(first.id, first.text, first.start, first.end, said)))
    assert session.gaps[0].end == middle - EDGE_MS
    assert session.undo()
    assert session.undo()
    assert session.gaps == before


def test_cancel_changes_nothing(context, files):
    QTimer.singleShot(0, lambda: QApplication.activeModalWidget().reject())
    context.actions["file.settings"].trigger()
    assert not context.session.edits.document.changed


@pytest.mark.parametrize(
    "settings",
    [
        Settings(),
        Settings(max_share=333_333, delta_max=7_123, min_pause=1),
        Settings(words_per_minute=150, rate_by_language=(("de", 130), ("pt-BR", 170))),
    ],
)
@pytest.mark.parametrize("language", ["en", "de", "de-AT", "pt-BR"])
def test_settings_come_back_as_they_were(qtbot, settings: Settings, language: str):
    fields = PlanFields()
    qtbot.addWidget(fields)
    fields.show_settings(settings, language)
    assert fields.settings == settings


def test_a_rate_is_changed_where_the_language_has_it(qtbot):
    fields = PlanFields()
    qtbot.addWidget(fields)
    fields.show_settings(Settings(rate_by_language=(("de", 130),)), "de-AT")
    assert fields.rate.value() == 130
    fields.rate.setValue(140)
    assert fields.settings == Settings(rate_by_language=(("de", 140),))
    fields.show_settings(Settings(rate_by_language=(("de", 130),)), "fr")
    fields.rate.setValue(140)
    assert fields.settings == Settings(words_per_minute=140, rate_by_language=(("de", 130),))


def waited(context, qtbot) -> None:
    qtbot.waitUntil(lambda: not context.jobs.running)


def test_a_first_video_is_asked_about_where_it_lasts_longer_or_shorter(context, files, clip, asked, qtbot):
    asked.answers = [clip, 0]
    context.actions["file.relink"].trigger()
    waited(context, qtbot)
    assert "lasts 2.0 s, the project 30.0 s" in asked.asked[1]
    film = context.session.script.film
    assert film.end == 2002
    assert film.media is not None
    assert film.media.path == str(clip)
    assert len(context.session.edits.document.past) == 1
    assert context.session.undo()
    assert context.session.script.film.media is None


@pytest.fixture
def linked(context, files, clip, asked, qtbot):
    asked.answers = [0]
    files._relink.take(clip)
    waited(context, qtbot)
    asked.asked.clear()
    assert context.session.save()
    return clip


def test_the_same_video_elsewhere_needs_no_question(context, files, linked, odd, asked, tmp_path):
    moved = tmp_path / "elsewhere & more" / "#2 %20.mp4"
    moved.parent.mkdir()
    shutil.move(linked, moved)
    media = context.session.script.film.media
    assert find_video(media, context.session.project.path).state is VideoState.MISSING
    files._relink.take(moved)
    media = context.session.script.film.media
    assert media.path == str(moved)
    assert find_video(media, context.session.project.path).state is VideoState.FOUND
    assert asked.asked == []
    assert context.session.undo()
    assert context.session.script.film.media.path == str(linked)


@pytest.mark.parametrize("answer", [0, None])
def test_another_content_is_asked_about(context, files, linked, odd, asked, qtbot, answer):
    recut = make_clip(odd(" recut.mp4"), 96)
    asked.answers = [answer]
    files._relink.take(recut)
    waited(context, qtbot)
    assert "is not the video that this project was made with" in asked.asked[0]
    assert "4.0 s instead of 2.0 s" in asked.asked[0]
    film = context.session.script.film
    assert (film.media.path, film.end) == ((str(recut), 4004) if answer == 0 else (str(linked), 2002))
    assert context.session.edits.document.changed is (answer == 0)


@pytest.mark.parametrize("allowed", [Policy("on premises", (Host("gpu.house", 8000),)), Policy()])
def test_what_may_leave_is_of_the_film_before(context, files, linked, odd, asked, said, qtbot, allowed):
    """The question says so, and so does the line below; relinked to the very same film, it holds again."""
    project = context.session.project
    project.set_policy(allowed)
    recut = make_clip(odd(" recut.mp4"), 96)
    asked.answers = [0, 0]
    files._relink.take(recut)
    waited(context, qtbot)
    told = [WAS_ALLOWED.strip() in asked.asked[0], ASKED_AGAIN.strip() in said[-1], project.policy.lapsed]
    assert told == [allowed != Policy()] * 3
    assert project.policy.rule == "offline"
    files._relink.take(linked)
    waited(context, qtbot)
    assert (project.policy, project.policy.lapsed) == (allowed, False)
    assert ASKED_AGAIN.strip() not in said[-1]


def test_what_is_no_video_is_told(context, files, linked, odd, asked, qtbot):
    path = odd(".txt")
    path.write_text("no film")
    files._relink.take(path)
    waited(context, qtbot)
    assert path.name in asked.told[0]
    files._relink.take(odd(" gone.mp4"))
    assert "gone" in asked.told[1]
    assert not context.session.edits.document.changed


def test_linking_the_same_video_again_is_no_step(context, files, linked):
    files._relink.take(linked)
    assert not context.session.edits.document.changed


def test_which_screenplay_the_film_came_from(context, qtbot, tmp_path):
    def shown(script):
        dialog = ProjectSettingsDialog(script)
        qtbot.addWidget(dialog)
        dialog.show()
        return dialog

    script = context.session.script
    dialog = shown(script)
    assert not dialog.screenplay_path.isVisible()
    screenplay = tmp_path / "night.fountain"
    screenplay.touch()
    drafted = replace(script, film=replace(script.film, screenplay=source_file(screenplay, tmp_path / "p")))
    dialog = shown(drafted)
    assert dialog.screenplay_path.isVisible()
    assert dialog.screenplay_path.isReadOnly()
    assert dialog.screenplay_path.text() == str(screenplay)
    assert dialog.screenplay_path.accessibleName() == "Screenplay used for the draft"
    assert not dialog.screenplay_gone.isVisible()
    screenplay.unlink()
    dialog = shown(drafted)
    assert dialog.screenplay_gone.text() == GONE
    assert dialog.screenplay_gone.isVisible()
    assert dialog.step is None

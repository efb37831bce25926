"""Whatever is typed for a path is read, or refused with a sentence; nothing falls over."""

from pathlib import Path

import pytest

from adstudio.core.errors import BadInputError
from adstudio.ui.files.new_project import NewProjectDialog
from adstudio.ui.files.source_fields import REST_MS
from adstudio.ui.files.typed_path import typed_folder, typed_path

REFUSED = {
    "/": "/ is a folder: name a file in it.",
    "//": "/ is a folder: name a file in it.",
    ".": "is a folder: name a file in it.",
    "..": "is a folder: name a file in it.",
    "../..": "is a folder: name a file in it.",
    "...//": "is a folder: name a file in it.",
    "{folder}": "is a folder: name a file in it.",
    "{folder}/": "is a folder: name a file in it.",
    "{folder}/new/": "new is a folder: name a file in it.",
    "{folder}/a\0b": "is not a valid file name",
    "{folder}/a\nb": "is not a valid file name",
    "{folder}/\ud800": "is not a valid file name",
    "{folder}/" + "x" * 300: "is too long for a file name",
    "{folder}/" + "ä" * 130: "is too long for a file name",
    "/x" * 3000: "is too long for a file name",
    "~nobody-of-that-name": "There is no home folder ~nobody-of-that-name: enter the full path.",
    "~nobody-of-that-name/x": "There is no home folder ~nobody-of-that-name: enter the full path.",
}


@pytest.fixture
def assistant(context, qtbot):
    made = NewProjectDialog(context)
    qtbot.addWidget(made)
    made.show()
    yield made
    made.reject()
    qtbot.waitUntil(lambda: not context.jobs.running)


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: ascii(text)[:20])
def test_what_names_no_file_is_refused_with_a_sentence(folder: Path, text: str):
    with pytest.raises(BadInputError) as refused:
        typed_path(text.replace("{folder}", str(folder)))
    assert REFUSED[text] in str(refused.value)
    assert len(str(refused.value)) < 150


def test_a_file_is_read_as_it_is_meant(folder: Path, monkeypatch):
    monkeypatch.setenv("HOME", str(folder))
    assert typed_path("~/a b.mp4") == folder / "a b.mp4"
    assert typed_path(f" {folder}/x/../film.mp4 ") == folder / "film.mp4"
    assert typed_path("film") == Path.cwd() / "film"
    assert typed_path(f"{folder}/#1 %20 & ä") == folder / "#1 %20 & ä"


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: ascii(text)[:20])
def test_the_project_file_says_so_and_goes_on(assistant, folder: Path, monkeypatch, text: str):
    assistant.sources.length_field.setText("30")
    good = str(folder / "good")
    assistant.place.field.setText(good)
    assert assistant.make.isEnabled()
    # The field itself turns line breaks into spaces and lets halves of characters be.
    assistant.place.field.setText(text.replace("{folder}", str(folder)))
    refused = not assistant.make.isEnabled()
    assert refused is bool(assistant.wrong.text()) is assistant.wrong.isVisible()
    assert refused or "\n" in text
    assistant._create()
    assert not assistant._drafter.busy or not refused
    asked: list[Path] = []
    monkeypatch.setattr("adstudio.ui.files.project_path_field.ask_save", lambda _, __, start, ___: asked.append(start))
    if refused:
        assistant.place.choose.click()
        assert asked[0].suffix == ".adproj"
        assistant.place.field.setText(good)
        assert assistant.make.isEnabled()
        assert not assistant.wrong.isVisible()


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: ascii(text)[:20])
def test_the_video_field_says_so_and_goes_on(assistant, folder: Path, text: str):
    sources = assistant.sources
    sources.video_field.setText(text.replace("{folder}", str(folder)))
    sources.video_field.editingFinished.emit()
    assert sources.problem
    assert assistant.wrong.isVisible()
    assert not assistant.make.isEnabled()
    sources.video_field.clear()
    sources.video_field.editingFinished.emit()
    sources.length_field.setText("30")
    assert assistant.make.isEnabled()


def test_why_nothing_can_be_made_yet_is_said_quietly_from_the_beginning(assistant):
    assert not assistant.make.isEnabled()
    assert assistant.missing.text() == "Choose a video or subtitles, or give a length."
    assert assistant.missing.isVisible()
    assert not assistant.wrong.isVisible()
    assistant.sources.length_field.setText("30")
    assert not assistant.missing.isVisible()


def test_a_typed_video_is_looked_at_when_the_hand_rests(assistant, qtbot, clip):
    sources = assistant.sources
    sources.video_field.setFocus()
    sources.video_field.insert(str(clip)[:-1])
    qtbot.waitUntil(lambda: "No file" in sources.problem, timeout=REST_MS * 20)
    sources.video_field.insert(str(clip)[-1])
    qtbot.waitUntil(lambda: sources.found is not None)
    assert sources.video == clip
    assert assistant.make.isEnabled()


def test_a_folder_is_a_folder_whatever_is_in_it(tmp_path):
    (tmp_path / "takes" / "0").mkdir(parents=True)
    assert typed_folder(f" {tmp_path}/takes ") == typed_folder(f"{tmp_path}/takes/") == tmp_path / "takes"
    with pytest.raises(BadInputError, match="is not a valid file name"):
        typed_folder(f"{tmp_path}/a\0b")

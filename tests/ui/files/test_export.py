"""Handing in from the window."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from adstudio.core.script import Media, Pin, SourceFile
from adstudio.core.steps import SetFilm
from adstudio.delivery.formats import FORMATS
from adstudio.delivery.unmet_pins import UnmetPins, unmet_pins
from adstudio.editing import pins
from adstudio.store.media import source_file
from adstudio.ui.files.export import ending_of, filter_of, form_of, proposed
from adstudio.ui.widgets.file_dialogs import ask, ask_replace


@pytest.mark.parametrize(
    ("name", "chosen", "form"),
    [
        ("script.srt", "srt", "srt"),
        ("script", "vtt", "vtt"),
        ("script.vtt", "srt", "vtt"),
        ("Script.CSV", "srt", "csv"),
        ("x.plan.json", "srt", "plan"),
        ("x.json", "plan", "plan"),
        ("x.json", "json", "json"),
        ("x.problem.json", "json", "json"),
        ("film.v2", "srt", "srt"),
    ],
)
def test_the_format_is_the_one_chosen_unless_the_name_says_another(name: str, chosen: str, form: str):
    assert form_of(name, chosen, FORMATS) == form


@pytest.mark.parametrize("form", list(FORMATS))
def test_every_format_is_written_under_an_odd_name(context, files, odd, asked, said, form: str):
    path = odd(ending_of(form))
    asked.answers = [(path, filter_of(form))]
    context.actions["file.export"].trigger()
    assert path.stat().st_size
    assert said[-1] == f"Written: {path.name}."
    assert not context.session.edits.document.changed


def test_an_ending_that_was_not_typed_is_added(context, files, odd, asked):
    asked.answers = [(odd(" v1.2"), filter_of("vtt"))]
    files.export()
    written = odd(" v1.2.vtt")
    assert written.read_bytes().startswith(b"WEBVTT")
    asked.answers = [(odd(" v1.2"), filter_of("vtt")), False, None]
    written.write_bytes(b"mine")
    files.export()
    assert written.read_bytes() == b"mine"


def test_the_format_used_last_is_proposed(context, files, odd, asked):
    asked.answers = [(odd(".csv"), filter_of("csv"))]
    files.export()
    asked.answers = [None]
    files.export()
    assert "small.ad.csv" in asked.asked[-1]
    assert asked.asked[-1].index("*.csv") < asked.asked[-1].index("*.srt")


def test_the_project_is_never_written_over(context, files, asked):
    path = context.session.project.path
    content = path.read_bytes()
    assert not files.export_to(path, "srt")
    assert "choose another name" in asked.told[0]
    assert path.read_bytes() == content


def test_what_cannot_be_written_is_told(context, files, odd, asked):
    assert not files.export_to(odd("") / "no" / "folder.srt", "srt")
    assert "folder" in asked.told[0]


def test_the_name_proposed_is_never_the_dialogues_own(tmp_path):
    film = tmp_path / "film.adproj"
    assert proposed(film, "srt").name == "film.ad.srt"
    assert proposed(film, "dapt").name == "film.ad.dapt.xml"
    assert proposed(film, "plan").name == "film.ad.plan.json"
    assert proposed(tmp_path / "film.ad.adproj", "vtt").name == "film.ad.vtt"


def test_choosing_another_format_takes_the_proposed_name_with_it(context, files, asked):
    start = context.session.project.path.with_name("small.ad.srt")
    asked.answers = [(start, filter_of("vtt"))]
    files.export()
    assert start.with_name("small.ad.vtt").read_bytes().startswith(b"WEBVTT")
    assert not start.exists()


@pytest.mark.parametrize("name", ["film.srt", "film.mp4", "small.adproj", "film.json", "candidates.json"])
def test_what_the_film_comes_from_is_refused_first_and_the_dialog_comes_again(context, files, asked, folder, name: str):
    media = Media(str(folder / "film.mp4"), "film.mp4", 0, "", 30_000)
    old = context.session.script.film
    dialogue, *others = (
        SourceFile(str(folder / name), name, 1, "blake2b:00") for name in ("film.srt", "film.json", "candidates.json")
    )
    context.session.edits.do(SetFilm(old, replace(old, media=media, subtitles=dialogue, other_sources=tuple(others))))
    source = folder / name
    if not source.exists():
        source.write_bytes(b"the original")
    before = source.read_bytes()
    form = "json" if name.endswith(".json") else "srt"
    # A name that ends as no format does would be given an ending: only a source that could be hit can be refused.
    hit = name.endswith((".json", ".srt"))
    asked.answers = [(source, filter_of(form)), None] if hit else [(source, filter_of(form))]
    files.export()
    assert source.read_bytes() == before
    if hit:
        assert "choose another name" in asked.told[0]
        assert len(asked.asked) == 2  # the dialog twice, and no question about writing over it
        assert f"{source.stem}.ad." in asked.asked[1]
    else:
        assert (folder / f"{name}.srt").exists()


def test_writing_over_is_asked_about_once_and_no_brings_the_dialog_back(context, files, asked, odd):
    path = odd(".srt")
    path.write_bytes(b"mine")
    asked.answers = [(path, filter_of("srt")), False, (path, filter_of("srt")), True]
    files.export()
    assert len(asked.asked) == 4
    assert path.read_bytes() != b"mine"


def test_lines_that_are_held_and_cannot_be_in_it_are_told_before_it_is_written(context, files, asked, odd):
    session, path = context.session, odd(".srt")
    session.edits.attempt(lambda script: pins.pin_starts(script, {"d": 23_000, "e": 23_500}))
    asked.answers = [None]
    assert not files.export_to(path, "srt")
    assert not path.exists()
    assert asked.asked == [
        (
            "2 lines you locked are not in it, because their locks conflict: “d in 4000 ms”, “e in 3000 ms”. "
            "Export anyway? ('Export anyway',)"
        )
    ]
    asked.answers = [0]
    assert files.export_to(path, "srt")
    assert b"a in 6000 ms" in path.read_bytes()
    assert b"d in" not in path.read_bytes()
    # A planning problem has every hold in it.
    asked.answers = []
    assert files.export_to(odd(".problem.json"), "problem")


def test_what_a_plan_does_not_keep_of_the_pins(context):
    session = context.session
    assert unmet_pins(session.script, session.plan) == UnmetPins()
    session.edits.attempt(lambda script: pins.pin_out(script, ("e",)))
    session.edits.attempt(lambda script: pins.pin_in(script, ("a",)))
    assert unmet_pins(session.script, session.plan) == UnmetPins()
    plan = session.plan
    script = session.script
    held = replace(script.eventuality("b"), pin=Pin(variant=0))  # it is said in its other wording
    late = replace(script.eventuality("c"), pin=Pin(start=14_001))
    gone = replace(script.eventuality("e"), pin=Pin(selected=True))
    other = replace(script, eventualities=(script.eventualities[0], held, late, script.eventualities[3], gone))
    assert plan.by_element["c"].start != 14_001
    assert unmet_pins(other, plan) == UnmetPins(missing=(gone,), otherwise=(held, late))


@pytest.mark.parametrize("careful", [True, False])
def test_a_question_about_loss_proposes_to_do_nothing(qapp, qtbot, careful: bool):
    window, seen = QWidget(), []
    qtbot.addWidget(window)

    def look() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        seen.append(box.defaultButton().text())
        box.reject()

    QTimer.singleShot(0, look)
    if careful:
        assert not ask_replace(window, Path("x.srt"))
    else:
        assert ask(window, "Save?", "", ("Save",)) is None
    assert seen == ["Cancel" if careful else "Save"]


@pytest.mark.attack(1)
@pytest.mark.parametrize("link", [Path.symlink_to, Path.hardlink_to], ids=["symbolic", "hard"])
def test_no_dialog_writes_over_a_source(context, files, asked, folder: Path, link) -> None:
    source = folder / "lines.json"
    source.write_text("the original")
    old, project = context.session.script.film, context.session.project.path
    context.session.edits.do(SetFilm(old, replace(old, other_sources=(source_file(source, project),))))
    other = folder / "other.srt"
    link(other, source)
    asked.answers = [(other, filter_of("srt")), None]
    files.export()
    assert "choose another name" in asked.told[-1]
    assert not files.export_to(source, "json")
    assert "choose another name" in asked.told[-1]
    other = folder / "other.adproj"
    link(other, source)
    assert not files.save_to(other)
    assert "choose another name" in asked.told[-1]
    assert len(asked.told) == 3
    assert source.read_text() == other.read_text() == "the original"
    assert context.session.project.path == project

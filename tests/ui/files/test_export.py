"""Handing in from the window."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import docx
import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QPushButton, QWidget

from adstudio.cli.run import run
from adstudio.core.film import SourceFile
from adstudio.core.script import Pin
from adstudio.core.steps import SetFilm
from adstudio.delivery.columns import COLUMNS, HEADINGS
from adstudio.delivery.formats import FORMATS
from adstudio.delivery.options import ExportOptions, Option, Separator
from adstudio.delivery.unmet_pins import UnmetPins, unmet_pins
from adstudio.editing import pins
from adstudio.editing.pins import set_accepted
from adstudio.store.media import source_file
from adstudio.ui.files.export import ExportDialog, filter_of, form_of, proposed
from adstudio.ui.files.export_findings import ALL_WELL, UNCHECKED
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


def test_what_the_quality_checks_have_found_is_said_of_a_script(context, qtbot):
    sentence = "The quality checks found 1 error, 2 notes (Shift+F7)."
    made = ExportDialog(context, None, context.session.project.path, sentence)
    qtbot.addWidget(made)
    choose(made, "csv")
    assert shown(made)[-1] == sentence
    assert ALL_WELL not in shown(made)
    choose(made, "plan")
    assert sentence not in shown(made)


@pytest.fixture
def dialog(context, qtbot) -> ExportDialog:
    made = ExportDialog(context, None, context.session.project.path)
    qtbot.addWidget(made)
    return made


def choose(dialog: ExportDialog, form: str) -> None:
    dialog.form_field.setCurrentIndex(dialog.form_field.findData(form))


def name(dialog: ExportDialog, path: Path | str) -> None:
    """Type a name, as a person does."""
    dialog.path_field.setText(str(path))
    dialog.path_field.textEdited.emit(str(path))
    dialog.path_field.editingFinished.emit()


def in_dialog(do: Callable[[ExportDialog], object]) -> None:
    """Do something with the dialog that is about to be shown, and close it whatever happens."""

    def run() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, ExportDialog)
        try:
            do(dialog)
        finally:
            if dialog.isVisible():
                dialog.reject()

    QTimer.singleShot(0, run)


@pytest.mark.parametrize("form", list(FORMATS))
def test_every_format_is_written_under_an_odd_name(context, dialog, odd, form: str):
    path = odd(FORMATS[form].ending)
    choose(dialog, form)
    name(dialog, path)
    dialog.accept()
    assert path.read_bytes() == FORMATS[form](context.session.script, context.session.plan)
    assert dialog.written == path
    assert not context.session.edits.document.changed


def test_the_menu_shows_the_dialog_and_says_what_was_written(context, files, said, odd):
    def press(dialog: ExportDialog) -> None:
        name(dialog, odd(".vtt"))
        dialog.ok.click()

    in_dialog(press)
    context.actions["file.export"].trigger()
    assert odd(".vtt").read_bytes().startswith(b"WEBVTT")
    assert said[-1] == f"Written: {odd('.vtt').name}."


def test_an_ending_that_was_not_typed_is_added(dialog, odd, asked):
    choose(dialog, "vtt")
    name(dialog, odd(" v1.2"))
    dialog.accept()
    written = odd(" v1.2.vtt")
    assert written.read_bytes().startswith(b"WEBVTT")
    written.write_bytes(b"mine")
    name(dialog, odd(" v1.2"))
    assert "will be replaced" in dialog.replaces.text()
    asked.answers = [False]
    dialog.accept()
    assert written.read_bytes() == b"mine"


def test_format_and_columns_used_last_are_proposed_but_never_that_lines_are_left_out(context, dialog, odd, qtbot):
    choose(dialog, "csv")
    dialog.separator_field.setCurrentIndex(dialog.separator_field.findData(";"))
    dialog.column_fields["notes"].setChecked(False)
    dialog.accepted_field.setChecked(True)
    name(dialog, odd(".csv"))
    dialog.accept()
    assert dialog.written is not None
    again = ExportDialog(context, None, context.session.project.path)
    qtbot.addWidget(again)
    assert again.path_field.text().endswith("small.ad.csv")
    assert again.options == ExportOptions(
        separator=Separator.SEMICOLON, columns=tuple(each for each in COLUMNS if each != "notes")
    )


def test_the_project_is_never_written_over(context, dialog):
    path = context.session.project.path
    content = path.read_bytes()
    for named in (path, path.with_name("SMALL.adproj".lower())):
        dialog.path_field.setText(str(named))
        dialog.path_field.textEdited.emit(str(named))
        # A name that ends as no format does is given an ending.
        assert dialog.path == named.with_name(f"{named.name}.srt")
    link = path.with_name("link.srt")
    link.symlink_to(path)
    name(dialog, link)
    assert "choose another name" in dialog.problem.text()
    assert not dialog.ok.isEnabled()
    dialog.accept()
    assert dialog.written is None
    assert path.read_bytes() == content


def test_what_cannot_be_written_is_told_and_the_dialog_stays(dialog, odd):
    name(dialog, odd("") / "no" / "folder.srt")
    dialog.accept()
    assert dialog.written is None
    assert "folder" in dialog.problem.text()


def test_the_name_proposed_is_never_the_dialogues_own(tmp_path):
    film = tmp_path / "film.adproj"
    assert proposed(film, "srt").name == "film.ad.srt"
    assert proposed(film, "plan").name == "film.ad.plan.json"
    assert proposed(tmp_path / "film.ad.adproj", "vtt").name == "film.ad.vtt"


def test_the_ending_follows_the_format_and_the_format_a_typed_ending(dialog, odd):
    choose(dialog, "vtt")
    assert dialog.path_field.text().endswith("small.ad.vtt")
    name(dialog, odd(".problem.json"))
    assert dialog.form == "problem"
    choose(dialog, "srt")
    assert dialog.path_field.text() == str(odd(".srt"))


def test_a_file_dialog_chooses_name_and_format(context, dialog, asked):
    start = context.session.project.path.with_name("small.ad.srt")
    asked.answers = [(start, filter_of("vtt"))]
    dialog.choose.click()
    assert (dialog.form, dialog.path) == ("vtt", start.with_name("small.ad.vtt"))
    asked.answers = [None]
    dialog.choose.click()
    assert dialog.form == "vtt"


@pytest.mark.parametrize("source", ["film.srt", "film.json", "candidates.json"])
def test_what_the_film_comes_from_is_refused(context, folder, qtbot, source: str):
    old = context.session.script.film
    dialogue, *others = (
        SourceFile(str(folder / each), each, 1, "blake2b:00") for each in ("film.srt", "film.json", "candidates.json")
    )
    context.session.edits.do(SetFilm(old, replace(old, subtitles=dialogue, other_sources=tuple(others))))
    path = folder / source
    path.write_bytes(b"the original")
    dialog = ExportDialog(context, None, context.session.project.path)
    qtbot.addWidget(dialog)
    name(dialog, path)
    assert "choose another name" in dialog.problem.text()
    assert not dialog.ok.isEnabled()
    dialog.accept()
    assert path.read_bytes() == b"the original"


def test_options_are_those_of_the_format(context, dialog, qtbot):
    def there() -> set[str]:
        return {option.value for option, widget in dialog._rows.items() if dialog._fields.isRowVisible(widget)}

    # Without a start timecode there is nothing to choose about times.
    timecode = {"frame_rate", "start_timecode"}
    assert there() == {"accepted_only", *timecode}
    choose(dialog, "csv")
    assert there() == {"accepted_only", "separator", "columns", *timecode}
    choose(dialog, "problem")
    assert there() == {"scene"}
    choose(dialog, "plan")
    assert there() == set()
    old = context.session.script.film
    context.session.edits.do(SetFilm(old, replace(old, start_timecode="10:00:00:00")))
    other = ExportDialog(context, None, context.session.project.path)
    qtbot.addWidget(other)
    other.times_field.setCurrentIndex(1)
    assert other.preview.toPlainText().splitlines()[1].startswith("10:00:0")
    assert "1 line" not in other.summary.text()
    assert other.summary.text().startswith(f"{len(context.session.plan.deliveries)} lines · ")


def test_columns_are_called_as_people_write_them(dialog):
    titles = [box.text() for box in dialog.column_fields.values()]
    assert titles[:7] == ["No.", "TC in", "TC out", "In (s)", "Out (s)", "Duration (s)", "Description"]
    assert "Dialogue cue" in titles


def test_each_format_has_its_own_columns(context, dialog, odd, qtbot):
    choose(dialog, "docx")
    assert [name for name, box in dialog.column_fields.items() if not box.isChecked()] == [
        *("in s", "out s", "next dialogue", "dialogue speaker"),
    ]
    dialog.column_fields["voice"].setChecked(False)
    choose(dialog, "csv")
    assert all(box.isChecked() for box in dialog.column_fields.values())
    choose(dialog, "docx")
    assert not dialog.column_fields["voice"].isChecked()
    name(dialog, odd(".docx"))
    dialog.accept()
    again = ExportDialog(context, None, context.session.project.path)
    qtbot.addWidget(again)
    assert again.options.columns == tuple(each for each in FORMATS["docx"].columns if each != "voice")


def test_a_template_is_filled_in_and_has_columns_of_its_own(dialog, odd, folder, asked):
    document = docx.Document()
    document.add_table(1, 1).rows[0].cells[0].text = "{{number}} {{text}} {{mood}}"
    house = folder / "house.docx"
    document.save(str(house))
    choose(dialog, "docx")
    assert dialog._fields.isRowVisible(dialog._rows[Option.COLUMNS])
    dialog.document.template.setText(str(house))
    dialog.document.template.editingFinished.emit()
    assert not dialog._fields.isRowVisible(dialog._rows[Option.COLUMNS])
    assert any("{{mood}}" in text for text in shown(dialog))
    name(dialog, house)
    assert "choose another name" in dialog.problem.text()
    name(dialog, odd(".docx"))
    dialog.accept()
    (table,) = docx.Document(str(odd(".docx"))).tables
    assert table.rows[0].cells[0].text.startswith("1 ")
    # Another format has no template, and a wrong one is said at once.
    choose(dialog, "pdf")
    assert dialog.export is not None
    choose(dialog, "xlsx")
    assert "choose the format docx" in dialog.problem.text()
    assert not dialog.ok.isEnabled()


def test_a_document_refers_to_recordings_from_where_it_is(dialog, folder):
    lines = folder / "lines & all"
    lines.mkdir()
    choose(dialog, "dapt")
    field = dialog.document.recordings
    assert dialog._fields.isRowVisible(dialog._rows[Option.RECORDINGS])
    field.setText(str(lines))
    field.editingFinished.emit()
    assert "no recording" in dialog.problem.text()
    assert not dialog.ok.isEnabled()
    (lines / "0001.wav").touch()
    for path, address in ((folder / "a.dapt.xml", "lines%20%26%20all/0001.wav"), (lines / "b.dapt.xml", "./0001.wav")):
        name(dialog, path)
        assert f'"{address}"'.encode() in dialog.export.content
        assert dialog.ok.isEnabled()
    choose(dialog, "srt")
    assert not dialog._fields.isRowVisible(dialog._rows[Option.RECORDINGS])
    assert dialog.export is not None


def test_a_table_is_shown_with_the_headings_that_it_gets(dialog):
    choose(dialog, "docx")
    headings, first = (row.split("\t") for row in dialog.preview.toPlainText().splitlines()[:2])
    assert headings == [HEADINGS[each] for each in FORMATS["docx"].columns]
    assert first[headings.index("Duration (s)")] == "6.0"


def starts_of_columns(preview) -> list[list[float]]:
    """Where the cells of each line begin, in pixels."""

    def start(position: int) -> int:
        cursor = preview.textCursor()
        cursor.setPosition(position)
        return preview.cursorRect(cursor).left()

    found, position = [], 0
    for row in preview.toPlainText().splitlines():
        found.append([])
        for cell in row.split("\t"):
            found[-1].append(start(position))
            position += len(cell.encode("utf-16-le")) // 2 + 1
    return found


@pytest.mark.parametrize("form", ["docx", "xlsx", "pdf", "csv"])
def test_cells_stand_under_their_headings(dialog, form):
    choose(dialog, form)
    dialog.separator_field.setCurrentIndex(dialog.separator_field.findData("\t"))
    dialog.show()
    headings, *rows = starts_of_columns(dialog.preview)
    assert len(headings) == len(FORMATS[form].columns)
    assert headings == sorted(set(headings))
    assert rows
    assert all(row == headings for row in rows)


def test_in_another_font_and_of_any_script_they_still_do(dialog):
    dialog.show()
    preview = dialog.preview
    preview.show_text("No.\tDescription\tNotes\n1\t店员拿起电话。\tx\n2\tA clerk, who lifts the phone 📞.\ty\n")
    font = preview.font()
    for size in (9, 24):
        font.setPointSize(size)
        preview.setFont(font)
        headings, *rows = starts_of_columns(preview)
        assert headings == sorted(set(headings))
        assert all(row == headings for row in rows)


def test_timecode_counts_as_is_chosen(dialog):
    choose(dialog, "csv")
    dialog.document.rate.setCurrentIndex(dialog.document.rate.findData("29.97 DF"))
    dialog.document.start.setText("09:59:59;00")
    dialog.document.start.editingFinished.emit()
    assert dialog.preview.toPlainText().splitlines()[1].split(",")[1].startswith("09:59:59;")
    dialog.document.start.setText("09:59:59:99")
    dialog.document.start.editingFinished.emit()
    assert "frame 99" in dialog.problem.text()
    assert not dialog.ok.isEnabled()


def test_no_column_at_all_is_refused(dialog):
    choose(dialog, "csv")
    for box in dialog.column_fields.values():
        box.setChecked(False)
    assert "column" in dialog.problem.text()
    assert not dialog.ok.isEnabled()
    dialog.column_fields["text"].setChecked(True)
    assert dialog.ok.isEnabled()
    assert dialog.preview.toPlainText().splitlines()[:2] == ["text", "a in 6000 ms"]


def test_the_editor_and_the_command_line_write_the_same(context, dialog, odd, tmp_path):
    """Whatever is chosen, and where locks conflict too: two lines cannot be spoken half a second apart."""
    session = context.session
    film = session.script.film
    session.edits.do(SetFilm(film, replace(film, start_timecode="01:00:00:00")))
    session.edits.attempt(lambda script: set_accepted(script, ("a", "c"), on=True, plan=session.plan))
    session.edits.attempt(lambda script: pins.pin_starts(script, {"d": 23_000, "e": 23_500}))
    session.save()
    project = session.project.path
    copy = tmp_path / "copy.adproj"
    copy.write_bytes(project.read_bytes())
    made = ExportDialog(context, None, project)
    try:
        for form, arguments, choice in (
            ("srt", (), lambda: None),
            ("vtt", ("--times", "timecode"), lambda: made.times_field.setCurrentIndex(1)),
            ("dapt", (), lambda: None),
            ("json", ("--accepted-only",), lambda: made.accepted_field.setChecked(True)),
            ("csv", ("--accepted-only", "--separator", "tab"), lambda: made.separator_field.setCurrentIndex(2)),
            ("reframed", ("--accepted-only",), lambda: None),
            ("problem", ("--scene", "s2"), lambda: made.scene_field.setCurrentIndex(2)),
        ):
            choose(made, form)
            choice()
            out = tmp_path / f"cli.{form}"
            command = [str(copy), "--format", form, "-o", str(out), "--with-conflicts", *arguments]
            assert run(["export", *command]) == 0, command
            assert made.export.content == out.read_bytes(), form
            if "--accepted-only" in arguments and form == "reframed":
                assert [line["text"] for line in json.loads(out.read_bytes()).values()] == [
                    "a in 6000 ms",
                    "c in 3000 ms",
                ]
    finally:
        made.deleteLater()


def test_a_scene_is_exported_alone(context, dialog):
    choose(dialog, "problem")
    dialog.scene_field.setCurrentIndex(2)
    assert json.loads(dialog.export.content)["scene"] == {"id": "s2", "start": 16.0, "end": 30.0}


def shown(dialog: ExportDialog) -> list[str]:
    return [label.text() for label in dialog.findings.findChildren(QLabel) if not label.isHidden()]


def test_what_is_amiss_is_shown_first_and_leads_to_its_lines(context, files, qtbot):
    session = context.session
    spoken = [delivery.element for delivery in session.plan.deliveries]
    session.edits.attempt(lambda script: set_accepted(script, spoken[1:], on=True, plan=session.plan))

    def look(dialog: ExportDialog) -> None:
        assert shown(dialog) == [
            f"1 of {len(spoken)} lines has not been seen.", f"1 of {len(spoken)} lines has not been accepted.",
        ]  # fmt: skip
        dialog.accepted_field.setChecked(True)
        assert shown(dialog) == [f"1 of {len(spoken)} lines has not been accepted and is left out."]
        (button,) = dialog.findings.findChildren(QPushButton)
        button.click()

    in_dialog(look)
    files.export()
    assert session.cursor.selection.lines() == (spoken[0],)


def test_nothing_amiss_is_said(context, qtbot, monkeypatch):
    session = context.session
    monkeypatch.setattr("adstudio.ui.files.export.known_shots", lambda *_: (1_000, 2_000))
    spoken = [delivery.element for delivery in session.plan.deliveries]
    session.edits.attempt(lambda script: set_accepted(script, spoken, on=True, plan=session.plan))
    other = ExportDialog(context, None, session.project.path)
    qtbot.addWidget(other)
    assert shown(other) == [ALL_WELL]
    choose(other, "shots")
    assert shown(other) == [UNCHECKED]
    choose(other, "srt")
    assert shown(other) == [ALL_WELL]


def test_locked_lines_that_are_not_in_it_are_named_before_it_is_written(context, qtbot):
    session = context.session
    session.edits.attempt(lambda script: pins.pin_starts(script, {"d": 23_000, "e": 23_500}))
    dialog = ExportDialog(context, None, session.project.path)
    qtbot.addWidget(dialog)
    assert shown(dialog)[0] == (
        "2 lines you locked are not in it, because their locks conflict: “d in 4000 ms”, “e in 3000 ms”."
    )
    # A planning problem has every lock in it.
    choose(dialog, "problem")
    assert shown(dialog) == ["This is not a script to hand in: nothing is checked."]


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
def test_no_dialog_writes_over_a_source(context, files, asked, folder: Path, link, qtbot) -> None:
    source = folder / "lines.json"
    source.write_text("the original")
    old, project = context.session.script.film, context.session.project.path
    context.session.edits.do(SetFilm(old, replace(old, other_sources=(source_file(source, project),))))
    other = folder / "other.srt"
    link(other, source)
    dialog = ExportDialog(context, None, project)
    qtbot.addWidget(dialog)
    for path in (other, source):
        name(dialog, path)
        assert "choose another name" in dialog.problem.text()
        dialog.accept()
        assert dialog.written is None
    other = folder / "other.adproj"
    link(other, source)
    assert not files.save_to(other)
    assert "choose another name" in asked.told[-1]
    assert source.read_text() == other.read_text() == "the original"
    assert context.session.project.path == project

"""Handing in from the window."""

import pytest

from adstudio.delivery.formats import FORMATS
from adstudio.ui.files.export import ending_of, filter_of, form_of


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
def test_every_format_is_written_under_an_odd_name(desk, files, odd, asked, said, form: str):
    path = odd(ending_of(form))
    asked.answers = [(path, filter_of(form))]
    desk.actions["file.export"].trigger()
    assert path.stat().st_size
    assert said[-1] == f"Written: {path.name}."
    assert not desk.session.document.changed


def test_an_ending_that_was_not_typed_is_added(desk, files, odd, asked):
    asked.answers = [(odd(" v1.2"), filter_of("vtt"))]
    files.export()
    written = odd(" v1.2.vtt")
    assert written.read_bytes().startswith(b"WEBVTT")
    asked.answers = [(odd(" v1.2"), filter_of("vtt")), False]
    written.write_bytes(b"mine")
    files.export()
    assert written.read_bytes() == b"mine"


def test_the_format_used_last_is_proposed(desk, files, odd, asked):
    asked.answers = [(odd(".csv"), filter_of("csv"))]
    files.export()
    asked.answers = [None]
    files.export()
    assert "small.csv" in asked.asked[-1]
    assert asked.asked[-1].index("*.csv") < asked.asked[-1].index("*.srt")


def test_the_project_is_never_written_over(desk, files, asked):
    path = desk.session.project.path
    content = path.read_bytes()
    assert not files.export_to(path, "srt")
    assert "choose another name" in asked.told[0]
    assert path.read_bytes() == content


def test_what_cannot_be_written_is_told(desk, files, odd, asked):
    assert not files.export_to(odd("") / "no" / "folder.srt", "srt")
    assert "folder" in asked.told[0]

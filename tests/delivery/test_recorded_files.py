"""Files of lines that a document refers to: found by their numbers, addressed from the document, read back."""

from pathlib import Path

import pytest

from adstudio.core.errors import BadInputError
from adstudio.core.film import Film
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Eventuality, Script, Variant
from adstudio.core.timebase import Span
from adstudio.dapt.reader import read_document
from adstudio.delivery.formats import FORMATS
from adstudio.delivery.options import ExportOptions
from adstudio.delivery.recorded_files import recordings_in
from adstudio.script_files.dapt_script import read_dapt


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "to mix" / "lines & all"
    made.mkdir(parents=True)
    for name in ("0001-line-1.wav", "2.FLAC", "0003-a.wav", "0003-b.wav", "notes.txt", "0004.txt", "take.wav"):
        (made / name).touch()
    (made / "0005.wav").mkdir()
    return made


def test_recordings_are_found_by_number_and_addressed_from_the_document(folder: Path):
    """Two files are of line 3, so none of them is; 0004.txt is no sound, 0005.wav a folder."""
    beside = recordings_in(folder, folder.parent / "film.dapt.xml")
    assert beside == ((1, "lines%20%26%20all/0001-line-1.wav"), (2, "lines%20%26%20all/2.FLAC"))
    elsewhere = recordings_in(folder, folder.parent.parent / "out" / "film.dapt.xml")
    assert elsewhere[0] == (1, "../to%20mix/lines%20%26%20all/0001-line-1.wav")


@pytest.mark.parametrize("kind", ["missing", "file", "empty"])
def test_what_has_no_recordings_is_refused(tmp_path: Path, kind: str):
    path = tmp_path / "lines"
    if kind == "file":
        path.touch()
    elif kind == "empty":
        path.mkdir()
    with pytest.raises(BadInputError, match="mix"):
        recordings_in(path, None)


def test_a_document_that_refers_to_recordings_is_as_recorded_and_reads_back():
    texts = {"a": (1_000, 3_000, "Snow falls."), "b": (5_000, 7_000, "He goes."), "c": (8_000, 9_000, "Rain.")}
    script = Script(
        Film("Station", 20_000, language="en"),
        eventualities=tuple(
            Eventuality(name, (Variant(text),), Span(start, end), 1) for name, (start, end, text) in texts.items()
        ),
    )
    spoken = tuple(Delivery(name, 0, start, end) for name, (start, end, _) in texts.items())
    plan = Plan(Status.OPTIMAL, "exact", deliveries=spoken)
    options = ExportOptions(recordings=((1, "lines/0001.wav"), (2, "lines/0002.flac")))
    content = FORMATS["dapt"].content(script, plan, options)
    assert [oddity.what for oddity in content.oddities] == ["no recording, or several: 1 line"]
    assert b'<audio src="lines/0001.wav" type="audio/wave"/>Snow falls.' in content.data
    read, findings, oddities = read_document(content.data, "a.xml")
    assert (findings, oddities) == ((), ())
    assert read.script_type == "asRecorded"
    assert [event.recording for event in read.events] == ["lines/0001.wav", "lines/0002.flac", ""]
    assert [event.text for event in read.events] == ["Snow falls.", "He goes.", "Rain."]
    finished = read_dapt(content.data, "a.xml")
    assert any("2 events refer to a recording" in oddity.what for oddity in finished.oddities)
    without = FORMATS["dapt"].content(script, plan)
    assert (without.oddities, b"<audio" in without.data, b"preRecording" in without.data) == ((), False, True)

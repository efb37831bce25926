"""Captions of an extended film: the film's own with other times, or written from the dialogue."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.film import Film, SourceFile
from adstudio.core.script import Cue, CueKind, Script
from adstudio.mix.captions import captions_of, shifted
from adstudio.mix.pauses import Pause, PauseMap
from adstudio.subtitles.dialogue import dialogue
from adstudio.subtitles.reading import parse_subtitles, read_subtitles

SHARED = Path("/work/shared/data/film")
SAMPLE = Path(__file__).resolve().parents[2] / "resources" / "sample"
PAUSES = PauseMap((Pause(2000, 1500, "a"), Pause(5000, 3000, "b")))

SRT = """1
00:00:00,500 --> 00:00:01,500
Before.

2
00:00:01,000 --> 00:00:02,000
Ends as the picture
is held.

3
00:00:01,800 --> 00:00:02,400
<i>Held</i> {\\an8}in the middle.

4
00:00:02,000 --> 00:00:03,000
Starts then. Not a time: 00:00:01 --> nothing
"""
EXTENDED_SRT = SRT.replace("00:00:02,400", "00:00:03,900").replace(
    "00:00:02,000 --> 00:00:03,000", "00:00:03,500 --> 00:00:04,500"
)
VTT = """WEBVTT - a title
Kind: captions

STYLE
::cue(v) { color: yellow }

NOTE 00:03.000 is not a cue

one
00:01.000 --> 00:02.500 line:10% align:start
<v Ann>One <00:01.500>two <00:02.200>three

59:59.000 --> 59:59.500
It gets an hour.
"""
EXTENDED_VTT = (
    VTT.replace("--> 00:02.500", "--> 00:04.000")
    .replace("<00:02.200>", "<00:03.700>")
    .replace("59:59.000 --> 59:59.500", "01:00:03.500 --> 01:00:04.000")
)


@pytest.mark.parametrize(("text", "extended"), [(SRT, EXTENDED_SRT), (VTT, EXTENDED_VTT)])
def test_only_times_change(text: str, extended: str) -> None:
    assert shifted(text, PAUSES) == extended


@pytest.mark.parametrize("text", [SRT, VTT, SRT.replace("\n", "\r\n")])
def test_without_pauses_nothing_changes(text: str) -> None:
    assert shifted(text, PauseMap()) == text


def script_of(path: Path, text: str | bytes) -> Script:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    found = dialogue(read_subtitles(path))
    return Script(Film("A film", 7_200_000, subtitles=SourceFile(str(path), path.name, 0, "")), cues=found.cues)


@pytest.mark.parametrize(("name", "text", "extended"), [("a.srt", SRT, EXTENDED_SRT), ("a.vtt", VTT, EXTENDED_VTT)])
def test_the_films_own_captions_stay_as_they_are(tmp_path: Path, name: str, text: str, extended: str) -> None:
    found = captions_of(script_of(tmp_path / name, text), PAUSES)
    assert (found.suffix, found.data.decode()) == (Path(name).suffix, extended)


def test_other_encodings_become_utf_8(tmp_path: Path) -> None:
    text = SRT.replace("Before.", "Vor der Tür, schön.")
    found = captions_of(script_of(tmp_path / "a.srt", text.encode("cp1252")), PAUSES)
    assert found.data.decode() == EXTENDED_SRT.replace("Before.", "Vor der Tür, schön.")


def test_dialogue_that_was_edited_is_written_anew(tmp_path: Path) -> None:
    script = script_of(tmp_path / "a.srt", SRT)
    moved = replace(script, cues=(replace(script.cues[0], start=400), *script.cues[1:]))
    found = captions_of(moved, PAUSES)
    cues = parse_subtitles(found.data, "a.srt").cues
    assert [(cue.start, cue.end) for cue in cues] == [(400, 1500), (1000, 2000), (1800, 3900), (3500, 4500)]


@pytest.mark.parametrize("path", ["gone.srt", "/nowhere/at all.srt"])
def test_without_a_file_they_are_written_from_the_dialogue(path: str) -> None:
    cues = (
        Cue("c1", 0, 1000, "Hello.", "ANN"),
        Cue("c2", 1500, 2500, "La la", None, CueKind.SUNG),
        Cue("c3", 4000, 3000, "Reversed."),
        Cue("c4", 6000, 7000, "[a door]", None, CueKind.SOUND),
    )
    found = captions_of(Script(Film("A film", 9000, subtitles=SourceFile(path, path, 0, "")), cues=cues), PAUSES)
    assert found.data.decode() == (
        "1\n00:00:00,000 --> 00:00:01,000\nANN: Hello.\n\n"
        "2\n00:00:01,500 --> 00:00:04,000\n♪ La la ♪\n\n"
        "3\n00:00:10,500 --> 00:00:11,500\n[a door]\n\n"
    )


def test_a_time_of_thousands_of_digits_is_none(tmp_path: Path) -> None:
    text = f"{VTT}\nNOTE\n{'9' * 5000}:00:00.000 --> 00:00:01.000\n"
    assert captions_of(script_of(tmp_path / "a.vtt", text), PAUSES).data.decode() == text.replace(VTT, EXTENDED_VTT)


def test_no_dialogue_gives_no_captions() -> None:
    assert captions_of(Script(Film("A film", 9000)), PAUSES).data == b""


@pytest.mark.parametrize(
    "path",
    [
        SAMPLE / "dialogue.srt",
        SAMPLE / "dialogue.sdh.srt",
        SAMPLE / "dialogue.vtt",
        SHARED / "sintel" / "sintel.en.srt",
        SHARED / "plan9-trailer" / "captions.en.vtt",
        SHARED / "ableplayer" / "wwa_captions_de.vtt",
        SHARED / "ableplayer" / "wwa_captions_ja.vtt",
        SHARED / "misc" / "treeOfLife-subtitles-en.vtt",
    ],
    ids=lambda path: path.name,
)
def test_captions_of_real_films(path: Path) -> None:
    if not path.exists():
        pytest.skip(f"{path} is not here")
    file = read_subtitles(path)
    script = Script(Film("A film", 7_200_000, subtitles=SourceFile(str(path), "", 0, "")), cues=dialogue(file).cues)
    middle = file.cues[len(file.cues) // 2]
    pauses = PauseMap((Pause(middle.start, 4000, "a"), Pause((middle.start + middle.end) // 2, 2500, "b")))
    found = captions_of(script, pauses)
    assert found.suffix == path.suffix
    cues = parse_subtitles(found.data, path.name).cues
    assert [cue.text for cue in cues] == [cue.text for cue in file.cues]
    for old, new in zip(file.cues, cues, strict=True):
        if old.end <= middle.start:
            assert (new.start, new.end) == (old.start, old.end)
        elif old.start > (middle.start + middle.end) // 2:
            assert (new.start, new.end) == (old.start + 6500, old.end + 6500)
    held = cues[len(cues) // 2]
    assert (held.start, held.end) == (middle.start + 4000, middle.end + 6500)


@given(st.text(alphabet="0123456789:,.-> \nWEBVT<", max_size=80))
def test_any_text_is_survived(text: str) -> None:
    shifted(text, PAUSES)

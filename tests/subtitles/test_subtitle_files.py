"""Files that are read, and files that are refused in one sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.subtitles.errors import SubtitleError
from adstudio.subtitles.reading import parse_subtitles, read_subtitles

SRT = b"1\n00:00:01,000 --> 00:00:02,000\nHello\n"


def test_a_file_with_an_awkward_name(tmp_path: Path) -> None:
    path = tmp_path / "Gün ter – ä" / "日本 #1%20&.en.srt"
    path.parent.mkdir()
    path.write_bytes(SRT)
    file = read_subtitles(path)
    assert [cue.text for cue in file.cues] == ["Hello"]
    assert file.language == "en"


def test_errors_are_bad_input() -> None:
    assert issubclass(SubtitleError, BadInputError)
    assert SubtitleError("x").exit_code == 2


@pytest.mark.parametrize("path", ["", "."])
def test_no_path(path: str) -> None:
    with pytest.raises(SubtitleError, match="no subtitle file given"):
        read_subtitles(Path(path))


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(SubtitleError, match="no such subtitle file"):
        read_subtitles(tmp_path / "none.srt")
    with pytest.raises(SubtitleError, match="is a folder"):
        read_subtitles(tmp_path)


def test_a_file_of_a_gigabyte_is_refused_before_it_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "big.srt"
    with path.open("wb") as file:
        file.truncate(1 << 30)
    monkeypatch.setattr("adstudio.system.files.os.open", lambda *_: pytest.fail("the file is opened"))
    with pytest.raises(SubtitleError, match="larger than a subtitle file"):
        read_subtitles(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_never_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "pipe.srt"
    os.mkfifo(path)
    with pytest.raises(SubtitleError, match="pipe"):
        read_subtitles(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "locked.srt"
    path.write_bytes(SRT)
    path.chmod(0)
    with pytest.raises(OutsideFailureError):
        read_subtitles(path)


def test_a_disk_failure_is_no_fault_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.srt"
    path.write_bytes(SRT)

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("adstudio.system.files.os.open", refuse)
    with pytest.raises(OutsideFailureError, match="cannot be read"):
        read_subtitles(path)


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n" + bytes(50),
        b"\xff\xd8\xff\xe0JFIF",
        b"\0\0\0\x20ftypisom" + bytes(50),
        b"\x1a\x45\xdf\xa3 webm",
        b"RIFF\x24\0\0\0WAVE",
        b"ID3\x04 mp3",
        b"%PDF-1.7\n",
        b"PK\x03\x04 zipped",
        b"\x1f\x8b\x08 gzipped",
        b"\x7fELF",
        b"850STL25.01" + b" " * 100,
        SRT + b"\0\0\0",
        b"1\n00:00:01,000 --> 00:00:02,000\nHel\0lo\n",
        bytes(1000),
        bytes(range(1, 32)) * 20,
    ],
)
def test_binary_files_are_refused(data: bytes) -> None:
    with pytest.raises(SubtitleError) as error:
        parse_subtitles(data, "film.srt")
    assert str(error.value).startswith("film.srt ")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("data", "name", "notes"),
    [
        (b"<SAMI><BODY></BODY></SAMI>", "a.smi", "SAMI"),
        (b"{100}{200}Hello\n{300}{400}You\n", "a.sub", "MicroDVD"),
        (b"[10][20]Hello\n", "a.txt", "MPL2"),
        (b"[ar:Anna]\n[00:08.62]First things first\n", "a.lrc", "LRC"),
        (b"0:00:00.378,0:00:11.378\nCaption\n", "a.sbv", "SBV"),
        (b"Scenarist_SCC V1.0\n\n00:00:00:00\t9420\n", "a.scc", "SCC"),
        (b'{"events": []}', "a.json", "JSON"),
        (b"<html><body>x</body></html>", "a.srt", "HTML"),
        (b"<rss></rss>", "a.xml", "not TTML"),
        (b"Dear diary, nothing happened.\n", "a.txt", "contains no subtitle times"),
        (b"Dear diary, nothing happened.\n", "a.ttml", "contains no subtitle times"),
    ],
)
def test_formats_that_are_not_read_are_named(data: bytes, name: str, notes: str) -> None:
    with pytest.raises(SubtitleError, match=notes) as error:
        parse_subtitles(data, name)
    assert "adstudio reads SRT, WebVTT, TTML" in str(error.value)


@pytest.mark.parametrize("name", ["a.srt", "a.vtt", "a.ass"])
def test_what_only_the_name_calls_subtitles_is_read_and_all_of_it_listed(name: str) -> None:
    file = parse_subtitles(b"Dear diary,\nnothing happened.\n", name)
    assert file.cues == ()
    assert any("Dear diary" in oddity.what for oddity in file.oddities)


@pytest.mark.parametrize("name", ["a.vtt", "a.ass", "a.ttml", "a.txt", "a"])
def test_srt_under_another_name(name: str) -> None:
    assert [cue.text for cue in parse_subtitles(SRT, name).cues] == ["Hello"]


def test_too_many_cues() -> None:
    with pytest.raises(SubtitleError, match="more than 200,000 cues"):
        parse_subtitles(b"00:01.000 --> 00:02.000\n" * 200_001, "a.srt")


def test_oddities_are_bounded_and_say_so() -> None:
    file = parse_subtitles(b"00:02.000 --> 00:01.000\nx\n" * 12_000, "a.srt")
    assert len(file.oddities) == 10_001
    assert "more problems" in file.oddities[-1].what


def test_oddities_are_in_order_of_lines() -> None:
    file = parse_subtitles(b"junk\n\n1\n00:00:05,5 --> 00:00:04,000\na\n\n2\n00:00:01,000 --> x\nb\n", "a.srt")
    lines = [oddity.line for oddity in file.oddities]
    assert lines == sorted(line for line in lines if line)

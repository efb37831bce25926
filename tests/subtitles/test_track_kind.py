"""What a file says of itself: its kind, its language, and how its times lie in the stream that it was made for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from adstudio.subtitles.parsed_file import SubtitleFile, TrackKind
from adstudio.subtitles.reading import parse_subtitles, read_subtitles
from adstudio.subtitles.track_kind import kind_in_name

CUE = "00:00:01.000 --> 00:00:02.000\nA cat walks along the shelf.\n"


def read(head: str, name: str = "film.vtt", cues: str = CUE) -> SubtitleFile:
    return parse_subtitles(f"WEBVTT{head}\n\n{cues}".encode(), name)


def listed(file: SubtitleFile, word: str) -> list[int | None]:
    return [oddity.line for oddity in file.oddities if word in oddity.what]


@pytest.mark.parametrize(
    ("head", "kind", "line"),
    [
        ("\nKind: descriptions", TrackKind.DESCRIPTIONS, 2),
        ("\r\nKind: Chapters", TrackKind.CHAPTERS, 2),
        ("\nLanguage: en\nkind=metadata", TrackKind.METADATA, 3),
        (" Kind: thumbnails; Language: en", TrackKind.THUMBNAILS, 1),
        ("\n\nKind: chapters", TrackKind.CHAPTERS, 3),
        ("\n\nNOTE\nkind=descriptions\nlanguage=en", TrackKind.DESCRIPTIONS, 4),
        ("\n\nNOTE kind: descriptions", TrackKind.DESCRIPTIONS, 3),
    ],
)
def test_a_file_that_declares_another_kind_is_read_and_told(head: str, kind: TrackKind, line: int) -> None:
    file = read(head)
    assert (file.track, [cue.start for cue in file.cues]) == (kind, [1000])
    assert listed(file, "not dialogue") == [line]
    assert len(file.oddities) == 1


@pytest.mark.parametrize("head", ["", "\nKind: captions\nLanguage: en", "\nkind: SUBTITLES", "\n\nNOTE kind: of blue"])
def test_a_file_of_dialogue_has_nothing_to_tell(head: str) -> None:
    file = read(head)
    assert (file.track, file.oddities) == (TrackKind.DIALOGUE, ())


def test_a_kind_that_webvtt_does_not_have_is_told() -> None:
    assert listed(read("\nKind: karaoke"), "“karaoke”") == [2]


def test_the_header_decides_before_the_name() -> None:
    assert read("\nKind: captions", "film.chapters.vtt").track is TrackKind.DIALOGUE


@pytest.mark.parametrize(
    ("cues", "kind"),
    [
        ("sprite.jpg#xywh=0,0,160,90", TrackKind.THUMBNAILS),
        ("https://host/a/1.webp", TrackKind.THUMBNAILS),
        ('{"id": 1, "ad": true}', TrackKind.METADATA),
        ("Look at photo.jpg.", TrackKind.DIALOGUE),
        ("[Music]", TrackKind.DIALOGUE),
        ("{whispering} Come.", TrackKind.DIALOGUE),
    ],
)
def test_cues_that_nobody_reads(cues: str, kind: TrackKind) -> None:
    file = read("", cues=f"00:01.000 --> 00:02.000\n{cues}\n\n00:03.000 --> 00:04.000\n{cues}\n")
    assert file.track is kind
    assert len(listed(file, "not dialogue")) == (kind is not TrackKind.DIALOGUE)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("film.ad.srt", TrackKind.DESCRIPTIONS),
        ("film.en.AD.vtt", TrackKind.DESCRIPTIONS),
        ("film.ad.de-AT.srt", TrackKind.DESCRIPTIONS),
        ("film [AD].srt", TrackKind.DESCRIPTIONS),
        ("film_descriptions.vtt", TrackKind.DESCRIPTIONS),
        ("film-audio description.ttml", TrackKind.DESCRIPTIONS),
        ("descriptions.vtt", TrackKind.DESCRIPTIONS),
        ("film.chapters.vtt", TrackKind.CHAPTERS),
        ("film.thumbnails.vtt", TrackKind.THUMBNAILS),
        ("film.metadata.vtt", TrackKind.METADATA),
        ("films.ad/film.srt", None),
        ("Ad Astra.srt", None),
        ("My first ad.srt", None),
        ("ad.srt", None),
        ("film.captions.vtt", None),
        ("film.en.sdh.srt", None),
    ],
)
def test_kinds_in_names(name: str, kind: TrackKind | None) -> None:
    assert kind_in_name(name) is kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Ad Astra.srt", None),
        ("Ad Astra ad.srt", TrackKind.DESCRIPTIONS),
        ("Ad Astra.AD.en.srt", TrackKind.DESCRIPTIONS),
        ("ad astra chapters.vtt", TrackKind.CHAPTERS),
    ],
)
def test_only_what_follows_the_films_name_counts(name: str, kind: TrackKind | None) -> None:
    assert kind_in_name(name, "Ad Astra") is kind


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("film.ad.srt", None),
        ("film.hd.srt", None),
        ("film.tv.srt", None),
        ("film.ad.en.srt", "en"),
        ("film.en.ad.srt", "en"),
        ("film.pt-BR.srt", "pt-BR"),
        ("film.cy.cc.srt", "cy"),
    ],
)
def test_two_letters_are_a_language_if_they_are_one(name: str, language: str | None) -> None:
    assert parse_subtitles(f"1\n{CUE}".encode(), name).language == language


# 90,000 ticks are a second (RFC 8216, section 3.5).
@pytest.mark.parametrize(
    ("value", "where"),
    [
        ("LOCAL:00:00:00.000,MPEGTS:368640", "4.096 s later"),
        ("MPEGTS:900000,LOCAL:00:00:00.000", "10 s later"),
        ("MPEGTS:900000,LOCAL:00:00:10.000", "at the same time (0 s later)"),
        ("LOCAL:00:00:00.000,MPEGTS:0", "at the same time (0 s later)"),
        ("LOCAL:01:00:00.000,MPEGTS:126000", "3598.6 s earlier"),
        ("local:00:00.000, mpegts: 90", "0.001 s later"),
        # Less than half a millisecond is none.
        ("LOCAL:00:00:00.000,MPEGTS:44", "at the same time (0 s later)"),
        ("LOCAL:00:00:00.000,MPEGTS:8589934591", "95443.718 s later"),
    ],
)
@pytest.mark.parametrize("blank_line", ["", "\n"])
def test_a_timestamp_map_is_told_with_its_offset(value: str, where: str, blank_line: str) -> None:
    file = read(f"\n{blank_line}X-TIMESTAMP-MAP={value}")
    assert [cue.start for cue in file.cues] == [1000]
    assert listed(file, f"the cues lie {where}") == [3 if blank_line else 2]
    assert len(file.oddities) == 1


@pytest.mark.parametrize("value", ["", "LOCAL:00:00:00.000", "MPEGTS:1", "LOCAL:x,MPEGTS:y", "MPEGTS:" + "9" * 150])
def test_a_map_that_cannot_be_read_is_told(value: str) -> None:
    assert listed(read(f"\nX-TIMESTAMP-MAP={value}"), "cannot be read") == [2]


def test_joined_segments_tell_each_map_once() -> None:
    one, other = "X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:90000", "X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:180000"
    text = "\n\n".join(
        f"WEBVTT\n{head}\n\n00:0{n}.000 --> 00:0{n}.900\nLine {n}" for n, head in enumerate((one, one, other), 1)
    )
    file = parse_subtitles(text.encode(), "joined.vtt")
    assert [cue.text for cue in file.cues] == ["Line 1", "Line 2", "Line 3"]
    assert listed(file, "X-TIMESTAMP-MAP") == [2, 14]
    assert listed(file, "another WebVTT file begins") == [7, 13]


@pytest.mark.parametrize("start", ["", f"WEBVTT\n\n{CUE}\n"])
def test_times_that_cannot_be_read_in_a_header_are_told(start: str) -> None:
    file = parse_subtitles(f"{start}WEBVTT\n0x:01.000 --> 00:02.000\nNobody.\n\n{CUE}".encode(), "film.vtt")
    assert len(listed(file, "“Nobody.”")) == 1


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("map-0", "at the same time"),
        ("map-368640", "4.096 s later"),
        ("map-900000", "10 s later"),
        ("map-local10", "at the same time"),
    ],
)
def test_the_maps_of_a_public_report(shared_data: Path, name: str, where: str) -> None:
    file = read_subtitles(shared_data / "reports" / "47" / f"{name}.vtt")
    assert [(cue.start, cue.end) for cue in file.cues] == [(2000, 4000), (8000, 9000)]
    assert listed(file, where) == [2]


def test_the_command_line_tells_it(tmp_path: Path) -> None:
    from adstudio.cli.program import app

    path = tmp_path / "film.vtt"
    path.write_text(f"WEBVTT\nKind: chapters\n\n{CUE}")
    answer = CliRunner().invoke(app, ["gaps", str(path), "--end", "60"])
    problems = json.loads(answer.stdout)["problems"]
    assert [(problem["line"], "chapters" in problem["what"]) for problem in problems] == [(2, True)]


DAPT = "http://www.w3.org/ns/ttml/profile/dapt#metadata"
METADATA = "http://www.w3.org/ns/ttml#metadata"


@pytest.mark.parametrize(
    ("root", "body", "kind"),
    [
        (f'xmlns:daptm="{DAPT}" daptm:scriptRepresents="visual.nonText"', "", TrackKind.DESCRIPTIONS),
        (f'xmlns:d="{DAPT}" d:scriptRepresents="visual.dialogue visual.text"', "", TrackKind.DESCRIPTIONS),
        (f'xmlns:m="{METADATA}"', 'm:role="description"', TrackKind.DESCRIPTIONS),
        (f'xmlns:daptm="{DAPT}" daptm:scriptRepresents="audio.dialogue"', "", TrackKind.DIALOGUE),
        (f'xmlns:daptm="{DAPT}" daptm:scriptRepresents="audio visual"', "", TrackKind.DIALOGUE),
        (f'xmlns:ttm="{METADATA}"', 'ttm:role="caption"', TrackKind.DIALOGUE),
    ],
)
def test_ttml_that_says_what_it_describes(root: str, body: str, kind: TrackKind) -> None:
    cue = '<p begin="1s" end="2s">A cat walks along the shelf.</p>'
    text = f'<tt xmlns="http://www.w3.org/ns/ttml" {root}>\n<body {body}><div>{cue}</div></body></tt>'
    file = parse_subtitles(text.encode(), "film.ttml")
    assert (file.track, [found.start for found in file.cues]) == (kind, [1000])
    assert listed(file, "not dialogue") == ([] if kind is TrackKind.DIALOGUE else [2 if body else 1])

"""What is told about files that are no screenplays; encodings; the language."""

from __future__ import annotations

import codecs
import io
import os
import zipfile
from pathlib import Path

import pytest

from adstudio.core.errors import BadInputError
from adstudio.screenplay import file as reading
from adstudio.screenplay.file import parse_screenplay, read_screenplay
from adstudio.screenplay.language import guess_language
from adstudio.screenplay.parsed_screenplay import Action, Form, ScreenplayError, Speech

SCRIPT = "INT. CAFÉ - DAY\n\nZoë waits für Ärger.\n\nZOË\nOù est-il ?\n"


def texts(data: bytes, name: str = "film.fountain") -> list[str]:
    return [part.text for scene in parse_screenplay(data, name).scenes for part in scene.parts]


@pytest.mark.parametrize(
    "encode",
    [
        lambda text: text.encode(),
        lambda text: codecs.BOM_UTF8 + text.encode(),
        lambda text: text.encode("utf-16"),
        lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
        lambda text: text.encode("utf-16-le"),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.replace("\n", "\r").encode(),
        lambda text: text.encode("cp1252"),
    ],
    ids=["utf-8", "utf-8 with mark", "utf-16", "utf-16-be", "utf-16 without mark", "crlf", "cr", "windows-1252"],
)
def test_encodings_and_newlines(encode):
    assert texts(encode(SCRIPT)) == ["Zoë waits für Ärger.", "Où est-il ?"]


def test_a_guessed_encoding_is_told():
    (oddity,) = parse_screenplay(SCRIPT.encode("cp1252"), "film.fountain").oddities
    assert "does not declare its encoding; windows-1252 was guessed" in oddity.what
    assert oddity.line == 1


def zipped() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("word/document.xml", "<w/>")
    return made.getvalue()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty: choose a screenplay"),
        (b" \r\n\t\n", "is empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)), "is not text: choose a screenplay"),
        (bytes(range(1, 32)) * 20, "is not text: choose a screenplay"),
        (zipped(), "is a zipped document"),
        (b"{\\rtf1\\ansi INT. HALL}", "is an RTF document: save it as PDF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "is an old Word document"),
        (b"1\n00:00:01,000 --> 00:00:02,000\nHi\n\n" * 3, "is a subtitle file, not a screenplay"),
        (b"WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n", "is a subtitle file"),
        (b"[Script Info]\nTitle: x\n", "is a subtitle file"),
        (b'<?xml version="1.0"?><tt xmlns="http://www.w3.org/ns/ttml"><body/></tt>', "is a subtitle file"),
        (b"<!DOCTYPE html><html><p>INT. HALL</p></html>", "is a web page"),
        (b'<?xml version="1.0"?><other/>', "not a screenplay in a known format"),
        (b'{"scenes": []}', "is JSON, not a screenplay"),
        (b"[[only a note]]", "is empty"),
        (b"/* all gone */", "is empty"),
    ],
)
def test_what_is_no_screenplay(data: bytes, said: str):
    with pytest.raises(ScreenplayError) as caught:
        parse_screenplay(data, "film.txt")
    assert said in str(caught.value)
    assert str(caught.value).startswith("film.txt ")
    assert "\n" not in str(caught.value)


def test_prose_is_action_in_one_scene_and_told():
    prose = "It was a dark night. The rain fell.\n\n“Who is there?” she said, and he did not answer.\n\n"
    prose += "CHAPTER TWO\n\nMorning."
    found = parse_screenplay(prose.encode(), "novel.txt")
    assert [type(part) for part in found.scenes[0].parts] == [Action] * 3
    assert found.oddities[0].what == "no scene heading was found: everything is read as one scene"


def test_the_form_is_told_by_what_is_in_the_file():
    xml = b'<FinalDraft><Content><Paragraph Type="Action"><Text>Hi.</Text></Paragraph></Content></FinalDraft>'
    assert parse_screenplay(xml, "film.txt").form is Form.FDX
    assert parse_screenplay(b"INT. HALL\n\nDark.", "film.pdf").form is Form.TEXT
    assert parse_screenplay(b"INT. HALL\n\nDark.", "FILM.FOUNTAIN").form is Form.FOUNTAIN


def test_limits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    with pytest.raises(ScreenplayError, match=r"too long for a screenplay \(5,000,001 characters\)"):
        parse_screenplay(b"a \n" * 1_666_667, "film.txt")
    with pytest.raises(ScreenplayError, match=r"too long for a screenplay \(21 MB of text\): split it"):
        parse_screenplay(b"a \n" * 7_000_000, "film.txt")
    for lines in (1_700_000, 7_000_000):
        with pytest.raises(ScreenplayError, match="is not text"):
            parse_screenplay(b"\0\0\0\x20ftypisom" + b"a \n" * lines, "film.mp4")
    with pytest.raises(ScreenplayError, match="a line of more than 200,000 characters"):
        parse_screenplay(b"a" * 200_001, "film.txt")
    monkeypatch.setattr(reading, "MAX_BYTES", 10)
    path = tmp_path / "film.txt"
    path.write_bytes(b"a" * 11)
    with pytest.raises(BadInputError, match=r"film\.txt is larger than a screenplay can be"):
        read_screenplay(path)


def test_files_that_cannot_be_opened(tmp_path: Path):
    pipe = tmp_path / "pipe.fountain"
    os.mkfifo(pipe)
    missing = "there is no such screenplay"
    device = Path("/dev/zero"), "device or pipe"
    for path, said in ((tmp_path / "none.fdx", missing), (tmp_path, "is a folder"), (pipe, "device or pipe"), device):
        with pytest.raises(BadInputError, match=said):
            read_screenplay(path)


def test_oddities_are_counted_beyond_500():
    text = "INT. HALL\n\n" + "BANG!\nHe falls.\n\n" * 600
    oddities = parse_screenplay(text.encode(), "film.fountain").oddities
    assert len(oddities) == 501
    assert oddities[-1].what == "and 100 more oddities"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("She walks to the door and opens it with her key. He is on the other side of the room.", "en"),
        ("Sie geht zur Tür und öffnet sie mit dem Schlüssel. Er ist nicht auf der anderen Seite.", "de"),
        ("Elle marche vers la porte et ouvre avec une clé. Il est dans la cuisine, pas dans le salon.", "fr"),
        ("Ella camina hacia la puerta y la abre con una llave. No está en el salón de los niños.", "es"),
        ("Lei non è nella stanza. Il gatto che dorme sul letto si sveglia con un salto. Sono le tre.", "it"),
        ("Ze loopt naar de deur en opent het slot met een sleutel. Hij is niet in zijn kamer van het huis.", "nl"),
        ("Она идёт к двери и открывает её ключом.", "ru"),
        ("Вона йде до дверей і відчиняє їх ключем, її кіт спить.", "uk"),
        ("彼女はドアへ歩いて行き、鍵で開ける。彼は部屋の反対側にいる。", "ja"),
        ("她走到门口，用钥匙打开门。他在房间的另一边，看着窗外的雨。", "zh"),
        ("그녀는 문으로 걸어가서 열쇠로 연다. 그는 방 반대편에 있다.", "ko"),
        ("Hän kävelee ovelle ja avaa sen avaimella. " * 8, "und"),
        ("Hm.", None),
        ("Blorp zang quux frotz.", None),
        ("", None),
    ],
)
def test_language(text: str, language: str | None):
    assert guess_language([text]) == language


def test_the_language_is_that_of_what_is_said_and_done():
    found = parse_screenplay(SCRIPT.encode(), "film.fountain")
    assert found.language is None
    english = "INT. CAFÉ\n\n" + "She sits with her cup and looks at the door. He is not in the room.\n\n" * 3
    assert parse_screenplay(english.encode(), "film.fountain").language == "en"


def test_all_parts_are_of_the_model():
    found = parse_screenplay(SCRIPT.encode(), "film.fountain")
    assert found.scenes[0].parts == (Action("Zoë waits für Ärger.", 3), Speech("ZOË", "Où est-il ?", 5))

"""Bytes to text: marks, Unicode without marks, declared and guessed encodings, damage."""

from __future__ import annotations

import pytest

from adstudio.subtitles.errors import SubtitleError
from adstudio.subtitles.reading import parse_subtitles

CUES = "1\n00:00:01,000 --> 00:00:02,000\n{}\n\n2\n00:00:03,000 --> 00:00:04,000\nEnd\n"

TEXTS = {
    "cs": "Říkal jsem ti, že přijdu pozdě.\nTo není možné, řekni mu to.",
    "sl": "Kaj počneš tukaj? Nisem vedel, da boš prišel.\nŽivljenje je težko.",
    "pl": "Gdzie jesteś? Nie wiem, co się dzieje.\nMyślałem, że już śpisz.",
    "hu": "Nem tudom, mit csináljak.\nŐ már elment, de még visszajön.",
    "fr": "L’été dernier, « où étais-tu » ?\nÇa, c’est à moi… Très bien, mère.",
    "fr plain": "Où étais-tu, mère ?\nElle est à la maison, très loin.",
    "de": "Ich weiß nicht, was du möchtest.\nÜber die Brücke!",
    "es": "¿Qué haces aquí, señor?\n¡No lo sé! Mañana será otro día.",
    "tr": "Ne yapıyorsun burada? Bilmiyorum, şimdi değil.",
    "ru": "Что ты здесь делаешь?\nЯ не знаю, прости меня.",
    "el": "Τι κάνεις εδώ; Δεν ξέρω, συγγνώμη.",
    "he": "מה אתה עושה כאן? אני לא יודע!",
    "ar": "ماذا تفعل هنا؟ لا أعرف!",
    "ja": "こんにちは、田中さん。\n何をしているの？分からない。",
    "zh": "你在这里做什么？\n我不知道，对不起。",
    "ko": "여기서 뭐 하는 거야?\n모르겠어, 미안해.",
}
LEGACY = [
    ("cs", "cp1250"), ("cs", "iso8859-2"), ("sl", "cp1250"), ("sl", "iso8859-2"), ("pl", "cp1250"), ("pl", "iso8859-2"),
    ("hu", "cp1250"), ("fr", "cp1252"), ("fr plain", "iso8859-1"), ("de", "cp1252"), ("es", "cp1252"), ("tr", "cp1254"),
    ("ru", "cp1251"), ("ru", "koi8-r"), ("el", "cp1253"), ("he", "cp1255"), ("ar", "cp1256"), ("ja", "cp932"),
    ("ja", "euc_jp"), ("zh", "gb18030"), ("ko", "cp949"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "codec"), LEGACY)
def test_legacy_encodings_are_guessed_and_the_guess_is_shown(language: str, codec: str) -> None:
    data = CUES.format(TEXTS[language]).encode(codec)
    file = parse_subtitles(data, "film.srt")
    assert file.cues[0].text == TEXTS[language]
    assert file.guessed
    notes = [oddity for oddity in file.oddities if "was guessed" in oddity.what]
    assert len(notes) == 1
    assert file.encoding in notes[0].what
    assert notes[0].line == 3
    assert TEXTS[language].split("\n")[0][:20] in notes[0].what


@pytest.mark.parametrize(("language", "codec"), LEGACY)
def test_a_guess_can_be_overridden(language: str, codec: str) -> None:
    data = CUES.format(TEXTS[language]).encode(codec)
    file = parse_subtitles(data, "film.srt", encoding=codec)
    assert file.cues[0].text == TEXTS[language]
    assert not file.guessed
    assert file.oddities == ()


@pytest.mark.parametrize(
    ("codec", "mark", "shown"),
    [
        ("utf-8", "", "utf-8"),
        ("utf-8-sig", "", "utf-8"),
        ("utf-16-le", "\ufeff", "utf-16-le"),
        ("utf-16-be", "\ufeff", "utf-16-be"),
        ("utf-32-le", "\ufeff", "utf-32-le"),
        ("utf-32-be", "\ufeff", "utf-32-be"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_mark_decides_and_never_reaches_a_cue(codec: str, mark: str, shown: str, newline: str) -> None:
    text = (mark + CUES.format("Žluť 😀")).replace("\n", newline)
    data = text.encode(codec)
    file = parse_subtitles(data, "film.srt")
    assert [(cue.start, cue.end, cue.text) for cue in file.cues] == [
        (1000, 2000, "Žluť 😀"),
        (3000, 4000, "End"),
    ]
    assert (file.encoding, file.guessed, file.oddities) == (shown, False, ())


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("text", ["Hello there", "你在这里做什么？我不知道", "Что ты делаешь"])
def test_wide_unicode_without_a_mark(codec: str, text: str) -> None:
    data = CUES.format(text).encode(codec)
    file = parse_subtitles(data, "film.srt")
    assert file.cues[0].text == text
    assert file.encoding == codec


def test_one_bad_byte_in_english_is_a_windows_dash() -> None:
    file = parse_subtitles(CUES.format("We e-mailed\x97").encode("latin-1"), "film.srt")
    assert file.cues[0].text == "We e-mailed—"
    assert file.encoding == "windows-1252"


def test_a_bad_byte_among_good_utf8_is_reported() -> None:
    data = CUES.format("Žluťoučký kůň, příště").encode() + b"\n3\n00:00:05,000 --> 00:00:06,000\nbad \xff\xfe here\n"
    file = parse_subtitles(data, "film.srt")
    assert file.encoding == "utf-8"
    assert file.cues[0].text == "Žluťoučký kůň, příště"
    assert file.cues[2].text == "bad \ufffd\ufffd here"
    assert [(oddity.line, "FF, FE" in oddity.what) for oddity in file.oddities] == [(11, True)]


def test_undecodable_bytes_under_an_override_are_listed_by_line() -> None:
    data = CUES.format("caf\xe9").encode("latin-1")
    file = parse_subtitles(data, "film.srt", encoding="utf-8")
    assert file.cues[0].text == "caf\ufffd"
    assert [(oddity.line, "E9" in oddity.what) for oddity in file.oddities] == [(3, True)]


def test_half_a_surrogate_pair_and_half_a_unit_are_listed() -> None:
    data = CUES.format("aXb").encode("utf-16-le").replace(b"X\0", b"\x3d\xd8") + b"\x41"
    file = parse_subtitles(b"\xff\xfe" + data, "film.srt")
    assert file.cues[0].text == "a\ufffdb"
    assert [oddity.line for oddity in file.oddities] == [3, 8]


def test_an_xml_declaration_is_believed() -> None:
    body = '<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="1s" end="2s">čšž</p></div></body></tt>'
    data = f'<?xml version="1.0" encoding="iso-8859-2"?>{body}'.encode("iso-8859-2")
    file = parse_subtitles(data, "a.ttml")
    assert file.cues[0].text == "čšž"
    assert (file.encoding, file.guessed) == ("iso-8859-2", False)


@pytest.mark.parametrize("encoding", ["klingon", "utf-7", "base64", "rot13", "cp037", "unicode_escape", "", "idna"])
def test_what_is_no_encoding_of_subtitles_is_refused(encoding: str) -> None:
    with pytest.raises(SubtitleError, match="is not a valid encoding"):
        parse_subtitles(CUES.format("x").encode(), "film.srt", encoding=encoding)


def test_a_wrong_width_is_refused() -> None:
    with pytest.raises(SubtitleError, match="full of null characters"):
        parse_subtitles(CUES.format("x").encode("utf-16-le"), "film.srt", encoding="cp1252")


@pytest.mark.parametrize("name", ["utf-16", "UTF16", "utf-32"])
def test_an_override_without_byte_order_finds_it(name: str) -> None:
    codec = "utf-16-be" if "16" in name else "utf-32-be"
    file = parse_subtitles(CUES.format("é").encode(codec), "film.srt", encoding=name)
    assert file.cues[0].text == "é"


def test_line_separators_of_unicode_are_text() -> None:
    file = parse_subtitles(CUES.format("one\u2028two\x85three").encode(), "film.srt")
    assert file.cues[0].text == "one\u2028two\x85three"
    assert file.cues[1].line == 6


def test_right_to_left_text_stays_in_logical_order() -> None:
    text = "\u202b42 - שלום, world!\u202c\nمرحبا... (1)"
    data = CUES.format(text).encode()
    file = parse_subtitles(data, "film.srt")
    assert file.cues[0].text == text

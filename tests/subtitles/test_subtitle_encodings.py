"""Bytes to text: marks, Unicode without marks, declared and guessed encodings, damage."""

from __future__ import annotations

import pytest

from adstudio.subtitles.errors import SubtitleError
from adstudio.subtitles.languages import EAST_ASIAN, LANGUAGES
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
    ("ru", "cp1251"), ("ru", "koi8-r"), ("el", "cp1253"), ("el", "cp737"), ("he", "cp1255"), ("he", "cp862"),
    ("ar", "cp1256"), ("ja", "cp932"), ("ja", "euc_jp"), ("zh", "gb18030"), ("ko", "cp949"),
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


XML = '<?xml version="1.0" encoding="{}"?>\n<tt xmlns="http://www.w3.org/ns/ttml"><body><div>'
XML += '<p begin="1s" end="2s">Café, déjà vu</p></div></body></tt>'


@pytest.mark.parametrize(
    ("label", "codec", "what"),
    [
        ("UTF-8", "latin-1", "the file declares utf-8, but that cannot be right; windows-1252 was guessed, which"),
        ("foo-99", "latin-1", "the file declares foo-99, but that cannot be right; windows-1252 was guessed, which"),
        ("utf-8", "utf-16-le", "the file declares utf-8, but that cannot be right; utf-16-le was guessed, which"),
        ("foo-99", "utf-8", "the file declares foo-99, but is in utf-8"),
        ("UTF-16", "utf-8", "the file declares utf-16, but is in utf-8"),
        ("iso-8859-1", "utf-8", "the file declares iso-8859-1, but is in utf-8"),
    ],
)
def test_a_declaration_that_is_wrong_is_listed(label: str, codec: str, what: str) -> None:
    file = parse_subtitles(XML.format(label).encode(codec), "a.ttml")
    assert file.cues[0].text == "Café, déjà vu"
    assert [oddity.what.startswith(what) for oddity in file.oddities] == [True]
    assert file.guessed == ("Café, déjà vu" in file.oddities[0].what)


@pytest.mark.parametrize(
    ("label", "codec"),
    [("iso-8859-1", "latin-1"), ("UTF-8", "utf-8-sig"), ("utf-16", "utf-16-be"), ("UTF-16LE", "utf-16-le")],
)
def test_a_declaration_that_is_right_is_no_guess(label: str, codec: str) -> None:
    file = parse_subtitles(XML.format(label).encode(codec), "a.ttml")
    assert (file.cues[0].text, file.guessed, file.oddities) == ("Café, déjà vu", False, ())


def test_a_declared_encoding_that_does_not_exist_is_listed_in_ascii_too() -> None:
    text = XML.replace("Café, déjà", "Cafe, deja")
    found = [parse_subtitles(text.format(label).encode(), "a.ttml").oddities for label in ("foo-99", "iso-8859-1")]
    assert [[oddity.what for oddity in each] for each in found] == [["the file declares foo-99, but is in utf-8"], []]


# --- short texts in other scripts ---

SHORT = {
    "ru": ["Ты поставила чайник, милая?\nКонечно, поставила уже давно.", "Мы опоздали на поезд.", "Нет, спасибо.",
           "Кто там?", "ПОМОГИТЕ!", "Иди сюда!", "Это мой брат Андрей."],
    "uk": ["Що ти тут робиш?", "Я не знаю, вибач мені.", "Йди сюди!", "Їжак пішов у ліс."],
    "bg": ["Какво правиш тук?", "Не знам, съжалявам.", "Къде е той?"],
    "sr": ["Шта радиш овде?", "Не знам, извини.", "Дођи овамо!"],
    "el": ["Τι κάνεις εδώ;", "Δεν ξέρω, συγγνώμη.", "Πού είναι;", "Όχι, ευχαριστώ.", "ΒΟΗΘΕΙΑ!"],
    "he": ["מה אתה עושה כאן?", "איפה הוא?", "אמא, אני רעבה.", "לא, תודה."],
    "ar": ["لست متأكدا بعد.\nتعال الآن!", "أين هو؟", "لا، شكرا.", "أنا جائع يا أمي."],
    "th": ["คุณทำอะไรอยู่ที่นี่", "ฉันไม่รู้ ขอโทษนะ", "เขาอยู่ไหน"],
    "ja": ["早く逃げろ！", "誰だ？", "お母さん、お腹すいた"],
    "zh-Hans": ["快跑！", "他是谁？", "妈妈，我饿了。"],
    "zh-Hant": ["快跑！", "他是誰？", "媽媽，我餓了。"],
    "ko": ["빨리 도망가!", "누구세요?", "엄마, 배고파."],
}  # fmt: skip
SCRIPTS = {
    "ru": ("cp1251", "koi8-r", "iso8859-5", "cp866", "mac_cyrillic"),
    "uk": ("cp1251", "koi8-u"),
    "bg": ("cp1251", "iso8859-5"),
    "sr": ("cp1251",),
    "el": ("cp1253", "iso8859-7", "cp737"),
    "he": ("cp1255", "iso8859-8", "cp862"),
    "ar": ("cp1256", "iso8859-6"),
    "th": ("cp874",),
    "ja": ("cp932", "euc_jp"),
    "zh-Hans": ("gb18030",),
    "zh-Hant": ("big5",),
    "ko": ("cp949",),
}
SHORT_CASES = [
    (language, codec, text) for language, codecs in SCRIPTS.items() for codec in codecs for text in SHORT[language]
]


@pytest.mark.parametrize(("language", "codec", "text"), SHORT_CASES)
def test_a_few_words_in_another_script_are_read(language: str, codec: str, text: str) -> None:
    file = parse_subtitles(CUES.format(text).encode(codec), "film.srt")
    assert file.cues[0].text == text, language
    assert file.guessed


@pytest.mark.parametrize(
    ("text", "codec"),
    [("Да.", "koi8-r"), ("Да.", "cp1251"), ("כן.", "cp1255"), ("لا", "cp1256"), ("Ναι.", "cp1253"), ("É.", "cp1252"),
     ("네.", "cp949"), ("はい。", "euc_jp"), ("не я", "iso8859-5"), ("Ой!", "mac_cyrillic"), ("Так", "cp866")],
)  # fmt: skip
def test_of_a_word_or_two_the_guess_is_in_doubt_and_another_reading_is_shown(text: str, codec: str) -> None:
    file = parse_subtitles(CUES.format(text).encode(codec), "film.srt")
    (doubt,) = (oddity for oddity in file.oddities if "the guess is in doubt" in oddity.what)
    assert doubt.line == 3
    assert "“" in doubt.what
    assert file.encoding not in doubt.what


@pytest.mark.parametrize(
    ("text", "codec"),
    [("Zoë's café", "mac_roman"), ("Zoé's café", "mac_roman"), ("Où est Zoé ?", "mac_roman"),
     ("Il a été tué.", "cp850"), ("Perché no?", "cp850"), ("An iPhone, a McCafé", "cp1252"), ("MÜLLER", "cp1252")],
)  # fmt: skip
def test_a_few_accents_are_read_by_where_they_are_in_words(text: str, codec: str) -> None:
    # Else they would be capitals after small letters, “cafŽ” or “cafÄ”, or opening quotation marks, “caf‚”.
    assert parse_subtitles(CUES.format(text).encode(codec), "film.srt").cues[0].text == text


@pytest.mark.parametrize("sign", ["20°", "• one", "It’s…", "’", "é", "Ø"])
def test_a_lone_sign_in_a_file_in_latin_letters_is_no_other_script(sign: str) -> None:
    file = parse_subtitles(CUES.format(f"You and I have it, is that for you?\n\n{sign}").encode("cp1252"), "film.srt")
    assert file.encoding == "windows-1252"
    assert file.cues[0].text.endswith(sign)


MARKUP = {
    "font": '1\n00:00:01,000 --> 00:00:02,000\n<font color="#ffff00">{}</font>\n',
    "ass": "[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
    "Dialogue: 0,0:00:01.00,0:00:02.00,Default,Anna,0000,0000,0000,,{{\\i1}}{}\n",
    "ttml": '<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="1s" end="2s" style="s">{}</p>'
    "</div></body></tt>",
}


@pytest.mark.parametrize("form", MARKUP)
@pytest.mark.parametrize(("language", "codec"), [(each, codec) for each, codecs in SCRIPTS.items() for codec in codecs])
def test_markup_says_nothing_of_the_script(form: str, language: str, codec: str) -> None:
    text = SHORT[language][0].split("\n")[0]
    file = parse_subtitles(MARKUP[form].format(text).encode(codec), f"film.{form}")
    assert file.cues[0].text == text


@pytest.mark.parametrize(("language", "codec"), LEGACY)
def test_of_a_whole_dialogue_the_guess_is_not_in_doubt(language: str, codec: str) -> None:
    text = "\n\n".join([TEXTS[language]] * 8)
    file = parse_subtitles(CUES.format(text).encode(codec), "film.srt")
    assert [oddity.what for oddity in file.oddities if "in doubt" in oddity.what] == []


NAMES = sorted({name for language in LANGUAGES for name in language.encodings} | {each[0] for each in EAST_ASIAN})


@pytest.mark.parametrize("name", [*NAMES, "iso-2022-jp", "iso-2022-kr", "hz"])
def test_every_encoding_that_is_shown_can_be_given(name: str) -> None:
    file = parse_subtitles(CUES.format("Hello").encode(), "film.srt", encoding=name)
    assert [cue.text for cue in file.cues] == ["Hello", "End"]


# --- encoded twice ---

FRENCH = "Où étais-tu hier soir ? À la gare.\nÇa suffit, j’en ai assez, Zoé."
AGAIN = {
    "fr": FRENCH,
    "de": "Ich weiß nicht, was du möchtest.\nÜber die Brücke!",
    "pl": TEXTS["pl"],
    "ru": "Ты поставила чайник, милая?",
    "el": TEXTS["el"],
    "he": TEXTS["he"],
    "ja": TEXTS["ja"],
    "ko": TEXTS["ko"],
    "note": "♪ la la ♪",
    "emoji": "Hi 😀 there",
}


def misread(text: str, codec: str) -> str:
    """The text as a program shows it that takes its UTF-8 for this code page; what the page lacks is as in Latin-1."""
    pairs = ((bytes((byte,)).decode(codec, "replace"), chr(byte)) for byte in text.encode())
    return "".join(shown if shown != "\ufffd" else byte for shown, byte in pairs)


@pytest.mark.parametrize("language", AGAIN)
@pytest.mark.parametrize("pages", [("cp1252",), ("latin-1",), ("cp1252", "latin-1"), ("latin-1", "cp1252"),
                                   ("cp1252", "cp1252"), ("cp1252",) * 3, ("latin-1",) * 3])  # fmt: skip
@pytest.mark.parametrize("outer", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_second_encoding_is_undone_and_told(language: str, pages: tuple[str, ...], outer: str) -> None:
    text = CUES.format(AGAIN[language])
    for page in pages:
        text = misread(text, page)
    file = parse_subtitles(text.encode(outer), "film.srt")
    assert file.cues[0].text == AGAIN[language]
    (found,) = (oddity for oddity in file.oddities if "was encoded in UTF-8" in oddity.what)
    assert found.line == 3
    times = {1: "twice", 2: "three times", 3: "4 times"}[len(pages)]
    assert f"{times}, through windows-1252; that was undone" in found.what
    assert AGAIN[language].split("\n")[0][:40] in found.what


@pytest.mark.parametrize(
    ("language", "page", "name"),
    [("ru", "cp1251", "windows-1251"), ("fr", "cp1251", "windows-1251"), ("pl", "cp1250", "windows-1250"),
     ("de", "mac_roman", "macintosh"), ("fr", "cp437", "ibm437"), ("fr", "cp850", "ibm850"), ("ru", "cp437", "ibm437")],
)  # fmt: skip
def test_a_second_encoding_through_other_code_pages(language: str, page: str, name: str) -> None:
    file = parse_subtitles(misread(CUES.format(AGAIN[language]), page).encode(), "film.srt")
    assert file.cues[0].text == AGAIN[language]
    assert [f"through {name};" in oddity.what for oddity in file.oddities] == [True]


def test_a_mark_that_was_encoded_twice_is_no_text() -> None:
    file = parse_subtitles(misread("\ufeff" + CUES.format("Zoé"), "cp1252").encode(), "film.srt")
    assert [cue.text for cue in file.cues] == ["Zoé", "End"]
    assert [oddity.line for oddity in file.oddities] == [3]


def test_characters_lost_between_two_encodings_are_told() -> None:
    # The capital À is C3 80, and Í is C3 8D, which windows-1252 lacks.
    garbled = (
        CUES.format("Zoé, Í, à la gare été comme hiver, où irez-vous ?")
        .encode()
        .decode("cp1252", "replace")
        .replace("\xa0", " ")
    )
    file = parse_subtitles(garbled.encode(), "film.srt")
    assert file.cues[0].text == "Zoé, Ã\ufffd, à la gare été comme hiver, où irez-vous ?"
    assert "1 character was lost before" in file.oddities[0].what


def test_only_the_lines_of_a_joined_file_that_were_encoded_twice_are_mended() -> None:
    good = [f"{k}\n00:00:{k:02d},000 --> 00:00:{k:02d},900\nMère, c’est l’été.\n\n" for k in range(1, 9)]
    bad = [f"{k}\n00:00:{k:02d},000 --> 00:00:{k:02d},900\nOù étais-tu ?\n\n" for k in range(9, 12)]
    file = parse_subtitles(("".join(good) + misread("".join(bad), "cp1252")).encode(), "film.srt")
    assert [cue.text for cue in file.cues] == ["Mère, c’est l’été."] * 8 + ["Où étais-tu ?"] * 3
    assert [oddity.line for oddity in file.oddities] == [35]


@pytest.mark.parametrize(
    "text",
    ["A MANHÃ…", "AMANHÃ”, disse a IRMÔ", "“École” d’école", "l’ÉTÉ…", "«École»", "ÂGE", "СССР… Ві", "Він, Її, Ві",
     "Ој, Њ", "Â« Hi Â»", "20 °C", "© ADstudio", "À… Ã… Õ", "Şş Ğğ", "Đ… Đ", "ŇÓ Í", "Øå ¡é", "Ä Ö", "√ ∞", "├─┤", "é",
     "Ñ", "…", "NESCAFÉ®"],
)  # fmt: skip
def test_words_are_no_second_encoding(text: str) -> None:
    file = parse_subtitles(CUES.format(text).encode(), "film.srt")
    assert (file.cues[0].text, file.oddities) == (text, ())


def test_a_second_encoding_is_left_where_the_user_names_the_encoding() -> None:
    garbled = misread(CUES.format(FRENCH), "cp1252")
    file = parse_subtitles(garbled.encode(), "film.srt", encoding="utf-8")
    assert (file.cues[0].text, file.oddities) == (misread(FRENCH, "cp1252"), ())


# --- seven bits ---

KANA = "ｺﾝﾆﾁﾊ、田中"


@pytest.mark.parametrize(
    ("text", "codec", "name"),
    [
        (TEXTS["ja"], "iso2022_jp", "iso-2022-jp"),
        ("（田中）こんな時間に誰だろう？\n(ok) {はい}", "iso2022_jp", "iso-2022-jp"),
        (KANA, "iso2022_jp_ext", "iso-2022-jp"),
        ("丂と田中", "iso2022_jp_1", "iso-2022-jp"),
        ("①俱こ", "iso2022_jp_2004", "iso-2022-jp"),
        (TEXTS["ko"], "iso2022_kr", "iso-2022-kr"),
        ("- 뭐?\n- 아니, OK!", "iso2022_kr", "iso-2022-kr"),
        (TEXTS["zh"], "hz", "hz"),
        ("我 ~ you {ok} ~", "hz", "hz"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("named", [False, True])
def test_encodings_in_seven_bits_are_read(text: str, codec: str, name: str, newline: str, *, named: bool) -> None:
    data = CUES.format(text).replace("\n", newline).encode(codec)
    assert data.isascii()
    file = parse_subtitles(data, "film.srt", encoding=name if named else None)
    assert [cue.text for cue in file.cues] == [text, "End"]
    assert (file.encoding, file.guessed, file.oddities) == (name, False, ())


def in_seven_bits(text: str) -> bytes:
    """Chinese as ISO-2022-CN writes it (RFC 1922), which Python does not know."""
    return b"\x0e" + bytes(byte & 0x7F for byte in text.encode("gb2312")) + b"\x0f"


def test_iso_2022_cn_is_read() -> None:
    line = b"\x1b$)A" + in_seven_bits("你在这里") + b" OK " + in_seven_bits("好")
    data = CUES.encode().replace(b"{}", line)
    assert [cue.text for cue in parse_subtitles(data, "film.srt").cues] == ["你在这里 OK 好", "End"]


def test_characters_of_iso_2022_cn_that_are_not_known_are_listed() -> None:
    data = CUES.encode().replace(b"{}", b"\x1b$)G\x0eED(!\x0f and \x1b$)A" + in_seven_bits("好"))
    file = parse_subtitles(data, "film.srt")
    assert file.cues[0].text == "\ufffd\ufffd and 好"
    assert [(oddity.line, "not iso-2022-cn" in oddity.what) for oddity in file.oddities] == [(3, True)]


def test_the_second_plane_of_iso_2022_cn_is_listed() -> None:
    # RFC 1922: ESC $ * H designates plane 2 of CNS 11643, and ESC N shifts one character to it.
    line = b"\x1b$)A\x1b$*H" + in_seven_bits("你") + b"\x1bN!!" + in_seven_bits("好")
    file = parse_subtitles(CUES.encode().replace(b"{}", line), "film.srt")
    assert [cue.text for cue in file.cues] == ["你\ufffd好", "End"]
    assert [(oddity.line, "not iso-2022-cn" in oddity.what) for oddity in file.oddities] == [(3, True)]


def test_damage_in_seven_bits_is_listed_and_ends_with_its_line() -> None:
    # The second character of the pair is missing, and so is the return to ASCII.
    data = CUES.encode().replace(b"{}", b"\x1b$B$3$s$K$\nand")
    file = parse_subtitles(data, "film.srt")
    assert file.cues[0].text.startswith("こんに")
    assert file.cues[0].text.endswith("\nand")
    assert [oddity.line for oddity in file.oddities] == [3]


def test_a_declared_encoding_in_seven_bits() -> None:
    text = "<?xml version='1.0' encoding='iso-2022-jp'?><tt xmlns='http://www.w3.org/ns/ttml'><body><div>"
    text += "<p begin='1s' end='2s'>こんにちは</p></div></body></tt>"
    file = parse_subtitles(text.encode("iso2022_jp"), "film.ttml")
    assert [cue.text for cue in file.cues] == ["こんにちは"]


@pytest.mark.parametrize("text", ["~{ what", "~{la}~ ~{", "Wait~}", "a \x1b[31m red", "~~ la ~~"])
def test_tildes_and_colours_are_no_east_asian_text(text: str) -> None:
    file = parse_subtitles(CUES.format(text).encode(), "film.srt")
    assert (file.encoding, file.cues[0].text) == ("utf-8", text)

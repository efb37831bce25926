"""Lexicons as files: what people write, what spreadsheets write, and what is no lexicon at all."""

from __future__ import annotations

import random

import pytest

from adstudio.core.errors import BadInputError
from adstudio.core.narration import MAX_PRONUNCIATIONS, Pronunciation, lexicon_error
from adstudio.speech.lexicon import SpokenTexts
from adstudio.speech.lexicon_files import MOST_ODDITIES, lexicon_as_csv, lexicon_as_text, read_lexicon

SIOBHAN, BAY = Pronunciation("Siobhan", "shiv-AWN"), Pronunciation("Ballyvaughan", "bæliˈvɔːn", phonemes=True)


@pytest.mark.parametrize(
    "text",
    [
        "Siobhan\tshiv-AWN\nBallyvaughan\t/bæliˈvɔːn/\n",
        "word,spoken,phonemes\r\nSiobhan,shiv-AWN,\r\nBallyvaughan,bæliˈvɔːn,yes\r\n",
        "Word;Spoken as;Phonemes\nSiobhan;shiv-AWN;no\nBallyvaughan;bæliˈvɔːn;IPA\n",
        "# names of the film\nSiobhan = shiv-AWN\n\nBallyvaughan = /bæliˈvɔːn/",
        '"Siobhan","shiv-AWN"\n"Ballyvaughan","/ bæliˈvɔːn /"\n',
        "# the words, as agreed\n\nword,say\nSiobhan,shiv-AWN\nBallyvaughan,/bæliˈvɔːn/\n",
    ],
)
def test_lists_as_people_write_them(text: str):
    for data in (text.encode(), b"\xef\xbb\xbf" + text.encode(), b"\xff\xfe" + text.encode("utf-16-le")):
        found = read_lexicon(data, "list.txt")
        assert found.entries == (SIOBHAN, BAY)
        assert found.oddities == ()


LEXICON = (
    SIOBHAN,
    BAY,
    Pronunciation("“Ó Cinnéide”, the elder", 'oh "kin"-AY-dja, elder'),
    Pronunciation("+44", "plus forty-four"),
    Pronunciation("=SUM(A1)", "-dash"),
    Pronunciation("a=b", "a equals b"),
    Pronunciation("'=x", "/respelt/"),
    Pronunciation("#tag", "hash; tag"),
    Pronunciation("strokes", "/a/", phonemes=True),
    Pronunciation("word", "spoken"),
)


@pytest.mark.parametrize("write", [lexicon_as_csv, lexicon_as_text])
@pytest.mark.parametrize("lexicon", [LEXICON, LEXICON[::-1], *((entry,) for entry in LEXICON)])
def test_what_is_written_is_read_again(write, lexicon):
    found = read_lexicon(write(lexicon), "list")
    assert found.entries == lexicon
    assert found.oddities == ()


def test_a_spreadsheet_runs_no_cell_as_a_formula():
    cells = lexicon_as_csv(LEXICON).decode("utf-8-sig").replace('"', ",").replace("\r\n", ",").split(",")
    assert [cell for cell in cells if cell[:1] in "=+-@" and cell] == ["-AY-dja"]  # in the middle of a quoted cell


def test_what_is_not_taken_is_said_with_its_line():
    text = "Siobhan\tshiv-AWN\nalone\n\tnothing\nEmpty\t\n" + "x" * 201 + "\tx\n" + "y" * 5000 + "\ty\nSIOBHAN\tother\n"
    found = read_lexicon(text.encode(), "list.txt")
    assert found.entries == (Pronunciation("SIOBHAN", "other"),)
    assert [each.line for each in found.oddities] == [2, 3, 4, 5, 6, 7]
    assert "twice" in found.oddities[-1].what


def test_a_quotation_mark_that_is_not_closed_spoils_its_own_line_only():
    found = read_lexicon(b'"Siobhan,shiv-AWN\nMikael,MEE-kah-el\n', "list.csv")
    assert Pronunciation("Mikael", "MEE-kah-el") in found.entries


@pytest.mark.parametrize(
    "data", [b"", b"\n\n", b"\x00\x01\x02", b"no separator here", b"\xff\xfe\x00", b"RIFF\x00\x00WAVE", b"# only\n"]
)
def test_what_is_no_lexicon_is_refused_in_a_sentence(data: bytes):
    with pytest.raises(BadInputError) as refused:
        read_lexicon(data, "n" * 1000)
    assert len(str(refused.value)) < 400


def test_old_encodings_are_read_and_said():
    found = read_lexicon("Zoë\tZOH-ee\n".encode("cp1252"), "list.txt")
    assert found.entries == (Pronunciation("Zoë", "ZOH-ee"),)
    assert "Windows-1252" in found.oddities[0].what


def test_no_file_is_too_long():
    rows = "".join(f"word{n}\tspoken{n}\n" for n in range(MAX_PRONUNCIATIONS + 500))
    found = read_lexicon(rows.encode(), "list.txt")
    assert len(found.entries) == MAX_PRONUNCIATIONS
    assert "5,000" in found.oddities[-1].what
    bad = read_lexicon(("good\tword\n" + "bad\n" * 10_000).encode(), "list.txt")
    assert len(bad.oddities) == MOST_ODDITIES + 1


def test_any_bytes_are_read_or_refused():
    chance = random.Random(17)
    for _ in range(300):
        data = bytes(chance.choice(b'ab,;\t="/\r\n\x00\xc3\xa9\xff') for _ in range(chance.randrange(80)))
        try:
            found = read_lexicon(data, "list")
        except BadInputError:
            continue
        assert lexicon_error(found.entries) == ""


def test_words_are_counted_as_the_voice_finds_them():
    texts = SpokenTexts(["Don waits. Don’t go, Don!", "don's van", "London", "O’Brien and D'ARTAGNAN", "An Ó\u00a0Sé"])
    assert texts.having("Don") == [0, 1]
    assert texts.having("o'brien") == [3]
    assert texts.having("d'Artagnan") == [3]
    assert texts.having("ó  sé") == [4]
    assert texts.having("t") == []
    assert texts.having("") == []
    assert texts.having("(.*)") == []
    assert SpokenTexts([]).having("Don") == []

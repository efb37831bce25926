"""`--encoding`: every text of a command is read in it, unless the text is UTF-8 or says its own."""

from pathlib import Path

import pytest

from adstudio.drafting.text.ground.prose import read_prose
from adstudio.evaluation.sequence_files import read_sequences
from adstudio.screenplay.file import read_screenplay
from adstudio.screenplay.parsed_screenplay import Speech
from adstudio.store.project import ProjectFile
from adstudio.subtitles.decoding import recoded
from adstudio.subtitles.errors import SubtitleError

NAME = "François"
GUESSED = "Franáois"
"""What the bytes of NAME in code page 850 are guessed to be."""
PAGE = "cp850"
SCREENPLAY = f"INT. HALL - DAY\n\n{NAME} opens the door and looks in.\n\nNORA\nGood evening, {NAME}.\n"
DESCRIPTION = f"[00:00:04] {NAME} opens the door and looks in.\n"
CSV = f"start,end,text\n00:00:04:00,00:00:06:00,{NAME} looks in.\n"


def written(folder: Path, name: str, text: str, encoding: str = PAGE) -> Path:
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


def names_in(project: Path) -> list[str]:
    with ProjectFile.open(project, read_only=True) as opened:
        return [person.name for person in opened.saved_script.people]


@pytest.mark.parametrize(
    ("given", "encoding", "name"),
    [((), PAGE, GUESSED), (("--encoding", PAGE), PAGE, NAME), (("--encoding", PAGE), "utf-8", NAME)],
)
def test_it_reaches_the_cast_list_of_a_draft(given, encoding, name, run, srt, candidates, tmp_path):
    listed = written(tmp_path, "cast.csv", f"name\n{NAME}\n", encoding)
    project = tmp_path / "p.adproj"
    sources = ("--end", 20, "--subtitles", srt, "--candidates", candidates, "--cast-list", listed)
    done = run("draft", *sources, *given, "-o", project)
    assert done.code == 0, done.err
    assert name in names_in(project)
    again = run("cast", project, "--from", listed, *given)
    assert again.code == 0, again.err
    assert names_in(project).count(name) == 1


def test_it_reaches_the_script_of_an_import(run, srt, candidates, tmp_path):
    script, project = written(tmp_path, "script.csv", CSV), tmp_path / "p.adproj"
    done = run("import", script, "-o", project, "--subtitles", srt, "--end", 20, "--encoding", PAGE)
    assert done.code == 0, done.err
    with ProjectFile.open(project, read_only=True) as opened:
        (line,) = opened.saved_script.eventualities
    assert line.variants[0].text == f"{NAME} looks in."
    again = run("import", script, project, "--dry-run", "--encoding", PAGE)
    assert again.code == 0, again.err
    assert "1 line: 1 same" in again.err


def test_it_reaches_every_reader_of_texts(tmp_path):
    screenplay = read_screenplay(written(tmp_path, "s.fountain", SCREENPLAY), encoding=PAGE)
    (said,) = [part.text for part in screenplay.scenes[0].parts if isinstance(part, Speech)]
    assert said == f"Good evening, {NAME}."
    prose = read_prose(written(tmp_path, "d.txt", DESCRIPTION), encoding=PAGE)
    assert NAME in prose.sections[0].text
    (sequence,) = read_sequences(written(tmp_path, "q.csv", f"name,start,end\n{NAME},0:00,0:10\n"), encoding=PAGE)
    assert sequence.name == NAME


def test_a_description_whose_encoding_is_guessed_says_so(tmp_path):
    prose = read_prose(written(tmp_path, "d.txt", DESCRIPTION))
    assert NAME in prose.sections[0].text
    assert any("was guessed" in oddity.what for oddity in prose.oddities)


@pytest.mark.parametrize(
    "data",
    [NAME.encode("utf-8"), "\ufeffa".encode("utf-16-le"), NAME.encode("utf-16"), b"plain", b"%PDF-1.7\n\x80\xff", b""],
)
def test_a_file_that_says_its_own_stays_as_it_is(data: bytes):
    assert recoded(data, "x", PAGE) == data


def test_an_xml_declaration_says_it_too():
    data = '<?xml version="1.0" encoding="iso-8859-1"?><FinalDraft>é</FinalDraft>'.encode("iso-8859-1")
    assert recoded(data, "x", PAGE) == data


def test_a_byte_that_the_encoding_does_not_have_is_said_with_its_line():
    with pytest.raises(SubtitleError, match=r"^d\.txt, line 2: byte 0x81 is not windows-1252"):
        recoded(b"one\ntw\x81\n", "d.txt", "windows-1252")


def test_an_encoding_that_there_is_not_is_refused_by_every_command(run, srt, candidates, tmp_path):
    listed, project = written(tmp_path, "cast.csv", "name\nNora\n"), tmp_path / "p.adproj"
    made = run("draft", "--end", 20, "--subtitles", srt, "--candidates", candidates, "-o", project)
    assert made.code == 0, made.err
    run("cast", project, "--from", listed, "--encoding", "latin-99").refused(2, "latin-99", "not a valid encoding")
    reference = written(tmp_path, "r.csv", CSV)
    sources = ("--end", 20, "--subtitles", srt, "--encoding", "latin-99")
    run("import", reference, "-o", tmp_path / "q.adproj", *sources).refused(2, "latin-99")
    run("evaluate", "expert", "-r", reference, *sources).refused(2, "latin-99")

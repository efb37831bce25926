"""Every option that takes a file, with what is no such file: exit code 2, one sentence, and nothing is written."""

import shutil
from pathlib import Path

import pytest
from test_bad_input import UNUSABLE

from adstudio.cli.main import main

SRT = "1\n00:00:01,000 --> 00:00:03,000\nGood evening.\n"
CSV = "start,end,text\n00:00:04:00,00:00:06:00,Nora looks in.\n"
EVALUATE = ("evaluate", "expert", "-r", "s.csv", "--subtitles", "d.srt")
OPTIONS: dict[str, tuple[str, ...]] = {
    "gaps --against": ("gaps", "d.srt", "--against", "?.mp4"),
    "draft --screenplay": ("draft", "--end", "20", "--subtitles", "d.srt", "--screenplay", "?.txt", "-o", "o.adproj"),
    "draft --description": ("draft", "--end", "20", "--subtitles", "d.srt", "--description", "?.txt", "-o", "o.adproj"),
    "draft --cast-list": (
        *("draft", "--end", "20", "--subtitles", "d.srt", "--description", "t.txt"),
        *("--cast-list", "?.csv", "-o", "o.adproj"),
    ),
    "draft --preset": (
        *("draft", "--end", "20", "--subtitles", "d.srt", "--description", "t.txt"),
        *("--preset", "?.json", "-o", "o.adproj"),
    ),
    "import": ("import", "?.csv", "-o", "o.adproj", "--subtitles", "d.srt", "--end", "20"),
    "import into": ("import", "s.csv", "?.adproj"),
    "import --film": ("import", "s.csv", "-o", "o.adproj", "--film", "?.mp4"),
    "export --template": ("export", "p.adproj", "--format", "docx", "--template", "?.docx", "-o", "x.docx"),
    "export --recordings": ("export", "p.adproj", "--format", "dapt", "--recordings", "?.d", "-o", "x.xml"),
    "validate": ("validate", "?.srt"),
    "validate --against": ("validate", "d.srt", "--against", "?.adproj"),
    "solve --pool": ("solve", "p.json", "--backend", "random", "--pool", "?.json"),
    "solve --reference": ("solve", "p.adproj", "--salience", "oracle-bm25", "--reference", "?.csv"),
    "cast --from": ("cast", "p.adproj", "--from", "?.csv"),
    "words --recognised": ("words", "p.adproj", "--recognised", "?.json"),
    "speakers --turns": ("speakers", "p.adproj", "--turns", "?.rttm"),
    "conform --film": ("conform", "p.adproj", "--film", "?.mp4"),
    "conform --subtitles": ("conform", "p.adproj", "--subtitles", "?.srt"),
    "qc --preset": ("qc", "p.adproj", "--preset", "?.json"),
    "evaluate --films": ("evaluate", "--films", "?.json", "expert"),
    "evaluate -r": ("evaluate", "expert", "-r", "?.csv", "--subtitles", "d.srt"),
    "evaluate --sequences": (*EVALUATE, "--sequences", "?.csv"),
    "evaluate --earlier": (*EVALUATE, "--earlier", "?.json"),
    "questions": ("questions", "?.json"),
    "preset --import": ("preset", "--import", "?.json", "Ours"),
}
NOT_FILES = {**UNUSABLE, "newline": lambda path: path.with_name(f"no\nsuch{path.suffix}")}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project and the usable files beside it."""
    folder = tmp_path_factory.mktemp("usable")
    (folder / "d.srt").write_text(SRT, "utf-8")
    (folder / "s.csv").write_text(CSV, "utf-8")
    (folder / "t.txt").write_text("[00:00:05] Nora opens the door and looks in.\n", "utf-8")
    project = str(folder / "p.adproj")
    for command in (
        ("import", str(folder / "s.csv"), "-o", project, "--subtitles", str(folder / "d.srt"), "--end", "20"),
        ("export", project, "--format", "problem", "-o", str(folder / "p.json")),
    ):
        with pytest.raises(SystemExit) as ended:
            main(list(command))
        assert ended.value.code == 0
    return folder


@pytest.mark.parametrize("kind", NOT_FILES)
@pytest.mark.parametrize("option", OPTIONS)
def test_what_is_no_such_file_is_refused_in_one_sentence(
    option: str, kind: str, made: Path, tmp_path: Path, run, nothing_written, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in made.iterdir():
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    (given,) = (each for each in OPTIONS[option] if each.startswith("?"))
    if (option, kind) == ("export --recordings", "folder"):
        kind = "missing"  # a folder is what it takes
    path = NOT_FILES[kind](tmp_path / f"wrong{given[1:]}")
    nothing_written()
    run(*(str(path) if each == given else each for each in OPTIONS[option])).refused(2)

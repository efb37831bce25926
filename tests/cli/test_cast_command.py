"""`adstudio cast`: listing, collecting from the project's own sources, and reading a cast list."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from cli_running import Run

sys.path.append(str(Path(__file__).resolve().parents[1] / "editing"))
from editing_scripts import SCRIPT

from adstudio.core.script import Cue
from adstudio.store.media import source_file
from adstudio.store.project import ProjectFile

PLAY = """Title: Rain

INT. SHOP - DAY

Nora enters.

NORA VALE (V.O.)
It rains.

YOUNG NORA
It does.

MRS VALE
Who is there?
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "film.adproj"
    play = tmp_path / "film.fountain"
    play.write_text(PLAY, "utf-8")
    film = replace(SCRIPT.film, screenplay=source_file(play, path))
    cues = (Cue("c1", 1_000, 2_000, "Nora Vale, come here!", "TOM"), Cue("c2", 3_000, 4_000, "Yes.", "NORA"))
    ProjectFile.create(path, replace(SCRIPT, film=film, cues=cues)).close()
    return path


def test_a_cast_is_collected_merged_by_rule_and_saved_as_one_step(run: Run, project: Path) -> None:
    ran = run("cast", project)
    assert (ran.code, ran.out) == (0, b"")
    assert "has no characters yet" in ran.err
    ran = run("cast", project, "--collect")
    assert ran.code == 0
    said = ran.out.decode() + ran.err  # each merger once, in the listing
    assert said.count("Mrs Vale is Nora Vale: a form of address") == 1
    assert said.count("Nora is Nora Vale: a part of the name") == 1
    assert "3 new characters, 2 names merged" in ran.err
    found = run("cast", project, "--json").json
    assert found["format"] == "adstudio-cast/1"
    assert [person["name"] for person in found["people"]] == ["Nora Vale", "Young Nora", "Tom"]
    nora = found["people"][0]
    assert (nora["first_heard"], nora["first_named"], nora["first_seen"], nora["cues"]) == (3.0, 1.0, None, 1)
    assert nora["sources"] == ["screenplay", "subtitles"]
    rows = run("cast", project).out.decode().splitlines()
    assert rows[0].startswith("Nora Vale; she; heard 00:00:03")
    assert "Mrs Vale is Nora Vale: a form of address with a surname that nobody else has" in rows
    before = project.read_bytes()
    assert "nobody new" in run("cast", project, "--collect").err
    assert len(project.read_bytes()) == len(before)
    with ProjectFile.open(project) as opened:
        assert not opened.recoverable


def test_a_cast_list_is_read_and_what_is_odd_in_it_said(run: Run, project: Path, tmp_path: Path) -> None:
    (tmp_path / "cast.csv").write_text("name;alias;description\nNORA VALE;Nora;the woman in red\n;x\n", "utf-8")
    ran = run("cast", project, "--from", tmp_path / "cast.csv", "--json")
    assert ran.code == 0
    assert "this line has no name" in ran.err
    (nora,) = ran.json["people"]
    assert (nora["name"], nora["aliases"], nora["described_as"]) == ("Nora Vale", ["Nora"], "the woman in red")


def test_what_is_no_cast_list_changes_nothing(run: Run, project: Path, tmp_path: Path) -> None:
    before = project.read_bytes()
    run("cast", project, "--from", tmp_path / "none.csv").refused(2, "none.csv")
    (tmp_path / "film.pdf").write_bytes(b"%PDF-1.7\n")
    run("cast", project, "--from", tmp_path / "film.pdf").refused(2, "film.pdf is not a text file")
    assert project.read_bytes() == before


def test_a_screenplay_that_is_gone_is_said(run: Run, project: Path, tmp_path: Path) -> None:
    (tmp_path / "film.fountain").unlink()
    ran = run("cast", project, "--collect")
    assert ran.code == 0
    assert "is missing, so nobody is collected from the screenplay" in ran.err
    assert "2 new characters" in ran.err


def test_a_cast_list_in_an_old_encoding_is_read_right_and_the_guess_said(
    run: Run, project: Path, tmp_path: Path
) -> None:
    rows = "name;description\nНора Вэйл;женщина в красном пальто\nТом Финч;продавец в старой лавке\n"
    (tmp_path / "cast.csv").write_bytes(rows.encode("cp1251"))
    ran = run("cast", project, "--from", tmp_path / "cast.csv", "--json")
    assert [person["name"] for person in ran.json["people"]] == ["Нора Вэйл", "Том Финч"]
    assert "windows-1251 was guessed" in ran.err
    given = run("cast", project, "--from", tmp_path / "cast.csv", "--encoding", "windows-1251")
    assert "guessed" not in given.err
    run("cast", project, "--encoding", "utf-8").refused(2, "--encoding is that of a cast list")


def test_files_that_are_no_cast_lists_have_sentences_of_their_own(run: Run, project: Path, tmp_path: Path) -> None:
    run("cast", project, "--from", tmp_path / "none.csv").refused(2, "there is no such cast list; check the path")
    (tmp_path / "large.csv").write_bytes(b"x" * 2_000_001)
    run("cast", project, "--from", tmp_path / "large.csv").refused(2, "larger than a cast list can be (2 MB)")
    (tmp_path / "empty.csv").write_bytes(b"")
    run("cast", project, "--from", tmp_path / "empty.csv").refused(2, "is empty")


def test_completing_somebody_who_is_known_is_said_and_shown(run: Run, project: Path, tmp_path: Path) -> None:
    run("cast", project, "--collect")
    (tmp_path / "cast.csv").write_text("name;pronouns;alias\nTom;he;Young Nora\n", "utf-8")
    ran = run("cast", project, "--from", tmp_path / "cast.csv")
    assert "1 character completed" in ran.err
    assert "nobody new" not in ran.err
    assert "“Young Nora” is not taken as a further name of Tom: another character is called so" in ran.err
    assert any(row.startswith("Tom; he; ") for row in ran.out.decode().splitlines())


def test_where_there_is_nothing_to_collect_from_the_cast_list_is_offered(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bare.adproj"
    ProjectFile.create(path, replace(SCRIPT, cues=(Cue("c1", 1_000, 2_000, "Yes."),))).close()
    ran = run("cast", path, "--collect")
    assert "its subtitles have no labels and it has no screenplay, so give a cast list (--from LIST)" in ran.err
    assert "--collect" not in ran.err

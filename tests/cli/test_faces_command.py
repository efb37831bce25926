"""`adstudio faces` on projects whose film is a part of the sample film, or none."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from cli_running import Run

sys.path.append(str(Path(__file__).resolve().parents[1] / "characters"))
from face_values import face, faces

from adstudio.characters.faces import encode_faces
from adstudio.core.cast import NamedFace, Person
from adstudio.core.film import Film, Media
from adstudio.core.script import Script
from adstudio.media.cache import Kind, source_of, store
from adstudio.store.media import fingerprint
from adstudio.store.project import ProjectFile

SAMPLE = Path(__file__).resolve().parents[2] / "resources/sample/film.mp4"
FOUND = faces(*(face(1000 * n, 1) for n in range(1, 5)), face(12_000, 2))
NORA = Person.named("Nora")


@pytest.fixture
def project(tmp_path):
    """A project with a film whose faces are cached."""
    video = tmp_path / "film.mp4"
    shutil.copy(SAMPLE, video)
    media = Media(str(video), "film.mp4", video.stat().st_size, fingerprint(video), 30_000)
    film = Film("Things turn up", 30_000, media=media)
    store(Kind.FACES, source_of(video), encode_faces(FOUND), complete=True)
    box = FOUND.faces[0].box
    script = Script(film, people=(NORA,), named_faces=(NamedFace("face-1", 1000, box, NORA.id),))
    path = tmp_path / "film.adproj"
    ProjectFile.create(path, script).close()
    return path


def test_clusters_and_shots_are_listed_with_names(run: Run, project: Path):
    done = run("faces", project)
    assert done.code == 0, done.err
    assert done.out.decode().splitlines() == [
        "1: Nora, 4 faces, first at 00:00:01:00",
        "2: unnamed face 2, 1 face, first at 00:00:12:00",
        "00:00:00:00–00:00:10:00 Nora",
        "00:00:10:00–00:00:20:00 unnamed face 2",
    ]


def test_all_of_it_is_json(run: Run, project: Path):
    found = json.loads(run("faces", project, "--json").out)
    assert found["format"] == "adstudio-faces/1"
    assert (found["shots"][0]["start"], found["shots"][0]["end"]) == (0.0, 10.0)
    assert [(each["person"], each["by"], len(each["faces"])) for each in found["clusters"]] == [
        ("Nora", "describer", 4),
        (None, None, 1),
    ]
    assert found["clusters"][0]["faces"][0] == {"time": 1.0, "box": [1000, 2000, 1500, 2600], "score": 1.0}
    assert found["shots"][0]["people"] == [
        {"cluster": 1, "person": "Nora", "by": "describer", "times": [1.0, 2.0, 3.0, 4.0]}
    ]
    assert found["remarks"] == []


def test_no_faces_twins_damage_and_too_many_are_said(run: Run, project: Path):
    alike = replace(faces(face(500, 1), face(500, 1, 6000)), undecoded=3, left_out=2)
    store(Kind.FACES, source_of(project.with_name("film.mp4")), encode_faces(alike), complete=True)
    said = run("faces", project).out.decode()
    for part in ("twins, a mirror", "3 pictures could not be decoded", "2 faces were too many", "1 named face was not"):
        assert part in said
    one = encode_faces(replace(alike, left_out=1))
    store(Kind.FACES, source_of(project.with_name("film.mp4")), one, complete=True)
    assert "1 face was one too many to be compared and is left out" in run("faces", project).out.decode()
    three = faces(face(500, 1, 0), face(500, 1, 3000), face(500, 1, 6000), face(1500, 1, 0), face(1500, 1, 3000))
    store(Kind.FACES, source_of(project.with_name("film.mp4")), encode_faces(three), complete=True)
    assert "in 2 pictures two faces look the same" in run("faces", project).out.decode(), "four pairs, two pictures"
    half = encode_faces(replace(alike, boundaries=(0, 10_000, 15_000)))
    store(Kind.FACES, source_of(project.with_name("film.mp4")), half, complete=True)
    cut_off = "the pictures of the film’s file end at 00:00:15.000, before the film does, at 00:00:30.000"
    assert cut_off in run("faces", project).out.decode()
    store(Kind.FACES, source_of(project.with_name("film.mp4")), encode_faces(replace(alike, faces=())), complete=True)
    assert "no face was found in 1 picture" in run("faces", project).out.decode()


def test_without_a_film_it_says_so(run: Run, tmp_path: Path):
    ProjectFile.create(tmp_path / "bare.adproj", Script(Film("f", 1000))).close()
    done = run("faces", tmp_path / "bare.adproj")
    assert done.code == 2
    assert "has no film" in done.err


def test_a_film_that_is_gone_is_said(run: Run, project: Path):
    project.with_name("film.mp4").unlink()
    done = run("faces", project)
    assert done.code == 2
    assert "is not there" in done.err

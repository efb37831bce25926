from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from face_values import face, faces

from adstudio.characters.faces import PortraitVector, encode_faces, picture_hash
from adstudio.characters.faces_detection import cached_faces
from adstudio.characters.faces_in_film import delete_found_faces, first_seen_in_film
from adstudio.core.cast import NamedFace, Person
from adstudio.core.film import Film, Media
from adstudio.core.script import Script
from adstudio.media.cache import Kind, source_of, store
from adstudio.store.media import fingerprint

SAMPLE = Path(__file__).resolve().parents[2] / "resources/sample/film.mp4"
NORA, TOM = Person.named("Nora", b"a picture of Nora"), Person.named("Tom", b"a picture of Tom")


def test_with_a_person_all_found_faces_and_what_is_known_of_portraits_go(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    video = tmp_path / "film.mp4"
    shutil.copy(SAMPLE, video)
    found = faces(face(1000, 1), face(2000, 1), face(12_000, 2))
    portraits = tuple(PortraitVector(picture_hash(each.face), b"") for each in (NORA, TOM))
    store(Kind.FACES, source_of(video), encode_faces(replace(found, portraits=portraits)), complete=True)
    media = Media(str(video), "film.mp4", video.stat().st_size, fingerprint(video), 164_200)
    named = (NamedFace("face-1", 1000, found.faces[0].box, NORA.id),)
    script = Script(Film("f", 164_200, media=media), people=(NORA, TOM), named_faces=named)
    assert first_seen_in_film(script, tmp_path / "x.adproj") == {NORA.id: 1000}
    assert NORA.id.encode() in kept(tmp_path)
    delete_found_faces(script, tmp_path / "x.adproj", NORA.id)
    left = cached_faces(source_of(video))
    assert [each.time for each in left.faces] == [12_000]
    assert [each.picture for each in left.portraits] == [picture_hash(TOM.face)]
    assert found.faces[0].vector not in kept(tmp_path)
    assert NORA.id.encode() not in kept(tmp_path)


def kept(folder):
    """All bytes of the cache."""
    return b"".join(path.read_bytes() for path in (folder / "cache").rglob("*.bin"))

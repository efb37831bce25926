"""What a model is told of a film: who is seen where, by the faces that were found in it."""

from __future__ import annotations

import io
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from adstudio.characters.faces import Face, Faces, encode_faces
from adstudio.core.cast import FaceBox, NamedFace, Person, Portrait
from adstudio.core.film import Film, Media
from adstudio.core.script import Script
from adstudio.core.timebase import Span
from adstudio.drafting.model.film_context import film_seen
from adstudio.drafting.model.people_context import SeenIn
from adstudio.media import shots
from adstudio.media.cache import Kind, source_of, store
from adstudio.sample_film import sample_paths
from adstudio.store.media import fingerprint
from adstudio.system.locations import resource

BOX = FaceBox(1000, 2000, 1500, 2600)


def picture() -> bytes:
    kept = io.BytesIO()
    Image.new("RGB", (64, 64), "grey").save(kept, "JPEG")
    return kept.getvalue()


def test_shots_with_found_faces_are_told_of_those_whose_pictures_are_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(shots, "film_shots", lambda *_, **__: shots.Shots((0, 10_000, 20_000, 30_000)))
    video = tmp_path / "film.mp4"
    shutil.copy(sample_paths(Path(resource("sample"))).film, video)
    vectors = {name: (np.eye(128)[number] * 0.7).astype("<f4").tobytes() for number, name in enumerate("nt")}
    # Nora is named in the first shot, and seen in the third as well; Tom, who has no picture, in the second.
    found = tuple(Face(at, BOX, 1000, vectors[who]) for at, who in ((500, "n"), (15_000, "t"), (25_000, "n")))
    store(Kind.FACES, source_of(video), encode_faces(Faces(found, (0, 10_000, 20_000, 30_000))), complete=True)
    nora = Person("n", "Nora", portraits=(Portrait(picture()),))
    media = Media(str(video), "film.mp4", video.stat().st_size, fingerprint(video), 30_000)
    script = Script(
        Film("f", 30_000, media=media),
        people=(nora, Person("t", "Tom")),
        named_faces=(NamedFace("f1", 500, BOX, "n"), NamedFace("f2", 15_000, BOX, "t")),
    )
    assert film_seen(script).seen == (SeenIn(Span(0, 10_000), ("n",)), SeenIn(Span(20_000, 30_000), ("n",)))
    unpictured = script.with_changes(people=(replace(nora, portraits=()), script.people[1]))
    assert film_seen(unpictured).seen == ()

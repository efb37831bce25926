"""From a film's files to a plan by way of a model: cut into scenes, told by a screenplay, and where the model fails."""

from __future__ import annotations

import importlib
import io
import json
from collections import Counter
from pathlib import Path

import PIL.Image
import pytest

from adstudio.core.errors import BadInputError
from adstudio.core.provenance import provenance_text
from adstudio.core.script import Film, Person, Scene, Script
from adstudio.core.timebase import Span
from adstudio.drafting.draft import Sources
from adstudio.drafting.model.events import SceneDraft, SceneState
from adstudio.drafting.model.prompts import prompts
from adstudio.drafting.model.requests import Way
from adstudio.drafting.model.script_drafting import draft_by_model, oddities_of
from adstudio.llm.faults import KeyRefusedError
from adstudio.llm.messages import Image, Response, State
from adstudio.media import clips

SRT = "1\n00:00:02,000 --> 00:00:04,000\nWho goes there?\n\n2\n00:00:20,000 --> 00:00:21,500\nNobody.\n"
PROSE = "[00:00:05] A guard waits at the gate.\n\n[00:00:25] A dog runs along the long wall of the old factory.\n"


@pytest.fixture
def film(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "fakes"))
    monkeypatch.setattr(clips, "folder", lambda: tmp_path / "clips")
    from model_films import small_film

    (tmp_path / "film.srt").write_text(SRT)
    (tmp_path / "film.txt").write_text(PROSE)
    return small_film(tmp_path / "film.mp4", 200)


def made_by(model, film, told=lambda what, share: None, **sources):
    from plain_stages import Sentences

    return draft_by_model(
        Sources(video=film, subtitles=film.with_suffix(".srt"), **sources), film.with_suffix(".adproj"),
        lambda: model, film.with_suffix(".sqlite"), Way(prompts()), told, segmenter=Sentences(),
    )  # fmt: skip


def scripted(*given):
    return importlib.import_module("scripted_model").ScriptedModel(*given)


def test_a_film_alone(film):
    heard = []
    model = scripted()
    made, outcome = made_by(model, film, lambda what, share: heard.append((what, share)))
    spans = [scene.span for scene in made.script.scenes]
    assert (spans[0].start, spans[-1].end) == (0, 200_000)
    assert len(spans) == len(outcome.scenes) == 2
    assert len(made.script.eventualities) == 8
    assert Counter(line.scene for line in made.script.eventualities) == {"s1": 4, "s2": 4}
    assert made.plan.deliveries
    assert made.plan.objective == made.plan.bound
    assert [share for what, share in heard if what == "drafting by the model"][-1] == 1.0
    assert "0.0–2.0" not in str(model.asks[0])
    assert [oddity for _, oddity in made.oddities if "scene s" in oddity.what] == []


def test_people_are_kept_in_the_project_and_shown_small(film):
    face = io.BytesIO()
    PIL.Image.new("RGB", (900, 600), "grey").save(face, "PNG")
    people = (Person("Anna", face.getvalue()), Person("Tom"))
    model = scripted()
    made, _ = draft_by_model(
        Sources(video=film, subtitles=film.with_suffix(".srt")), film.with_suffix(".adproj"),
        lambda: model, film.with_suffix(".sqlite"), Way(prompts()), people=people,
    )  # fmt: skip
    assert made.script.people == people
    shown = [part for part in model.asks[0].messages[0].parts if isinstance(part, Image)]
    assert len(shown) == 1
    assert shown[0].mime == "image/jpeg"
    with PIL.Image.open(io.BytesIO(shown[0].data)) as picture:
        assert (picture.format, picture.size) == ("JPEG", (256, 171))


def test_a_description_goes_as_the_models_own(film):
    model = scripted()
    made, _ = made_by(model, film, description=film.with_suffix(".txt"))
    assert "describe" not in model.kinds
    assert [line.extract for line in made.script.eventualities] == [
        "A guard waits at the gate.",
        "A dog runs along the long wall of the old factory.",
    ]
    assert all("candidates 1" in provenance_text(line.provenance) for line in made.script.eventualities)


def test_when_the_text_is_seen_is_the_models_to_say_and_what_it_did_not_see_is_counted(film):
    untimed = film.with_suffix(".txt")
    untimed.write_text("A guard waits at the gate.\n\nA dog runs along the long wall of the old factory.\n")
    module = importlib.import_module("scripted_model")

    def unseen(ask):
        answer = json.loads(module.usual(ask, ""))
        for each in answer["elements"]:
            each.update({"start": None, "end": None, "salience": None} if "dog" in each["full"] else {})
        return json.dumps(answer)

    made, _ = made_by(scripted(lambda ask: unseen(ask) if module.kind_of(ask) == "elements" else None), film,
                      description=untimed)  # fmt: skip
    told = [oddity.what for _, oddity in made.oddities]
    assert not any("footing" in what or "times stand" in what or "unsure" in what for what in told)
    assert told[-1].startswith("1 line is not seen in the film by the model")
    assert "A dog runs" in told[-1]


def test_where_the_model_fails_the_draft_without_it_stays_and_that_is_said(film):
    fault = KeyRefusedError("the key is refused: give another one")
    model = scripted(lambda ask: Response("", State.FAILED, str(fault), fault=fault))
    made, outcome = made_by(model, film, description=film.with_suffix(".txt"))
    assert {draft.state for draft in outcome.scenes} == {SceneState.FAILED}
    assert made.script.eventualities[0].extract == "A guard waits at the gate."
    assert all("candidates 1" not in provenance_text(line.provenance) for line in made.script.eventualities)
    assert [oddity.what for _, oddity in made.oddities][-1].endswith("the key is refused: give another one")


def test_stopped_by_whoever_is_told(film):
    def told(what, share):
        if what == "drafting by the model" and share:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        made_by(scripted(), film, told)
    again = scripted()
    made, _ = made_by(again, film)
    assert len(again.asks) < 4
    assert len(made.script.eventualities) == 8


def test_what_leaves_a_model_nothing_to_do_or_to_see(film):
    with pytest.raises(BadInputError, match="pictures"):
        draft_by_model(
            Sources(end=1000), film.with_suffix(".adproj"), scripted, film.with_suffix(".sqlite"), Way(prompts())
        )
    with pytest.raises(BadInputError, match="candidates"):
        made_by(scripted(), film, candidates=film)


def test_scenes_with_the_same_reason_are_told_in_one_line():
    scenes = tuple(Scene(f"s{n}", Span(n * 60_000, (n + 1) * 60_000), title="Hall" if n == 5 else "") for n in range(7))
    script = Script(Film("Film", 420_000), scenes=scenes)
    whys = ["", "lost", "lost", "lost", "", "lost", "withheld"]
    drafts = [SceneDraft(scene.id, SceneState.FAILED, why=why) for scene, why in zip(scenes, whys, strict=True)]
    assert [each.what for each in oddities_of(script, drafts)] == [
        "scenes 2 to 4, from 00:01:00.000: lost",
        "scene 6 (Hall), from 00:05:00.000: lost",
        "scene 7, from 00:06:00.000: withheld",
    ]

"""The sample film drafted by a scripted model end to end: clips, prose, elements, lines, plan; human work stays."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from model_films import drafted
from scripted_model import ScriptedModel, said

from adstudio.core.film import Film
from adstudio.core.provenance import Provenance, ScreenplayLine
from adstudio.core.script import Origin, Script, Variant
from adstudio.core.timebase import clock
from adstudio.drafting.candidates_file.reading import read_candidates
from adstudio.drafting.landing import with_scenes
from adstudio.drafting.model.context import given_texts
from adstudio.drafting.model.events import SceneState
from adstudio.drafting.model.film_context import oddities_of
from adstudio.drafting.model.requests import FilmSeen
from adstudio.drafting.text.stages import Segmenter
from adstudio.editing.ids import Ids
from adstudio.editing.redraft import redraft_scene
from adstudio.gaps.gaps import gaps_of
from adstudio.media import clips
from adstudio.media.probe import probe
from adstudio.media.shots import film_shots
from adstudio.planning.film.film_plan import plan_film
from adstudio.subtitles.dialogue import dialogue
from adstudio.subtitles.reading import read_subtitles


@pytest.fixture(scope="module")
def made(sample_film, tmp_path_factory):
    """The sample film’s script as a model drafts it, whose prose is what people wrote of each scene."""
    folder = tmp_path_factory.mktemp("model")
    end = probe(sample_film.film).duration
    cues = dialogue(read_subtitles(sample_film.vtt)).cues
    written = read_candidates(sample_film.candidates, film_end=end)
    prose = {
        scene.id: " ".join(line.variants[0].text for line in written.eventualities if line.scene == scene.id)
        for scene in written.scenes
    }
    film = FilmSeen(sample_film.film, end, "sample", cues, film_shots(sample_film.film).cuts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clips, "folder", lambda: folder / "clips")
        told = {
            clips.film_clip(film.video, scene.span, fingerprint="sample").read(): scene.id for scene in written.scenes
        }

        def prose_of(ask):
            clip = next((part.data for part in ask.messages[0].parts if hasattr(part, "fps")), None)
            return prose[told[clip]] if clip else ""

        model = ScriptedModel(prose=prose_of)
        outcome = drafted(film, written.scenes, model, folder / "jobs.sqlite", segmenter=Segmenter())
        sizes = [path.stat().st_size for path in (folder / "clips").iterdir()]
    lines = tuple(line for draft in outcome.scenes for line in draft.lines)
    script = Script(Film("Sample", end), scenes=written.scenes, cues=cues, eventualities=lines)
    return outcome, script, model, prose, sizes


def test_every_scene_is_drafted_from_a_small_clip(made):
    outcome, script, model, prose, sizes = made
    assert {draft.state for draft in outcome.scenes} == {SceneState.DONE}
    assert len(sizes) == len(script.scenes)
    assert max(sizes) < 3_000_000
    for draft in outcome.scenes:
        assert draft.description == prose[draft.scene]
        words = " ".join(line.extract for line in draft.lines).split()
        assert words == prose[draft.scene].split(), "all of the prose is in one of the lines"
    speakers = [cue.speaker for cue in script.cues if cue.speaker]
    assert any(f"{speakers[0]}: " in said(ask) for ask in model.asks)


def test_its_lines_are_planned_and_proven(made):
    _, script, _, _, _ = made
    assert len({line.id for line in script.eventualities}) == len(script.eventualities) > 40
    assert all(scene.span.contains(line.occurrence) for scene in script.scenes for line in script.eventualities
               if line.scene == scene.id and line.occurrence)  # fmt: skip
    plan = plan_film(script, gaps_of(script).gaps)
    assert plan.deliveries
    assert plan.objective == plan.bound


def test_a_screenplays_draft_is_drafted_over(made):
    outcome, script, _, prose, _ = made
    offline = script.with_changes(
        eventualities=tuple(
            replace(line, confidence=900, occurrence=None, provenance=Provenance(ScreenplayLine(3)))
            for line in script.eventualities
        )
    )
    assert {scene: text.split() for scene, text in given_texts(offline).by_scene.items()} == {
        scene: text.split() for scene, text in prose.items()
    }
    failed = replace(outcome.scenes[-1], lines=(), state=SceneState.FAILED, why="the server was lost")
    over = with_scenes(offline, (*outcome.scenes[:-1], failed), "house")
    assert len(over.eventualities) == len(script.eventualities)
    for line in over.eventualities:
        assert (line.confidence == 900) == (line.scene == failed.scene), "a scene of which nothing came keeps its lines"
    assert [odd.what for odd in oddities_of(offline, (*outcome.scenes[:-1], failed))] == [
        f"scene {len(script.scenes)}, from {clock(script.scenes[-1].span.start)}: the server was lost"
    ]


def test_drafted_again_human_work_stays(made):
    outcome, script, _, _, _ = made
    scene = script.scenes[0]
    mine = replace(script.eventualities[0], variants=(Variant("Written by hand."),), origin=Origin.HUMAN)
    script = script.with_changes(eventualities=(mine, *script.eventualities[1:]))
    fresh = [
        replace(line, variants=(Variant(f"{line.variants[0].text} Again.", Fraction(1)),))
        for line in outcome.scenes[0].lines
    ]
    ids = Ids(script)
    step = redraft_scene(script, ids, scene.id, fresh)
    assert step is not None
    after = step.apply(script)
    kept = [line for line in after.eventualities if line.scene == scene.id]
    assert kept[0] == mine
    assert all(line.variants[0].text.endswith("Again.") for line in kept[1:])
    assert len(kept) == len(fresh)

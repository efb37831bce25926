"""Projects as systems: their plan counts, and they bring dialogue, length, scenes and language."""

from __future__ import annotations

import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from evaluated_films import srt, write
from word_scorer import WordScorer

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.core.film import Film
from adstudio.core.script import Cue, Eventuality, Pin, Scene, Script, Sequence, Variant
from adstudio.core.settings import Settings
from adstudio.core.timebase import RATES, FrameRate, Span
from adstudio.evaluation.film_checks import other_dialogue_note
from adstudio.evaluation.film_reading import read_film
from adstudio.evaluation.material import SequenceSource
from adstudio.evaluation.request import EvaluationRequest, FilmFiles, ScriptFile
from adstudio.evaluation.results import Evaluation
from adstudio.evaluation.sequence_facts import scene_descriptions
from adstudio.evaluation.service import evaluate_files, row_names
from adstudio.store.project import ProjectFile


def line(identity: str, start: int, text: str, scene: str, **more: object) -> Eventuality:
    """A line that takes two seconds, or one in its shorter wording."""
    variants = (Variant(text, duration=2_000), Variant(text.split(maxsplit=1)[0] + " here.", Fraction(1, 2), 1_000))
    return Eventuality(identity, variants, Span(start, start + 2_000), 500_000, scene, **more)  # type: ignore[arg-type]


# Dialogue from 8 to 10 and from 20 to 30 s: free are 0–8, 10–20 and 30–40 s.
SCRIPT = Script(
    Film("Station", 40_000, language="en"),
    Settings(),
    sequences=(Sequence("q1", "Arrival"), Sequence("q2", "Departure")),
    scenes=(Scene("s1", Span(0, 20_000), "Platform"), Scene("s2", Span(20_000, 40_000), "Office")),
    cues=(Cue("c1", 8_000, 10_000, "Where is the train?"), Cue("c2", 20_000, 30_000, "It left an hour ago.")),
    eventualities=(
        line("e1", 2_000, "She parks the scooter.", "s1"),
        line("e2", 12_000, "Rises from the seat.", "s1", pin=Pin(variant=1)),
        line("e3", 32_000, "Opens the drawer.", "s2"),
        line("e4", 34_000, "Closes the drawer.", "s2", pin=Pin(selected=False)),
    ),
)
REFERENCE = ((2_000, 4_000, "She parks her scooter."), (33_000, 35_000, "He opens a drawer."))


def files(folder: Path, script: Script = SCRIPT, **more: object) -> FilmFiles:
    project = folder / "station.adproj"
    ProjectFile.create(project, script).close()
    reference = ScriptFile("reference", write(folder / "reference.srt", srt(REFERENCE)))
    return FilmFiles("station", (reference,), (ScriptFile("plan", project),), **more)  # type: ignore[arg-type]


def evaluated(film: FilmFiles, **how: object) -> Evaluation:
    return evaluate_files(EvaluationRequest((film,), **how), scorer=WordScorer())  # type: ignore[arg-type]


def test_a_project_brings_its_plan_dialogue_length_and_scenes(tmp_path: Path) -> None:
    found = evaluated(files(tmp_path))
    assert [(gap.gap.start, gap.gap.end) for gap in found.gaps] == [(0, 8_000), (10_000, 20_000), (30_000, 40_000)]
    said = {gap.gap.start: gap.systems.get("plan") for gap in found.gaps}
    assert said == {0: "She parks the scooter.", 10_000: "Rises here.", 30_000: "Opens the drawer."}
    assert found.films[0].sequence_source is SequenceSource.SCENES
    assert [each.sequence for each in found.systems[0].sequences] == ["Platform", "Office"]
    assert found.films[0].notes == ()


def test_what_is_given_wins_over_the_project(tmp_path: Path) -> None:
    subtitles = write(tmp_path / "other.srt", srt([(0, 10_000, "Somebody speaks for ten seconds here.")]))
    parts = write(tmp_path / "parts.csv", "All,0,50\n")
    found = evaluated(files(tmp_path, subtitles=subtitles, sequences=parts, end=50_000))
    assert [(gap.gap.start, gap.gap.end) for gap in found.gaps] == [(10_000, 50_000)]
    assert found.films[0].sequence_source is SequenceSource.FILE
    # The project has dialogue from 8 to 10 and from 20 to 30 s, of which the file has 2 of 12 s.
    (note,) = (each for each in found.films[0].notes if "dialogue" in each)
    assert note.startswith(
        f"{subtitles} has dialogue in 17 % of the time in which {tmp_path / 'station.adproj'} has it"
    )


def test_dialogue_that_never_ends_is_compared_as_fast_as_any() -> None:
    # A file that is damaged so: each of its cues goes on to the end of a hundred hours.
    damaged = [Cue(f"c{n}", 1_000 * n, 359_999_000, "Hello.") for n in range(20_000)]
    note = other_dialogue_note(Path("b.srt"), SCRIPT.cues, Path("a.adproj"), damaged)
    # 12 s of nearly a hundred hours.
    assert note.startswith("b.srt has dialogue in 0 % of the time in which a.adproj has it")
    assert other_dialogue_note(Path("b.srt"), damaged, Path("a.adproj"), SCRIPT.cues) == ""


def test_the_same_dialogue_in_a_file_is_worth_no_word(tmp_path: Path) -> None:
    lines = [(cue.start + 500, cue.end + 500, cue.text) for cue in SCRIPT.cues]
    found = evaluated(files(tmp_path, subtitles=write(tmp_path / "same.srt", srt(lines))))
    assert found.films[0].notes == ()


def test_groups_of_scenes_in_a_project_are_its_sequences(tmp_path: Path) -> None:
    scenes = tuple(replace(scene, sequence=each) for scene, each in zip(SCRIPT.scenes, ("q1", "q2"), strict=True))
    found = evaluated(files(tmp_path, SCRIPT.with_changes(scenes=scenes)))
    assert [each.sequence for each in found.systems[0].sequences] == ["Arrival", "Departure"]


def test_what_a_plan_selects_of_each_sequence(tmp_path: Path) -> None:
    (plan,) = evaluated(files(tmp_path)).systems
    assert [(each.sequence, each.items, dict(each.variants)) for each in plan.selections] == [
        ("Platform", 2, {100: 1, 50: 1}),
        ("Office", 2, {100: 1}),
    ]


def test_lines_after_a_shorter_end_are_of_the_last_sequence_as_the_measures_have_it(tmp_path: Path) -> None:
    (plan,) = evaluated(files(tmp_path, end=31_000)).systems
    assert [(each.sequence, each.items, dict(each.variants)) for each in plan.selections] == [
        ("Platform", 2, {100: 1, 50: 1}),
        ("Office", 2, {100: 1}),
    ]


def test_all_rows_are_named_before_anything_is_read(tmp_path: Path) -> None:
    (tmp_path / "pool.json").write_text('["He walks in."]', "utf-8")
    film = files(tmp_path)
    second = replace(film.references[0], name="second")
    film = replace(film, references=(*film.references, second))
    request = EvaluationRequest(
        (film,), expert=True, pool=tmp_path / "pool.json", realistic=("plan",), ablations=True, scene_descriptions=True
    )
    named = row_names(request)
    scored = [each.name for each in evaluate_files(request, scorer=WordScorer()).systems]
    assert set(named) == {*scored, "plan, scene descriptions"}
    assert len(named) == len(scored) + 1


def test_how_hard_scenes_are_to_plan_and_how_much_is_free(tmp_path: Path) -> None:
    plain = evaluated(files(tmp_path)).sequences
    assert [(each.sequence, each.free, each.seconds_to_proof) for each in plain] == [
        ("Platform", 18_000, None),
        ("Office", 10_000, None),
    ]
    folder = tmp_path / "measured"
    folder.mkdir()
    measured = evaluated(files(folder), proof_limit=20.0).sequences
    assert all(each.proven and each.seconds_to_proof is not None for each in measured)


def test_a_solver_that_is_not_there_is_told_before_anything_is_scored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "gurobipy", None)
    scorer = WordScorer()
    with pytest.raises(OutsideFailureError, match="Gurobi is not installed"):
        evaluate_files(EvaluationRequest((files(tmp_path),), proof_limit=1.0, solver="gurobi"), scorer=scorer)
    assert scorer.calls == 0


@pytest.mark.gurobi
def test_gurobi_measures_it_too(tmp_path: Path) -> None:
    pytest.importorskip("gurobipy")
    measured = evaluated(files(tmp_path), proof_limit=20.0, solver="gurobi").sequences
    assert all(each.proven and each.seconds_to_proof is not None for each in measured)


def test_a_project_as_reference(tmp_path: Path) -> None:
    film = files(tmp_path)
    system = ScriptFile("system", write(tmp_path / "system.srt", srt(REFERENCE)))
    turned = replace(film, references=film.systems, systems=(system,), end=40_000, without_dialogue=True)
    found = evaluated(turned)
    assert found.films[0].references == ("plan",)
    assert found.gaps[0].references["plan"].startswith("She parks the scooter.")


@pytest.mark.parametrize(
    ("shift", "speed"),
    [(None, None), (0, None), (-1_500, None), (None, RATES["24"]), (1_000, RATES["24"])],
)
@pytest.mark.parametrize("role", ["system", "reference"])
def test_a_shift_and_a_speed_move_what_a_plan_speaks(
    tmp_path: Path, role: str, shift: int | None, speed: FrameRate | None
) -> None:
    film = files(tmp_path, end=40_000)
    moved = replace(film.systems[0], shift=shift, speed=speed)
    other = ScriptFile("other", film.references[0].path)
    if role == "system":
        read = read_film(replace(film, systems=(moved,))).film.systems[0]
    else:
        read = read_film(replace(film, references=(moved,), systems=(other,), without_dialogue=True)).film.references[0]
    plain = read_film(film).film.systems[0]
    was, now = ([each.span.doubled_midpoint / 2 for each in one.descriptions] for one in (plain, read))
    # The film runs at 25 frames a second, so that it takes 24/25 of the time.
    factor, later = (24 / 25 if speed else 1), shift or 0
    assert now == pytest.approx([each * factor + later for each in was], abs=1)
    assert [each.text for each in read.descriptions] == [each.text for each in plain.descriptions]


def test_ablations_of_a_project_whose_times_are_moved_are_refused(tmp_path: Path) -> None:
    film = files(tmp_path)
    for how in ({"shift": 1_000}, {"speed": RATES["24"]}):
        moved = replace(film, systems=(replace(film.systems[0], **how),))  # type: ignore[arg-type]
        with pytest.raises(BadInputError, match=r"neither a shift nor a speed for .*station\.adproj"):
            evaluated(moved, ablations=True)


def test_ablations_are_rows_of_their_own(tmp_path: Path) -> None:
    pytest.importorskip("spacy")
    found = evaluated(files(tmp_path), ablations=True)
    names = [each.name for each in found.systems]
    assert names[:4] == ["plan", "w/o grounding", "w/o compression", "w/o both"]
    assert {"BM25", "BM25 oracle", "Embed. oracle"} <= set(names)
    without = next(each for each in found.systems if each.name == "w/o compression")
    assert all(set(each.variants) <= {100} for each in without.selections)


def test_ablations_need_a_project(tmp_path: Path) -> None:
    film = files(tmp_path)
    system = ScriptFile("system", write(tmp_path / "system.srt", srt(REFERENCE)))
    with pytest.raises(BadInputError, match="there is none among the systems of station"):
        evaluated(replace(film, systems=(system,), end=40_000, without_dialogue=True), ablations=True)


def test_of_two_projects_the_first_is_ablated_and_that_is_noted(tmp_path: Path) -> None:
    pytest.importorskip("spacy")
    film = files(tmp_path)
    plan, reference = film.systems[0], ScriptFile("subtitles", write(tmp_path / "system.srt", srt(REFERENCE)))
    second = SCRIPT.with_changes(eventualities=SCRIPT.eventualities[:1])
    other = ScriptFile("other", tmp_path / "other.adproj")
    ProjectFile.create(other.path, second).close()
    alone = evaluated(film, ablations=True)
    both = evaluated(replace(film, systems=(reference, plan, other)), ablations=True)
    of_both = {each.name: each.mean for each in both.systems}
    for each in alone.systems:
        if each.name.startswith("w/o"):
            assert of_both[each.name] == each.mean
    noted = "the ablations are of plan, the first project among the systems"
    assert noted in both.films[0].notes
    assert noted not in alone.films[0].notes


def test_all_that_a_project_has_to_say_of_each_scene() -> None:
    assert scene_descriptions(SCRIPT) == [
        (Span(0, 20_000), "She parks the scooter. Rises from the seat."),
        (Span(20_000, 40_000), "Opens the drawer. Closes the drawer."),
    ]
    alone = SCRIPT.with_changes(scenes=(), eventualities=(replace(SCRIPT.eventualities[0], scene=None),))
    assert scene_descriptions(alone) == [(Span(0, 40_000), "She parks the scooter.")]
    drafted = replace(SCRIPT.eventualities[0], extract=" In the rain she parks an old scooter. ")
    script = SCRIPT.with_changes(eventualities=(drafted, *SCRIPT.eventualities[1:]))
    assert scene_descriptions(script)[0][1] == "In the rain she parks an old scooter. Rises from the seat."

"""`adstudio draft --preset`: the house's rules by default, options win over them, contradictions are named."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from cli_running import Run

from adstudio.core.settings import GapSettings, Near, Scope, Settings
from adstudio.presets.library import preset_named, shipped_presets
from adstudio.store.project import ProjectFile

HOUSE = Settings(
    words_per_minute=170,
    gaps=GapSettings(300, 300, 1000),
    delta_max=4000,
    min_pause=300,
    max_share=850_000,
    delta_early=1500,
    delta_late=4000,
    near=Near(500, 2000, 800_000),
    reach=1,
)
Draft = Callable[..., Settings]


@pytest.fixture(autouse=True)
def own_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def words(srt: Path, candidates: Path, tmp_path: Path) -> tuple[object, ...]:
    return ("draft", "--subtitles", srt, "--end", "60", "--candidates", candidates, "-o", tmp_path / "p.adproj")


@pytest.fixture
def draft(run: Run, words: tuple[object, ...], tmp_path: Path) -> Draft:
    """Drafts with these options; returns the project's settings."""

    def drafted(*options: object) -> Settings:
        done = run(*words, *options, "--force")
        assert done.code == 0, done.err
        with closing(ProjectFile.open(tmp_path / "p.adproj", read_only=True)) as project:
            return project.saved_script.settings

    return drafted


def test_without_a_preset_the_house_rules_hold(draft: Draft) -> None:
    assert draft() == HOUSE


@pytest.mark.parametrize("preset", shipped_presets(), ids=lambda preset: preset.name)
def test_every_preset_can_be_drafted_by(draft: Draft, preset) -> None:
    assert draft("--preset", preset.name) == preset.settings


def test_one_of_ones_own_and_one_in_a_file(draft: Draft, run: Run, tmp_path: Path) -> None:
    file = tmp_path / "theirs.json"
    run("preset", "childrens", "-o", file)
    value = json.loads(file.read_text("utf-8"))
    value["plan"]["min_pause"]["value"] = 0.75
    file.write_text(json.dumps(value), "utf-8")
    assert draft("--preset", file).min_pause == 750
    assert run("preset", "--import", file, "Ours").code == 0
    file.unlink()
    assert draft("--preset", "ours").min_pause == 750


def changed(**fields: object) -> Settings:
    from dataclasses import replace

    return replace(HOUSE, **fields)


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        (("--words-per-minute", "150"), changed(words_per_minute=150)),
        (("--min-pause", "0"), changed(min_pause=0)),
        (("--max-share", "0.5"), changed(max_share=500_000)),
        (("--max-share", "88%"), changed(max_share=880_000)),
        (("--max-share", "1"), changed(max_share=1_000_000)),
        (("--early", "2"), changed(delta_early=2000)),
        (("--late", "3.5"), changed(delta_max=3500, delta_late=3500)),
        (("--early", "4"), changed(delta_early=None, delta_late=None)),
        (("--early", "0.2"), changed(delta_early=200, near=Near(200, 2000, 800_000))),
        (("--delta-max", "6"), changed(delta_max=6000, delta_early=None, delta_late=None)),
        (("--delta-max", "6", "--late", "8"), changed(delta_max=8000, delta_early=6000, delta_late=8000)),
        (
            ("--delta-max", "1"),
            changed(delta_max=1000, delta_early=None, delta_late=None, near=Near(500, 1000, 800_000)),
        ),
        (("--near-early", "1.5", "--near-late", "4"), changed(near=Near(1500, 4000, 800_000))),
        (("--far-gain", "70 %"), changed(near=Near(500, 2000, 700_000))),
        (("--reach", "0"), changed(reach=0)),
        (("--reach", "none"), changed(reach=None)),
        (("--scope", "scene"), changed(scope=Scope.SCENE)),
        (("--margin-before", "0"), changed(gaps=GapSettings(0, 300, 1000))),
        (("--margin-after", "1"), changed(gaps=GapSettings(300, 1000, 1000))),
        (("--least-gap", "2"), changed(gaps=GapSettings(300, 300, 2000))),
        (("--keep-sound", "--keep-music"), changed(gaps=GapSettings(300, 300, 1000, True, True))),
        (("--free-sung",), changed(gaps=GapSettings(300, 300, 1000, keep_sung=False))),
        (("--preset", "paper", "--reach", "2"), Settings(reach=2)),
        (("--preset", "paper", "--far-gain", "0.5"), Settings(near=Near(10_000, 10_000, 500_000))),
        (("--preset", "paper", "--far-gain", "0.5", "--near-late", "2"), Settings(near=Near(10_000, 2000, 500_000))),
    ],
)
def test_options_win_over_the_preset(draft: Draft, options: tuple[str, ...], settings: Settings) -> None:
    assert draft(*options) == settings


def test_what_a_preset_keeps_free_can_be_freed_again(draft: Draft, run: Run, tmp_path: Path) -> None:
    file = tmp_path / "quiet.json"
    run("preset", "house", "-o", file)
    value = json.loads(file.read_text("utf-8"))
    for key in ("keep_sound", "keep_music"):
        value["plan"][key]["value"] = True
    file.write_text(json.dumps(value), "utf-8")
    assert draft("--preset", file).gaps == GapSettings(300, 300, 1000, keep_sound=True, keep_music=True)
    assert draft("--preset", file, "--free-music", "--free-sound").gaps == GapSettings(300, 300, 1000)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--max-share", "0"), ["--max-share", "above 0"]),
        (("--max-share", "1.2"), ["--max-share", "at most 1"]),
        (("--max-share", "120%"), ["--max-share", "at most 1"]),
        (("--max-share", "half"), ["--max-share", "“half”"]),
        (("--far-gain", "0"), ["--far-gain", "above 0"]),
        (("--far-gain", "1.01"), ["--far-gain", "at most 1"]),
        (("--far-gain", "-0.5"), ["--far-gain", "“-0.5”"]),
        (("--early", "0", "--late", "0"), ["--early and --late", "no place"]),
        (("--near-early", "1.6"), ["--near-early", "--early"]),
        (("--near-late", "4.001"), ["--near-late", "--late"]),
        (("--near-late", "2", "--late", "1"), ["--near-late", "--late"]),
        (("--preset", "paper", "--near-late", "2"), ["--near-early and --near-late need --far-gain"]),
        (("--reach", "-1"), ["--reach", "“-1”"]),
        (("--reach", "1.5"), ["--reach", "“1.5”"]),
        (("--reach", "1001"), ["--reach", "1000"]),
        (("--early", "soon"), ["--early", "“soon”"]),
        (("--words-per-minute", "5"), ["--words-per-minute", "5 is no speaking rate"]),
        (("--preset", "nobody"), ["no preset “nobody”", "house"]),
        (("--preset", "nothing.json"), ["nothing.json"]),
    ],
)
def test_contradictions_are_named_and_nothing_is_written(
    run: Run, words: tuple[object, ...], tmp_path: Path, options: tuple[str, ...], named: list[str]
) -> None:
    run(*words, *options).refused(2, *named)
    assert not (tmp_path / "p.adproj").exists()


def test_a_preset_file_of_another_version_is_named_and_nothing_taken(
    run: Run, words: tuple[object, ...], tmp_path: Path
) -> None:
    file = tmp_path / "next.json"
    run("preset", "uk", "-o", file)
    file.write_text(file.read_text("utf-8").replace("preset/1", "preset/2"), "utf-8")
    run(*words, "--preset", file).refused(2, "next.json", "adstudio-preset/2")
    assert not (tmp_path / "p.adproj").exists()


def test_gaps_are_found_without_margins(run: Run, srt: Path) -> None:
    """1 s before the first cue, 7 s between the two, 48 s after them."""
    assert run("gaps", srt, "--end", "60").json["gaps"] == [[0.0, 1.0], [3.0, 10.0], [12.0, 60.0]]
    assert run("gaps", srt, "--end", "60", "--margin-before", "0.5").json["gaps"] == [[3.0, 9.5], [12.0, 60.0]]


def test_a_plan_by_the_house_keeps_its_rules(run: Run, draft: Draft, tmp_path: Path) -> None:
    draft()
    problem, plan = tmp_path / "problem.json", tmp_path / "plan.json"
    run("export", tmp_path / "p.adproj", "--format", "problem", "-o", problem)
    run("export", tmp_path / "p.adproj", "--format", "plan", "-o", plan)
    given = json.loads(problem.read_text("utf-8"))
    assert given["gaps"] == [[3.3, 9.7], [12.3, 60.0]]
    assert {key: given[key] for key in ("max_share", "delta_early", "delta_late", "min_pause", "reach")} == {
        "max_share": 0.85,
        "delta_early": 1.5,
        "delta_late": 4.0,
        "min_pause": 0.3,
        "reach": 1,
    }
    assert given["near"] == {"early": 0.5, "late": 2.0, "far_gain": 0.8}
    assert run("verify", problem, plan).code == 0


def test_a_default_is_that_of_the_preset(draft: Draft) -> None:
    assert draft("--preset", "uk", "--min-pause", "1").max_share == preset_named("uk").settings.max_share


def test_a_film_without_gaps_is_drafted_and_that_is_said(run: Run, tmp_path: Path, candidates: Path) -> None:
    """Dialogue from 0.2 to 59.8 s: nothing of a second or more is free."""
    srt = tmp_path / "talk.srt"
    srt.write_text("1\n00:00:00,200 --> 00:00:59,800\nI talk all the time.\n", "utf-8")
    done = run("draft", "--subtitles", srt, "--end", "60", "--candidates", candidates, "-o", tmp_path / "p.adproj")
    assert done.code == 0
    assert "there is no gap" in done.err
    assert "a shortest gap of 1 s" in done.err
    assert "0 of 2" in done.err

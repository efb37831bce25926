"""The presets that travel with the program, and one's own in the configuration folder."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from example_presets import example, written

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.core.settings import GapSettings, Near, Settings
from adstudio.presets import library
from adstudio.presets.library import (
    SHIPPED,
    OwnPresets,
    PresetExistsError,
    own_folder,
    own_presets,
    preset_named,
    read_preset,
    remove_own,
    save_own,
    shipped_presets,
)
from adstudio.presets.preset import PROPOSAL, Preset, is_equivalent
from adstudio.system.locations import resource

PUBLICATIONS = (
    "ITC Guidance on Standards for Audio Description",
    "Netflix Audio Description Style Guide",
    "Jankowska et al. 2017",
    "W3C, Techniques for WCAG 2, Failure F113",
    "Audio Description Coalition, Standards for Audio Description",
    "Vorgaben für Audiodeskription",
    "Sterner et al.",
)
"""All that the shipped presets may cite."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return own_folder()


@pytest.fixture
def mine() -> Preset:
    return replace(preset_named("uk"), name="Mine", title="Mine", shipped=False)


def test_the_house_of_the_program_asks_what_a_house_asks() -> None:
    house = preset_named("house").settings
    assert house == Settings(
        words_per_minute=170,
        gaps=GapSettings(margin_before=300, margin_after=300),
        delta_max=4000,
        min_pause=300,
        max_share=850_000,
        delta_early=1500,
        delta_late=4000,
        near=Near(500, 2000, 800_000),
        reach=1,
    )


def test_the_papers_problem_is_what_settings_are_by_themselves() -> None:
    assert preset_named("paper").settings == Settings()


def test_every_shipped_file_is_a_preset_of_its_own() -> None:
    files = sorted(file.stem for file in resource("presets").iterdir())
    assert files == sorted(SHIPPED)
    presets = shipped_presets()
    assert [preset.name for preset in presets] == list(SHIPPED)
    assert len({preset.title for preset in presets}) == len(presets)
    assert all(preset.about and preset.shipped for preset in presets)
    for place, one in enumerate(presets):
        assert not any(is_equivalent(one.settings, other.settings) for other in presets[:place]), one.name


def test_every_value_cites_a_publication_or_is_a_proposal() -> None:
    for preset in shipped_presets():
        for key, source in preset.sources.items():
            assert source == PROPOSAL or source.startswith(PUBLICATIONS), (preset.name, key)


def test_numbers_that_are_cited_are_those_of_the_publications() -> None:
    """What the publications say: 179 words and pauses of 190 ms, 180 words, gaps of 2 s, ten seconds and 200 words."""
    cited = {
        "Jankowska": {("words_per_minute", 179), ("min_pause", 0.19)},
        "Audio Description Coalition": {("words_per_minute", 180)},
        "W3C": {("least_gap", 2.0)},
        "ITC": {("keep_sung", True)},
        "Netflix": {("keep_sung", True)},
        "Vorgaben": {("keep_sung", True)},
        "Sterner": {
            ("delta_early", 10.0), ("delta_late", 10.0), ("words_per_minute", 200), ("least_gap", 1.0),
            ("margin_before", 0), ("margin_after", 0), ("min_pause", 0), ("max_share", 1), ("near", None),
            ("reach", None), ("scope", "film"),
        },
    }  # fmt: skip
    found: dict[str, set[tuple[str, object]]] = {author: set() for author in cited}
    for name in SHIPPED:
        plan = json.loads(resource("presets", f"{name}.json").read_text("utf-8"))["plan"]
        for key, value in plan.items():
            author = next((each for each in cited if value["source"].startswith(each)), None)
            if author is not None:
                found[author].add((key, value["value"]))
    assert found == cited


def test_british_rules_leave_no_joins_and_no_strays() -> None:
    """No pause under 0.1 s, nothing under 0.2 s before dialogue, nothing beyond 3 s from its action."""
    uk = preset_named("uk").settings
    assert uk.min_pause >= 100
    assert uk.gaps.margin_before >= 200
    assert uk.delta_max <= 3000


@pytest.mark.parametrize("name", ["uk", "UK", " Uk "])
def test_a_preset_is_found_whatever_its_capitals(name: str) -> None:
    assert preset_named(name).name == "uk"


def test_own_presets_are_saved_found_listed_and_removed(mine: Preset, folder: Path) -> None:
    assert own_presets().presets == ()
    assert save_own(mine) == mine
    assert [file.name for file in folder.iterdir()] == ["Mine.json"]
    assert own_presets().presets == (mine,)
    assert preset_named("mine") == mine
    remove_own("MINE")
    assert list(folder.iterdir()) == []
    with pytest.raises(BadInputError, match="no preset “mine” of your own"):
        remove_own("mine")


def test_an_own_preset_is_only_replaced_if_that_is_wanted(mine: Preset, folder: Path) -> None:
    save_own(mine)
    other = replace(mine, name="MINE", title="Other")
    with pytest.raises(PresetExistsError, match="“Mine” already"):
        save_own(other)
    assert preset_named("mine").title == "Mine"
    assert save_own(other, replacing=True) == replace(other, name="Mine")
    assert len(list(folder.iterdir())) == 1


@pytest.mark.parametrize(
    "name", ["", " ", ".", "..", "a/b", "a\\b", "-x", "x.", "x\ny", "x" * 61, "UK", "Paper", "x:y"]
)
def test_a_name_that_cannot_be_a_file_or_is_taken_is_refused(mine: Preset, folder: Path, name: str) -> None:
    with pytest.raises(BadInputError):
        save_own(replace(mine, name=name))
    assert not folder.exists()


@pytest.mark.parametrize("name", ["x", "Haus am See", "放送局", "My house (2026)", "v1.2", "a-b"])
def test_a_name_of_letters_digits_and_spaces_is_fine(mine: Preset, name: str) -> None:
    assert preset_named(save_own(replace(mine, name=name)).name).name == name


def test_a_damaged_own_preset_is_named_and_the_others_are_there(mine: Preset, folder: Path) -> None:
    save_own(mine)
    (folder / "broken.json").write_bytes(written({**example(), "format": "adstudio-preset/2"}))
    found = own_presets()
    assert found.presets == (mine,)
    assert len(found.faults) == 1
    assert "broken.json" in found.faults[0]
    with pytest.raises(BadInputError, match=r"broken\.json"):
        preset_named("broken")


def test_the_shipped_presets_cannot_be_removed_or_replaced(mine: Preset) -> None:
    with pytest.raises(BadInputError, match="comes with adstudio"):
        remove_own("House")
    with pytest.raises(BadInputError, match="comes with adstudio"):
        save_own(replace(mine, name="House"), replacing=True)


def test_a_file_may_stand_for_a_name(tmp_path: Path) -> None:
    file = tmp_path / "theirs.json"
    file.write_bytes(written(example()))
    assert preset_named(str(file)) == read_preset(file)
    assert preset_named(str(file)).name == "theirs"
    with pytest.raises(BadInputError, match="there is no such preset"):
        preset_named(str(tmp_path / "nothing.json"))


def test_an_unknown_name_lists_the_known_ones(mine: Preset) -> None:
    save_own(mine)
    with pytest.raises(BadInputError) as refused:
        preset_named("bbc")
    assert [name for name in (*SHIPPED, "Mine") if name not in str(refused.value)] == []


def test_no_more_presets_than_can_be_listed(mine: Preset, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "MOST_OWN", 1)
    save_own(mine)
    with pytest.raises(BadInputError, match="at most 1 presets"):
        save_own(replace(mine, name="Second"))
    save_own(mine, replacing=True)


def test_a_folder_that_cannot_be_written_is_named(mine: Preset, folder: Path) -> None:
    folder.parent.mkdir(parents=True)
    folder.write_text("a file in the folder's place")
    with pytest.raises(OutsideFailureError):
        save_own(mine)


def test_a_folder_that_cannot_be_read_is_said_and_takes_no_shipped_preset_away() -> None:
    own_folder().parent.mkdir(parents=True, exist_ok=True)
    own_folder().write_text("a file in its place")
    (fault,) = own_presets().faults
    assert own_presets() == OwnPresets(faults=(fault,))
    assert fault.startswith(f"{own_folder()} cannot be read: part of its path is a file")
    assert preset_named("house").shipped

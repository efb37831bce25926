"""`adstudio preset`: listed, shown with sources, exported, imported, removed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_running import Run

from adstudio.presets.library import SHIPPED, preset_named, shipped_presets
from adstudio.presets.mix_keys import MIX_KEYS
from adstudio.presets.preset import PLAN_KEYS
from adstudio.presets.preset_file import parse_preset


@pytest.fixture(autouse=True)
def own_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def test_all_presets_are_listed(run: Run) -> None:
    listed = run("preset")
    assert listed.code == 0
    names = [line.split(" · ")[0] for line in listed.out.decode().splitlines()]
    assert names == list(SHIPPED)
    assert run("preset", "--list") == listed


def test_each_value_is_shown_with_its_source(run: Run) -> None:
    shown = run("preset", "streaming")
    assert shown.code == 0
    lines = shown.out.decode().splitlines()
    assert len(lines) == 1 + len(PLAN_KEYS) + len(MIX_KEYS) + len(preset_named("streaming").qc)
    assert "Margin before dialogue: 0.3 s (proposal)" in lines
    assert "Speaking rate: 179 wpm (Jankowska et al. 2017" in shown.out.decode()


def test_export_and_import_give_back_the_same(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "ours.json"
    assert run("preset", "german", "-o", file).code == 0
    assert run("preset", "--import", file).code == 0
    assert preset_named("ours").settings == preset_named("german").settings
    assert preset_named("ours").sources == preset_named("german").sources
    assert run("preset", "--import", file, "Haus").code == 0
    listed = run("preset").out.decode().splitlines()
    assert [line.split(" · ")[0] for line in listed[len(SHIPPED) :]] == ["Haus", "ours"]
    run("preset", "--import", file).refused(2, "“ours” already", "--force")
    assert run("preset", "--import", file, "--force").code == 0
    assert run("preset", "ours", "--remove").code == 0
    run("preset", "ours").refused(2, "no preset “ours”", "Haus")


def test_a_file_of_another_version_is_named_and_nothing_of_it_taken(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "next.json"
    run("preset", "uk", "-o", file)
    text = file.read_text("utf-8")
    file.write_text(text.replace("adstudio-preset/1", "adstudio-preset/2"), "utf-8")
    run("preset", "--import", file).refused(2, "next.json", "adstudio-preset/2")
    file.write_text(text.replace('"reach"', '"reech"'), "utf-8")
    run("preset", "--import", file).refused(2, "next.json", "reach")
    value = json.loads(text)
    value["plan"]["loudness"] = {"value": -23, "source": "proposal"}
    file.write_text(json.dumps(value), "utf-8")
    run("preset", "--import", file).refused(2, "next.json", "“loudness”")
    assert not (tmp_path / "config" / "adstudio" / "presets").exists()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--list", "uk"), "--list"),
        (("--remove",), "no preset named"),
        (("-o", "x.json"), "no preset named"),
        (("uk", "--remove", "-o", "x.json"), "too many actions"),
        (("uk", "--force"), "--force"),
        (("uk", "--remove"), "comes with adstudio"),
        (("nobody",), "house, uk, us"),
        (("nothing.json",), "nothing.json"),
        (("--import", "nothing.json"), "nothing.json"),
        (("uk", "-o", "film.adproj"), "film.adproj"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(run: Run, arguments: tuple[str, ...], named: str) -> None:
    run("preset", *arguments).refused(2, named)


def test_what_is_exported_is_what_ships(run: Run, tmp_path: Path) -> None:
    for preset in shipped_presets():
        file = tmp_path / f"{preset.name}.json"
        assert run("preset", preset.name, "-o", file).code == 0
        assert parse_preset(file.read_bytes(), "f", preset.name).settings == preset.settings

"""The pages say what is there: paths, links, keys, options, citations, examples of formats, the version."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import adstudio

REPOSITORY = Path(__file__).resolve().parents[1]
PAGES = [REPOSITORY / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
PAGES += [*sorted((REPOSITORY / "docs").rglob("*.md")), REPOSITORY / "packaging" / "server" / "README.md"]
SOURCES = [*(REPOSITORY / "adstudio").rglob("*.py"), *(REPOSITORY / "tests").rglob("*.py")]
FOLDERS = "adstudio|docs|packaging|resources|tests"
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(REPOSITORY)))


def read(name: str) -> str:
    return (REPOSITORY / name).read_text("utf-8")


@each_page
def test_every_path_that_is_named_is_there(page: Path) -> None:
    text = page.read_text("utf-8")
    for name in re.findall(rf"(?<![\w./-])((?:{FOLDERS})/[\w./-]*\w)", text):
        assert (REPOSITORY / name).exists(), name


@each_page
def test_no_merge_is_left_half_done(page: Path) -> None:
    assert re.findall(r"^(?:<{7}|={7}$|>{7}).*", page.read_text("utf-8"), flags=re.MULTILINE) == []


@each_page
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?://)([^)#]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


def test_every_page_can_be_reached_from_the_readme() -> None:
    found: set[Path] = set()
    left = [REPOSITORY / "README.md"]
    while left:
        page = left.pop().resolve()
        if page in found or page.suffix != ".md":
            continue
        found.add(page)
        left += [page.parent / link for link in re.findall(r"\]\((?!https?://)([^)#]+)\)", page.read_text("utf-8"))]
    assert {page.resolve() for page in PAGES} <= found


def test_the_readme_is_short() -> None:
    assert len(read("README.md").splitlines()) <= 250


def test_every_citation_of_the_design_finds_its_place() -> None:
    design = read("docs/DESIGN.md")
    sections = set(re.findall(r"^## (\d)\. ", design, flags=re.MULTILINE))
    third = design.split("\n## 3. ")[1].split("\n## ")[0]
    there = sections | {f"3.{number}" for number in re.findall(r"^(\d)\. ", third, flags=re.MULTILINE)}
    cited = {
        (number, file.name)
        for file in SOURCES
        for number in re.findall(r"DESIGN\s+(?:section\s+)?(\d(?:\.\d)?)", file.read_text("utf-8"))
    }
    assert len(cited) > 20
    assert {place for place in cited if place[0] not in there} == set()


def options(command: Any) -> Iterator[str]:
    for parameter in command.params:
        yield from (*parameter.opts, *parameter.secondary_opts)
    for inner in getattr(command, "commands", {}).values():
        yield from options(inner)


@pytest.mark.parametrize("name", ["README.md", "docs/command-line.md", "docs/models.md", "docs/gpu-servers.md"])
def test_every_option_that_is_named_exists(name: str) -> None:
    import typer

    from adstudio.cli.program import app

    known = {*options(typer.main.get_command(app)), "--help", "--runner", "--faults", "--headless", "--extra-index-url"}
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", read(name)))
    assert named
    assert named - known == set()


def test_the_keys_of_the_daily_work_are_bound() -> None:
    from adstudio.ui.actions.table import ACTIONS

    daily = read("README.md").split("## The daily work")[1].split("\n## ")[0]
    named = set(re.findall(r"`((?:(?:Ctrl|Shift|Alt)\+)*(?:[A-Z]|F\d\d?|Space|Insert|\[|\]))`", daily))
    assert len(named) > 25
    assert named - {key for action in ACTIONS for key in action.keys} == set()


def test_the_keyboard_page_is_that_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(REPOSITORY / "packaging"))
    import keyboard_page

    assert read("docs/keyboard.md") == keyboard_page.page(), "run packaging/keyboard_page.py"


def test_the_version_stands_in_one_place() -> None:
    assert "\nversion =" not in read("pyproject.toml")
    assert adstudio.__version__ in read("CHANGELOG.md")


def example(holding: str) -> str:
    found = re.findall(r"```json\n(.*?)```", read("docs/formats.md"), flags=re.DOTALL)
    (text,) = (block for block in found if holding in block)
    return text


def test_the_example_of_prepared_lines_is_one() -> None:
    from adstudio.drafting.candidates_file.reading import parse_candidates

    found = parse_candidates(f"[{example('audio_description')}]".encode(), "formats.md", film_end=60_000)
    (eventuality,) = found.eventualities
    assert eventuality.occurrence is not None
    assert len(eventuality.variants) == 3
    assert all("0.8" in oddity.what or "0.7" in oddity.what or "0.6" in oddity.what for oddity in found.oddities)


def test_the_examples_of_a_problem_and_a_plan_are_some(tmp_path: Path) -> None:
    from adstudio.cli.program import run_command
    from adstudio.planning.verify import verify

    problem, plan = tmp_path / "problem.json", tmp_path / "plan.json"
    problem.write_text(example("adstudio-problem/1"), "utf-8")
    assert run_command(["solve", str(problem), "-o", str(plan)]) == 0
    assert verify(json.loads(problem.read_text("utf-8")), json.loads(plan.read_text("utf-8"))) == []
    assert set(json.loads(example("adstudio-plan/1"))) == set(json.loads(plan.read_text("utf-8")))


def test_the_example_of_a_preset_is_one() -> None:
    from adstudio.presets.mix_keys import MIX_KEYS
    from adstudio.presets.preset import PLAN_KEYS
    from adstudio.presets.preset_file import parse_preset
    from adstudio.presets.qc_keys import QC_KEYS

    found = parse_preset(example("adstudio-preset/1").encode(), "formats.md", "ours")
    names = [each.name for each in (*found.mix, *found.qc)]
    assert (found.title, names) == (
        "Our house",
        [
            *("duck_depth", "target_loudness", "true_peak", "most_words_per_minute", "tense"),
        ],
    )
    section = read("docs/formats.md").split("## `adstudio-preset/1`")[1].split("\n## ")[0]
    assert [key.name for key in (*PLAN_KEYS, *MIX_KEYS, *QC_KEYS) if f"`{key.name}`" not in section] == []


SHARED_OPTIONS = ("tests/fuzz/shared_main.py",)
"""Modules that parse the options of the scripts that import them."""


def test_every_script_that_is_named_takes_its_options() -> None:
    """The long commands are not run here; but each script exists and knows what is given to it."""
    commands = re.findall(r"python ((?:tests|packaging)/[\w/]+\.py)([^\n#]*)", read("CONTRIBUTING.md"))
    assert len(commands) > 10
    for script, given in commands:
        source = read(script) + "".join(read(shared) for shared in SHARED_OPTIONS if Path(shared).stem in read(script))
        for option in re.findall(r"--[a-z-]+", given):
            assert f'"{option}"' in source, (script, option)
        for required in re.findall(r'add_argument\("(--[a-z-]+)"[^\n]*required=True', source):
            assert required in given, (script, required)


def test_every_message_that_is_quoted_is_one() -> None:
    said = [
        node.value
        for file in (REPOSITORY / "adstudio").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    tables = [line for line in read("docs/troubleshooting.md").splitlines() if line.startswith("| ")]
    quoted = [text for line in tables for text in re.findall("“([^”]+)”", line)]
    assert len(quoted) > 6
    assert [text for text in quoted if not any(text in each for each in said)] == []

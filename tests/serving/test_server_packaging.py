"""The compose file and the unit of the GPU server: sound, closed, and in the words of the command they run."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.main import get_command

from adstudio.serving.vllm_program import BETTER, version_of

FOLDER = Path(__file__).resolve().parents[2] / "packaging" / "server"
COMPOSE, UNIT, DOCKERFILE = FOLDER / "compose.yaml", FOLDER / "adstudio-serve.service", FOLDER / "Dockerfile"


@pytest.fixture(scope="module")
def options() -> set[str]:
    from adstudio.cli.program import app

    serve: Any = get_command(app).commands["serve"]  # type: ignore[attr-defined]
    return {name for parameter in serve.params for name in parameter.opts}


@pytest.fixture(scope="module")
def service() -> dict[str, Any]:
    return yaml.safe_load(COMPOSE.read_text())["services"]["server"]


@pytest.fixture(scope="module")
def unit() -> dict[str, list[str]]:
    reader = configparser.RawConfigParser(strict=False, interpolation=None)
    reader.optionxform = str  # type: ignore[assignment,method-assign]
    reader.read(UNIT)
    found: dict[str, list[str]] = {}
    for line in UNIT.read_text().splitlines():
        if "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    assert set(reader.sections()) == {"Unit", "Service", "Install"}
    return found


def test_the_version_of_vllm_is_pinned_and_new_enough(service):
    (tag,) = re.findall(r"ARG VLLM=(v\S+)", DOCKERFILE.read_text())
    assert version_of(tag) >= BETTER
    assert service["build"]["args"]["VLLM"] == tag
    assert service["image"].endswith(f":{tag.removeprefix('v')}")
    assert "FROM vllm/vllm-openai:${VLLM}" in DOCKERFILE.read_text()


def test_what_is_copied_into_the_image_is_there():
    for line in DOCKERFILE.read_text().splitlines():
        if line.startswith("COPY"):
            for source in line.split()[1:-1]:
                assert (FOLDER.parents[1] / source).exists(), source


def test_the_container_is_closed(service):
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["user"].split(":")[0] not in {"0", "root"}
    assert not {"privileged", "network_mode", "ipc", "pid", "cap_add", "devices"} & set(service)
    (models,) = service["volumes"]
    assert models.endswith(":/models:ro")
    (gpus,) = service["deploy"]["resources"]["reservations"]["devices"]
    assert (gpus["driver"], gpus["capabilities"]) == ("nvidia", ["gpu"])
    assert service["environment"]["VLLM_NO_USAGE_STATS"] == service["environment"]["HF_HUB_OFFLINE"] == "1"


def test_the_secrets_are_files_and_not_in_the_command(service):
    whole = yaml.safe_load(COMPOSE.read_text())
    assert set(whole["secrets"]) == set(service["secrets"])
    used = {part.rsplit("/", 1)[1] for part in service["command"] if "/run/secrets/" in part}
    assert used == set(service["secrets"])
    assert not any("key" in name.lower() and name != "TRITON_CACHE_DIR" for name in service["environment"])


def test_the_container_runs_options_that_there_are(service, options):
    assert {part.split("=")[0] for part in service["command"]} <= options
    assert 'ENTRYPOINT ["adstudio", "serve"]' in DOCKERFILE.read_text()


def test_docker_reads_the_compose_file(tmp_path: Path):
    docker = shutil.which("docker")
    if docker is None or subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode:
        pytest.skip("docker with its compose is not here")
    run = subprocess.run(
        [docker, "compose", "-f", str(COMPOSE), "config", "-q"],
        env={"PATH": "/usr/bin:/bin:/usr/local/bin", "MODELS": "/srv/models", "SECRETS": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")


def test_the_unit_runs_options_that_there_are(unit, options):
    (command,) = unit["ExecStart"]
    assert set(re.findall(r"--[a-z-]+", command)) <= options
    credentials = {each.split(":")[0] for each in unit["LoadCredential"]}
    assert set(re.findall(r"\$\{CREDENTIALS_DIRECTORY\}/(\w+)", command)) == credentials == {"keys", "cert", "key"}
    assert "--plain" not in command


def test_the_unit_is_closed(unit):
    expected = {"NoNewPrivileges": "yes", "ProtectSystem": "strict", "ProtectHome": "yes", "DynamicUser": "yes"}
    expected |= {"DevicePolicy": "closed", "CapabilityBoundingSet": "", "KillMode": "mixed", "UMask": "0077"}
    assert {name: unit[name] for name in expected} == {name: [value] for name, value in expected.items()}
    assert unit["SuccessExitStatus"] == ["130 143"]


def test_systemd_has_nothing_to_say_of_the_unit(tmp_path: Path):
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    # The programs are not where they will be.
    text = UNIT.read_text().replace("/opt/adstudio/bin/adstudio", sys.executable)
    (tmp_path / UNIT.name).write_text(text)
    run = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(tmp_path / UNIT.name)],
        capture_output=True,
        text=True,
        check=False,
    )
    said = [line for line in (run.stdout + run.stderr).splitlines() if UNIT.name in line]
    assert said == []

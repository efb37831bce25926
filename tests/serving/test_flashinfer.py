"""FlashInfer's kernels are there, or can be compiled, or FlashInfer is turned off."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from adstudio.serving import vllm_program
from adstudio.serving.gpus import Gpu
from adstudio.serving.launch import flags_for
from adstudio.serving.model_config import model_named
from adstudio.serving.serve import commands
from adstudio.serving.vllm_program import vllm_here

pytestmark = pytest.mark.attack(18)

MODEL = model_named("Qwen/Qwen3.5-27B-FP8")
CARD = (Gpu(0, 81_559),)
KERNELS = {"flashinfer-python": "0.6.9", "flashinfer-jit-cache": "0.6.9+cu130"}


def program(place: Path, text: str = "") -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(f"#!/bin/sh\n{text}\n")
    place.chmod(0o755)


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The programs' folder of an environment with vLLM that is not on the path, where nothing else is."""
    folder = tmp_path / "environment" / "bin"
    program(folder / "python", """echo '{"vllm": "0.32.0"}'""")
    (folder / "vllm").write_text(f"#!{folder}/python\n")
    (folder / "vllm").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "other"))
    monkeypatch.setattr(vllm_program, "CUDA", tmp_path / "usual")
    monkeypatch.delenv("CUDA_HOME", raising=False)
    monkeypatch.delenv("CUDA_PATH", raising=False)
    return folder


def has(folder: Path, **packages: str) -> None:
    program(folder / "python", f"echo '{json.dumps({'vllm': '0.32.0'} | packages)}'")


def uses_flashinfer(folder: Path) -> bool:
    found = vllm_here(str(folder / "vllm"))
    fleet = flags_for(CARD, MODEL, flashinfer=found.flashinfer)
    (replica,) = commands(fleet, found, MODEL, folder)
    off = "--gdn-prefill-backend triton" in " ".join(replica.command)
    assert off == (replica.environment.get("VLLM_USE_FLASHINFER_SAMPLER") == "0")
    assert off == any("FlashInfer is not used" in note for note in fleet.notes)
    return not off


@pytest.mark.parametrize(
    ("packages", "used"),
    [
        ({}, False),
        ({"flashinfer-python": "0.6.9"}, False),
        (KERNELS, True),
        (KERNELS | {"flashinfer-jit-cache": "0.6.9"}, True),
        (KERNELS | {"flashinfer-jit-cache": "0.6.8+cu130"}, False),  # FlashInfer does not start with them
        ({"flashinfer-jit-cache": "0.6.9"}, False),
    ],
)
def test_only_kernels_of_its_own_version_count(environment: Path, packages: dict[str, str], used: bool):
    has(environment, **packages)
    assert uses_flashinfer(environment) is used


@pytest.mark.parametrize(
    ("tools", "used"),
    [
        (["other/nvcc"], False),
        (["environment/bin/ninja"], False),
        (["other/nvcc", "environment/bin/ninja"], True),
        (["other/nvcc", "other/ninja"], True),
        (["usual/bin/nvcc", "other/ninja"], True),
        (["cuda/bin/nvcc", "environment/bin/ninja"], False),
    ],
)
def test_or_a_compiler_where_flashinfer_looks_for_it(environment: Path, tmp_path: Path, tools: list[str], used: bool):
    for tool in tools:
        program(tmp_path / tool)
    assert uses_flashinfer(environment) is used


@pytest.mark.parametrize("name", ["CUDA_HOME", "CUDA_PATH"])
def test_the_toolkit_that_is_named_counts_alone(environment: Path, tmp_path: Path, monkeypatch, name: str):
    program(tmp_path / "other" / "nvcc")
    program(environment / "ninja")
    monkeypatch.setenv(name, str(tmp_path / "cuda"))
    assert not uses_flashinfer(environment)
    program(tmp_path / "cuda" / "bin" / "nvcc")
    assert uses_flashinfer(environment)


def test_its_environments_programs_are_found_first(environment: Path):
    found = vllm_here(str(environment / "vllm"))
    (replica,) = commands(flags_for(CARD, MODEL), found, MODEL, environment)
    assert replica.environment["PATH"].split(os.pathsep)[0] == str(environment)


def test_the_administrators_choice_stands(environment: Path):
    extra = ["--gdn-prefill-backend", "flashinfer"]
    (replica,) = flags_for(CARD, MODEL, extra, flashinfer=False).replicas
    assert replica.arguments[-2:] == tuple(extra)
    assert "triton" not in replica.arguments


def test_without_a_gpu_nothing_is_said_of_it():
    fleet = flags_for((), MODEL, flashinfer=False)
    assert not any("FlashInfer" in note for note in fleet.notes)
    assert "--gdn-prefill-backend" not in fleet.replicas[0].arguments

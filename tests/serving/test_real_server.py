"""A real vLLM with a tiny model of random weights: started, checked and asked by the commands that people use.

    ADSTUDIO_VLLM=/opt/vllm/bin/vllm python -m pytest -s -m real_server tests/serving/test_real_server.py

It takes about five minutes without a GPU, where `vllm_cpu.py` beside this file makes a vLLM for the processor. What a
model of random weights says has no sense; that it is JSON of the shape asked for, of the scenes shown, is the work of
the grammar and the server.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx2
import pytest
import tiny_model
from serving import free_port, is_alive, until

from adstudio.core.provenance import provenance_text
from adstudio.serving.gpus import Gpu
from adstudio.serving.launch import flags_for
from adstudio.serving.model_config import model_named
from adstudio.serving.vllm_program import vllm_here
from adstudio.store.project import ProjectFile

pytestmark = pytest.mark.real_server

START_S = 400
REPOSITORY = Path(__file__).resolve().parents[2]
KEY = "sk-real-0123456789abcdef0123456789"


class House:
    """A machine of the house that serves, and a desk that asks it."""

    def __init__(self, folder: Path, vllm: str) -> None:
        self.folder = folder
        self.program = vllm_here(vllm)
        self.url = f"https://127.0.0.1:{free_port()}"
        self.model = tiny_model.make(folder / "tiny-random-vl", str(Path(vllm).resolve().parent / "python"))
        self.certificate, certificate_key = folder / "cert.pem", folder / "key.pem"
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
        command += ["-addext", "subjectAltName=IP:127.0.0.1", "-out", str(self.certificate)]
        subprocess.run([*command, "-keyout", str(certificate_key)], check=True, capture_output=True)
        keys = folder / "keys"
        keys.write_text(f"{KEY}\n")
        keys.chmod(0o600)
        self.surroundings = os.environ | {
            "PYTHON_KEYRING_BACKEND": "file_keyring.Keyring",
            "FILE_KEYRING": str(folder / "keyring.json"),
            "PYTHONPATH": str(Path(__file__).parent),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_DATA_HOME": str(folder / "data"),
            "XDG_CACHE_HOME": str(folder / "cache"),
        }
        self.log = folder / "log"
        options = (
            "--vllm",
            vllm,
            "--model",
            str(self.model),
            "--port",
            self.url.rsplit(":", 1)[1],
            "--key-file",
            str(keys),
        )
        with self.log.open("w") as log:
            self.server = subprocess.Popen(
                self.command("serve", *options, "--tls-cert", str(self.certificate), "--tls-key", str(certificate_key)),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=self.surroundings,
            )

    def command(self, *options: object) -> list[str]:
        return ["nice", sys.executable, "-m", "adstudio.cli.main", *map(str, options)]

    def run(self, *options: object, given: str = "") -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            self.command(*options), env=self.surroundings, capture_output=True, text=True, input=given, check=False
        )
        print(f"\n$ adstudio {' '.join(map(str, options))}\n{done.stdout}{done.stderr}→ {done.returncode}")
        return done

    def connect(self) -> None:
        """The desk's connection to the server."""
        done = self.run("connect", "gpu", "--kind", "vllm", "--url", f"{self.url}/v1", "--model", self.model.name,
                        "--authority", self.certificate, "--key", given=f"{KEY}\n")  # fmt: skip
        assert done.returncode == 0

    def sent(self) -> list[dict[str, Any]]:
        """What has been noted so far of all that was sent."""
        log = self.folder / "data" / "adstudio" / "sent.jsonl"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []

    def health(self) -> dict[str, Any]:
        import ssl

        context = ssl.create_default_context(cafile=str(self.certificate))
        with httpx2.Client(verify=context, trust_env=False, headers={"Authorization": f"Bearer {KEY}"}) as client:
            return client.get(f"{self.url}/health", timeout=30).json()

    def at_work(self) -> tuple[int, int, int]:
        """Requests running, waiting, and passed on."""
        (each,) = self.health()["each"]
        return each["running"], each["waiting"], each["in_flight"]

    def is_up(self) -> bool:
        assert self.server.poll() is None, self.log.read_text()[-3000:]
        try:
            return self.health()["status"] == "up"
        except httpx2.HTTPError:
            return False


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    vllm = os.environ.get("ADSTUDIO_VLLM")
    if not vllm or shutil.which(vllm) is None:
        pytest.skip("ADSTUDIO_VLLM does not name the command of a vLLM")
    print(f"\nvLLM {vllm_here(vllm).version}")
    found = House(tmp_path_factory.mktemp("house"), vllm)
    try:
        until(found.is_up, START_S)
        found.connect()
        yield found
    finally:
        left = engines(found.server.pid)
        found.server.terminate()
        code = found.server.wait(timeout=60)
        until(lambda: not any(map(is_alive, left)))
        print(f"\nserver ended: {code}; {len(left)} processes of it are gone")
    assert code == 128 + signal.SIGTERM
    assert len(left) >= 3  # the tether, vLLM, its engine


def engines(parent: int) -> list[int]:
    """All that a process began, and what that began."""
    found, left = [], [parent]
    while left:
        pid = left.pop()
        children = Path(f"/proc/{pid}/task/{pid}/children")
        more = [int(child) for child in children.read_text().split()] if children.exists() else []
        found += more
        left += more
    return found


def test_it_knows_all_options_that_we_give(house: House):
    given: set[str] = set()
    for model in ("Qwen/Qwen3.5-27B", "Qwen/Qwen3-VL-Embedding-8B"):
        for gpus in ((), (Gpu(0, 81_559),), (Gpu(0, 46_068), Gpu(1, 46_068))):
            for replica in flags_for(gpus, model_named(model)).replicas:
                given |= {option for option in replica.arguments if option.startswith("--")}
    assert {"--tensor-parallel-size", "--runner", "--dtype"} <= given
    command = [*house.program.command, "x", "--help=all"]
    told = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False, env=house.surroundings)
    known = set(re.findall(r"--[\w-]+", told.stdout))
    assert sorted(given - known) == []


def test_it_passes_its_checks(house: House):
    assert house.run("connect", "gpu", "--test").returncode == 0
    shown = house.run("serve", "--llm", "gpu")
    assert shown.returncode == 0
    outcomes = {line[3:17].strip(): line[19:29].strip() for line in shown.stdout.splitlines() if line[0].isdigit()}
    assert outcomes.pop("frame order") == "untestable"
    assert set(outcomes.values()) == {"passed"}
    assert len(outcomes) == 8
    assert "20 time markers, 0.5 to 38.5 s" in shown.stdout
    assert "20 of 20 answers keep the schema" in shown.stdout


def test_a_film_is_drafted_stopped_and_gone_on_with(house: House):
    sys.path.insert(0, str(REPOSITORY / "tests" / "cli"))
    from model_running import film_of

    film, srt = film_of(house.folder / "film.mp4", 600)
    project = house.folder / "film.adproj"
    words = ("draft", film, "--subtitles", srt, "--llm", "gpu", "--on-premises", "-o", project)
    before = len(house.sent())

    drafting = subprocess.Popen(house.command(*words), env=house.surroundings, stderr=subprocess.PIPE, text=True)
    assert drafting.stderr is not None
    with drafting.stderr as told:
        for line in told:
            if ": 1 of 6 scenes" in line:
                break
        assert house.at_work()[2] > 0
        drafting.send_signal(signal.SIGINT)
        until(lambda: house.at_work() == (0, 0, 0), 10)
        rest = told.read()
    print(rest)
    assert drafting.wait(timeout=60) == 130
    assert "the same command goes on where it stopped, and asks nothing twice that was answered" in rest
    assert not project.exists()

    done = house.run(*words)
    assert done.returncode == 0
    assert "gpu drafted 6 of 6 scenes" in done.stderr
    with closing(ProjectFile.open(project, read_only=True)) as opened:
        script, plan = opened.saved_script, opened.saved_plan
    assert script.eventualities
    assert {line.scene for line in script.eventualities} <= {scene.id for scene in script.scenes}
    assert all(house.model.name in provenance_text(line.provenance) for line in script.eventualities)
    assert plan is not None
    assert plan.objective == plan.bound

    with closing(sqlite3.connect(house.folder / "data" / "adstudio" / "jobs" / "jobs.sqlite")) as jobs:
        made = jobs.execute("SELECT DISTINCT fingerprint FROM job WHERE state = 'done'").fetchall()
    print(f"made with {made}")
    assert made
    assert all(fingerprint.startswith("vllm-") for (fingerprint,) in made)

    noted = house.sent()[before:]
    assert {each["place"] for each in noted} == {house.url.removeprefix("https://")}
    ended = [each["event"] for each in noted if each["event"] not in ("begun", "sent")]
    assert "closed" in ended  # those that the stop cut off
    asks = ended.count("answered")
    again = house.run(*words, "--force")
    assert again.returncode == 0
    more = [each["event"] for each in house.sent()[before:]]
    assert more.count("answered") == asks  # nothing is asked twice


AD = """WEBVTT

00:00:05.000 --> 00:00:07.000
Anna opens the door.

00:00:20.000 --> 00:00:22.500
She puts a book on the table.
"""
SRT = "1\n00:00:01,000 --> 00:00:03,000\nGood evening.\n"


def test_questions_are_made_and_answered(house: House):
    """Random weights ask nothing worth knowing and answer at random: but in the form, always the same, and once."""
    names = ("ad.vtt", "same.vtt", "ad.srt", "questions.json")
    reference, same, srt, questions = (house.folder / name for name in names)
    reference.write_text(AD)
    same.write_text(AD)
    srt.write_text(SRT)
    film = ("--subtitles", srt, "--end", 60)
    making = house.run("questions", reference, *film, "--llm", "gpu", "--on-premises", "-o", questions)
    assert making.returncode in (0, 2), "what it wrote may all be of no use: that is said"
    assert making.returncode == 0 or "made no question that can be used" in making.stderr
    for_each = ({"id": f"q{at}", "time": [at, at + 1], "right": "abcde"[at % 5]} for at in range(10))
    answers = ["Anna", "Ben", "a door", "a book", "a table"]
    asked = [{**each, "question": "Who is it?", "answers": answers} for each in for_each]
    questions.write_text(json.dumps({"format": "adstudio-questions/1", "questions": asked}))
    found = []
    for number in range(2):
        before = len(house.sent())
        target = house.folder / f"evaluation{number}.json"
        done = house.run("evaluate", same, "-r", reference, *film, "--questions", questions,
                         "--llm", "gpu", "--on-premises", "--json", target)  # fmt: skip
        assert done.returncode == 0
        (system,) = json.loads(target.read_text())["systems"]
        found.append(system["mean"])
        assert (len(house.sent()) > before) is (number == 0), "what was answered is reused"
    assert found[0] == found[1]
    assert found[0]["qeval"] % 10 == 0, "each of ten questions was answered"
    assert 0 <= found[0]["qeval-t"] <= found[0]["qeval"] <= 100

"""The program inside this process for the many small cases, and small inputs for it."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from cli_running import SRT, Ran, Run, listing, problem


@pytest.fixture
def run(capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    """The program inside this process."""
    from adstudio.cli.main import main

    def ran(*arguments: object) -> Ran:
        capsysbinary.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        out, err = capsysbinary.readouterr()
        code = ended.value.code
        assert isinstance(code, int)
        return Ran(code, out, err.decode("utf-8"))

    return ran


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inside this process servers are asked again soon, and given up soon where no connection comes about."""
    from adstudio.llm import retry, transport

    monkeypatch.setattr(retry, "Backoff", partial(retry.Backoff, first=0.02))
    monkeypatch.setattr(
        transport, "Transport", partial(transport.Transport, limits=transport.TransportLimits(connect=1.0))
    )


@pytest.fixture
def nothing_written(tmp_path: Path):
    """Fails a test after which the folder is not as it was; the test says from when on by calling it."""
    before: list[dict[str, str]] = []

    def from_here() -> None:
        before[:] = [listing(tmp_path)]

    yield from_here
    assert not before or listing(tmp_path) == before[0]


@pytest.fixture
def srt(tmp_path: Path) -> Path:
    """Two cues: 1 to 3 s and 10 to 12 s."""
    path = tmp_path / "dialogue.srt"
    path.write_text(SRT, encoding="utf-8")
    return path


@pytest.fixture
def candidates(tmp_path: Path) -> Path:
    """Two elements in the paper's form: one that happens in the gap from 3 to 10 s, one in that after 12 s."""

    def element(text: str, start: str, end: str, salience: float):
        shorter = dict.fromkeys(("0.9", "0.8", "0.7", "0.6", "0.5"), "A door opens.")
        return {
            "scene_description_extract": text,
            "audio_description": text,
            "compressed_audio_descriptions": shorter,
            "occurrence_start": start,
            "occurrence_end": end,
            "salience": salience,
        }

    path = tmp_path / "candidates.json"
    path.write_text(
        json.dumps(
            [
                element("A heavy oak door opens slowly.", "00:00:04.000", "00:00:06.000", 0.8),
                element("A man steps out of the shadow.", "00:00:13.000", "00:00:15.000", 0.6),
            ]
        ),
        encoding="utf-8",
    )
    return path


@pytest.fixture
def problem_file(tmp_path: Path) -> Callable[..., Path]:
    """Writes a problem (or bytes, or text) to a file."""

    def write(content=None, name: str = "problem.json") -> Path:
        path = tmp_path / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, str):
            path.write_text(content, encoding="utf-8")
        else:
            path.write_text(json.dumps(problem() if content is None else content), encoding="utf-8")
        return path

    return write

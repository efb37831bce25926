"""`--most-cost`: a limit that nobody could keep is refused before anything is done; one that can be kept is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from model_running import MODEL, film_of

from adstudio.cli.model_options import micro_usd
from adstudio.connections.saved_connections import SavedConnection
from adstudio.core.errors import BadInputError
from adstudio.llm.capabilities import Capabilities, capabilities_of


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for kind in ("CONFIG", "DATA", "CACHE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))


def test_a_price_is_known_where_both_ways_are():
    assert Capabilities(usd_in=0.0, usd_out=0.0).price_known
    assert not Capabilities(usd_in=0.25).price_known
    assert not Capabilities(usd_out=0.25).price_known
    assert capabilities_of("gemini", "gemini-3.1-flash-lite").price_known
    assert not capabilities_of("gemini", "gemini-3.5-flash-lite").price_known
    assert not capabilities_of("gemini", "gemini-9").price_known


def test_the_limit_in_millionths():
    priced = SavedConnection("cloud", "gemini", "gemini-3.1-flash-lite")
    assert micro_usd(None, SavedConnection("cloud", "gemini", "gemini-9")) is None
    assert micro_usd(0.5, priced) == 500_000
    assert micro_usd(5, SavedConnection("house", "vllm", MODEL, "https://gpu.house:8000/v1")) == 5_000_000
    for wrong in (0, -1, 1e6, float("nan"), float("inf")):
        with pytest.raises(BadInputError, match="is not a limit"):
            micro_usd(wrong, priced)


def test_where_nothing_costs_it_is_said_that_no_limit_is_kept(capsys):
    micro_usd(5, SavedConnection("priced", "gemini", "gemini-3.1-flash-lite"))
    micro_usd(None, SavedConnection("house", "openai", "anything", "https://gpu.house:8000/v1"))
    assert capsys.readouterr().err == ""
    micro_usd(5, SavedConnection("house", "openai", "anything", "https://gpu.house:8000/v1"))
    told = capsys.readouterr().err
    assert "tokens cost nothing" in told
    assert "--most-cost has no effect" in told


@pytest.mark.parametrize(
    "named",
    [
        SavedConnection("cloud", "gemini", "gemini-3.5-flash-lite"),
        SavedConnection("cloud", "gemini", "gemini-9"),
        # The table says that servers of the house cost nothing; this is none.
        SavedConnection("cloud", "vllm", "deepseek-chat", "https://api.deepseek.com/v1"),
    ],
    ids=lambda named: named.model,
)
def test_no_limit_is_taken_for_a_model_whose_price_is_not_known(named: SavedConnection):
    with pytest.raises(BadInputError, match="is unknown, so no limit can be enforced") as error:
        micro_usd(5, named)
    assert named.model in str(error.value)
    assert "leave it out" in str(error.value)


def test_the_commands_refuse_it_before_anything_is_done(run, candidates: Path, tmp_path: Path):
    film, srt = film_of(tmp_path / "film.mp4", 30)
    for name, model in (("dear", "gemini-9"), ("cheap", "gemini-3.1-flash-lite")):
        assert run("connect", name, "--kind", "gemini", "--model", model).code == 0
    asked = ("draft", film, "--subtitles", srt, "-o", tmp_path / "p.adproj", "--most-cost", "5")
    why = ("--most-cost: the price of gemini-9 (“dear”) is unknown", "leave it out")
    run(*asked, "--llm", "dear", "--cloud", "gemini").refused(2, *why)
    weighing = ("--candidates", candidates, "--weigh", "model", "--cloud", "gemini", "--weigh-with")
    run(*asked, *weighing, "dear").refused(2, *why)
    run(*asked, "--llm", "cheap", "--cloud", "gemini", "--weigh", "model", "--weigh-with", "dear").refused(2, *why)
    run(*asked, "--candidates", candidates).refused(2, "--most-cost needs a model")
    polishing = ("polish", tmp_path / "p.adproj", "--most-cost", "5", "--llm", "dear", "--cloud", "gemini")
    run(*polishing).refused(2, *why)
    assert not (tmp_path / "p.adproj").exists()

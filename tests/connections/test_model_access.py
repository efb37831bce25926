"""From settings to a provider: the policy first, then the keyring."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("httpx2", reason="httpx2 is not installed")

sys.path.insert(0, str(Path(__file__).parents[1] / "fakes"))

from asking import run
from fake_server import Act, FakeServer

from adstudio.connections import model_access as connection
from adstudio.connections.model_access import Connection, provider_of
from adstudio.core.errors import BadInputError
from adstudio.core.policy import Consent, Host, Policy
from adstudio.llm import faults, keys
from adstudio.llm.keys import Secret

HOUSE = Policy("on premises", (Host("gpu.house", 8000),))
CLOUD = Policy("cloud", (), Consent("gemini", frozenset(("text",)), "2026-11-28T06:00:00Z"))


@pytest.mark.parametrize(
    "connection",
    [
        Connection("gemini", "gemini-3.1-flash-lite"),
        Connection("gemini", "gemini-3.1-flash-lite", policy=HOUSE),
        Connection("vllm", "m", "https://gpu.house:8000/v1", keyed=True),
        Connection("vllm", "m", "https://gpu.house:8001/v1", keyed=True, policy=HOUSE),
    ],
)
def test_the_policy_is_asked_before_the_keyring(connection, monkeypatch):
    monkeypatch.setattr(keys, "key_of", lambda _: pytest.fail("the keyring was asked"))
    with pytest.raises(faults.NotAllowedError):
        provider_of(connection)


def test_the_key_is_asked_for_by_the_servers_name(monkeypatch):
    asked = []
    monkeypatch.setattr(keys, "key_of", lambda name: asked.append(name) or Secret("sk-test-0123456789abcdef"))
    house = provider_of(Connection("vllm", "m", "https://gpu.house:8000/v1", keyed=True, policy=HOUSE))
    google = provider_of(Connection("gemini", "gemini-3.1-flash-lite", policy=CLOUD))
    provider_of(Connection("vllm", "m", "https://gpu.house:8000/v1", policy=HOUSE))
    assert asked == ["gpu.house:8000", "gemini"]
    assert (house.name, google.name) == ("vllm m", "gemini gemini-3.1-flash-lite")


def test_googles_key_is_shown_to_google_alone(monkeypatch):
    asked = []
    monkeypatch.setattr(keys, "key_of", lambda name: asked.append(name) or Secret("AIza-0123456789abcdefghijk"))
    gateway = Policy("on premises", (Host("gateway.house", 443),))
    provider_of(Connection("gemini", "gemini-3.1-flash-lite", "https://gateway.house", policy=gateway))
    provider_of(
        Connection("gemini", "gemini-3.1-flash-lite", "https://generativelanguage.googleapis.com", policy=CLOUD)
    )
    assert asked == ["gateway.house:443", "gemini"]


@pytest.mark.parametrize(
    "act", [Act(then="hang", head=False), Act(blocks=[b"{"], kind="application/json", then="hang")]
)
def test_a_server_that_never_tells_its_models_is_given_up(act, monkeypatch, tmp_path):
    monkeypatch.setattr(connection, "LONGEST_TEST_S", 0.3)

    async def work():
        async with FakeServer(act) as server:
            asked = Connection("vllm", "m", f"{server.url}/v1", log=tmp_path / "sent.jsonl").for_test()
            with pytest.raises(faults.SilentError, match="did not list its models"):
                await connection.models_of(asked)
            await server.left.wait()

    run(work)


def test_gemini_needs_a_key(monkeypatch):
    monkeypatch.setattr(keys, "key_of", lambda _: None)
    with pytest.raises(faults.KeyMissingError, match="no key for Gemini"):
        provider_of(Connection("gemini", "gemini-3.1-flash-lite", policy=CLOUD))


@pytest.mark.parametrize(("model", "url"), [("m", ""), ("m", "gpu"), (" ", "https://gpu.house:8000/v1")])
def test_settings_that_make_no_sense(model, url):
    with pytest.raises(BadInputError, match=r"not the address of a server|no model name is given"):
        provider_of(Connection("vllm", model, url, policy=HOUSE))

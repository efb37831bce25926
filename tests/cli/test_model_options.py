"""What allows a film to be sent to a model: the project's policy, or an option on top of it; and what is said first."""

from __future__ import annotations

import io
import sys

import pytest

from adstudio.cli.model_options import SendingOptions
from adstudio.connections.saved_connections import SavedConnection
from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.core.policy import Consent, Host, Policy

HOUSE = SavedConnection("house", "vllm", "m", "https://gpu.example:8000/v1")
PLAIN = SavedConnection("plain", "vllm", "m", "http://gpu.example:8000/v1")
HERE = SavedConnection("here", "openai", "m", "http://127.0.0.1:8000/v1")
CLOUD = SavedConnection("cloud", "gemini", "gemini-3.1-flash-lite")
GATEWAY = SavedConnection("gateway", "gemini", "gemini-3.1-flash-lite", "https://gateway.example")
TEXT = frozenset({"text"})
ALL = frozenset({"text", "clips", "pictures"})


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("ADSTUDIO_KEY_GEMINI", "AIza-0123456789abcdefghijk")


def asked(named, kept=None, sends=TEXT, estimated=("3 scenes",), **given):
    return SendingOptions(**given).policy(named, kept or Policy(), sends, estimated)


@pytest.mark.parametrize(
    ("named", "given", "says"),
    [
        (HOUSE, {}, "--on-premises"),
        (HOUSE, {"cloud": "gemini"}, "--on-premises instead of --cloud"),
        (CLOUD, {}, "--cloud gemini"),
        (CLOUD, {"on_premises": True}, "--cloud gemini instead of --on-premises"),
        (CLOUD, {"cloud": "openai"}, "--cloud gemini"),
        (GATEWAY, {"cloud": "gemini"}, "--on-premises instead of --cloud"),
    ],
)
def test_without_the_right_option_nothing_is_sent_and_it_is_named(named, given, says):
    with pytest.raises(BadInputError, match=says):
        asked(named, **given)


def test_a_machine_of_the_house_is_named_and_others_stay():
    policy = asked(HOUSE, on_premises=True)
    assert policy == Policy("on premises", (Host("gpu.example", 8000),))
    both = asked(HERE, policy, on_premises=True)
    assert both.hosts == (Host("gpu.example", 8000), Host("127.0.0.1", 8000, plain=True))
    consent = Consent("gemini", ALL, "2026-11-28")
    assert asked(HOUSE, Policy("cloud", (), consent), on_premises=True) == Policy("cloud", policy.hosts, consent)
    # What is kept is enough from then on, and stays as it is.
    assert asked(HOUSE, both) is both
    assert asked(HOUSE, both, on_premises=True) is both


@pytest.mark.parametrize(("named", "how"), [(HOUSE, {"on_premises": True}), (CLOUD, {"cloud": "gemini"})])
def test_what_was_withdrawn_is_not_allowed_again_with_something_else(monkeypatch, named, how):
    monkeypatch.setattr(sys, "stdin", io.StringIO("gemini\ngemini\n"))
    other, consent = Host("other.example", 443), Consent("gemini", ALL, "2026-11-28")
    policy = asked(named, Policy("offline", (other,), consent), **how)
    assert other not in policy.hosts
    assert policy.consent is None or policy.consent.sends == TEXT
    policy = asked(named, Policy("on premises", (other,), consent), **how)
    assert other in policy.hosts
    assert policy.consent is None or policy.consent.sends == TEXT


@pytest.mark.parametrize(
    ("url", "provider"),
    [
        ("https://api.openai.com/v1", "openai"),
        ("https://aiplatform.googleapis.com/v1", "google"),
        ("https://studio.openai.azure.com/v1", "azure"),
        ("https://bedrock-runtime.eu-west-1.amazonaws.com/openai/v1", "amazon"),
        ("https://generativelanguage.googleapis.com/v1beta/openai", "gemini"),
    ],
)
def test_a_providers_machine_is_confirmed_as_that_in_whatever_protocol(monkeypatch, url, provider):
    named = SavedConnection("theirs", "openai", "m", url)
    with pytest.raises(BadInputError, match=f"not a server of your own: give --cloud {provider} instead of"):
        asked(named, on_premises=True)
    monkeypatch.setattr(sys, "stdin", io.StringIO("yes\n"))
    with pytest.raises(BadInputError, match=f"to agree, type {provider}"):
        asked(named, cloud=provider)
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{provider}\n"))
    policy = asked(named, cloud=provider)
    assert policy.consent is not None
    assert (policy.consent.provider, policy.consent.sends) == (provider, TEXT)
    assert asked(named, policy) is policy
    with pytest.raises(BadInputError, match="--cloud"):
        asked(named, policy, sends=ALL)


def test_a_name_of_the_internet_is_the_houses_where_somebody_says_so(monkeypatch, capsys):
    named = SavedConnection("ours", "vllm", "m", "https://gpu.studio.tv/v1")
    for typed in ("", "yes\n", "studio.tv\n"):
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        with pytest.raises(BadInputError, match=r"to agree, type gpu\.studio\.tv"):
            asked(named, on_premises=True)
    assert "gpu.studio.tv is a public name" in " ".join(capsys.readouterr().err.split())
    monkeypatch.setattr(sys, "stdin", io.StringIO("GPU.studio.tv\n"))
    policy = asked(named, on_premises=True)
    assert policy.hosts == (Host("gpu.studio.tv", 443),)
    assert asked(named, policy, on_premises=True) is policy, "it is asked once"


def test_no_more_machines_are_allowed_than_a_project_can_name():
    full = Policy("on premises", tuple(Host(f"gpu{number}.example", 443) for number in range(100)))
    with pytest.raises(BadInputError, match="already allows 100 servers"):
        asked(HOUSE, full, on_premises=True)


def test_without_encryption_nothing_is_sent_unless_that_is_said_or_it_stays_on_this_machine(capsys):
    asked(HERE, on_premises=True)
    assert "without encryption" not in capsys.readouterr().err
    with pytest.raises(BadInputError, match=r"gpu.example:8000 begins with http://.*--plain-http to send"):
        asked(PLAIN, on_premises=True)
    allowed = asked(PLAIN, on_premises=True, plain_http=True)
    assert allowed.hosts == (Host("gpu.example", 8000, plain=True),)
    assert asked(PLAIN, allowed) is allowed, "as the editor keeps it: it was said once"
    capsys.readouterr()
    asked(PLAIN, on_premises=True, plain_http=True)
    assert "gpu.example:8000 is used without encryption" in capsys.readouterr().err
    with pytest.raises(BadInputError, match="--on-premises"):
        asked(PLAIN, Policy("on premises", (Host("gpu.example", 8000),)))


def test_for_a_provider_it_is_said_what_goes_where_and_its_name_confirms_it(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("gemini\n"))
    policy = asked(CLOUD, cloud="gemini", sends=ALL)
    assert policy.rule == "cloud"
    assert policy.consent is not None
    assert (policy.consent.provider, policy.consent.sends) == ("gemini", ALL)
    told = capsys.readouterr().err
    for part in (
        "3 scenes",
        "generativelanguage.googleapis.com",
        "Video frames",
        "Photos of people",
        "dialogue",
        "paid",
    ):
        assert part in told
    assert told.index("3 scenes") < told.index("would be sent") < told.index("Type gemini to send it")
    assert asked(CLOUD, policy, sends=TEXT) is policy


def test_what_was_not_confirmed_is_asked_about_again(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO("gemini\n"))
    kept = asked(CLOUD, cloud="gemini", sends=TEXT)
    capsys.readouterr()
    with pytest.raises(BadInputError, match="--cloud gemini"):
        asked(CLOUD, kept, sends=ALL)
    monkeypatch.setattr(sys, "stdin", io.StringIO("gemini\n"))
    wider = asked(CLOUD, kept, cloud="gemini", sends=frozenset({"clips"}))
    assert wider.consent is not None
    assert wider.consent.sends == {"text", "clips"}
    assert "Photos" not in capsys.readouterr().err


class Typed(io.StringIO):
    def isatty(self) -> bool:
        return True


class Unreadable(io.StringIO):
    def readline(self, _size: int | None = -1) -> str:
        raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")


@pytest.mark.parametrize("screen", [Typed, io.StringIO], ids=["seen", "kept in a file"])
@pytest.mark.parametrize("source", [Typed, io.StringIO], ids=["typed", "piped"])
@pytest.mark.parametrize(
    ("given", "sent"),
    [("gemini\n", True), (" Gemini \n", True), ("gemini", True), ("yes\n", False), ("\ngemini\n", False), ("", False)],
)
def test_the_name_is_read_whoever_gives_it(monkeypatch, source, screen, given, sent):
    monkeypatch.setattr(sys, "stdin", source(given))
    monkeypatch.setattr(sys, "stderr", screen())
    if sent:
        assert asked(CLOUD, cloud="gemini").rule == "cloud"
        return
    with pytest.raises(BadInputError, match=r"nothing was sent: to agree, type gemini.*echo gemini \| adstudio"):
        asked(CLOUD, cloud="gemini")


@pytest.mark.parametrize("source", [None, Unreadable("gemini\n")], ids=["closed", "no text"])
def test_where_no_name_can_be_read_nothing_is_sent(monkeypatch, source):
    monkeypatch.setattr(sys, "stdin", source)
    with pytest.raises(BadInputError, match="nothing was sent"):
        asked(CLOUD, cloud="gemini")


def test_a_key_that_is_wanted_and_not_there(monkeypatch):
    keyring = pytest.importorskip("keyring", reason="keyring is not installed")
    from keyring.backends.fail import Keyring

    monkeypatch.delenv("ADSTUDIO_KEY_GEMINI")
    before = keyring.get_keyring()
    keyring.set_keyring(Keyring())
    try:
        with pytest.raises(OutsideFailureError, match="ADSTUDIO_KEY_GEMINI"):
            SendingOptions(cloud="gemini").require(CLOUD, Policy(), TEXT)
    finally:
        keyring.set_keyring(before)

"""A server that sends the key back: it reaches no log, file or screen, however it is dressed up."""

from __future__ import annotations

import base64
import json
import logging

import pytest

pytest.importorskip("httpx2", reason="httpx2 is not installed")

import httpx2
from asking import SCHEMA, an_ask, ask_of, run
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.policy import Host, Policy
from adstudio.llm import faults, keys
from adstudio.llm.gemini import Account, GeminiProvider
from adstudio.llm.key_echoes import EchoFilter, mask_echoes
from adstudio.llm.keys import Masking, Secret, masked
from adstudio.llm.messages import State
from adstudio.llm.openai_protocol import OpenAIProvider, Server
from adstudio.serving.check.findings import Finding, report

pytestmark = pytest.mark.attack(10)

KEY = "house/Zq4vX9mLw2Tr7KpB-cN8dYf3"
SECRET = Secret(KEY)
POLICY = Policy("on premises", (Host("gpu.house", 443),))


def b64(text):
    return base64.b64encode(text.encode()).decode()


ECHOES = {
    "whole": KEY,
    "with blanks": " ".join(KEY),
    "in three parts": f"{KEY[:13]}, {KEY[13:22]} + {KEY[22:]}",
    "its first half": KEY[:20],
    "its second half": KEY[-16:],
    "on lines": "\n".join(KEY[at : at + 5] for at in range(0, len(KEY), 5)),
    "quoted parts": json.dumps([KEY[:9], KEY[9:18], KEY[18:]]),
    "base64": b64(KEY),
    "base64 behind Bearer": b64(f"Bearer {KEY}"),
    "base64 behind a name": b64(f"anna:{KEY}\n"),
    "base64 for addresses": base64.urlsafe_b64encode(f"u:{KEY}".encode()).decode().rstrip("="),
    "base64 on lines": "\n".join(b64(f"xy{KEY}")[at : at + 7] for at in range(0, 48, 7)),
    "hexadecimal": KEY.encode().hex(),
    "hexadecimal with colons": KEY.encode().hex(":").upper(),
}
ECHO = pytest.mark.parametrize("echo", ECHOES.values(), ids=ECHOES)


def bare(text):
    return "".join(letter for letter in text if letter.isascii() and letter.isalnum())


def shows(text):
    """Whether twelve letters and digits in a row of the key, or of its base64 or hexadecimal, are in a text."""
    found = bare(text)
    forms = [KEY, KEY.encode().hex(), KEY.encode().hex().upper()]
    forms += [b64("x" * before + KEY + "y")[4 * bool(before) : -4] for before in range(3)]
    pieces = {bare(form)[at : at + 12] for form in forms for at in range(len(bare(form)) - 11)}
    return any(piece in found for piece in pieces)


@ECHO
def test_every_form_of_a_key_is_masked(echo):
    assert shows(echo)  # the test sees it
    shown = masked(f"wrong: {echo}! Ask Anna.", SECRET)
    assert not shows(shown)
    assert shown.startswith("wrong: ")
    assert "•••" in shown
    assert shown.endswith("! Ask Anna.")


@ECHO
def test_a_log_masks_it(echo):
    record = logging.LogRecord("x", logging.ERROR, "p", 1, "the server said %s", (echo,), None)
    Masking(SECRET).filter(record)
    assert not shows(record.getMessage())


class Replays(httpx2.AsyncBaseTransport):
    def __init__(self, body, status=200, kind="text/event-stream"):
        self._given = (body, status, kind)

    async def handle_async_request(self, request):
        body, status, kind = self._given
        return httpx2.Response(status, headers={"Content-Type": kind}, content=body)


def event(found):
    return f"data: {json.dumps(found)}\n\n".encode()


def openai(transport):
    return OpenAIProvider(Server("https://gpu.house/v1", "m", key=SECRET), POLICY, transport)


def gemini(transport):
    pytest.importorskip("google.genai", reason="google-genai is not installed")
    return GeminiProvider(Account("gemini-3.1-flash-lite", SECRET, "https://gpu.house"), POLICY, transport)


def streams(text, size, echo):
    """A response that names the key as its model and in its text, by blocks of so many characters."""
    blocks = [text[at : at + size] for at in range(0, len(text), size)]
    named = {"model": echo, "system_fingerprint": echo, "id": echo}
    openai_events = [named | {"choices": [{"delta": {"content": block, "reasoning": block}}]} for block in blocks]
    openai_events.append({"choices": [{"delta": {}, "finish_reason": "stop"}]})
    named = {"modelVersion": echo, "responseId": echo}
    gemini_events = [named | {"candidates": [{"content": {"parts": [{"text": block}]}}]} for block in blocks]
    gemini_events.append({"candidates": [{"finishReason": "STOP"}]})
    return {openai: b"".join(map(event, openai_events)), gemini: b"".join(map(event, gemini_events))}


@pytest.mark.parametrize("provider", [openai, gemini])
@pytest.mark.parametrize("size", [1, 3, 4, 11, 1000])
@ECHO
def test_a_response_with_the_key_shows_it_nowhere(provider, size, echo):
    heard = []
    body = streams(f"He parks. {echo} She waves.", size, echo)[provider]
    answer = run(lambda: ask_of(provider(Replays(body)), None, heard))
    texts, thoughts = ("".join(getattr(chunk, name) for chunk in heard) for name in ("text", "thought"))
    assert answer.state is State.COMPLETE
    for shown in (answer.text, texts, thoughts, answer.model, answer.fingerprint, answer.response_id, repr(answer)):
        assert not shows(shown), shown
    assert answer.text.startswith("He parks. ")
    assert answer.text.endswith(" She waves.")


@pytest.mark.parametrize("size", [1, 3, 7, 1000])
def test_nothing_else_is_held_back_or_changed(size):
    text = "The house is dark. Zq4 and vX9m are painted on its door; hex 686f7573 beside them.\n" * 3
    heard = []
    answer = run(lambda: ask_of(openai(Replays(streams(text, size, "m-1")[openai])), None, heard))
    assert answer.text == "".join(chunk.text for chunk in heard) == "".join(chunk.thought for chunk in heard) == text
    assert (answer.model, answer.fingerprint) == ("m-1", "m-1")


PLACES = {
    "an error": (400, "application/json", lambda echo: json.dumps({"error": {"message": f"bad {echo}"}})),
    "a stream's error": (200, "text/event-stream", lambda echo: event({"error": {"message": f"bad {echo}"}}).decode()),
    "a type": (200, "text/x", lambda echo: "x"),
    "a refusal": (
        200,
        "text/event-stream",
        lambda echo: event(
            {"choices": [{"delta": {"refusal": f"No: {echo}"}, "finish_reason": "stop"}]},
        ).decode(),
    ),
}


@pytest.mark.parametrize(("status", "kind", "body"), PLACES.values(), ids=PLACES)
@ECHO
def test_a_fault_quotes_no_key(status, kind, body, echo):
    kind = f"text/{echo.replace(chr(10), '')[:70]}" if kind == "text/x" else kind
    answer = run(lambda: ask_of(openai(Replays(body(echo).encode(), status, kind))))
    assert answer.fault is not None
    assert not shows(f"{answer.why} {answer.fault} {answer.fault!r} {answer!r}")


@pytest.mark.parametrize("provider", [openai, gemini])
@ECHO
def test_a_key_as_the_name_of_a_model_is_not_shown(provider, echo):
    body = {"data": [{"id": echo}, {"id": "m-1"}], "models": [{"name": echo}, {"name": "models/m-1"}]}
    names = run(provider(Replays(json.dumps(body).encode(), kind="application/json")).models)
    assert not any(map(shows, names))
    assert "m-1" in names


@ECHO
def test_a_server_check_shows_no_key(echo, monkeypatch):
    monkeypatch.setattr(keys, "_IN_USE", {KEY})
    finding = Finding(1, "versions", "passed", f"model {echo}, vLLM {echo}")
    assert not shows(repr(report("https://gpu.house", "m", (finding,))) + "".join(finding.lines(str)))


def test_json_around_an_echo_stays_whole():
    said = json.dumps({"salience_pct": 4, "ad": KEY})
    body = event({"choices": [{"delta": {"content": said}, "finish_reason": "stop"}]})
    answer = run(lambda: ask_of(openai(Replays(body)), an_ask(schema=SCHEMA)))
    assert json.loads(answer.text) == {"salience_pct": 4, "ad": "•••"}


def test_a_short_key_is_no_part_of_words():
    assert mask_echoes("The house key.", ["house"]) == "The house key."


def test_a_wrong_key_is_told_without_it():
    body = json.dumps({"error": {"message": f"Incorrect API key provided: {KEY[:12]} {KEY[12:]}"}}).encode()
    answer = run(lambda: ask_of(openai(Replays(body, 401, "application/json"))))
    assert type(answer.fault) is faults.KeyRefusedError
    assert "•••" in answer.why


@given(chunks=st.lists(st.text(alphabet=f"{KEY} .", max_size=9), max_size=30))
def test_chunks_are_masked_as_their_whole_is_but_for_three_characters(chunks):
    """A piece is only known as one from its fourth character on."""
    screen = EchoFilter(KEY)
    shown = "".join(map(screen.feed, chunks)) + screen.flush()
    assert not shows(shown)
    if not shows("".join(chunks)):
        assert shown == "".join(chunks)

"""Keys live in the keyring and are never shown; answers that run away are noticed."""

from __future__ import annotations

import io
import json
import logging
import pickle
import subprocess
import sys
from urllib.parse import quote

import pytest

from adstudio.cli import failure
from adstudio.drafting.events import PROTOCOL
from adstudio.drafting.request import DraftRequest
from adstudio.llm import faults, keys
from adstudio.llm.http_faults import ErrorReport, fault_of
from adstudio.llm.keys import (
    Masking,
    Secret,
    delete_key,
    key_of,
    masked,
    session_key,
    set_session_key,
    store_key,
    variable_of,
)
from adstudio.serving.keys import keys_of_file

KEY = Secret("sk-test-0123456789abcdef")


@pytest.fixture
def keyring_of():
    """Puts another keyring in the place of the system's, and that back afterwards."""
    keyring = pytest.importorskip("keyring", reason="keyring is not installed")
    before = keyring.get_keyring()
    yield keyring.set_keyring
    keyring.set_keyring(before)


def a_keyring(**failing):
    from keyring.backend import KeyringBackend

    class Memory(KeyringBackend):
        priority = 1

        def __init__(self):
            super().__init__()
            self.kept = {}

        def _fail(self, call):
            if call in failing:
                raise failing[call]

        def get_password(self, service, username):
            self._fail("get")
            return self.kept.get((service, username))

        def set_password(self, service, username, password):
            self._fail("set")
            self.kept[service, username] = password

        def delete_password(self, service, username):
            self._fail("delete")
            del self.kept[service, username]

    return Memory()


def test_a_key_is_kept_and_forgotten(keyring_of):
    ring = a_keyring()
    keyring_of(ring)
    assert key_of("gemini") is None
    store_key("gemini", f" {KEY.reveal()}\n")
    assert ring.kept == {("adstudio", "gemini"): KEY.reveal()}
    assert key_of("gemini").reveal() == KEY.reveal()
    delete_key("gemini")
    delete_key("gemini")
    assert ring.kept == {}


@pytest.mark.parametrize("value", ["", "  ", "two words", "schlüssel", "a" * 5000])
def test_what_is_no_key_is_not_kept(keyring_of, value):
    keyring_of(a_keyring())
    with pytest.raises(faults.KeyMissingError, match="not a key"):
        store_key("gemini", value)


@pytest.mark.parametrize("value", ["two words", "schlüssel", "a" * 5000, "a\x7fb"])
def test_what_is_no_key_is_sent_nowhere_whoever_put_it_there(keyring_of, monkeypatch, value):
    ring = a_keyring()
    ring.kept["adstudio", "gemini"] = value
    keyring_of(ring)
    with pytest.raises(faults.KeyMissingError, match="the keyring’s entry for gemini is not a key") as told:
        key_of("gemini")
    assert value not in str(told.value)
    monkeypatch.setenv("ADSTUDIO_KEY_GEMINI", value)
    with pytest.raises(faults.KeyMissingError, match="ADSTUDIO_KEY_GEMINI does not hold a key") as told:
        key_of("gemini")
    assert value not in str(told.value)
    delete_key("gemini")
    delete_key("gemini")
    assert ring.kept == {}


def test_without_a_keyring_a_key_is_kept_for_the_session_alone(keyring_of, monkeypatch):
    from keyring.backends import fail

    keyring_of(fail.Keyring())
    monkeypatch.delenv("ADSTUDIO_KEY_GPU_2EEXAMPLE_3A8000", raising=False)
    with pytest.raises(faults.NoKeyringError, match="no keyring"):
        key_of("gpu.example:8000")
    set_session_key("gpu.example:8000", f" {KEY.reveal()} ")
    assert key_of("gpu.example:8000").reveal() == KEY.reveal()
    assert session_key("gpu-example:8000") is None, "another machine is never sent it"
    delete_key("gpu.example:8000")
    assert session_key("gpu.example:8000") is None
    with pytest.raises(faults.KeyMissingError, match="not a key"):
        set_session_key("gpu.example:8000", "two words")


def test_a_key_of_the_environment_goes_before_that_of_the_keyring_until_one_is_kept(keyring_of, monkeypatch):
    ring = a_keyring()
    keyring_of(ring)
    store_key("gemini", "kept-in-the-keyring")
    monkeypatch.setenv("ADSTUDIO_KEY_GEMINI", "given-from-outside")
    assert key_of("gemini").reveal() == "given-from-outside"
    delete_key("gemini")
    assert ring.kept == {}
    assert key_of("gemini") is None, "what is forgotten is nowhere"


def test_a_locked_keyring_may_hold_a_key_still(keyring_of, monkeypatch):
    keyring = pytest.importorskip("keyring.errors", reason="keyring is not installed")
    keyring_of(a_keyring(get=keyring.KeyringLocked()))
    monkeypatch.setenv("ADSTUDIO_KEY_GEMINI", "given-from-outside")
    with pytest.raises(faults.KeyringLockedError, match="locked"):
        delete_key("gemini")


@pytest.mark.parametrize(
    ("server", "variable"),
    [("gemini", "GEMINI"), ("a-b:1", "A_2DB_3A1"), ("a.b:1", "A_2EB_3A1"), ("a_b:1", "A_5FB_3A1")],
)
def test_no_two_servers_share_a_variable(server, variable):
    assert variable_of(server) == f"ADSTUDIO_KEY_{variable}"


def test_a_locked_keyring_is_a_sentence(keyring_of):
    from keyring.errors import KeyringLocked

    keyring_of(a_keyring(get=KeyringLocked("x")))
    with pytest.raises(faults.KeyMissingError, match="is locked: unlock it"):
        key_of("gemini")


def test_a_keyring_that_fails_does_not_tell_the_key(keyring_of):
    from keyring.errors import PasswordSetError

    for error in (PasswordSetError(KEY.reveal()), RuntimeError(KEY.reveal())):
        keyring_of(a_keyring(set=error))
        with pytest.raises(faults.KeyMissingError) as told:
            store_key("gemini", KEY.reveal())
        assert KEY.reveal() not in str(told.value)
        assert (told.value.__cause__, told.value.__context__) == (None, None)


def test_no_keyring_is_a_sentence(keyring_of):
    from keyring.backends import fail, null

    for none in (fail.Keyring(), null.Keyring()):
        keyring_of(none)
        with pytest.raises(faults.KeyMissingError, match="no keyring that can store secrets"):
            key_of("gemini")
        with pytest.raises(faults.KeyMissingError, match="no keyring that can store secrets"):
            store_key("gemini", KEY.reveal())


def test_a_file_of_plain_text_is_no_keyring(keyring_of):
    ring = a_keyring()
    type(ring).__module__ = "keyrings.alt.file"
    keyring_of(ring)
    with pytest.raises(faults.KeyMissingError, match="no keyring that can store secrets"):
        store_key("gemini", KEY.reveal())


def test_without_the_library_it_is_a_sentence(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "keyring", None)
    with pytest.raises(faults.ClientMissingError, match="pip install keyring"):
        key_of("gemini")


def test_a_key_is_not_shown():
    for shown in (repr(KEY), str(KEY), f"{KEY}", f"{KEY!r:>20}", f"{[KEY]}"):
        assert "test" not in shown
    assert KEY.hint == "•••cdef"
    assert Secret("short").hint == "•••"
    with pytest.raises(TypeError):
        pickle.dumps(KEY)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"wrong key{KEY.reveal()}!", "wrong key•••!"),
        ("Authorization: Bearer abc.def", "Authorization: •••"),
        ("x-goog-api-key: abcdef", "x-goog-api-key: •••"),
        ("GET /v1?key=abcdef&alt=sse", "GET /v1?key=•••&alt=sse"),
        ("AIzaSyA0123456789abcdefghijklmnop is bad", "••• is bad"),
        ("sk-proj-0123456789abcdef is bad", "••• is bad"),
        ("data:video/mp4;base64," + "QUJD" * 20, "data:video/mp4;base64,•••"),
        ("{'x-goog-api-key': 'house key', 'accept': '*'}", "{'x-goog-api-key': '•••', 'accept': '*'}"),
        ("{'x-goog-api-key': 'it\\'s', 'accept': '*'}", "{'x-goog-api-key': '•••', 'accept': '*'}"),
        ('{"Authorization":"Bearer abc"}', '{"Authorization":"•••"}'),
        ('"{\\"api_key\\": \\"abc\\", \\"n\\": 1}"', '"{\\"api_key\\": \\"•••\\", \\"n\\": 1}"'),
        ("[(b'x-api-key', b'abc'), (b'host', b'h')]", "[(b'x-api-key', b'•••'), (b'host', b'h')]"),
        ("{'api-key': 'cut short by the lo", "{'api-key': '•••"),
        ("curl -H 'Authorization: Bearer abc' https://h/v1", "curl -H 'Authorization: •••' https://h/v1"),
        ("curl -H x-goog-api-key:abc https://h/v1", "curl -H x-goog-api-key:••• https://h/v1"),
        ("environ({'ADSTUDIO_KEY_GPU_3A1': 'abc', 'A': 'b'})", "environ({'ADSTUDIO_KEY_GPU_3A1': '•••', 'A': 'b'})"),
        ("ADSTUDIO_KEY_GEMINI=abc adstudio draft", "ADSTUDIO_KEY_GEMINI=••• adstudio draft"),
        ("https://anna:secret@h/v1", "https://•••@h/v1"),
        ("key=abc", "key=•••"),
        ("He parks the car, key in hand.", "He parks the car, key in hand."),
    ],
)
def test_what_looks_like_a_key_is_masked(text, shown):
    assert masked(text, KEY) == shown


def test_a_key_that_was_read_is_masked_wherever_it_stands(keyring_of, monkeypatch):
    """In no form that would be known as a key's, in a log that was given none."""
    keyring_of(a_keyring())
    monkeypatch.setattr(keys, "_IN_USE", set())
    read, typed, given = 'plain/house"key', "another+house+key", "of the environment".replace(" ", "~")
    store_key("gpu:1", read)
    monkeypatch.setattr(keys, "_IN_USE", set())
    assert key_of("gpu:1").reveal() == read
    store_key("gpu:2", typed)
    monkeypatch.setenv(variable_of("gpu:3"), given)
    monkeypatch.setenv(variable_of("gpu:4"), "abc")
    told = f"{read} {read!r} {json.dumps(read)} {quote(read, safe='')} {typed} {quote(typed)} {given} abcde"
    assert masked(told) == "••• '•••' \"•••\" ••• ••• ••• ••• abcde"
    record = logging.LogRecord("x", logging.ERROR, "p", 1, "said %s", (read,), None)
    record.stack_info = f"in {typed}"
    Masking().filter(record)
    assert (record.getMessage(), record.stack_info) == ("said •••", "in •••")


def test_a_servers_own_keys_are_masked_too(tmp_path, monkeypatch):
    monkeypatch.setattr(keys, "_IN_USE", set())
    file = tmp_path / "keys"
    file.write_text("# Anna\nplain~house~key~0123\n")
    keys_of_file(file)
    assert masked("vLLM was started with plain~house~key~0123") == "vLLM was started with •••"


def test_a_process_that_breaks_down_tells_its_trace_without_a_key(monkeypatch):
    code = (
        "from adstudio.drafting import worker\n"
        "from adstudio.llm.keys import key_of\n"
        "def run(_): raise RuntimeError(key_of('gpu:1').reveal())\n"
        "worker.DraftRun.run = run\n"
        "raise SystemExit(worker.main())"
    )
    monkeypatch.setenv(variable_of("gpu:1"), "plain-house-key")
    request = PROTOCOL.request_line(DraftRequest()).decode()
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, input=request)
    assert ended.returncode == 1
    assert "RuntimeError: •••" in ended.stderr
    assert "plain-house-key" not in ended.stderr


def test_a_log_is_masked_with_its_errors():
    told = io.StringIO()
    handler = logging.StreamHandler(told)
    handler.addFilter(Masking(KEY))
    logger = logging.getLogger("adstudio.test_masking")
    logger.propagate = False
    logger.addHandler(handler)
    try:
        outer = RuntimeError("outer")
        outer.__cause__ = ValueError(f"inner {KEY.reveal()}")
        logger.warning("asked with %s", KEY.reveal(), exc_info=outer)
    finally:
        logger.removeHandler(handler)
    assert KEY.reveal() not in told.getvalue()
    assert "asked with •••" in told.getvalue()
    assert "inner •••" in told.getvalue()


def test_the_programs_own_log_holds_no_key(tmp_path, monkeypatch):
    monkeypatch.setattr(failure, "log_file", lambda: str(tmp_path / "adstudio.log"))
    with failure.logged():
        failure.error_message(faults.ServerError(f"gpu:1 said Authorization: Bearer {KEY.reveal()}"))
    text = (tmp_path / "adstudio.log").read_text("utf-8")
    assert "gpu:1 said Authorization: •••" in text
    assert KEY.reveal() not in text


def test_long_words_of_a_server_are_cut():
    fault = fault_of(ErrorReport("gpu:1", "m", 500, "a\n\n b " * 500))
    assert len(str(fault)) < 350
    assert "\n" not in str(fault)

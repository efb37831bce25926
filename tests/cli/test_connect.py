"""`adstudio connect`: what is kept, where keys go, and a test that sends nothing of any film."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
from pathlib import Path

import pytest
from model_running import MODEL, serving

pytest.importorskip("httpx2", reason="httpx2, which asks servers, is not installed")

KEY = "sk-0123456789abcdef0123"


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for kind in ("CONFIG", "DATA"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))


@pytest.fixture
def ring():
    """A keyring in memory in the place of the system's."""
    keyring = pytest.importorskip("keyring", reason="keyring is not installed")
    from keyring.backend import KeyringBackend

    class Memory(KeyringBackend):
        priority = 1  # type: ignore[assignment]

        def __init__(self) -> None:
            super().__init__()
            self.kept: dict[str, str] = {}

        def get_password(self, service, username):
            return self.kept.get(username)

        def set_password(self, service, username, password):
            self.kept[username] = password

        def delete_password(self, service, username):
            del self.kept[username]

    before, memory = keyring.get_keyring(), Memory()
    keyring.set_keyring(memory)
    yield memory
    keyring.set_keyring(before)


def house(run, *more, url="https://gpu.example:8000/v1"):
    return run("connect", "house", "--kind", "vllm", "--url", url, "--model", MODEL, *more)


def test_a_connection_is_added_changed_listed_and_removed(run):
    assert run("connect", "--list").out == b""
    assert house(run).code == 0
    assert run("connect", "house").out.decode() == f"house · vllm · {MODEL} · https://gpu.example:8000/v1\n"
    assert run("connect", "house", "--model", "other").code == 0
    assert run("connect", "cloud", "--kind", "gemini", "--model", "gemini-3.1-flash-lite").code == 0
    assert [line.split(" · ")[2] for line in run("connect", "--list").out.decode().splitlines()] == [
        "other",
        "gemini-3.1-flash-lite",
    ]
    assert run("connect", "house", "--remove").code == 0
    run("connect", "house").refused(2, "there is no connection “house”", "cloud")


def test_what_makes_no_sense_is_refused(run, tmp_path):
    run("connect").refused(2, "--list")
    run("connect", "--list", "--test").refused(2, "too many actions")
    run("connect", "a", "--remove", "--model", "m").refused(2, "too many actions")
    run("connect", "house", "--list").refused(2, "leave out the name")
    run("connect", "house", "--url", "https://gpu.example/v1").refused(2, "--kind")
    run("connect", "house", "--kind", "vllm", "--url", "gpu", "--model", "m").refused(2, "not the address of a server")
    run("connect", "house", "--kind", "vllm", "--url", "https://gpu/v1").refused(2, "enter the name of a model")
    run("connect", "house", "--kind", "other").refused(2, "--kind")
    run("connect", "a", "--kind", "gemini", "--model", "m", "--authority", tmp_path / "x").refused(
        2, "certificate file"
    )


def test_what_may_be_secret_is_printed_nowhere(run, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    secrets = ("secretpw", KEY)
    for given in (
        *(("--url", f"http://user:{secret}@host/v1", "--kind", "vllm", "--model", "m") for secret in secrets),
        *(("--url", f"http://host/v1?key={secret}", "--kind", "vllm", "--model", "m") for secret in secrets),
        ("--key", KEY),
        (f"--key={KEY}",),
    ):
        done = run("connect", "house", *given)
        assert done.code == 2, done.err
        assert not any(secret in done.err for secret in secrets), done.err
    kept = [path.read_text() for path in tmp_path.rglob("*") if path.is_file()]
    assert not any(secret in text for text in kept for secret in secrets)


def test_a_name_is_the_same_whatever_blanks_stand_around_it(run):
    assert run("connect", " house\n", "--kind", "openai", "--url", "https://gpu/v1", "--model", "m").code == 0
    kept = b"house \xc2\xb7 openai \xc2\xb7 m \xc2\xb7 https://gpu/v1\n"
    assert run("connect", "house").out == run("connect", "  house ").out == kept
    assert run("connect", "house ", "--model", "other").err.startswith("changed: ")
    new = ("--kind", "openai", "--url", "https://gpu/v1", "--model", "m")
    run("connect", "ho\nuse", *new).refused(2, "“ho\\nuse” is not a valid", "one line")
    run("connect", "ho\x1buse").refused(2, "“ho\\x1buse”", "known: house")
    run("connect", " ", *new).refused(2, "is not a valid")
    assert run("connect", "house ", "--remove").code == 0
    assert run("connect", "--list").out == b""


def test_certificates_are_looked_at_at_once_and_left_again(run, tmp_path):
    readme, chosen = tmp_path / "README.md", tmp_path / "house.pem"
    readme.write_text("no certificate\n")
    certifi = pytest.importorskip("certifi", reason="certifi, whose certificates the test uses, is not installed")
    first = Path(certifi.where()).read_text("utf-8").partition("-----END CERTIFICATE-----")
    chosen.write_text("".join(first[:2]) + "\n", "utf-8")
    assert house(run).code == 0
    for given in (readme, tmp_path, tmp_path / "none.pem", "/dev/null", "\0"):
        run("connect", "house", "--authority", given).refused(2)
    run("connect", "house", "--authority", readme).refused(2, "README.md", "PEM")
    assert b"trusting" not in run("connect", "house").out
    assert run("connect", "house", "--authority", chosen).code == 0
    assert f"trusting {chosen}" in run("connect", "house").out.decode()
    assert run("connect", "house", "--authority", "").code == 0
    assert b"trusting" not in run("connect", "house").out


def test_an_address_with_colons_stands_in_brackets(run):
    assert house(run, url="http://[::1]:18500/v1").code == 0
    assert "asking [::1]:18500 which" in run("connect", "house", "--test").err


def test_a_list_that_is_no_list(run, tmp_path):
    place = tmp_path / "CONFIG/adstudio/connections.json"
    place.parent.mkdir(parents=True)
    place.write_bytes(b" " * 1_000_001)
    run("connect", "--list").refused(2, "larger than a list of connections can be")
    place.unlink()
    place.mkdir()
    run("connect", "--list").refused(2, "is a folder, not a list of connections")


def test_a_key_is_read_and_goes_into_the_keyring_alone(run, ring, monkeypatch, tmp_path):
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{KEY}\n"))
    done = house(run, "--key")
    assert done.code == 0
    assert ring.kept == {"gpu.example:8000": KEY}
    assert KEY not in done.err
    assert KEY not in run("connect", "--list").out.decode()
    assert all(KEY not in path.read_text() for path in tmp_path.rglob("*.json*"))
    # Another connection to the same machine uses the same key.
    assert run("connect", "two", "--kind", "openai", "--url", "https://gpu.example:8000/v1", "--model", "m").code == 0
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{KEY}\n"))
    assert run("connect", "two", "--key").code == 0
    assert "was not removed: another connection uses it" in run("connect", "two", "--remove").err
    assert run("connect", "house", "--remove").code == 0
    assert ring.kept == {}


def test_what_is_no_key_changes_nothing(run, ring, monkeypatch):
    for typed, told in (("two words\n", "not a key"), ("\n", "no key was typed"), ("", "no key was typed")):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        house(run, "--key").refused(2, told, "nothing was changed")
    assert run("connect", "--list").out == b""


@pytest.mark.parametrize(
    ("address", "warned"), [("http://gpu.example:8000", 1), ("http://127.0.0.1:8000", 0), ("https://gpu.example", 0)]
)
def test_a_key_that_would_go_out_unencrypted_is_warned_of(run, ring, monkeypatch, address, warned):
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{KEY}\n"))
    done = house(run, "--key", url=f"{address}/v1")
    assert (done.code, done.err.count("can read its key")) == (0, warned)
    assert "can read its key" not in house(run, "--no-key", url=f"{address}/v1").err


@pytest.mark.parametrize("kind", ["vllm", "gemini"])
def test_a_test_sends_no_key_unencrypted_unless_that_is_said(run, ring, monkeypatch, kind):
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{KEY}\n"))
    at = ("--kind", kind, "--url", "http://127.9.9.9.example:1/v1", "--model", MODEL)
    assert run("connect", "house", *at, "--key").code == 0
    run("connect", "house", "--test").refused(2, "nothing was sent", "begins with http://", "--plain-http")
    assert "can read its key" in run("connect", "house", "--test", "--plain-http").err, "and it is tried"
    without = run("connect", "house", *at, "--no-key")
    if kind == "gemini":
        without.refused(2, "always needs a key", "--no-key")
    else:
        assert without.code == 0
        assert "nothing was sent" not in run("connect", "house", "--test").err, "there is nothing to be read"


def test_what_is_removed_is_in_the_keyring_no_more_whatever_the_environment_holds(run, ring, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{KEY}\n"))
    house(run, "--key")
    monkeypatch.setenv("ADSTUDIO_KEY_GPU_2EEXAMPLE_3A8000", "another-one")
    done = run("connect", "house", "--remove")
    assert (done.code, ring.kept) == (0, {})
    assert "ADSTUDIO_KEY_GPU_2EEXAMPLE_3A8000 still holds a key" in done.err


def test_without_a_keyring_the_environment_is_named(run, monkeypatch):
    keyring = pytest.importorskip("keyring", reason="keyring is not installed")
    from keyring.backends.fail import Keyring

    before = keyring.get_keyring()
    keyring.set_keyring(Keyring())
    try:
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{KEY}\n"))
        done = house(run, "--key")
    finally:
        keyring.set_keyring(before)
    assert done.code == 3
    assert "ADSTUDIO_KEY_GPU_2EEXAMPLE_3A8000" in done.err
    assert KEY not in done.err
    assert b"with a key" in run("connect", "--list").out
    keyring.set_keyring(Keyring())
    try:
        run("connect", "house", "--test").refused(3, "no keyring", "ADSTUDIO_KEY_GPU_2EEXAMPLE_3A8000")
        done = run("connect", "house", "--remove")
        assert done.code == 3
        assert "removed: house" in done.err
        assert "the connection was removed, but a stored key of gpu.example:8000 may remain" in done.err
        assert run("connect", "--list").out == b""
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{KEY}\n"))
        assert house(run, "--key").code == 3
    finally:
        keyring.set_keyring(before)
    assert run("connect", "house", "--no-key").code == 0
    assert b"with a key" not in run("connect", "--list").out


def test_the_test_asks_for_the_models_and_nothing_else(run, tmp_path):
    with serving(tmp_path) as server:
        house(run, url=f"{server.address}/v1")
        done = run("connect", "house", "--test")
        assert done.code == 0, done.err
        assert f"127.0.0.1:{server.port} responds, and has {MODEL}" in done.err
        assert "known model: up to 49,152 tokens in" in done.err
        done = run("connect", "house", "--model", "llama", "--test")
        assert done.code == 1
        assert f"has no model “llama”: it has {MODEL}" in done.err
        assert [row["kind"] for row in server.rows if "kind" in row] == ["models", "models"]
    sent = [json.loads(row) for row in (tmp_path / "DATA/adstudio/sent.jsonl").read_text().splitlines()]
    assert {row["method"] for row in sent} == {"GET"}
    run("connect", "house", "--test")
    assert run("connect", "house", "--test").code == 3


def test_a_key_that_is_wanted_and_geminis_list(run, tmp_path, monkeypatch):
    pytest.importorskip("google.genai", reason="google-genai is not installed")
    with serving(tmp_path, "--key", KEY) as server:
        run("connect", "g", "--kind", "gemini", "--model", "gemini-3.1-flash-lite", "--url", server.address)
        own = f"ADSTUDIO_KEY_127_2E0_2E0_2E1_3A{server.port}"
        monkeypatch.setenv(own, "sk-wrong-0123456789")
        wrong = run("connect", "g", "--test")
        assert wrong.code == 3
        assert "rejected the key" in wrong.err
        assert "sk-wrong" not in wrong.err
        monkeypatch.setenv(own, KEY)
        done = run("connect", "g", "--test")
        assert done.code == 0, done.err
        assert "0.25 US dollars in" in done.err


def test_a_server_that_asks_for_a_key_where_none_is_given(run, tmp_path):
    with serving(tmp_path, "--key", KEY) as server:
        assert house(run, "--no-key", url=f"{server.address}/v1").code == 0
        done = run("connect", "house", "--test")
    assert done.code == 3
    assert "requires a key, and this connection has none: add one with adstudio connect house --key" in done.err


def test_a_machine_is_called_the_same_in_all_sentences(run, tmp_path):
    with serving(tmp_path) as server:
        house(run, url=f"{server.address.replace('127.0.0.1', '127.0.0.1.')}/v1")
        done = run("connect", "house", "--test")
    assert done.code == 0, done.err
    house(run, url="http://127.0.0.1.:9/v1")
    gone = run("connect", "house", "--test")
    assert gone.code == 3
    for told in (done.err, gone.err):
        assert "asking 127.0.0.1:" in told
        assert "127.0.0.1.:" not in told.partition("asking")[2], told


def test_the_list_and_its_lock_are_for_its_user_alone(run, tmp_path):
    assert house(run).code == 0
    folder = tmp_path / "CONFIG/adstudio"
    files = [folder / "connections.json", folder / ".connections.json.lock"]
    for _ in range(2):
        assert [path.stat().st_mode & 0o777 for path in files] == [0o600, 0o600]
        for path in files:
            path.chmod(0o644)
        assert house(run, "--no-key").code == 0


def test_a_certificate_of_the_houses_own(run, tmp_path):
    if shutil.which("openssl") is None:
        pytest.skip("openssl, which makes the test's certificate, is not installed")
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=house"),
            *("-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "both.pem", "-out", "certificate.pem"),
        ],
        cwd=tmp_path, check=True, capture_output=True,
    )  # fmt: skip
    with (tmp_path / "both.pem").open("a") as both:
        both.write((tmp_path / "certificate.pem").read_text())
    with serving(tmp_path, "--tls", str(tmp_path / "both.pem")) as server:
        house(run, url=f"{server.address}/v1")
        untrusted = run("connect", "house", "--test")
        assert untrusted.code == 3
        assert "certificate" in untrusted.err
        done = run("connect", "house", "--authority", tmp_path / "certificate.pem", "--test")
        assert done.code == 0, done.err

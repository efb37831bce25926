"""Throws damaged screenplays at the readers: `python tests/fuzz/fuzz_screenplays.py --seconds 600 [--seed N]`.

Seed files are the samples of the shared data, where they are, and some made here: Fountain, FDX, laid-out text and PDF.
One is damaged at random (bytes, tokens, stretches repeated) and read. What is allowed: a screenplay that is sound, or
`ScreenplayError`. Anything else, a reading that takes more than ten seconds, or memory that grows beyond 1 GB ends the
run with the input kept beside it.
"""

from __future__ import annotations

import argparse
import random
import resource
import signal
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "fakes"))

from screenplay_pages import Piece, as_pdf, as_text, pages

from adstudio.screenplay.file import parse_screenplay
from adstudio.screenplay.parsed_screenplay import ScreenplayError, Speech

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "data" / "screenplay"
LARGEST_SEED = 60_000
TOKENS = (
    *(b"\n", b"\n\n", b"\n  \n", b"INT. ", b"EXT. X\n", b"ANNA\n", b"(", b")", b"^", b"*", b"**", b"_", b"\\", b"[["),
    *(b"]]", b"/*", b"*/", b"#", b"= ", b"===\n", b">", b"<", b"~", b".", b"!", b"@", b"Title: x\n", b"\t", b" " * 22),
    *(b"\f", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\xc3\xa9", b"(MORE)\n", b"(CONTINUED)\n", b"12.\n"),
    *(
        b"<Paragraph Type='Action'>",
        b"<Text>",
        b"</Text>",
        b"</Paragraph>",
        b"<DualDialogue>",
        b"<!DOCTYPE x [",
        b"&#0;",
    ),
    *(b"Tj ", b"ET ", b"BT ", b"Tm ", b" 0 R", b"/Length ", b"stream\n", b"endstream", b"<<", b">>", b"[", b"]", b"-1"),
    *(b"9" * 400, b"(" * 200, b"<a>" * 150, b"q " * 300, b"/Kids ", b"/Parent 2 0 R ", b"/FlateDecode ", b"xref\n"),
)


def seed_files() -> list[tuple[str, bytes]]:
    pieces = [
        Piece("heading", "INT. HALL - DAY", number="1"),
        Piece("action", "She waits by the door, where nobody has come in for a long, long time, and reads."),
        Piece("speech", "ANNA (V.O.)", ("(softly)", "Will he come, or will he not come, or what will he do?")),
        Piece("transition", "CUT TO:"),
    ] * 12
    printed = pages(pieces, header="THE HALL")
    made = [
        ("a.txt", as_text(printed).encode()),
        ("a.pdf", as_pdf(printed)),
        ("b.pdf", as_pdf(printed[:2], packed=False, header_first=True)),
    ]
    kinds = (".fountain", ".fdx", ".pdf")
    found = sorted(path for path in SAMPLES.rglob("*") if path.suffix in kinds and path.stat().st_size < LARGEST_SEED)
    return [*made, *((path.name, path.read_bytes()) for path in found)]


def damaged(data: bytes, chance: random.Random) -> bytes:
    made = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8, 40))):
        at = chance.randrange(len(made) + 1)
        length = min(chance.choice((0, 1, 1, 2, 7, 60)), len(made) - at)
        kind = chance.randrange(4)
        if kind == 0:
            made[at : at + length] = b""
        elif kind == 1:
            made[at : at + length] = chance.choice(TOKENS)
        elif kind == 2:
            made[at : at + length] = bytes(chance.randrange(256) for _ in range(length))
        elif len(made) < 1_000_000:
            start = chance.randrange(len(made) + 1)
            made[at:at] = made[start : start + chance.choice((1, 10, 100, 1000))] * chance.choice((1, 1, 2, 50))
    return bytes(made)


def check(data: bytes, name: str) -> str:
    """What became of it."""
    try:
        found = parse_screenplay(data, name)
    except ScreenplayError as error:
        require("\n" not in str(error), "an error of more than one line")
        str(error).encode()
        return "refused"
    require(bool(found.scenes), "a screenplay of nothing")
    for scene in found.scenes:
        (scene.heading + scene.number).encode()
        for part in scene.parts:
            part.text.encode()
            require(bool(part.text) or isinstance(part, Speech), "an empty part")
            require("\n" not in part.text, "a part of more than one line")
    for oddity in found.oddities:
        oddity.what.encode()
    return "clean" if not found.oddities else "read with oddities"


def require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise AssertionError(otherwise)


def too_slow(*_: object) -> None:
    raise TimeoutError("one file took more than ten seconds")


def main() -> int:
    signal.signal(signal.SIGALRM, too_slow)
    options = argparse.ArgumentParser()
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    chance = random.Random(chosen.seed)
    seeds, tally, slowest = seed_files(), Counter[str](), 0.0
    memory = 0
    end = time.monotonic() + chosen.seconds
    while time.monotonic() < end:
        name, seed = chance.choice(seeds)
        data = damaged(seed, chance)
        began = time.monotonic()
        signal.alarm(10)
        try:
            tally[check(data, name)] += 1
            slowest = max(slowest, time.monotonic() - began)
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            require(memory <= 1024, f"{memory} MB of memory")
        except Exception:
            Path(f"fuzz_screenplays.failed{Path(name).suffix}").write_bytes(data)
            raise
    signal.alarm(0)
    print(
        f"seed {chosen.seed}: {sum(tally.values())} files: {dict(tally)}, slowest {slowest:.3f} s, memory {memory} MB"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())

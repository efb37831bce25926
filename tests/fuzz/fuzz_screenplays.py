"""Throws damaged screenplays at the readers: `python tests/fuzz/fuzz_screenplays.py --seconds 600 [--seed N]`.

Seed files are the samples of the shared data, where they are, and some made here: Fountain, FDX, laid-out text and PDF.
One is damaged at random (bytes, tokens, stretches repeated) and read. What is allowed: a screenplay that is sound, or
`ScreenplayError`. Anything else, a reading that takes more than ten seconds, or memory that grows beyond 1 GB ends the
run with the input kept beside it.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "fakes"))

from screenplay_pages import Piece, as_pdf, as_text, pages
from shared_main import damaged, fuzz, require

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


if __name__ == "__main__":
    seeds = seed_files()

    def case(chance: random.Random) -> tuple[str, bytes]:
        name, seed = chance.choice(seeds)
        return name, damaged(seed, TOKENS, chance)

    fuzz("fuzz_screenplays", case, check)

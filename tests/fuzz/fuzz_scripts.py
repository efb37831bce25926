"""Throws damaged finished scripts at their readers: `python tests/fuzz/fuzz_scripts.py --seconds 600 [--seed N]`.

Seeds are exports of a small script in every format that is read, and tables of other houses. One is damaged at random
(of office files often a part, before it is packed), read, and imported into the film. What is allowed: a sentence
(`BadInputError`), or an import in which every text of the file is found again, whose step can be undone. Anything else,
a reading that takes more than ten seconds, or memory that grows beyond 1 GB ends the run with the input kept beside it.
"""

from __future__ import annotations

import io
import random
import sys
import tempfile
import zipfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "importing"))

from import_scripts import film, line
from shared_main import damaged, fuzz, require

from adstudio.core.errors import BadInputError
from adstudio.delivery.export import export_of, plan_to_export
from adstudio.importing.service import ImportRequest, prepare_import

SCRIPT = film(
    start="10:00:00:00",
    lines=(
        line("e1", 12_000, "Ruth turns – “slowly”."),
        line("e2", 42_000, "=Rain, on the roof."),
        line("e3", 72_000, "A train\nleaves."),
    ),
)
PLAN = plan_to_export(SCRIPT, None)
FORMS = ("srt", "vtt", "csv", "json", "reframed", "dapt", "xlsx", "docx")
TABLES = (
    "Nr.;Timecode;Ende;Bildbeschreibung\n7;10:00:12:00;10:00:14:12;Ruth turns.\n",
    "| In | Out | AD |\n|---|---|---|\n| 0:12 | 0:14.48 | Ruth turns. |\n",
    "in\tdur\twho\ttext\n0:12\t2.5\tAD\tRuth turns.\n0:20\t\tBEN\tNo!\n",
    "Time\t\tAD\nIn\tOut\tText\n0:12\t0:14\tRuth turns.\n",
    "Script\n\n[0:12] AD: Ruth turns.\n[0:16 – 0:18] BEN: No!\n[0:42]\nRain.\n[0:52] AD: Snow.\n",
    "In\tXyz\tText\n" + "".join(f"00:00:{at}.{at}\t00:00:{at}.{at + 1}\tLine {at}.\n" for at in range(12, 26)),
)
TOKENS = (
    *(b",", b";", b"\t", b"|", b'"', b"'", b"\n", b"\r\n", b"\0", b"\xef\xbb\xbf", b"\xff\xfe", b"-->", b"in", b"text"),
    *(b"00:00:12:00", b"99:99:99:99", b"00:00:00;00", b"-1", b"1e999", b"9" * 400, b"<!DOCTYPE", b"&a;", b"]]>", b"{"),
    *(b"gridSpan", b"w:tbl", b"<c r=", b't="s"', b"External", b"A" * 25_000),
)


def case(chance: random.Random, seeds: list[tuple[str, bytes]]) -> tuple[str, bytes]:
    name, data = chance.choice(seeds)
    if not data.startswith(b"PK") or chance.random() < 0.3:
        return f"fuzz.{name}", damaged(data, TOKENS, chance)
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(target, "w") as new:
        parts = old.namelist()
        hit = chance.choice(
            [part for part in parts if "sheet1" in part or "document" in part or "shared" in part] + parts
        )
        for part in parts:
            content = old.read(part)
            new.writestr(part, damaged(content, TOKENS, chance) if part == hit else content)
    return f"fuzz.{name}", target.getvalue()


def check(data: bytes, name: str) -> str:
    """What became of it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        try:
            found = prepare_import(ImportRequest(path), SCRIPT, PLAN, Path(folder) / "p.adproj")
        except BadInputError as error:
            require("\n" not in str(error), "an error of more than one line")
            str(error).encode()
            return "refused"
    for oddity in found.oddities:
        oddity.what.encode()
    texts = {" ".join(variant.text.split()) for each in found.after.eventualities for variant in each.variants}
    for each in (*found.finished.lines, *found.finished.untimed):
        require(" ".join(each.text[:10_000].split()) in texts or len(each.text) > 9_000, "a line is lost")
    if found.step is not None:
        require(found.step.inverse().apply(found.after) == SCRIPT, "it cannot be undone")
    return "clean" if not found.oddities else "read with oddities"


if __name__ == "__main__":
    exports = [(form, export_of(form, SCRIPT, PLAN).content) for form in FORMS]
    tables = [("csv", table.encode()) for table in TABLES]
    fuzz("fuzz_scripts", lambda chance: case(chance, [*exports, *tables]), check)

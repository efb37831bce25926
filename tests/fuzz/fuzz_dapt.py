"""Throws damaged DAPT documents at their reader and their validator: `python tests/fuzz/fuzz_dapt.py --seconds 600`.

What is allowed: a sentence (`BadInputError`), findings of one line each, or a script which, where nothing was found,
reads back equal after it is written. Anything else ends the run with the input kept beside it, as does a file that
takes more than ten seconds.
"""

from __future__ import annotations

import random
import re
from dataclasses import replace

from shared_main import damaged, fuzz, require

from adstudio.core.errors import BadInputError
from adstudio.dapt.names import is_content_descriptor
from adstudio.dapt.reader import read_document
from adstudio.dapt.script import DaptScript, Duck, ScriptEvent
from adstudio.dapt.validator import check_dapt
from adstudio.dapt.writer import write_dapt
from adstudio.script_files.dapt_script import read_dapt

SCRIPT = DaptScript(
    "en",
    (
        ScriptEvent("ad1", "Rain  falls.\nZoë runs.", 12_780, 14_800, "visual.nonText", voice="Ann", speed="fast"),
        ScriptEvent("ad2", "The Old Guard", 20_000, 21_000, "visual.text.title", "de", "fr", duck=Duck(90, 300, 300)),
        ScriptEvent("ad3", "Snow.", 21_300, 22_000, "visual", pronunciations=("Ann: æn",), pitch=-5, duck=Duck(60)),
    ),
    language_source="zxx",
    title="Night <Ride>",
    origin="10:00:00:00",
    frame_rate=(30, 1000, 1001),
)
FOREIGN = b"""<?xml version="1.0" encoding="UTF-8"?>
<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" ttp:frameRate="25"
 xmlns:tta="http://www.w3.org/ns/ttml#audio" xmlns:ttm="http://www.w3.org/ns/ttml#metadata" ttp:tickRate="1000"
 xmlns:daptm="http://www.w3.org/ns/ttml/profile/dapt#metadata" xml:lang="en"
 ttp:contentProfiles="http://www.w3.org/ns/ttml/profile/dapt1.0/content"
 daptm:scriptRepresents="visual audio" daptm:represents="visual" daptm:scriptType="asRecorded">
<head><metadata><ttm:agent type="person" xml:id="a"><ttm:name type="full">Ann</ttm:name></ttm:agent>
<ttm:agent type="character" xml:id="c"><ttm:name type="alias">A</ttm:name><ttm:actor agent="a"/></ttm:agent></metadata>
<resources><data xml:id="wav" type="audio/wave">UklGRg==</data></resources></head>
<body begin="10s"><div begin="1s"><div xml:id="d1" begin="12f" dur="2t" ttm:agent="c"><p xml:lang="en">a
<span begin="1s">b</span><br/>c<audio src="#wav"/></p><p xml:lang="fr">d</p></div></div>
<div xml:id="d2" begin="00:00:01" end="1h"/>
<div xml:id="d3" daptm:onScreen="ON" tta:gain="0.5"><p tta:gain="0"><set tta:gain="0.3"/>e</p></div></body></tt>"""
WORDS = b"""< > /> & &#0; &#x10FFFF; &x; " ' = <!-- --> <![CDATA[ ]]> <?x?> <!DOCTYPE <!ENTITY <div> </div> <p> </p>
    <span> <br/> <audio/> <data> <tt> xmlns="" xmlns:x="u" x: begin="1s" end="99999999999999999999h" xml:lang="" xml:id
    dur="0.0000000001f" xml:space="preserve" tta:gain="1;-0.0001" ttp: wallclock("""
TOKENS = (*WORDS.split(), b" ", b"\0", b"\r", b"\n", b"\xef\xbb\xbf", b"\xff", b"9" * 5000, b'<div xml:id="x">')
_SPACES = re.compile("[ \t\r\n]+")


def check(data: bytes, name: str) -> str:
    """What became of it."""
    try:
        findings = check_dapt(data, name)
        finished = read_dapt(data, name)
        script, _, oddities = read_document(data, name)
    except BadInputError as error:
        require("\n" not in str(error), "an error of more than one line")
        str(error).encode()
        return "refused"
    for each in (*findings, *finished.oddities):
        require("\n" not in each.what and (each.line or 1) >= 1, f"a finding that cannot be shown: {each}")
        each.what.encode()
    for line in finished.lines:
        require(line.text.strip() != "" and line.start >= 0, f"a line that cannot be: {line}")
        require(line.end is None or line.end >= line.start, f"a line that ends before it starts: {line}")
    if any(not each.advice for each in findings) or oddities:
        return "read with findings"
    again = _writable(script)
    written = write_dapt(again)
    broken = [each for each in check_dapt(written, name) if not each.advice]
    require(not broken, f"what is written is not valid: {broken}")
    require(read_document(written, name).script == again, "it reads back as another one")
    return "read"


def _writable(script: DaptScript) -> DaptScript:
    """What of it a document of ours has a place for: times that are known, descriptors and identifiers of its own."""
    events = tuple(
        replace(
            event,
            id=f"ad{number}",
            end=event.start if event.end is None else event.end,
            represents=event.represents if is_content_descriptor(event.represents) else script.represents[0],
            description=event.description.strip(" \t\r\n"),
            scene=_SPACES.sub(" ", event.scene),
            duck=None if event.duck is None or event.start < event.duck.before else event.duck,
            speed=event.speed if event.text else "",
            pitch=max(-50, min(50, event.pitch)),
        )
        for number, event in enumerate(script.events, 1)
        if _SPACES.sub("", event.text)
    )
    return replace(script, events=events)


if __name__ == "__main__":
    seeds = [write_dapt(SCRIPT), FOREIGN]
    require(not any(each.advice is False for seed in seeds for each in check_dapt(seed, "seed")), "a seed is not valid")

    def case(chance: random.Random) -> tuple[str, bytes]:
        return "fuzz.xml", damaged(chance.choice(seeds), TOKENS, chance)

    fuzz("fuzz_dapt", case, check)

"""Fuzzes the subtitle readers: `python tests/fuzz/fuzz_subtitles.py --reader srt --seconds 600`.

Seeds are mutated by bytes, by lines and by tokens that mean something to some reader. For every input: nothing but
`SubtitleError` is raised, no call takes more than five seconds of processor time, the process stays under two
gigabytes, and what is returned is sound. The first failing input is written to a file.
"""

from __future__ import annotations

import argparse
import random
import resource
import string
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from adstudio.core.timebase import RATES, parse_start_timecode  # noqa: E402

# All readers at once, so that the code under test is that of one moment.
from adstudio.subtitles import ass, srt, ttml, vtt  # noqa: E402, F401
from adstudio.subtitles.decoding import decode  # noqa: E402
from adstudio.subtitles.dialogue import dialogue  # noqa: E402
from adstudio.subtitles.errors import SubtitleError  # noqa: E402
from adstudio.subtitles.parsed_file import SubtitleFile  # noqa: E402
from adstudio.subtitles.reading import parse_subtitles  # noqa: E402
from adstudio.subtitles.rolling import counted_once  # noqa: E402
from adstudio.subtitles.start_offset import shift_to_film_start  # noqa: E402

SLOWEST = 5.0
MEMORY = 2 << 30
ENDINGS = {"srt": ".srt", "vtt": ".vtt", "ttml": ".ttml", "ass": ".ass"}

SRT = """1
00:00:01,000 --> 00:00:02,500
{\\an8}<i>Hello</i> & <b>you</b>

2
00:00:03,000 --> 00:00:05,000 X1:1 X2:2
- [door creaks]
- ANNA: Who's there?

3
00:00:05,5 --> 00:00:04,000
♪ la la ♪

it goes on (quietly)
4
100:00:01,000 --> 100:00:02,000
Žluťoučký kůň （田中）こんにちは
"""
VTT = """WEBVTT - film
Language: en

STYLE
::cue { color: red }

NOTE a comment
00:00:00.500 --> 00:00:00.900

one
00:01.000 --> 00:00:02.000 align:start line:0
<v Anna>Hi <00:01.500><c.x>there</c>
<v Bob>No &amp; &lt;yes&gt; &#8203;

00:00:03.000 --> 00:00:04.000
- <i>One</i>
- Two

00:00:05.000 --> 00:00:09.000
♪ La la
la la ♪ Stop it!
- # No #
&lrm;\u3164
"""
TTML = """<?xml version="1.0" encoding="utf-8"?>
<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" xml:lang="en"
 xmlns:tts="http://www.w3.org/ns/ttml#styling" xmlns:ttm="http://www.w3.org/ns/ttml#metadata"
 ttp:frameRate="24"
 ttp:frameRateMultiplier="1000 1001" ttp:tickRate="10000000" ttp:timeBase="smpte" ttp:dropMode="dropNTSC">
<head><metadata><ttm:agent xml:id="a"><ttm:name>Anna</ttm:name></ttm:agent></metadata>
<styling><style xml:id="r" tts:ruby="text"/><style xml:id="s" style="r"/></styling></head>
<body begin="1s"><div timeContainer="seq"><p begin="00:00:01:12" dur="2s" ttm:agent="a">Hi<br/>there &amp; you</p>
<p begin="10000000t" end="172800f" xml:space="preserve"> a  <span style="s">ruby</span> b </p></div>
<div><p><span begin="1.5s" end="2h">x</span><span begin="3m" dur="500ms">y</span></p><p end="9s"/>
<!-- c --><![CDATA[z]]></div>
</body></tt>
"""
ASS = """[Script Info]
WrapStyle: 2

[V4+ Styles]
Format: Name, Fontname
Style: Default,Arial

[Events]
Format: Layer, Start, End, Style, Name, Text
Dialogue: 0,0:00:01.00,0:00:02.50,Default,Anna,{\\an8\\blur5}Hi {note}\\Nyou, there\\h\\{x\\}
Comment: 0,0:00:01.00,0:00:02.50,Default,,nothing
Dialogue: 0,0:00:03:00,0:00:04:00,Default,,{\\p1}m 0 0 l 100 0{\\p0}
Dialogue: 0,bad,0:00:04.00,Default,,lost
Dialogue: 0,0:00:05.00,bad,Signs,,{\\pos(1,2)}EXIT
Comment: 0,0:00:06.00,0:00:09.00,OP,,{\\k40}sa{\\k40}ku
Dialogue: 0,0:00:06.00,0:00:06.40,OP,,sa
Dialogue: 0,0:00:06.40,0:00:06.80,OP,,ku
Dialogue: 0,0:00:10.00,0:00:11.00,Default,,{\\k50}One{\\kf50} more
"""
MIXED = """<t:tt xmlns:t="http://www.w3.org/ns/ttml" xmlns="http://www.w3.org/ns/ttml" xmlns:o="urn:other"
 xmlns:s="http://www.w3.org/ns/ttml#styling" xmlns:q="http://www.w3.org/2006/10/ttaf1#parameter" q:frameRate="25">
<head><layout><t:region xml:id="r" begin="1s" end="90s"><style s:opacity="0"/><set begin="2s" s:opacity="1"/></t:region>
</layout></head><t:body region="r" timeContainer="seq"><div s:visibility="hidden" dur="20s">
<p s:visibility="visible" dur="9s">a<o:p>no</o:p><set begin="3s" s:display="none"/></p></div>
<div xmlns="urn:other" xmlns:x="http://www.w3.org/ns/ttml"><x:p begin="1s"><x:span dur="1s">b c</x:span>
<x:span begin="2s">d e</x:span></x:p><p>no</p></div><div><p timeContainer="seq">f<span dur="2s">g</span>h</p></div>
</t:body></t:tt>
"""
ROLLING = """WEBVTT
Kind: captions
X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000

00:00:10.000 --> 00:00:12.390 align:start position:0%
@
when<00:00:10.320><c> the</c><00:00:10.560><c> ferry</c>

00:00:12.390 --> 00:00:12.400 align:start position:0%
when the ferry

00:00:12.400 --> 00:00:15.190 align:start position:0%
when the ferry
<v Anna>nobody was

00:00:15.190 --> 00:00:18.000
nobody was on it
not even the captain

00:00:18.000 --> 00:00:19.000
nobody was on it
not even the captain

00:00:18.000 --> 00:00:19.000
nobody was on it
not even the captain
""".replace("@", " ")
SEEDS = {"srt": SRT, "vtt": VTT, "ttml": TTML, "ass": ASS}
TOKENS = [
    "-->", "->", "→", "\n", "\r", "\r\n", "\n\n", " ", "\t", "\xa0", "\u2028", "\x85", "\ufeff", "\x00", "\x1b",
    "\ud7ff", "<", ">", "<i>", "</i>", "<i", "<v ", "<v Anna>", "<rt>", "<br/>", "<p>", "<p", "</p>",
    "<span begin='1s'>", "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>", "<!DOCTYPE", "<!ENTITY", "&", "&amp;",
    "&#10;", "&#0;", "&#x110000;", "&nbsp;", "'", '"', "{", "}", "{\\", "{\\p1}", "\\N", "\\{", "(", ")", "[", "]",
    "（", "）", "♪", "-", "- ", "–", ":", ">>", "ANNA:", "，", "00:00:01,000", "00:00:01,000 --> 00:00:02,000",
    "99999999999:00:00,000", "-1:00:00.0", "0.0.0", "1", "2", "3", "42", "WEBVTT", "NOTE", "STYLE", "REGION",
    "[Events]", "Dialogue:", "Comment:", "Format: Text, Start, End", ",", 'begin="', "end='9s'", 'dur="1f"',
    "{\\k20}", "{\\pos(1,2)}", "Signs", "OP", "fx", "Format: Start, End, Style, Effect, Text", "00:00:01:12",
    "X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:", "Kind: chapters\n", "kind=descriptions", "10:00:0",
    "00:00:05,000 -->", "\x1b$B$3\x1b(B", "~{VP~}", "Ã©", "Ð¿", "MAN 1: ", "[DOOR]",
    'timeContainer="seq"', "xml:space='preserve'", 'ttp:frameRate="0"', "1t", "1e9s", "٣", "１",
    "xmlns=''", 'xmlns="http://www.w3.org/ns/ttml"', "xmlns:t='urn:x'", "t:", "<t:p>", "</t:p>", "region='r'",
    "<set tts:display='none'/>", "tts:visibility='hidden'", "\u200e", "\u3164", "\u2800", "&lrm;", "&amp;lrm;", "# ",
    "♪ ", " ♪",
]  # fmt: skip
ENCODINGS = [
    "utf-8",
    "utf-8-sig",
    "utf-16",
    "utf-16-le",
    "utf-16-be",
    "utf-32",
    "cp1250",
    "cp1252",
    "cp1251",
    "shift_jis",
    "gb18030",
    "koi8-r",
    "mac_cyrillic",
    "iso2022_jp",
    "iso2022_kr",
    "hz",
]


def seeds(reader: str) -> list[bytes]:
    found = [SEEDS[reader].encode()] + ([MIXED.encode()] if reader == "ttml" else [])
    if reader in ("srt", "vtt"):
        found.append(ROLLING.encode())
    data = ROOT / "../shared/data/dirty"
    if data.is_dir():
        endings = (ENDINGS[reader], ".dfxp.xml") if reader == "ttml" else (ENDINGS[reader],)
        found += [path.read_bytes()[:20_000] for path in sorted(data.rglob("*")) if path.name.endswith(endings)]
    return found


def stress(rng: random.Random) -> str:
    """A long run of one thing, which is what slow patterns trip over."""
    token = rng.choice(TOKENS)
    return (token + rng.choice(["", " ", "\n", "x"])) * rng.choice([10, 1000, 100_000 // max(1, len(token))])


def mutated(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    text = data.decode("utf-8", "replace") if rng.random() < 0.7 else None
    if text is None:
        raw = bytearray(data)
        for _ in range(rng.randint(1, 8)):
            at = rng.randrange(len(raw) + 1)
            match rng.randrange(4):
                case 0:
                    raw[at:at] = rng.randbytes(rng.randint(1, 4))
                case 1:
                    del raw[at : at + rng.randint(1, 40)]
                case 2:
                    other = rng.choice(others)
                    start = rng.randrange(len(other) + 1)
                    raw[at:at] = other[start : start + rng.randint(1, 400)]
                case _:
                    if at < len(raw):
                        raw[at] = rng.randrange(256)
        return bytes(raw)
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(text) + 1)
        match rng.randrange(7):
            case 0 | 1 | 2:
                text = text[:at] + rng.choice(TOKENS) + text[at:]
            case 3:
                text = text[:at] + text[at + rng.randint(1, 60) :]
            case 4:
                lines = text.split("\n")
                rng.shuffle(lines)
                text = "\n".join(lines)
            case 5:
                text = text.replace("\n", rng.choice(["\r", "\r\n", "\n \n", "\n\n"]))
            case _:
                if rng.random() < 0.1:
                    text = text[:at] + stress(rng) + text[at:]
                else:
                    text = text[:at] + text[max(0, at - 50) : at] * rng.randint(1, 5) + text[at:]
    return text.encode(rng.choice(ENCODINGS) if rng.random() < 0.3 else "utf-8", "replace")


def check(data: bytes, name: str, rng: random.Random) -> bool:
    """Read one input and look at the result; whether it was read at all."""
    try:
        file = parse_subtitles(data, name)
    except SubtitleError as error:
        one_sentence(error)
        return False
    check_file(file, data)
    check_repeats(file)
    spoken = dialogue(file).cues
    for first in (None, parse_start_timecode("10:00:00:00", RATES["25"])):
        shift_to_film_start(spoken, rng.choice((None, 1, 60_000, 7_200_000)), first, name, by_guess=True)
    last = max((cue.end for cue in file.cues), default=0)
    for cue in spoken:
        source = file.cues[int(cue.id.strip(string.ascii_lowercase)) - 1]
        assert cue.text
        if cue.id != f"c{source.number}":
            # Rolling captions may show a cue for longer.
            assert source.start <= cue.start < cue.end <= last, cue
    return True


def check_repeats(file: SubtitleFile) -> None:
    """No line is lost where what rolling captions repeat counts once."""
    counted, notes = counted_once(file.cues)
    assert notes or counted == file.cues
    if len(file.cues) > 300:
        return
    starts = {cue.start for cue in file.cues}
    left = [plain(line) for cue in counted for line in cue.text.split("\n")]
    for cue in counted:
        assert cue.text or not notes
        assert cue.start in starts
        assert all(0 <= voice.at <= len(cue.text) for voice in cue.voices), cue
    for line in {plain(line) for cue in file.cues for line in cue.text.split("\n")}:
        assert any(each.startswith(line) for each in left), line


def plain(line: str) -> str:
    return " ".join(line.split()).casefold().rstrip(".,;:!?…")


def one_sentence(error: SubtitleError) -> None:
    assert str(error)
    assert "\n" not in str(error)


def check_file(file: SubtitleFile, data: bytes) -> None:
    lines = len(decode(data, "")[0].line_starts)
    previous = 0
    for number, cue in enumerate(file.cues, 1):
        assert type(cue.start) is int
        assert type(cue.end) is int
        assert cue.number == number
        assert 1 <= cue.line <= lines
        assert cue.line >= previous or file.format.value == "ttml"
        previous = cue.line
        cue.text.encode()
    for oddity in file.oddities:
        assert oddity.line is None or 1 <= oddity.line <= lines, oddity
        oddity.what.encode()


def run(reader: str, seconds: float, seed: int) -> int:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    rng = random.Random(seed)
    inputs = seeds(reader)
    everything = [data for kind in SEEDS for data in seeds(kind)]
    began = time.monotonic()
    count = read = 0
    slowest = 0.0
    while time.monotonic() - began < seconds:
        data = mutated(rng.choice(inputs), everything, rng)
        if len(inputs) < 400 and rng.random() < 0.02 and len(data) < 30_000:
            inputs.append(data)
        start = time.process_time()
        try:
            read += check(data, f"fuzz{ENDINGS[reader]}", rng)
            slowest = max(slowest, time.process_time() - start)
            assert time.process_time() - start < SLOWEST, "too slow"
        except BaseException:
            kept = Path(tempfile.gettempdir()) / f"fuzz-failure-{reader}{ENDINGS[reader]}"
            kept.write_bytes(data)
            print(f"{reader}: input {count} fails (seed {seed}); it is in {kept}", flush=True)
            raise
        count += 1
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{reader}: {count:,} inputs in {seconds:.0f} s, {read:,} read, the rest refused; "
        f"slowest {slowest:.2f} s, peak memory {peak} MB, no failure",
        flush=True,
    )
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reader", choices=sorted(SEEDS), required=True)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sys.exit(run(options.reader, options.seconds, options.seed))

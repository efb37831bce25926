"""The length tables: how well a fitted model predicts how long voices speak texts that they have not spoken yet.

    python tests/bench/length_model.py [--data ../shared/data] [--held-out 200] [--rates 150 200]

The model is fitted to the calibration sentences alone, and to these with so many texts of the film. Texts held out are
lines of the sample film, descriptions of other films and action lines of screenplays. The peer is the speaking rate:
words over words a minute, as lines are timed without a voice; “scaled” is the same with the rate that suits the voice's
calibration sentences best. Errors are in per cent of the measured length. Piper's table needs the extra `neural`.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from adstudio.core.errors import AdstudioError
from adstudio.core.narration import NO_VOICE, Narrator
from adstudio.core.words import count_words, spoken_ms
from adstudio.screenplay.file import read_screenplay
from adstudio.screenplay.parsed_screenplay import Action
from adstudio.speech.cache import SpeechCache
from adstudio.speech.engine import SpeechError, Style
from adstudio.speech.engines import find_engine
from adstudio.speech.length_model import calibration_sentences, fit
from adstudio.speech.speaker import Speaker
from adstudio.speech.spoken_text import spoken_text
from adstudio.speech.voice_lengths import spoken
from adstudio.system.locations import resource

console = Console(width=120)
VOICES = (("espeak-ng", "en-gb"), ("espeak-ng", "en-us+f3"), ("piper", "en_US-joe-medium"))
FILM_TEXTS = (0, 150, 400)
NARRATOR = Narrator(NO_VOICE, 200, "en")


def percentiles(errors: Iterable[float]) -> tuple[float, float, float]:
    """Median, 95th percentile and largest of absolute errors."""
    found = sorted(map(abs, errors))
    return found[len(found) // 2], found[min(len(found) - 1, len(found) * 95 // 100)], found[-1]


def shown(errors: Iterable[float]) -> str:
    return " / ".join(f"{100 * each:.1f}" for each in percentiles(errors))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, each in value.items():
            if key == "audio_description" and isinstance(each, str):
                yield each
            elif key == "compressed_audio_descriptions" and isinstance(each, dict):
                yield from each.values()
            else:
                yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)


def _actions(part: object) -> Iterator[str]:
    if isinstance(part, Action):
        yield part.text
    for name in getattr(part, "__dataclass_fields__", ()):
        value = getattr(part, name)
        for each in value if isinstance(value, tuple) else ():
            yield from _actions(each)


def texts(data: Path) -> list[str]:
    """English texts that are or could be narration: the sample film's, other films', and action of screenplays."""
    found = list(_strings(json.loads(resource("sample", "candidates.json").read_text("utf-8"))))
    for path in sorted(data.glob("film/**/*descri*.vtt")):
        if not re.search(r"_(de|es|fr|ja)\.", path.name):
            blocks = re.split(r"\n\s*\n", path.read_text("utf-8", "replace"))
            found += [re.sub(r"<[^>]+>|\s+", " ", block.partition("-->")[2].partition("\n")[2]) for block in blocks]
    for path in sorted(data.glob("screenplay/*.fountain")):
        try:
            found += [text for text in _actions(read_screenplay(path)) if any(map(str.islower, text))]
        except AdstudioError:
            continue
    return [text.strip() for text in dict.fromkeys(found) if spoken(text, NARRATOR) is not None]


def measured(speaker: Speaker, style: Style, wanted: Sequence[str]) -> dict[str, int]:
    """How long a voice speaks texts, by what it is given."""
    return {spoken_text(text).text: speaker.say(text, style).sound.ms for text in wanted}


def errors(known: dict[str, int], predicted: Callable[[str], float]) -> list[float]:
    return [(predicted(text) - ms) / ms for text, ms in known.items()]


def main(arguments: Sequence[str] = sys.argv[1:]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[3] / "shared" / "data")
    parser.add_argument("--held-out", type=int, default=200)
    parser.add_argument("--rates", type=int, nargs="*", default=[150, 200])
    parser.add_argument("--cache", type=Path, help="a folder in which what was spoken stays for the next run")
    options = parser.parse_args(arguments)
    every = texts(options.data)
    random.Random(17).shuffle(every)
    held_out, film = every[: options.held_out], every[options.held_out :][: max(FILM_TEXTS)]
    calibration = calibration_sentences("en")
    table = Table(title=f"Errors in per cent (median / 95th percentile / largest), {len(held_out)} texts held out")
    for column in (
        "voice",
        "words/min",
        "speaking rate",
        "scaled",
        *(f"{len(calibration)}+{n} texts" for n in FILM_TEXTS),
    ):
        table.add_column(column, justify="right")
    with tempfile.TemporaryDirectory() as temporary:
        cache = SpeechCache(options.cache or Path(temporary))
        for engine, voice in VOICES:
            try:
                speaker = Speaker(find_engine(engine), cache)
            except SpeechError as error:
                console.print(f"{engine}: {error}")
                continue
            for rate in options.rates:
                table.add_row(
                    f"{engine} {voice}", str(rate), *_row(speaker, Style(voice, rate), calibration, film, held_out)
                )
            speaker.close()
    console.print(table)
    return 0


def _row(
    speaker: Speaker, style: Style, calibration: Sequence[str], film: Sequence[str], held_out: Sequence[str]
) -> Iterator[str]:
    known, own, test = (measured(speaker, style, wanted) for wanted in (calibration, film, held_out))
    pace = sum(known.values()) / sum(map(count_words, known))
    yield shown(errors(test, lambda text: spoken_ms(text, style.rate)))
    yield shown(errors(test, lambda text: count_words(text) * pace))
    for number in FILM_TEXTS:
        model = fit(known | dict(list(own.items())[:number]))
        if model is not None:
            yield shown(errors(test, model.predict))


if __name__ == "__main__":
    sys.exit(main())

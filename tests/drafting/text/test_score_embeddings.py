"""The sentence model: right cosines, the same vectors every time, and whatever text it is given."""

import hashlib
import threading
from dataclasses import replace

import numpy as np
import pytest

from adstudio.core.errors import OutsideFailureError
from adstudio.drafting.text.score import embeddings as module
from adstudio.drafting.text.score.embeddings import DIMENSIONS, MOST_PIECES, PIECE, embedder

LINES = [
    "A man is riding a horse.",
    "A rider sits on horseback.",
    "The stock market fell sharply.",
    "Nora hides a smile.",
]


def fresh():
    """An embedder that has read nothing yet."""
    return replace(embedder(), known={})


def test_the_vocabulary_is_read_as_its_makers_publish_it():
    tokenizer = embedder().tokenizer
    assert tokenizer.get_vocab_size() == 30_522
    # Positions in BERT's list: the backslash is what a careless reader of the file would lose.
    assert tokenizer.encode("Hello, \\]").ids == [101, 7592, 1010, 1032, 1033, 102]
    assert tokenizer.encode("NAÏVE unzipping").tokens == ["[CLS]", "naive", "un", "##zi", "##pping", "[SEP]"]
    assert 102 not in tokenizer.encode("[SEP]").ids[1:-1]  # text from outside is text


def test_cosines_are_those_of_the_model():
    # notes on parts: paraphrases about 0.68, unrelated 0.03 to 0.06, within 0.01 of the full model.
    cosines = embedder().embeddings(LINES) @ embedder().embeddings(LINES).T
    assert np.diag(cosines) == pytest.approx(np.ones(4))
    assert 0.55 < cosines[0, 1] < 0.75
    assert abs(cosines[0, 2]) < 0.1
    assert abs(cosines[1, 2]) < 0.1


def test_a_vector_depends_on_nothing_but_its_text():
    together = fresh().embeddings([*LINES, *LINES, "Rain. " * 30])
    alone = np.concatenate([fresh().embeddings([line]) for line in LINES])
    assert np.array_equal(together[:4], alone)
    assert np.array_equal(together[4:8], alone)
    module.embedder.cache_clear()
    assert np.array_equal(embedder().embeddings(LINES), alone)


class CountedSession:
    """The model's session, which counts the texts that it reads."""

    def __init__(self, session):
        self.session, self.read = session, 0

    def run(self, names, feed):
        self.read += len(feed["input_ids"])
        return self.session.run(names, feed)


def test_a_line_is_read_once():
    counted = CountedSession(embedder().session)
    encoder = replace(fresh(), session=counted)
    first = encoder.embeddings(LINES)
    again = encoder.embeddings([*reversed(LINES), "A new line."])
    assert counted.read == len(LINES) + 1
    assert np.array_equal(again[:4], first[::-1])


def test_what_is_remembered_is_limited(monkeypatch):
    monkeypatch.setattr(module, "MOST_KNOWN", 2)
    encoder = fresh()
    rows = encoder.embeddings([*LINES, "word " * 400])
    assert list(encoder.known) == LINES[2:]
    rows[:] = 0
    assert np.array_equal(encoder.embeddings(LINES), fresh().embeddings(LINES)), "what is given out is nobody else's"


def test_texts_of_any_length():
    texts = ["", " ", "\u200b", "日本語", "word " * PIECE, "word " * (PIECE + 1), "x" * 200_000, "a b " * 60_000]
    rows = embedder().embeddings(texts)
    assert rows.shape == (len(texts), DIMENSIONS)
    assert np.linalg.norm(rows, axis=1) == pytest.approx([0, 0, 0, 1, 1, 1, 1, 1])
    assert embedder().embeddings([]).shape == (0, DIMENSIONS)


def test_a_long_text_is_read_to_its_end():
    start, end = "Rain falls on the station. " * 60, "A tiger leaps from the carriage. " * 60
    both = embedder().embeddings([start, start + end, end])
    assert both[1] @ both[2] > both[0] @ both[2] + 0.2
    assert len(embedder().tokenizer.encode(start + end).ids) > PIECE
    assert MOST_PIECES * PIECE > 3000


def test_it_starts_no_threads_of_python():
    before = threading.active_count()
    embedder().embeddings(LINES)
    assert threading.active_count() == before


def test_a_part_that_is_another_is_refused(tmp_path, monkeypatch):
    for name in ("model.onnx", "vocab.py"):
        (tmp_path / name).write_text('vocab_string = """[PAD]\n[UNK]"""')
    right = module._file
    for wrong in ("model.onnx", "vocab.py"):
        monkeypatch.setattr(
            module,
            "_file",
            lambda package, name, wrong=wrong: (tmp_path / name) if name == wrong else right(package, name),
        )
        module.embedder.cache_clear()
        with pytest.raises(OutsideFailureError, match="not the expected version"):
            embedder()
    module.embedder.cache_clear()


def test_the_checksum_is_that_of_the_list_with_a_line_end():
    vocabulary = embedder().tokenizer.get_vocab()
    listed = "".join(f"{token}\n" for token in sorted(vocabulary, key=vocabulary.__getitem__))
    assert hashlib.sha256(listed.encode()).hexdigest() == module.VOCABULARY

"""METEOR and the tokenizer as they are, on texts of every kind; and what is said where they are missing."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from process_end import gone
from word_scorer import film, said, spoken

from adstudio.evaluation import java_scorer as module
from adstudio.evaluation.java_scorer import PUNCTUATION, JavaScorer
from adstudio.evaluation.results import Measure
from adstudio.evaluation.scoring import evaluate
from adstudio.evaluation.text_scoring import ScoringError

ALPHA, BETA, GAMMA, DELTA = 0.85, 0.20, 0.60, 0.75
"""METEOR 1.5's parameters for English (Denkowski & Lavie 2014, table 1)."""
STEM = 0.60
"""The weight of a match of stems there."""


def meteor(precision: float, recall: float, chunks: int, matches: float) -> float:
    """The formula of METEOR 1.5; `matches` is the mean number of matched words of the two sides."""
    mean = precision * recall / (ALPHA * precision + (1 - ALPHA) * recall)
    return mean * (1 - GAMMA * (chunks / matches) ** BETA)


# The tokenizer


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("He doesn't open the door.", "he does n't open the door"),
        ("“Wait!” – she’s gone… again; (really): yes?", "wait she 's gone again -lrb- really -rrb- yes"),
        ("Dr. Brown's 3.5 cats cost $4, e.g. 1,000.", "dr. brown 's 3.5 cats cost $ 4 e.g. 1,000"),
        ("A well-lit CAFÉ, naïve Zoë.", "a well-lit café naïve zoë"),
        ("", ""),
        (" \t ", ""),
        ("...", ""),
    ],
)
def test_tokens_are_those_of_the_penn_treebank_without_punctuation(java_scorer: JavaScorer, text: str, tokens: str):
    assert java_scorer.tokens([text]) == [tokens]


HOSTILE = [
    *("a\nb", "a\r\nb", "a\rb", "a\u2028b", "a\u2029b", "a\u0085b", "a\x0bb", "a\x0cb", "a\x1cb", "a ||| b", "|||"),
    *("*NL*", "a *NL* b", "\ud800 lone", "\x00", "a\x00b", "\ufeffa", "\u200b", "\ue000", "🎬 cut", "<b>bold</b>"),
    *("EVAL", "SCORE ||| a ||| b", "e\u0301te\u0301", "日本語のテキスト", "\u202eabc", "'", "``", "--", "a" * 5_000),
    *("&amp; &lt; &#10;", "http://a.b/c?d=1", "#tag @x", ":-)", "1/2 ½", "I\u0307stanbul", "can't've"),
]


def test_texts_of_every_kind_keep_their_places(java_scorer: JavaScorer):
    texts = [part for number, text in enumerate(HOSTILE) for part in (f"before{number}", text, f"after{number}")]
    tokens = java_scorer.tokens(texts)
    assert len(tokens) == len(texts)
    assert tokens[::3] == [f"before{number}" for number in range(len(HOSTILE))]
    assert tokens[2::3] == [f"after{number}" for number in range(len(HOSTILE))]
    assert not any(character in "".join(tokens) for character in "\n\r\u2028\u2029\u0085\x0b\x0c")


def test_no_texts_have_no_tokens(java_scorer: JavaScorer):
    assert java_scorer.tokens([]) == []
    assert java_scorer.meteor([]) == []


def test_scores_and_options_are_those_of_the_packages_own_class(
    java_scorer: JavaScorer, monkeypatch: pytest.MonkeyPatch
):
    """The package's METEOR talks to this scorer's process, and shows the command that it would have started."""
    from pycocoevalcap.meteor import meteor as package
    from pycocoevalcap.tokenizer.ptbtokenizer import PUNCTUATIONS

    assert set(PUNCTUATIONS) == PUNCTUATION
    pairs = [
        ("a man opens the door", "the man is opening a door"),
        ("she looks at him", "he looks away"),
        ("rain falls on the city", "rain"),
        ("the dog -lrb- wet -rrb- runs", "a wet hound ran"),
        ("zoë 's café", "the café of zoë"),
    ]
    java_scorer.meteor(pairs)
    process = java_scorer._meteor._process
    monkeypatch.setattr(package.subprocess, "Popen", lambda *_, **__: process)
    monkeypatch.setattr(package.Meteor, "__del__", lambda self: None)
    peer = package.Meteor()
    given = {number: [reference] for number, (reference, _) in enumerate(pairs)}
    generated = {number: [hypothesis] for number, (_, hypothesis) in enumerate(pairs)}
    _, expected = peer.compute_score(given, generated)
    assert java_scorer.meteor(pairs) == expected
    assert {*peer.meteor_cmd} - {"java", "meteor-1.5.jar"} <= {*java_scorer._meteor._command}


# METEOR


def test_the_same_words_score_1_and_no_word_in_common_0(java_scorer: JavaScorer):
    same = ["a man opens the door", "dog", "the the the", "it 's 3.5"]
    assert java_scorer.meteor([(text, text) for text in same]) == pytest.approx([1] * 4)
    assert java_scorer.meteor([("dog", "door"), ("he runs", "green tables")]) == [0, 0]


def test_silence_on_either_side_scores_0(java_scorer: JavaScorer):
    assert java_scorer.meteor([("", "a dog"), ("a dog", ""), ("", ""), (" ", "\n"), ("|||", "a")]) == [0] * 5


def test_the_published_formula_by_hand(java_scorer: JavaScorer):
    # “the cat sat” of “the cat sat on the mat”: the function words are the, on, the, the others are content words.
    # Content words weigh δ, function words 1 − δ: precision 1; recall (2δ + (1 − δ)) / (3δ + 3(1 − δ)); one chunk of
    # three matched words.
    recall = (2 * DELTA + 1 * (1 - DELTA)) / (3 * DELTA + 3 * (1 - DELTA))
    # “the dogs run” and “the dog run”: dogs and dog have one stem, a match of weight 0.6 of a content word; all words
    # are matched in one chunk, which has no penalty.
    same = (DELTA + (1 - DELTA) + STEM * DELTA) / (2 * DELTA + (1 - DELTA))
    # “cat the sat” has the words of “sat the cat” in three chunks: the penalty is γ · (3 / 3)^β.
    found = java_scorer.meteor(
        [
            ("the cat sat on the mat", "the cat sat"),
            ("the dogs run", "the dog run"),
            ("sat the cat", "cat the sat"),
        ]
    )
    assert found == pytest.approx([meteor(1, recall, 1, 3), same, meteor(1, 1, 3, 3)], abs=1e-9)


def test_order_of_reference_and_hypothesis_matters(java_scorer: JavaScorer):
    (one, other) = java_scorer.meteor([("the cat sat on the mat", "the cat"), ("the cat", "the cat sat on the mat")])
    assert one < other  # recall counts for more than precision


def test_bars_ends_of_line_and_commands_in_texts_move_no_score(java_scorer: JavaScorer):
    pairs = [("a dog runs", text) for text in HOSTILE if text.strip()] + [("a dog", "a dog")]
    together = java_scorer.meteor(pairs)
    assert together[-1] == 1
    assert all(0 <= score <= 1 for score in together)
    java_scorer._cache.clear()
    assert java_scorer.meteor(pairs[::-1]) == together[::-1]


def test_many_pairs_are_answered_in_order_by_one_process(java_scorer: JavaScorer):
    texts = [" ".join(f"word{number + place}" for place in range(6)) for number in range(700)]
    pairs = [(texts[0], text) for text in texts]
    found = java_scorer.meteor(pairs)
    assert found[0] == 1
    assert found[:7] == sorted(found[:7], reverse=True)
    assert found[7:] == [0] * 693
    assert java_scorer.meteor(pairs) == found


def test_the_system_changes_no_score_and_the_process_ends_with_the_one_that_asked(java_scorer: JavaScorer):
    # A Turkish system, whose i has another capital, whose numbers have a comma, and whose bytes are not UTF-8.
    options = "-Duser.language=tr -Duser.country=TR -Dfile.encoding=ISO-8859-9 -Dsun.stdout.encoding=ISO-8859-9"
    script = (
        "import os, signal; from adstudio.evaluation.java_scorer import JavaScorer\n"
        "scorer = JavaScorer()\n"
        "print(ascii(scorer.tokens(['IN the café', 'He LIES in Zoë’s TITLE'])))\n"
        "print(scorer.meteor([('he lies in the title', 'he is lying in a title')]))\n"
        "print(scorer._meteor._process.pid, flush=True); os.kill(os.getpid(), signal.SIGKILL)"
    )
    environment = {**os.environ, "JAVA_TOOL_OPTIONS": options, "LC_ALL": "C"}
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", script], env=environment, capture_output=True, timeout=300, check=False
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    tokens, scores, pid = done.stdout.decode().splitlines()
    assert tokens == ascii(["in the café", "he lies in zoë 's title"])
    assert scores == str(java_scorer.meteor([("he lies in the title", "he is lying in a title")]))
    assert gone(int(pid))


def test_one_process_for_a_run_in_a_folder_of_any_name(
    java_scorer: JavaScorer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    folder = tmp_path / "Österreich und so" / "pycocoevalcap"
    for part in ("meteor", "tokenizer"):
        shutil.copytree(java_scorer._folder / part, folder / part, copy_function=os.link)
    monkeypatch.setattr(module, "_package_folder", lambda: folder)
    monkeypatch.setenv("LC_ALL", "C")
    pair = ("a man opens the door", "the guy is opening a gate")
    with JavaScorer() as scorer:
        assert scorer.tokens(["A door."]) == ["a door"]
        assert scorer.meteor([pair]) == java_scorer.meteor([pair])
        process = scorer._meteor._process
        scorer.meteor([("a cat", "a cat runs")])
        assert scorer._meteor._process is process is not None
    assert process.returncode is not None


def test_a_whole_evaluation(java_scorer: JavaScorer):
    uk = said((1, 3, "A man opens the door."), (6, 8, "He looks around the room."), (22, 25, "Rain falls on the city."))
    us = said((1, 3, "The door is opened."), (22, 24, "It's raining."))
    draft = said((1, 2, "A man opens a door."), (23, 24, "Rain."))
    one = film({"uk": uk, "us": us}, {"same": uk, "draft": draft}, dialogue=spoken((4, 5), (9, 20)), bounds=(0, 20, 30))
    found = evaluate([one], java_scorer)
    same, other = (system.mean for system in found.systems)
    assert [same[each] for each in (Measure.GAP_METEOR, Measure.SODA_M, Measure.SODA_T)] == pytest.approx([100] * 3)
    assert all(0 < other[measure] < same[measure] for measure in other if measure is not Measure.SODA_T)
    assert other[Measure.SODA_T] == 100  # of “us” both are near


def test_long_texts_are_asked_for_in_smaller_batches():
    long, short = " ".join(["a"] * 1_000), "a dog runs"
    assert [len(batch) for batch in module._batches([(long, long)] * 5)] == [2, 2, 1]
    assert [len(batch) for batch in module._batches([(short, short)] * 300)] == [256, 44]
    assert list(module._batches([])) == []


# Where something is missing


def test_without_java_the_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(module, "_package_folder", lambda: tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ScoringError, match="install a Java runtime") as caught:
        JavaScorer()
    assert caught.value.exit_code == 3


def test_without_the_package_the_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(
        ScoringError, match=r"METEOR needs the package pycocoevalcap.*-m pip install .adstudio\[eval\]."
    ):
        JavaScorer()


def fake_java(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> JavaScorer:
    program = folder / "java"
    program.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(module, "_package_folder", lambda: folder)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return JavaScorer()


ANSWERING = 'while read word line; do case $word in EVAL) echo "{0}"; echo "{0}";; *) echo "1.0 2.0";; esac; done'
"""Counts of matches for pairs, and something else for their scores."""


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("echo 'Unable to locate a Java Runtime.' >&2; exit 1", r"failed \(Unable to locate a Java Runtime\)"),
        ("exit 3", r"failed \(exit code 3\)"),
        ("while read line; do echo 'Error: no data'; done", "which are no counts"),
        (
            ANSWERING.format("OpenJDK Server VM warning: out of memory"),
            "answered “OpenJDK Server VM .*, which is no score",
        ),
        (ANSWERING.format("NaN"), "answered “NaN”, which is no score"),
        (ANSWERING.format("Infinity"), "answered “Infinity”, which is no score"),
        (ANSWERING.format(""), "answered “”, which is no score"),
    ],
)
def test_a_java_that_fails_is_said_in_one_sentence(
    script: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with fake_java(tmp_path, script, monkeypatch) as scorer, pytest.raises(ScoringError, match=expected) as caught:
        scorer.meteor([("a", "b")])
    assert "\n" not in str(caught.value)


def test_a_java_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "_START_S", 0.2)
    monkeypatch.setattr(module, "_BATCH_S", 0.2)
    with fake_java(tmp_path, "exec sleep 600", monkeypatch) as scorer:
        with pytest.raises(ScoringError, match=r"longer than 0\.4 s"):
            scorer.meteor([("a", "b")])
        with pytest.raises(ScoringError, match=r"longer than 0\.2 s"):
            scorer.tokens(["a"])


@pytest.mark.skipif(sys.platform != "linux" or shutil.which("setpriv") is None, reason="there is no setpriv here")
def test_a_java_that_does_not_look_at_its_input_ends_with_the_one_that_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    fake_java(tmp_path, "exec sleep 600", monkeypatch).close()
    script = (
        "import os, signal, sys, threading; from pathlib import Path; from adstudio.evaluation import java_scorer\n"
        "java_scorer._package_folder = lambda: Path(sys.argv[1])\n"
        "scorer = java_scorer.JavaScorer()\n"
        "def leave():\n"
        "    print(scorer._meteor._process.pid, flush=True); os.kill(os.getpid(), signal.SIGKILL)\n"
        "threading.Timer(1, leave).start()\n"  # as METEOR is still reading its tables
        "scorer.meteor([('a', 'b')])"
    )
    done = subprocess.run([sys.executable, "-c", script, tmp_path], capture_output=True, timeout=300, check=False)
    assert done.returncode == -signal.SIGKILL
    assert gone(int(done.stdout))


def test_a_tokenizer_that_loses_a_line_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with fake_java(tmp_path, "head -n 1", monkeypatch) as scorer, pytest.raises(ScoringError, match="number of lines"):
        scorer.tokens(["a", "b"])

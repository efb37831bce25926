from __future__ import annotations

import pytest

from adstudio.drafting.text.language.grammar import LONGEST_TEXT, dependencies, parsed, word_count


def test_sentences_stand_where_they_stand_in_the_text():
    text = "It is 5 p.m. He wears a coat. \n\nDr. Smith, her mother\nof old, sits… She runs."
    found = parsed([text])[0]
    assert [s.text for s in found] == [
        "It is 5 p.m.",
        "He wears a coat.",
        "Dr. Smith, her mother of old, sits…",
        "She runs.",
    ]
    for sentence in found:
        assert text[sentence.start : sentence.end].replace("\n", " ") == sentence.text
        for word in sentence.words:
            assert text[word.start : word.end] == word.text


def test_who_depends_on_whom():
    ((sentence,),) = parsed(["He wears a grey coat."])
    by_text = {word.text: word for word in sentence.words}
    assert (by_text["He"].dep, by_text["coat"].dep, by_text["grey"].dep) == ("nsubj", "dobj", "amod")
    assert [sentence.words[place].text for place in sentence.roots] == ["wears"]
    assert [sentence.words[place].text for place in sentence.subtree(4)] == ["a", "grey", "coat"]


def test_many_at_once_are_as_one_by_one():
    texts = ["A door opens.", "", "  \n ", "Anna looks up. She smiles."]
    assert parsed(texts) == tuple(parsed([text])[0] for text in texts)
    assert [len(found) for found in parsed(texts)] == [1, 0, 0, 2]


def test_a_text_too_long_is_refused():
    with pytest.raises(ValueError, match="100000 characters"):
        parsed(["a" * (LONGEST_TEXT + 1)])


@pytest.mark.parametrize(("text", "words"), [("", 0), ("He runs.", 2), ("He – runs …", 2), ("a well-worn coat", 3)])
def test_words_are_counted_without_punctuation(text: str, words: int):
    assert word_count(text) == words


def test_dependencies_are_those_of_the_whole_parse():
    texts = ["The tired man opens the door and walks out.", "", "Rain falls. Nora waits at the gate for Tom."]
    for whole, quick in zip(parsed(texts), dependencies(texts), strict=True):
        assert [sentence.text for sentence in whole] == [sentence.text for sentence in quick]
        for sentence, other in zip(whole, quick, strict=True):
            assert [(w.text, w.tag, w.dep, w.head) for w in sentence.words] == [
                (w.text, w.tag, w.dep, w.head) for w in other.words
            ]

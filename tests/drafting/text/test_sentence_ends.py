"""Where sentences end: no end is missed that is plain to see, and none is taken for one that is a short form's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.drafting.text.language.sentence_ends import sentence_breaks, sentences, split, whole_sentences


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("She waits.", 1),
        ("She waits", 1),
        ("She waits. He leaves.", 2),
        ("She waits! “He leaves.”", 2),
        ("He stops. 3 men enter.", 2),
        ("Anna waits.Tom runs.", 2),
        ("He stops!Then he goes", 2),
        ("He stops.\nShe runs.", 2),
        ("She waits… Then she runs. He stays.", 3),
        ("A banner reads “Welcome!” Tom enters.", 2),
        ("Mr. Bond meets Dr. No at 5.30 p.m. in St. James.", 1),
        ("Mr. Smith waits.", 1),
        ("J. R. Ewing rides… and falls.", 1),
        ("She calls J. R. Smith in.", 1),
        ("“Stop!” is written on the wall.", 1),
        ("“Help!” she mouths.", 1),
        ("He reads “Stop. Go.”", 1),
        ("The rope is 3.5 m long.", 1),
        ("The U.S.A. Team waves.", 1),
        ("She waits... then runs.", 1),
        ("At 5 a.m. Anna wakes.", 1),
        ("Track no. 3 is empty.", 1),
        ("He stops; he runs.", 1),
        ("A file called report.PDF opens.", 1),
        ("1. She waits.", 1),
        ("She nods, etc. Tom leaves.", 2),
    ],
)
def test_english(text, count):
    assert sentences(text) == count


@pytest.mark.parametrize(
    ("language", "text", "count"),
    [
        ("de", "Anna wartet. Tom geht.", 2),
        ("de-AT", "Er trägt z. B. Einen Hut.", 1),
        ("de", "Er trägt z.B. Hüte.", 1),
        ("de", "Herr Prof. Dr. Meier u. a. Gäste warten.", 1),
        ("de", "Am 1. Mai regnet es.", 1),
        ("de", "Er kommt 1999. Tom geht.", 2),
        ("cs", "Dne 1. Května prší.", 1),
        ("fr", "M. Dupont, Mme. Yvon et Mlle. Zola attendent.", 1),
        ("fr", "Il attend. Elle part.", 2),
        ("es", "El Sr. López espera.", 1),
        ("es", "Espera. ¿Se va?", 2),
        ("it", "Il sig. Rossi e la dott.ssa Bianchi aspettano.", 1),
        ("pl", "Idzie m.in. Anna.", 1),
        ("pl", "Idzie np. Anna.", 1),
        ("sv", "Hon bär t. ex. En hatt.", 1),
        ("ru", "Он идёт. Она стоит.", 2),
        ("ru", "Они идут т. е. бегут.", 1),
        ("ru", "Они идут т.е. бегут.", 1),
        ("ru", "На ул. Ленина пусто.", 1),
        ("el", "Πού πάει; Φεύγει.", 2),
        ("el", "Ο κ. Παπάς περιμένει.", 1),
        ("hi", "दरवाज़ा खुलता है। वह जाती है।", 2),
        ("hi", "डॉ. शर्मा आते हैं।", 1),
        ("ar", "هل يذهب؟ يذهب.", 2),
        ("fa", "او می‌رود؟ او می‌ماند.", 2),
        ("ur", "وہ جاتا ہے۔ وہ رکتی ہے۔", 2),
        ("ja", "彼女は待つ。彼は去る。", 2),
        ("ja", "彼女は待つ。", 1),
        ("ja", "看板に「止まれ。進め。」とある。", 1),
        ("zh", "他走了！她留下。", 2),
        ("zh", "他走吗？她留下。", 2),
    ],
)
def test_other_languages(language, text, count):
    assert sentences(text, language) == count


def test_breaks_are_where_the_mark_and_what_closes_it_end():
    assert sentence_breaks("He reads. “She waits.” Tom goes.") == (9, 22)


@pytest.mark.parametrize(
    ("text", "language", "kept"),
    [
        ("She waits. He lea", "en", "She waits."),
        ("She waits. He leaves.", "en", "She waits. He leaves."),
        ("She waits. He sees Mr.", "en", "She waits."),
        ("She waits for Mr. Smi", "en", ""),
        ("She says “Stop.” He lea", "en", "She says “Stop.”"),
        ("वह जाती है। वह रुक", "hi", "वह जाती है।"),
        ("彼女は待つ。彼は", "ja", "彼女は待つ。"),
        ("他走了！她", "zh", "他走了！"),
        ("هل يذهب؟ يذه", "ar", "هل يذهب؟"),
    ],
)
def test_what_broke_off_is_kept_up_to_its_last_whole_sentence(text, language, kept):
    assert whole_sentences(text, language) == kept


def test_a_text_in_its_sentences():
    assert split("Mr. Fox waits. He goes.\n\n—\nDr. Vale sits") == ("Mr. Fox waits.", "He goes.", "Dr. Vale sits")
    assert split("彼女は待つ。彼は去る。", "ja") == ("彼女は待つ。", "彼は去る。")


@given(st.text(alphabet='aA1.!?…。। \n“”«»"Mr', max_size=60), st.sampled_from(["en", "de", "el", "xx", ""]))
def test_whatever_the_text_breaks_rise_and_lie_inside_it(text, language):
    breaks = sentence_breaks(text, language)
    assert list(breaks) == sorted(set(breaks))
    assert all(0 < each < len(text) for each in breaks)
    assert text.startswith(whole_sentences(text, language).rstrip())

"""Which languages there are, in what form their tags are, and what somebody may mean by a wrong one."""

import pytest

from adstudio.core.errors import BadInputError
from adstudio.subtitles.reading import parse_subtitles
from adstudio.system.languages import canonical_language, nearest_languages, require_language


@pytest.mark.parametrize(
    ("written", "tag"),
    [
        ("en", "en"),
        (" EN ", "en"),
        ("DE_at", "de-AT"),
        ("pt-br", "pt-BR"),
        ("zh-hant-tw", "zh-Hant-TW"),
        ("eng", "en"),
        ("ger", "de"),
        ("deu-CH", "de-CH"),
        ("iw", "he"),
        ("es-419", "es-419"),
        ("tlh", "tlh"),
        ("bfi", "bfi"),
        ("und", "und"),
        ("qaa", "qaa"),
        ("x-elvish", "x-elvish"),
    ],
)
def test_a_language_in_its_usual_form(written: str, tag: str) -> None:
    assert canonical_language(written) == tag
    assert require_language(written) == tag


@pytest.mark.parametrize(
    "written", ["", "klingon", "xx", "english", "e", "en-", "en--US", "x", "qua-qua-qua-q", "日本", "a" * 5000]
)
def test_what_is_no_language_is_refused(written: str) -> None:
    assert canonical_language(written) is None
    with pytest.raises(BadInputError) as raised:
        require_language(written)
    assert len(str(raised.value)) < 200


@pytest.mark.parametrize(
    ("written", "tags"),
    [
        ("klingon", ("tlh",)),
        ("klingn", ("tlh",)),
        ("german", ("de",)),
        ("Deutsch", ("de",)),
        ("English (UK)", ("en",)),
        ("gr", ("el", "kl")),
        ("xx", ()),
    ],
)
def test_the_nearest_languages(written: str, tags: tuple[str, ...]) -> None:
    assert nearest_languages(written) == tags


@pytest.mark.parametrize(("declared", "tag"), [("DE_at", "de-AT"), ("eng", "en"), ("klingon", None)])
def test_the_language_that_a_file_declares(declared: str, tag: str | None) -> None:
    data = f"WEBVTT\nLanguage: {declared}\n\n00:01.000 --> 00:02.000\nHello.\n".encode()
    file = parse_subtitles(data, "film.vtt")
    assert file.language == tag
    assert any("klingon" in oddity.what for oddity in file.oddities) is (tag is None)

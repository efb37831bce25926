"""Throws damaged lexicons at their reader: `python tests/fuzz/fuzz_lexicons.py --seconds 600 [--seed N]`.

What is allowed: a sentence (`BadInputError`), or a lexicon that reads back equal after it is written, as CSV and as
text. Anything else ends the run with the input kept beside it, as does a file that takes more than ten seconds.
"""

from __future__ import annotations

import random

from shared_main import damaged, fuzz, require

from adstudio.core.errors import BadInputError
from adstudio.core.narration import Pronunciation, lexicon_error
from adstudio.speech.lexicon_files import lexicon_as_csv, lexicon_as_text, read_lexicon

LEXICON = (
    Pronunciation("Siobhan", "shiv-AWN"),
    Pronunciation("Ballyvaughan", "bæliˈvɔːn", phonemes=True),
    Pronunciation("“Ó Cinnéide”, the elder", 'oh "kin"-AY-dja, elder'),
    Pronunciation("=SUM(A1)", "-dash"),
    Pronunciation("秋葉原", "あきはばら"),
)
TOKENS = (
    b",",
    b";",
    b"\t",
    b"=",
    b'"',
    b"'",
    b"/",
    b"#",
    b"\r",
    b"\n",
    b"\0",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"word",
    b"yes",
)


def check(data: bytes, name: str) -> str:
    """What became of it."""
    try:
        found = read_lexicon(data, name)
    except BadInputError as error:
        require("\n" not in str(error), "an error of more than one line")
        str(error).encode()
        return "refused"
    require(lexicon_error(found.entries) == "", "a lexicon that no project can have")
    for write in (lexicon_as_csv, lexicon_as_text):
        again = read_lexicon(write(found.entries), "again")
        require(again.entries == found.entries, f"it reads back as another one: {write.__name__}")
    return "read"


if __name__ == "__main__":
    seeds = [lexicon_as_csv(LEXICON), lexicon_as_text(LEXICON), b"# names\nSiobhan = shiv-AWN\nMikael = /mik/\n"]

    def case(chance: random.Random) -> tuple[str, bytes]:
        return "fuzz.txt", damaged(chance.choice(seeds), TOKENS, chance)

    fuzz("fuzz_lexicons", case, check)

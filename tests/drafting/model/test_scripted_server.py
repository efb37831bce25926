"""What the scripted server promises to whoever tries the program by it."""

from __future__ import annotations

import base64
import json
import struct

from scripted_forms import embedded, of_form
from scripted_model import fluent, spoken_in

from adstudio.drafting.model.direct import LONGEST
from adstudio.serving.check.generation import bound_schema, schema_fault


def vectors(body):
    rows = json.loads(b"".join(embedded(body, "m").blocks))["data"]
    return [struct.unpack("<64f", base64.b64decode(row["embedding"])) for row in rows]


def test_answers_keep_any_form():
    assert schema_fault(json.dumps(of_form(bound_schema()))) is None


def test_embeddings_of_texts_and_conversations():
    one, same, other = vectors({"input": ["A man parks.", "A man parks.", "Rain falls on the sea."]})
    assert one == same != other
    assert abs(sum(each * each for each in one) - 1) < 1e-5
    assert len(vectors({"messages": [{"role": "user", "content": [{"type": "text", "text": "A man."}]}]})) == 1


def test_polishing_proposes_something_for_fragments():
    assert fluent("Rises from seat.", 5, owned=True) == "She rises from her seat."
    assert fluent("Rises from seat.", 3, owned=True) == "Rises from seat."
    assert fluent("A boy on a bicycle crosses the.", 9) == "A boy on a bicycle crosses."


def test_a_line_of_a_long_gap_is_no_longer_than_a_line_may_be():
    (line,) = spoken_in([(0, 6_000)], "A woman in a red coat crosses the empty platform with a suitcase. " * 20)
    assert len(str(line["text"])) <= LONGEST == 400

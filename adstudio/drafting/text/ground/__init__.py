"""When what a text tells is seen: from dialogue, cuts and order to occurrence spans, each with how sure it is."""

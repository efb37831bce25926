"""Grounding: from dialogue, cuts and order to the spans in which a text's events are seen, with confidences."""

"""The faces found in the film: searching for them, naming them, and what the timeline shows of them."""

"""A model in the planner's place: the paper's LLM scheduler, asked, and held against the proven plan."""

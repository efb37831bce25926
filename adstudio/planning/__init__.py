"""What to say, when and how briefly: one optimisation problem, solved exactly (DESIGN section 4)."""

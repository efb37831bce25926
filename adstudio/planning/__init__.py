"""Planning what to say, when and how briefly: an optimisation problem, solved exactly (DESIGN section 4)."""

"""The pages about models: which may be asked, what may leave, people, prompts, and what was sent."""

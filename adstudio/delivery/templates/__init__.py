"""A house's own documents, filled in with a script: what reaches beyond them is taken out first."""

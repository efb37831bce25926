"""Where eventualities come from, with their wordings, occurrences and salience."""

"""How much the story would lose without an eventuality (salience), and rules suggested between lines of a scene."""

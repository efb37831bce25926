"""Quality control: rules that a script is checked by, each with its source, and what they find."""

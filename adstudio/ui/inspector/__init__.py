"""The inspector: everything about what is selected, and why it is in or out of the plan."""

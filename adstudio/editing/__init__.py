"""Every edit a describer can make, as pure functions from the script to one undoable step."""

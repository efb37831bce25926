"""Every edit that a describer makes: functions from the script to one undoable step. Nothing is changed here."""

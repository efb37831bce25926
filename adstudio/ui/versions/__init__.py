"""Named versions of the script in the window: keeping one, comparing two, taking lines back."""

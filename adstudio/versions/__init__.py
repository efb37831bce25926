"""Named versions of a script: keeping them, comparing them line by line, taking lines back from them."""

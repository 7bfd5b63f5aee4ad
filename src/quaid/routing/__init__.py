"""Where a sentence that is to be remembered belongs: rules over its words, and over what a notebook holds."""

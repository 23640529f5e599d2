"""The judge: actions carried through the rules, and the table held against what comes of them."""

"""The hearing: what was said, rolled and shown goes to the judge, and again with other dice."""

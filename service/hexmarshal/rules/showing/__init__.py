"""How positions, actions and verdicts show themselves, in a notebook for instance."""

"""The dice of any log: rolls with player and purpose, tables, tests of fairness, a picture."""

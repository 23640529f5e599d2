"""The rules, chapter by chapter; each line that carries one out cites its id."""

"""How boards, counters, cards and templates look."""

"""Commands about games and their rules: games, rules, verify, play, odds."""

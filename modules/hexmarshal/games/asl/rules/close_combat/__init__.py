"""Close combat: ambush, attacks and their odds, withdrawal, melee."""

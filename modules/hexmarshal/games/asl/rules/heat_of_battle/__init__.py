"""Heat of battle: heroes, hardening, berserk units and their charge, surrender."""

"""Sample logs: games recorded as logs of VASSAL, rightly or with rules broken on purpose."""

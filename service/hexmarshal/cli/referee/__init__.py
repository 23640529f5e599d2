"""Commands that read VASSAL files with the eyes of the rules."""

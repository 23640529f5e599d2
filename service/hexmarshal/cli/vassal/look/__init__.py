"""Commands that look into VASSAL files and change nothing."""

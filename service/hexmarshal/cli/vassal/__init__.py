"""Commands for VASSAL files."""

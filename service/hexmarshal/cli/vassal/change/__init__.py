"""Commands that change VASSAL files."""

"""Commands that make VASSAL files, from source and from their text form."""

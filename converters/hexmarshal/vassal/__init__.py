"""VASSAL files: read, change, build and write modules, extensions, saves and logs without loss."""

"""The images of a module: found, measured, renamed."""

"""Terrain for the maps of modules: a file for any board, from its grid, its picture or a sheet."""

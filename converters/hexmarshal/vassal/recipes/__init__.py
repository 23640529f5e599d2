"""Recipes: batch changes to modules and saved games, written down in YAML."""

from hexmarshal.vassal.recipes.recipe import Recipe
from hexmarshal.vassal.recipes.run import Change, Edited, edit_module, edit_saved
from hexmarshal.vassal.recipes.schema import recipe_schema

__all__ = ["Change", "Edited", "Recipe", "edit_module", "edit_saved", "recipe_schema"]

"""Sections 10, 11 and 15: headquarters, supply, divisions in regiments."""

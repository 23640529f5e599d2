"""Prisoners: surrender, capture, guards, escape, massacre, arms for those who got away."""

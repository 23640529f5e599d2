"""Game boxes of CyberBoard (.gbx), of the files that its versions 2 and 3 write."""

from hexmarshal.vassal.imports.cyberboard.box import read_cyberboard

__all__ = ["read_cyberboard"]

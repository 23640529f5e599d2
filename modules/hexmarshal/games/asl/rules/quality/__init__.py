"""The quality of troops: substitution, ELR, disruption, leader creation, ammunition."""

"""Reinforcements: Soviet arrivals, the airborne operation, Axis negotiation."""

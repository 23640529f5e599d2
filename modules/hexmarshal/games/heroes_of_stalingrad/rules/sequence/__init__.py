"""The turn: orders, activations, reserve, and what goes on after each decision."""

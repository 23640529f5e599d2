"""Command: tokens, the cup, interrupts, OKH, activations."""

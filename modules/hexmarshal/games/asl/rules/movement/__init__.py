"""Movement of infantry: allowance, costs, steps, advance, smoke."""

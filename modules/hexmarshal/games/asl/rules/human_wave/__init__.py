"""Human wave: many stacks that go forward together, impulse by impulse."""

"""The rules calls: where they run, what they answer."""

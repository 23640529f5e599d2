"""Machine guns: fields of fire, fire lanes, spraying fire."""

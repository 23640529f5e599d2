"""Units as positions describe them: marks, nations, traits, vehicles, guns, who is hidden."""

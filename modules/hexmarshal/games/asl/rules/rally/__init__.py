"""Rally, deployment, and what else is done in the rally phase."""

"""Support weapons: possession, breakdown, repair."""

"""Armies: recruitment, orders, break points, deployment, victory."""

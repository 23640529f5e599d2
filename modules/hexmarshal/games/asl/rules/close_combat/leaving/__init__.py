"""Leaving a close combat: withdrawal, slipping away, and the decisions that go with them."""

"""Attacks that nobody announced, or not in time: found by their dice and by who suffered."""

"""Traces of War: the fighting for Ukraine from August 1943 to March 1944."""

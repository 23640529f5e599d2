"""The referee: reads VASSAL saves and logs with the eyes of a rules plugin."""

"""The answers to the plugin's declared queries."""

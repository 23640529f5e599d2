"""The report of a check as an HTML page, with pictures of the map and its counters."""

"""Pictures: counters, markers, boxes, charts and sheets, each from a few words about it."""

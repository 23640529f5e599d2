"""Many files: a folder checked in worker processes, with its results kept."""

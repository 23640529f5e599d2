"""The `hexmarshal asl` commands."""

"""Pictures of lines, fields of view and the ground."""

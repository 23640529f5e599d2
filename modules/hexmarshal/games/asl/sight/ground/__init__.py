"""The board under the lines: its tables, and what each line touches."""

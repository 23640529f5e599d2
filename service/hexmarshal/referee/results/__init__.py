"""What players still owe the table after an action, and what nothing asked for."""

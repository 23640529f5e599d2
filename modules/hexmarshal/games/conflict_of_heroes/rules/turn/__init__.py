"""The turn: initiative, activation, payment, rally, the solitaire game, victory."""

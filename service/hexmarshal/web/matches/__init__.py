"""The pages of `hexmarshal serve --web`: matches, played by clicks."""

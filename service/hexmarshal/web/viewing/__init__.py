"""The pages of `hexmarshal view`: one file, looked at."""

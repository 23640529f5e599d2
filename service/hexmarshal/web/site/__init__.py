"""What all pages share: safety, files, pictures, and the address they are served at."""

"""Cards: drawing and playing them."""

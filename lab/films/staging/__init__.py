"""What happens in films, and how a camera takes it; pictures of it are drawn elsewhere."""

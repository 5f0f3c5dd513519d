"""Find cards in a picture and read them."""

"""The protocol's bytes: frames and the messages in them."""

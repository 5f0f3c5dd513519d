"""Pictures for training, drawn by the project: card faces in many prints and scenes with them."""

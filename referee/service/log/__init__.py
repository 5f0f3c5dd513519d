"""The log of a table: its entries, what follows from them, and who may write when."""

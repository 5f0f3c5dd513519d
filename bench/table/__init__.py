"""The simulated table: rounds played before a rendered camera, to score the referee."""

"""The simulated table: rounds acted out before a rendered camera, and the referee scored."""

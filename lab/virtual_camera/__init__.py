"""A virtual camera: a drawn table, filmed in real time, for whatever reads a real one."""

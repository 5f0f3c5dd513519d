"""A virtual camera: films a drawn table in real time, for programs that read a real camera."""

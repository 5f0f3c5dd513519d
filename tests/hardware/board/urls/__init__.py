"""URLs that the tests add to pyserial's: a package of its ``protocol_handler_packages``."""

"""Serving phones at home by HTTPS: a certificate authority of the house's own, names, mDNS."""

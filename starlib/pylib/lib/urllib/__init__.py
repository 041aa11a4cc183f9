"""Addresses of the net: urllib.parse takes them apart. Nothing is fetched."""

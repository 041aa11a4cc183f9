"""Imports by a name that a program computes."""

__all__ = ["__import__", "import_module", "invalidate_caches", "reload"]

_import = __import__


def import_module(name, package=None):
    """The module of a name; ".name" is below package."""
    if name.startswith("."):
        if not package:
            raise TypeError("the 'package' argument is required to perform a relative import for %r" % name)
        level = len(name) - len(name.lstrip("."))
        parts = package.split(".")
        if level > len(parts):
            raise ImportError("attempted relative import beyond top-level package")
        name = ".".join(parts[:len(parts) - level + 1] + [name.lstrip(".")] if name.lstrip(".") else parts[:len(parts) - level + 1])
    return _import(name, fromlist=["_"])


def invalidate_caches():
    """Nothing: files are looked for anew each time."""


def reload(module):
    """Runs a module's file again if it has changed, and returns the module."""
    return import_module(module.__name__)

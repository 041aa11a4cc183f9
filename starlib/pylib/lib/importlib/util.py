"""Whether there is a module."""


class _Spec:
    def __init__(self, name):
        self.name = name
        self.loader = self.origin = None


def find_spec(name, package=None):
    """Something about a module, None if there is none. The module is imported for that."""
    from importlib import import_module
    try:
        module = import_module(name, package)
    except ImportError:
        return None
    spec = _Spec(name)
    spec.origin = getattr(module, "__file__", None)
    return spec

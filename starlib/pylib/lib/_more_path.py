"""Paths beside each other."""
import os


def relpath(path, start=None):
    """The path from the folder start, which is where relative paths begin."""
    path = os.fspath(path)
    if not path:
        raise ValueError("no path specified")
    at = [p for p in os.path.abspath(os.curdir if start is None else os.fspath(start)).split("/") if p]
    to = [p for p in os.path.abspath(path).split("/") if p]
    n = len(commonprefix([at, to]))
    return os.path.join(*([".."] * (len(at) - n) + to[n:])) if at != to else os.curdir


def commonprefix(m):
    """What paths begin with, by characters."""
    if not m:
        return ""
    low, high = min(m), max(m)
    for i in range(len(low)):
        if low[i] != high[i]:
            return low[:i]
    return low


def commonpath(paths):
    """The folder that paths are in."""
    paths = [os.fspath(p) for p in paths]
    if not paths:
        raise ValueError("commonpath() arg is an empty sequence")
    rooted = [p.startswith("/") for p in paths]
    if any(rooted) and not all(rooted):
        raise ValueError("Can't mix absolute and relative paths")
    parts = [[c for c in p.split("/") if c and c != "."] for p in paths]
    return ("/" if rooted[0] else "") + "/".join(commonprefix(parts))


def expandvars(path):
    """The path with $NAME and ${NAME} written out, for variables that there are."""
    import re
    def value(m):
        return os.environ.get(m.group(1) or m.group(2), m.group(0))
    return re.sub(r"\$(?:(\w+)|\{([^}]*)\})", value, os.fspath(path))


def splitdrive(p):
    """The pair of nothing and the path: there are no drives."""
    return "", os.fspath(p)


def normcase(s):
    """The path as it is."""
    return os.fspath(s)


def lexists(path):
    """exists."""
    return os.path.exists(path)


def samefile(a, b):
    """True if both paths lead to one file, written in any way."""
    os.stat(a), os.stat(b)
    return os.path.realpath(a) == os.path.realpath(b)


def getctime(path):
    """getmtime."""
    return os.path.getmtime(path)


getatime = getctime

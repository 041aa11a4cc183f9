"""Folders, and what is known of files."""
import os
from collections import namedtuple

stat_result = namedtuple("stat_result", ["st_mode", "st_ino", "st_dev", "st_nlink", "st_uid", "st_gid", "st_size", "st_atime", "st_mtime", "st_ctime"])


def stat(path):
    """The size, the time of the last change and the mode of a file. What tells one machine from another is 0."""
    mode, size, changed = os._stat(path)
    return stat_result(mode, 0, 0, 1, 0, 0, size, changed, changed, changed)


class PathLike:
    """The class of what has __fspath__."""


def fspath(path):
    """The path as text."""
    if isinstance(path, str):
        return path
    if hasattr(path, "__fspath__"):
        return path.__fspath__()
    raise TypeError("expected str, bytes or os.PathLike object, not " + type(path).__name__)


class DirEntry:
    """A name in a folder, and whether it is a file or a folder."""

    def __init__(self, folder, name):
        self.name, self.path = name, os.path.join(folder, name)

    def is_dir(self, *, follow_symlinks=True):
        """True if it is a folder."""
        return os.path.isdir(self.path)

    def is_file(self, *, follow_symlinks=True):
        """True if it is a file."""
        return os.path.isfile(self.path)

    def is_symlink(self):
        """False: what a link leads to is looked at."""
        return False

    def stat(self, *, follow_symlinks=True):
        """os.stat of the path."""
        return stat(self.path)

    def __fspath__(self):
        return self.path

    def __repr__(self):
        return "<DirEntry %r>" % self.name


class _Entries:
    def __init__(self, entries):
        self._it = iter(entries)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._it)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        pass

    def close(self):
        pass


def scandir(path="."):
    """An iterator of what is in a folder."""
    path = fspath(path)
    return _Entries([DirEntry(path, name) for name in os.listdir(path)])


def walk(top, topdown=True, onerror=None, followlinks=False):
    """A folder and those below it: each with the list of its folders and the list of its files. If the outer ones come first, the list of folders may be changed."""
    top = fspath(top)
    try:
        names = os.listdir(top)
    except OSError as error:
        if onerror is not None:
            onerror(error)
        return
    dirs, files = [], []
    for name in names:
        (dirs if os.path.isdir(os.path.join(top, name)) else files).append(name)
    if topdown:
        yield top, dirs, files
    for name in dirs:
        yield from walk(os.path.join(top, name), topdown, onerror, followlinks)
    if not topdown:
        yield top, dirs, files


def removedirs(name):
    """Removes an empty folder, and those around it that are empty then."""
    os.rmdir(name)
    head = os.path.dirname(fspath(name).rstrip("/"))
    while head and not os.listdir(head):
        os.rmdir(head)
        head = os.path.dirname(head)


def access(path, mode):
    """True if there is a file or folder, and its mode lets somebody do what is asked."""
    try:
        bits = os._stat(path)[0]
    except OSError:
        return False
    return (bits | bits >> 3 | bits >> 6) & mode == mode

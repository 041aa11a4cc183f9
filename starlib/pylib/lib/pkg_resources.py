"""Versions of packages, which can be compared: what programs ask of setuptools."""

import re


class Version:
    """The version of a package: numbers, and what is before or after a release."""

    def __init__(self, version):
        self._text = str(version).strip()
        match = re.match(r"v?(\d+(?:\.\d+)*)[-_.]?(a|b|c|rc|alpha|beta|pre|preview)?[-_.]?(\d*)(?:[-_.]?(post|dev|r|rev)[-_.]?(\d*))?", self._text.lower())
        if not match:
            raise ValueError("Invalid version: %r" % version)
        numbers = [int(n) for n in match.group(1).split(".")]
        self.release = tuple(numbers)
        while numbers and numbers[-1] == 0:
            numbers.pop()
        early, late = match.group(2), match.group(4)
        kinds = {"alpha": "a", "beta": "b", "c": "rc", "pre": "rc", "preview": "rc"}
        stage = kinds.get(early, early) if early else "~" if late != "dev" else ""
        after = -1 if late == "dev" else 1 if late else 0
        self.is_prerelease = bool(early) or late == "dev"
        self._key = (tuple(numbers), stage, int(match.group(3) or 0), after, int(match.group(5) or 0))

    def __eq__(self, other):
        return self._key == _version(other)._key

    def __lt__(self, other):
        return self._key < _version(other)._key

    def __le__(self, other):
        return self._key <= _version(other)._key

    def __gt__(self, other):
        return self._key > _version(other)._key

    def __ge__(self, other):
        return self._key >= _version(other)._key

    def __hash__(self):
        return hash(self._key)

    def __str__(self):
        return self._text

    def __repr__(self):
        return "<Version(%r)>" % self._text


def _version(x):
    if not isinstance(x, Version):
        raise TypeError("got %s, want a Version: parse_version(text)" % type(x).__name__)
    return x


def parse_version(version):
    """The version that a text is."""
    return Version(version)

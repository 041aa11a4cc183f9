"""Values as bytes, as Python keeps them in its compiled files: version 2 of the format."""

import struct

version = 2


def dumps(value, version=2):
    """The bytes of a value: None, bools, numbers, text, bytes, and containers of such."""
    parts = []
    _write(value, parts)
    return b"".join(parts)


def dump(value, file, version=2):
    """Writes these bytes to a file."""
    file.write(dumps(value))


def _write(x, out):
    if x is None:
        out.append(b"N")
    elif x is True or x is False:
        out.append(b"T" if x else b"F")
    elif x is Ellipsis:
        out.append(b".")
    elif type(x) == int:
        _write_int(x, out)
    elif type(x) == float:
        out.append(b"g" + struct.pack("<d", x))
    elif type(x) == complex:
        out.append(b"y" + struct.pack("<dd", x.real, x.imag))
    elif isinstance(x, str):
        data = x.encode("utf8")
        out.append(b"u" + struct.pack("<i", len(data)) + data)
    elif isinstance(x, bytes):
        out.append(b"s" + struct.pack("<i", len(x)) + x)
    elif isinstance(x, dict):
        out.append(b"{")
        for k in x:
            _write(k, out)
            _write(x[k], out)
        out.append(b"0")
    elif isinstance(x, (tuple, list, set, frozenset)):
        kind = b"(" if isinstance(x, tuple) else b"[" if isinstance(x, list) else b"<" if isinstance(x, set) else b">"
        out.append(kind + struct.pack("<i", len(x)))
        for e in x:
            _write(e, out)
    else:
        raise ValueError("unmarshallable object: got %s" % type(x).__name__)


def _write_int(x, out):
    if -2**31 <= x < 2**31:
        out.append(b"i" + struct.pack("<i", x))
        return
    digits, rest = [], abs(x)
    while rest:
        digits.append(rest & 32767)
        rest >>= 15
    out.append(b"l" + struct.pack("<i", len(digits) if x > 0 else -len(digits)) + struct.pack("<%dH" % len(digits), *digits))


class _Reader:
    def __init__(self, data):
        self.data, self.at, self.refs = data, 0, []

    def take(self, n):
        if self.at + n > len(self.data):
            raise EOFError("marshal data too short")
        self.at += n
        return self.data[self.at - n:self.at]

    def number(self, form):
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def read(self):
        kind = self.number("<B")
        place = None
        if kind & 128:
            place = len(self.refs)
            self.refs.append(None)
        value = self.value(chr(kind & 127))
        if place is not None:
            self.refs[place] = value
        return value

    def items(self, n):
        return [self.read() for _ in range(n)]

    def value(self, kind):
        if kind in _constants:
            return _constants[kind]
        if kind == "i":
            return self.number("<i")
        if kind == "l":
            n = self.number("<i")
            value = 0
            for i, digit in enumerate(struct.unpack("<%dH" % abs(n), self.take(2 * abs(n)))):
                value += digit << (15 * i)
            return -value if n < 0 else value
        if kind == "g":
            return self.number("<d")
        if kind == "y":
            return complex(self.number("<d"), self.number("<d"))
        if kind == "s":
            return self.take(self.number("<i"))
        if kind in "ut":
            return self.take(self.number("<i")).decode("utf8")
        if kind in "aA":
            return self.take(self.number("<i")).decode("latin1")
        if kind in "zZ":
            return self.take(self.number("<B")).decode("latin1")
        if kind == "(":
            return tuple(self.items(self.number("<i")))
        if kind == ")":
            return tuple(self.items(self.number("<B")))
        if kind == "[":
            return self.items(self.number("<i"))
        if kind == "<":
            return set(self.items(self.number("<i")))
        if kind == ">":
            return frozenset(self.items(self.number("<i")))
        if kind == "r":
            return self.refs[self.number("<i")]
        if kind == "{":
            value = {}
            while self.data[self.at:self.at + 1] != b"0":
                k = self.read()
                value[k] = self.read()
            self.at += 1
            return value
        raise ValueError("bad marshal data: unknown type code %r" % kind)


_constants = {"N": None, "T": True, "F": False, ".": Ellipsis}


def loads(data):
    """The value of such bytes."""
    return _Reader(data).read()


def load(file):
    """The value of the bytes of a file."""
    return loads(file.read())

# Bytes are sequences of ints, and have the methods of text.
def shown(x):
    if isinstance(x, bytes):
        return "bytes:" + x.hex()
    if isinstance(x, (list, tuple)):
        return type(x).__name__ + str([shown(e) for e in x]).replace('"', "'")
    return x
def t(f):
    try:
        print(shown(f()))
    except Exception as e:
        print(type(e).__name__)
def g(*a): return a
def u(x):
    a, b = x
    return a, b
def u2(x):
    a, *b = x
    return a, b
def added(b):
    l = [1]
    l += b
    l.extend(b)
    return l
for b in ["ab", b"ab", "ab".encode(), bytes([255, 0])]:
    for f in [lambda: b[0], lambda: b[-1], lambda: b[0:1], lambda: b[::-1], lambda: b[5], lambda: [x for x in b], lambda: list(b), lambda: tuple(b), lambda: g(*b), lambda: u(b), lambda: u2(b),
              lambda: [*b], lambda: {*b} == set(b), lambda: list(enumerate(b)), lambda: list(zip(b, b)), lambda: list(map(str, b)), lambda: list(reversed(b)), lambda: sorted(b), lambda: max(b),
              lambda: min(b), lambda: any(b), lambda: all(b), lambda: sum(b), lambda: len(b), lambda: b * 2, lambda: b + b, lambda: next(iter(b)), lambda: list(filter(None, b)), lambda: added(b),
              lambda: list(dict.fromkeys(b)), lambda: [(k, v) for k, v in {x: 1 for x in b}.items()], lambda: b < b + b, lambda: b == b, lambda: {b: 1}[b], lambda: bool(b[:0]), lambda: 97 in b,
              lambda: b in b, lambda: b.count(b[0:1]), lambda: b.index(b[1:2]), lambda: u(b + b)]:
        t(f)
texts = [b"", b"ab", b"  a b\t\n", b"aXbXc", b"\x1c\xa0 \x85a\x0b", "\u00e9\u00c4 x".encode(), b"A1 b2", b"line\r\nnext\nlast\x0bx\x1cy", b"12", b"Ab Cd", b"\xff" * 3]
calls = [lambda b: b.capitalize(), lambda b: b.center(9), lambda b: b.center(9, b"*"), lambda b: b.count(b"a"), lambda b: b.count(b""), lambda b: b.count(97), lambda b: b.endswith(b"c"),
         lambda b: b.endswith((b"c", b"b")), lambda b: b.expandtabs(4), lambda b: b.find(b"b"), lambda b: b.find(98, 1), lambda b: b.find(b"b", -2, 9), lambda b: b.index(b"X"), lambda b: b.isalnum(),
         lambda b: b.isalpha(), lambda b: b.isascii(), lambda b: b.isdigit(), lambda b: b.islower(), lambda b: b.isspace(), lambda b: b.istitle(), lambda b: b.isupper(), lambda b: b.join([b"1", b, b"3"]),
         lambda b: b.join((b"x",)), lambda b: b.join([]), lambda b: b.ljust(5), lambda b: b.lower(), lambda b: b.lstrip(), lambda b: b.lstrip(b" a"), lambda b: b.partition(b"X"),
         lambda b: b.removeprefix(b"a"), lambda b: b.removesuffix(b"c"), lambda b: b.replace(b"X", b"--"), lambda b: b.replace(b"a", b"", 1), lambda b: b.replace(b"", b"."), lambda b: b.rfind(b"a"),
         lambda b: b.rindex(b"a"), lambda b: b.rjust(12, b"0"), lambda b: b.rpartition(b"X"), lambda b: b.rsplit(), lambda b: b.rsplit(b"X", 1), lambda b: b.rstrip(), lambda b: b.split(),
         lambda b: b.split(b"X"), lambda b: b.split(None, 1), lambda b: b.splitlines(), lambda b: b.splitlines(True), lambda b: b.startswith(b"a"), lambda b: b.strip(), lambda b: b.strip(b" \n"),
         lambda b: b.swapcase(), lambda b: b.title(), lambda b: b.upper(), lambda b: b.zfill(6), lambda b: b.hex(), lambda b: b.hex(":"), lambda b: b.hex("-", 2), lambda b: b.hex("-", -2),
         lambda b: b.translate(bytes.maketrans(b"ab", b"AB")), lambda b: b.translate(None, b"a "), lambda b: b.find("a"), lambda b: b.split("a"), lambda b: b.join(["a"]), lambda b: b.join(b"ab"),
         lambda b: b.replace(b"a", "b"), lambda b: b.startswith("a"), lambda b: b.startswith(97), lambda b: b.find(256), lambda b: b.split(b""), lambda b: b.center(9, b"ab"), lambda b: b.translate(b"a")]
for b in texts:
    for f in calls:
        t(lambda: f(b))
for text in ["", "6162", " 61 62\n", "6", "6g", "61 6", "zz", "\u00e9"]:
    t(lambda: bytes.fromhex(text))
t(lambda: bytes(3))
t(lambda: bytes([1, 2]) + bytes((3,)))
t(lambda: bytes([256]))
t(lambda: bytes("a", "utf-8"))

t(lambda: b"a" + "b")
t(lambda: b"a" == "a")

t(lambda: bytes())
t(lambda: bytes(x for x in [1, 2]))
t(lambda: bytes(-1))
t(lambda: bytes(["a"]))
t(lambda: bytes(1.5))
t(lambda: bytes(b"ab"))
t(lambda: bytes("\u00e9", "latin-1"))
t(lambda: bytes([True, False]))

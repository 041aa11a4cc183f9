# Ints beyond 31, 32 and 64 bits where an index, a count or a bound is asked.
def put(n):
    x = [1, 2]
    x[n] = 3

def add(n):
    x = [1, 2]
    x[n] += 3

def take(n):
    x = [1, 2]
    del x[n]

def put_all(n):
    x = [1, 2, 3]
    x[n:] = [4]
    x[:n] = x[::n]
    return x

def take_all(n):
    x = [1, 2, 3]
    del x[n:]
    del x[::n]
    return x

cases = [
    ("item of str", lambda n: "abc"[n]), ("item of list", lambda n: [1, 2][n]), ("item of tuple", lambda n: (1, 2)[n]),
    ("set", put), ("add", add), ("del", take), ("set slice", put_all), ("del slice", take_all),
    ("item of bytes", lambda n: b"ab"[n]), ("item of range", lambda n: range(3)[n]),
    ("from", lambda n: ["abc"[n:], [1, 2][n:], (1, 2)[n:], b"ab"[n:], list(range(3)[n:])]),
    ("to", lambda n: ["abc"[:n], [1, 2][:n], (1, 2)[:n], b"ab"[:n], list(range(3)[:n])]),
    ("by", lambda n: ["abc"[::n], "äbc"[::n], [1, 2][::n], (1, 2)[::n], b"ab"[::n], list(range(3)[::n])]),
    ("find", lambda n: ["äbcä".find("ä", n), "äbcä".rfind("ä", 0, n)]),
    ("count", lambda n: ["abca".count("a", n), "abca".count("a", 0, n), "äbcä".count("ä", n)]),
    ("startswith", lambda n: ["abc".startswith("a", n), "abc".endswith("c", 0, n), "äbc".startswith("ä", n)]),
    ("index", lambda n: "abc".index("a", -n)), ("rindex", lambda n: "äbc".rindex("c", 0, n)),
    ("list.index", lambda n: [1, 2].index(1, -n)), ("tuple.index", lambda n: (1, 2).index(2, 0, n)),
    ("chr", lambda n: chr(n)), ("right", lambda n: [0 >> n, 5 >> n, -5 >> n, 2**70 >> n, -2**70 >> n]), ("left", lambda n: 0 << n),
]
for name, ask in cases:
    for n in [2**31 - 1, 2**31, 2**32 + 1, 2**40, 2**62, 2**63 - 1, 2**63, 2**64 + 1, 10**30]:
        for m in [n, -n]:
            try:
                print(name, m, ask(m))
            except Exception as err:
                print(name, m, type(err).__name__)
counts = [
    ("times", lambda n: "a" * n), ("list times", lambda n: [1] * n), ("times tuple", lambda n: n * (1,)), ("bytes", lambda n: b"a" * n),
    ("pop", lambda n: [1].pop(n)), ("center", lambda n: "a".center(n)), ("split", lambda n: "a b".split(None, n)),
    ("replace", lambda n: "aa".replace("a", "b", n)), ("insert", lambda n: [1].insert(n, 2)), ("chr", chr), ("expandtabs", lambda n: "a".expandtabs(n)),
]
for name, ask in counts:
    for n in [2**64, 10**30]:
        try:
            print(name, n, ask(n))
        except Exception as err:
            print(name, n, type(err).__name__)
for n in [0, 1, 30, 31, 62, 63, 64, 100, 511, 512, 600, 5000]:
    x = 3
    x <<= n
    print(n, x, -1 << n, 1 << n, 2**70 << n, 10**200 >> n, -10**200 >> n, x >> n, -x >> n, -7 >> n, 7 >> n)
    x >>= n
    print(x)

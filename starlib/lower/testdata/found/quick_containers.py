# What is done without a call is what the call does: keys that are equal, elements that ask, loops over what changes.
def outcome(f, *args):
    try:
        return repr(f(*args))
    except Exception as e:
        return type(e).__name__

class K:
    asked = 0
    def __init__(self, n): self.n = n
    def __hash__(self): return self.n
    def __eq__(self, other):
        K.asked += 1
        if self.n == 13: raise ValueError("eq")
        return isinstance(other, K) and other.n == self.n
    def __repr__(self): return "K(%d)" % self.n
class U:
    def __hash__(self): raise KeyError("hash")
class S:
    def __eq__(self, other): return "same"
    def __bool__(self): raise ValueError("bool")

nan = float("nan")
values = [0, 1, -1, 2**61 - 1, 2**63 - 1, 2**63, 2**64, 1.0, -0.0, 0.0, 0.5, nan, True, False, None, "", "a", "ä", "π😀", "ab", b"a", (), (1,), (1.0, True),
          ("a", 1), (0.0,), (-0.0,), (nan,), (1, (2, "x")), [], [1], [1.0], ["a", nan], [[1], 2]]
for x in values:
    print(repr(x), [i for i, y in enumerate(values) if outcome(lambda: x == y) == "True"], [i for i, y in enumerate(values) if outcome(lambda: x != y) == "True"],
          [outcome(lambda: x < y)[0] + outcome(lambda: x >= y)[0] for y in values if repr(x) + repr(y) == (repr(x) + repr(y)).replace("(nan", "")])
    print(outcome(lambda: x in values), outcome(lambda: values.index(x)), outcome(lambda: values.count(x)), outcome(lambda: x in (1, "a", None, (1, 1))),
          outcome(lambda: isinstance(x, list) or x in {1: 2, "a": 3, (1, 1): 4, nan: 5}), outcome(lambda: isinstance(x, list) or x in {1, "ä", ("a", 1)}), outcome(lambda: x in "aπ😀b"))

def keys():
    d = {1: "one", "a": 2, (1, "b"): 3}
    print(d[True], d[1.0], d[(1.0, "b")], d.get(True, 0), d.get((True, "b"), 0), d.get(2), d.setdefault(1.0, 5), d.pop(True), d)
    d[0] = 1
    d[-0.0] = 2
    d[False] += 5
    print(d, len({1, 1.0, True, (1,), (1.0,), (True,)}))
    for k in (K(13), K(13), U(), [1], {}, (1, [2]), (U(),)):
        print(outcome(lambda: {13: 1}[k]), outcome(lambda: {13: 1}.get(k)), outcome(lambda: {13}.add(k)), outcome(lambda: {k: 1}))
    d = {K(13): 1, K(2): 2}
    before = K.asked
    for k in (13, 2, "a", (2,)):
        print(outcome(lambda: k in d), outcome(lambda: d[k]), outcome(lambda: d.get(k, 7)), outcome(lambda: d.pop(k, 8)), outcome(lambda: d.setdefault(k, 9)))
        print(outcome(lambda: d.update({k: 1})), outcome(lambda: k in {K(13), K(4)}), outcome(lambda: {K(13)}.add(k)), outcome(lambda: {K(13)}.discard(k)))
    print(K.asked - before, d)
keys()

def elements():
    s = S()
    print(outcome(lambda: 1 in [s]), outcome(lambda: 1 in [1, s]), outcome(lambda: [s].index(1)), outcome(lambda: [1] == [s]), outcome(lambda: (2, s) < (2, 1)))
    print(outcome(lambda: any([0, s])), outcome(lambda: any([1, s])), outcome(lambda: all([0, s])), outcome(lambda: sorted([s, 1])), outcome(lambda: sum([1, s])))
    print(sorted([3, 1, 2]), sorted([0.0, -0.0, 1.5, -1]), sorted(["b", "ä", "a", ""]), sorted([(1, "b"), (1, "a"), (0, "z")]), outcome(lambda: sorted([1, "a"])),
          sorted([True, 0, 2.5]), outcome(lambda: sorted([(1, None), (1, 2)])), sorted([[2], [1, 5], []]))
    l = [3, "a", 1]
    print(outcome(l.sort), sorted([str(x) for x in l]))
    print(sum([True, True, 2]), sum([1, 2.5]), sum([2.5, 1]), sum([0.1] * 3), sum([2**62, 2**62]), sum((1, 2), 10), outcome(lambda: sum(["a"])), sum([], 0.5), sum([-0.0], -0.0))
    print(min(["b", "a"]), max((1, 2.5)), min([2, 2.0]), max([1, True]), outcome(lambda: min([])), max("abc"), outcome(lambda: max([1, "a"])))
elements()

def loops():
    l = [1, 2, 3]
    for i, x in enumerate(l):
        if x < 4: l.append(x + 3)
    print(l)
    for x in reversed(l):
        l.append(0)
    print(l)
    for x in reversed(l):
        l.pop(); print(x, end=" ")
    print(len(l))
    a, b = [1, 2, 3], [4, 5, 6, 7]
    for x, y in zip(a, b):
        if x == 1: a.append(9)
        print(x, y, end=" ")
    print(a)
    for x, y, z in zip("aπ", (1, 2, 3), range(5, 0, -2)): print(x, y, z)
    for t in zip([1, 2]): print(t)
    for t in enumerate("ä😀", 5): print(t)
    for i, (p, (q, *r)) in enumerate([(1, (2, 3, 4)), (5, "ab")], -1): print(i, p, q, r)
    d = {1: "a", 2: "b", 3: "c"}
    for k, v in d.items(): d[k] = v * 2
    print(d)
    print(list(d.items()), list(d.keys()), list(d.values()))
    for what in ("items", "values", "keys"):
        try:
            if what == "items":
                for k, v in d.items(): d[k + 10] = v
            elif what == "values":
                for v in d.values(): d[v] = 1
            else:
                for k in d.keys(): d.pop(k)
        except RuntimeError as e:
            print(type(e).__name__, len(d))
    print([(i, c) for i, c in enumerate("xy")], {k: v for k, v in zip("ab", [1, 2])}, [v for v in {1: 2}.values()], sorted({a + b for a, b in zip([1, 2], [3, 4])}))
    for c in "aä😀": print(c, len(c), ord(c), end=" ")
    print()
    for bad in (lambda: [0 for a, b in enumerate(5)], lambda: [0 for a, b in zip([1], 2)], lambda: [0 for a, b, c in zip([1], [2])], lambda: [0 for a in reversed({1: 2}.items if 0 else 5)]):
        print(outcome(bad))
    e = enumerate([1, 2])
    print(list(e))
loops()

def parts():
    s, t, l = "aπ😀bc", (1, 2.5, "x", None), [1, 2, 3, 4]
    for i in (0, 1, 2, 4, 5, -1, -5, -6, 2**40, True):
        print(outcome(lambda: s[i]), outcome(lambda: t[i]), outcome(lambda: "abc"[i]), outcome(lambda: l[i]))
        for j in (None, 0, 2, 9, -1, -9, 2**70):
            print(s[i:j], t[i:j], l[i:j], "abcdef"[i:j], outcome(lambda: l[i:j:2]), outcome(lambda: s[i:j:-1]))
    print(outcome(lambda: s[1.0]), outcome(lambda: t["a"]), outcome(lambda: l[:"a"]), outcome(lambda: s[::0]))
    m = l[:]
    m.append(5)
    m.extend((6, 7)); m.extend(m); m.insert(0, 0); m.insert(-100, -1); m.insert(100, 8); m.remove(7); m.reverse()
    print(l, m, m.pop(0), m.pop(-1), outcome(lambda: m.pop(99)), outcome(lambda: m.remove(99)), outcome(lambda: [].pop()), m.index(6), m.count(6), m.copy() == m)
    a, b = [1, 2]
    (c, d), e = (3, "x"), 5
    print(a, b, c, d, e, outcome(lambda: (lambda p, q: p)(*[1, 2, 3])))
    try:
        a, b = (1, 2, 3)
    except ValueError:
        print("too many")
parts()

def bits():
    n = 5
    n += True; n -= False; n *= True
    print(n, True + True, True - 2, True * 1.5, True / 2, True // 1, True % 2, True & False, True | 2, True ^ True, -2**63 + 0 * True, False - (-2**63), True + (2**63 - 1), True + 0.5)
    print(True < 2, 1.5 > True, True == 1.0, False in [0], True in (2, 1.0), 1 in [True], "1" in ["1"], 2**70 in [2**70], 0.5 in [1, 0.5])
bits()

def texts():
    for s in ("", " a b\t\nc ", "a,b,,c", "äÖ", "123", "Ab"):
        print(repr(s), s.split(), s.split(","), s.strip(), s.lstrip(), s.rstrip(), s.replace(",", "--"), s.lower(), s.upper(), s.isdigit(), s.isalpha(), s.isalnum(), s.isspace(),
              s.find("b"), s.rfind("b"), s.count(" "), outcome(lambda: s.index("b")), outcome(lambda: int(s)), s.splitlines(), s.startswith("a"), list(s), ",".join(list(s)))
    for s in ("1_000", " 12 ", "+5", "-0", "-7", "1e5", "inf", "-nan", ".5", "5.", "1.5e-3", "0x10", "--1", "99999999999999999999"):
        print(outcome(lambda: int(s)), outcome(lambda: float(s)))
    print(outcome(lambda: ",".join([1])), ",".join([]), ",".join(["a"]), ",".join(("a", "b")), outcome(lambda: ord("ab")), outcome(lambda: chr(-1)), chr(960), ord("π"), chr(65))
    print(isinstance(True, int), isinstance(1, (str, float)), isinstance([], (list, tuple)), isinstance("", str), isinstance(None, int), divmod(-7, 2), divmod(7, -2), bool([]), bool("a"))
    print(list((1, 2)), tuple([1, 2.5]), list({1: 2}), len(set([1, 1.0, True])), dict([(1, 2), (1.0, 3)]), dict({1: 2}), list(range(3, 0, -1)), list(enumerate("ab", 1)), list(zip([1, 2], "ab")))
texts()

def more():
    class P:
        def __init__(self, x): self.x = x
        def __format__(self, spec): return "<%s|%s>" % (self.x, spec)
        def __str__(self): return "P" + str(self.x)
        def __lt__(self, other): return self.x < other.x
    p = P(1)
    for v in (0, -7, 12345, 2**63, 1.5, -2.25, 1e300, 0.1, -0.0, "ab", "äß", True, None):
        print(f"{v}|{v!s:>8}|{p}|{p:x}", "{} {}".format(v, p), "%s %s" % (v, p), f"{v!r}")
        for spec in ("d", "5d", "<5d", "^6d", "05d", "+d", "6", "<6", "^7", ".2f", "8.2f", "-<9.1f", "08.3f", "*^9", "s", "6s", ">6s", "^5s", ",", "x", "e", "07", "=6", "1000d", ".3", ""):
            print(outcome(lambda: format(v, spec)), outcome(lambda: ("{:" + spec + "}").format(v)), end=" ")
        print(outcome(lambda: "%d" % v), outcome(lambda: "%.1f" % v), outcome(lambda: "%5s|%-5s|%%" % (v, v)), outcome(lambda: "%s" % (v, v)), outcome(lambda: "%s %s" % v))
    print("{}{{}}{}".format(1, 2), "{0}{1}{0}".format(1, 2), outcome(lambda: "{} {}".format(1)), outcome(lambda: "{".format(1)), "{:{}}".format(1, 5), f"{1:{5}}", "{a}".format(a=1), "%d%%" % 5)
    print("%s" % [1], "%s" % {"a": 1}, "%(a)s" % {"a": 1}, outcome(lambda: "%d" % "x"), "abc" % (), outcome(lambda: "abc" % 1))
    words = ["ccc", "a", "bb", "dd", "e"]
    print(sorted(words, key=len), sorted(words, key=len, reverse=True), sorted(words, reverse=True), sorted(words, key=None), max(words, key=len), min(words, key=len), max(words, key=lambda w: (len(w), w)))
    print(sorted([3, -1, 2], key=abs), sorted([P(2), P(1)], key=lambda q: q.x)[0].x, sorted([P(2), P(1)])[0].x, sorted(words, key=lambda w: -len(w)), outcome(lambda: sorted(words, key=1)), outcome(lambda: sorted([1, "a"], key=len)),
          sorted({"b": 1, "a": 2}, key=str), sorted([(1, "b"), (0, "a"), (1, "a")], key=lambda t: t[0]), sorted([2.5, 1, True], reverse=True), max([1, 1.0], key=float), min([0, -0.0], key=float))
    print(list(map(str, [1, 2.5, "a"])), list(map(len, ["a", [1]])), outcome(lambda: list(map(len, [1]))), list(map(int, "12")), list(map(P, [1]))[0].x, sum(map(float, [1, 2])))
    l = [1, 2]
    m = l
    l += [3]; l += (4,); l = l + [5]
    print(l, m, [1] * 3, 2 * [1, 2], "ab" * 2, [] * 5, "ab" * 0, "ab" * -1, (1,) + (2,), outcome(lambda: [1] + (2,)), outcome(lambda: "a" + 1), outcome(lambda: "a" * 1.5), m is l)
    m *= 2
    print(m)
    t = (1,)
    u = t
    t += (2,)
    print(t, u, (1, "a", 2.5)[1], (1, 2) == (1, 2), not [], not (), not {}, not "", not 0, not None, not 0.0, not p)
    d = {}
    for i in range(3):
        for j in range(2):
            d[i, j] = i
            d[i, j] += j
            d[(i, j)] = d[i, j] * 10
    print(d, outcome(lambda: d[9, 9]), d[1.0, True], outcome(lambda: d[[1], 2]))
    c = {}
    for w in "a b a c b a".split():
        if w in c: c[w] += 1
        else: c[w] = 1
    c["a"] += 2**63 - 4
    print(c, outcome(lambda: c["zz"]))
    c["a"] += 1; c["b"] += 1
    print(c)
    del c["a"]
    try:
        del c["a"]
    except KeyError: print("no a", c)
    text = ""
    for i in range(300): text += "ä" if i % 3 else str(i)
    print(len(text), text[0], text[-1], text[150:160], text[::-1][:5])
    s = "ascii"
    print(s[0], s[-1], s[1:3], s[:], s[5:], outcome(lambda: s[5]), {"k": 1, "k2": 2.5}, {x % 3 for x in [3, 6]} == {0})
more()

def frozen_keys():
    class Q:
        def __init__(self, d): self.d = d
        def __hash__(self): return 1
        def __eq__(self, other):
            self.d.pop("z", None)
            return False
    d = {"z": 1}
    d[Q(d)] = 2
    print(1 in d, "z" in d, len(d), d.get(1, 5), d.setdefault(1, 6), d.pop(1))
frozen_keys()

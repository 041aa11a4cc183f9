# Programs that print the same in CPython and here. oracle.py writes what CPython prints into programs.golden.
# %% random: the generator, by seeds
import random, json
for seed in [0, 1, -1, 42, 2**31, 2**32, 2**64 + 5, 10**30, "text", ""]:
    random.seed(seed)
    print(json.dumps([random.random(), random.getrandbits(5), random.getrandbits(70), random.randint(-3, 10**12), random.uniform(-1, 4), random.gauss(1, 2), random.gauss(0, 1),
                      random.randrange(7), random.randrange(3, 50, 4), random.randrange(50, 3, -4), random.normalvariate(0, 1), random.expovariate(1.5), random.triangular(0, 10, 3)]))
# %% random: other distributions, and the state
import random
for seed in range(40):
    r = random.Random(seed)
    a, b = r.uniform(0.05, 4), r.uniform(0.05, 4)
    print([r.betavariate(a, b) for _ in range(20)], [r.gammavariate(a, b) for _ in range(20)], [r.gammavariate(1, b), r.gammavariate(1, 1)])
    print([r.lognormvariate(a, b), r.paretovariate(a), r.weibullvariate(a, b), list(r.randbytes(9)), len(r.randbytes(0))])
    print(*["%.12g" % r.vonmisesvariate(a - 2, b) for _ in range(20)], r.vonmisesvariate(1, 0))
random.seed(5)
random.gauss(0, 1)
state = random.getstate()
drawn = [random.gauss(0, 1), random.random(), random.getrandbits(40)]
random.setstate(state)
print(drawn == [random.gauss(0, 1), random.random(), random.getrandbits(40)], state[0], len(state[1]), state[1][:3], state[1][-1], state[2])
other = random.Random()
other.setstate(state)
print(other.getstate() == state, 0 <= random.SystemRandom().random() < 1)
for call in [lambda: random.betavariate(0, 1), lambda: random.gammavariate(-1, 2), lambda: random.paretovariate(0), lambda: random.weibullvariate(1, 0), lambda: random.setstate((9, (), None)),
             lambda: random.setstate((3, (1, 2), None)), lambda: random.randbytes(-1)]:
    try:
        print(call())
    except Exception as e:
        print(type(e).__name__)
# %% random: many gaussian numbers
import random, json
random.seed(7)
print(json.dumps([random.gauss(0, 1) for _ in range(2000)]))
print(json.dumps([random.normalvariate(0, 1) for _ in range(500)]))
print(json.dumps([random.expovariate(3.0) for _ in range(500)]))
# %% random: sequences
import random, json
r = random.Random(5)
x = list(range(30))
r.shuffle(x)
print(json.dumps([x, r.sample(range(10), 4), r.sample(range(1000), 5), r.sample(range(100000), 30), r.sample("abcdef", 6), r.choice("abc"), r.choices([1, 2, 3], k=5),
                  r.choices([1, 2, 3], weights=[1, 0, 5], k=9), r.choices("ab", cum_weights=[1, 3], k=4), r.random()]))
# %% os.path
import os, os.path, json
from os.path import join
for p in ["", "a", "/", "//", "a/", "/a", "a/b", "a//b", "a/b.tar.gz", ".bashrc", "a/.x.y", "a.b/c", "..", "a/../b", "./a", "/a/b/"]:
    print(json.dumps([p, os.path.basename(p), os.path.dirname(p), os.path.split(p), os.path.splitext(p), os.path.normpath(p), os.path.isabs(p), join("x", p), join(p, "y", "z")]))
# %% itertools
import itertools, json
show = lambda it: print(json.dumps(list(it)))
show(itertools.chain("ab", [1, 2], ()))
show(itertools.islice(itertools.count(), 5))
show(itertools.islice(itertools.count(2.5, -0.5), 2, 9, 3))
show(itertools.islice(itertools.cycle([1, 2, 3]), 8))
show(itertools.islice("abcdefg", 3))
show(itertools.islice("abcdefg", 2, None))
show(itertools.repeat("x", 3))
show(itertools.product("ab", [1, 2], repeat=2))
show(itertools.product())
show(itertools.product("ab", []))
for r in range(5):
    show(itertools.permutations("abcd", r))
    show(itertools.combinations("abcd", r))
    show(itertools.combinations_with_replacement("abc", r))
show(itertools.permutations([1, 2, 3]))
show(itertools.permutations([], 0))
show(itertools.combinations("ab", 3))
show(itertools.accumulate([1, 2, 3, 4]))
show(itertools.accumulate([3, 1, 2], max))
show(itertools.accumulate([], initial=5))
show(itertools.compress("abcdef", [1, 0, 1, 0, 1]))
show(itertools.takewhile(lambda x: x < 5, [1, 4, 6, 4, 1]))
show(itertools.dropwhile(lambda x: x < 5, [1, 4, 6, 4, 1]))
show(itertools.starmap(pow, [(2, 5), (3, 2)]))
show(itertools.zip_longest("abc", [1], fillvalue=None))
show([(k, list(g)) for k, g in itertools.groupby([1, 1, 2, 3, 3, 1])])
show([(k, list(g)) for k, g in itertools.groupby("aAbB", key=lambda c: c.lower())])
it = iter(range(10))
show(itertools.takewhile(lambda x: x < 3, it))
show(it)
it = iter(range(10))
show(itertools.islice(it, 3))
show(it)
# %% itertools without end
import itertools, json
def show(x): print(json.dumps([list(t) if isinstance(t, tuple) else t for t in x]))
def first(x, n=5): show(itertools.islice(x, n))
first(itertools.accumulate(itertools.count(1)))
first(itertools.accumulate(itertools.count(1), lambda a, b: a * b, initial=1))
first(itertools.accumulate(itertools.count(), initial=None))
first(itertools.compress(itertools.count(), itertools.cycle([0, 1])))
first(itertools.dropwhile(lambda x: x < 7, itertools.count()))
show(itertools.takewhile(lambda x: x < 3, itertools.count()))
first(itertools.starmap(pow, zip(range(6), itertools.repeat(2))))
first(itertools.zip_longest([1, 2], itertools.count(), fillvalue="-"))
first(itertools.chain("ab", itertools.count(), 5))
first(itertools.chain.from_iterable([i, -i] for i in range(9)))
first(itertools.islice(itertools.count(), 3, None, 2))
first(itertools.cycle(itertools.count(2)))
first(itertools.cycle(x for x in "ab"))
show(itertools.cycle([]))
print([(k, list(g)) for k, g in itertools.islice(itertools.groupby(itertools.count(), lambda x: x // 3), 3)])
a, b = itertools.tee(itertools.count())
print(next(a), next(a), next(b), next(a), next(b))
print(3 in itertools.count(), 7 in iter([1, 7, 8]), 9 in iter([]), 2.0 in itertools.repeat(2), 5 not in iter([5]))
it = iter([1, 2, 3, 4])
print(2 in it, list(it))
def squares():
    n = 0
    while True:
        yield n * n
        n += 1
print(49 in squares(), any(itertools.count()), all(itertools.count()))
show(zip(itertools.count(), "abc"))
def noisy(x):
    print("asked", x)
    return x
it = itertools.starmap(noisy, [(1,), (2,)])
print(next(it), "then", next(it), next(it, "end"))
try:
    print(list(itertools.starmap(lambda x: 1 // x, [(1,), (0,)])))
except ZeroDivisionError:
    print("divided")
it = itertools.takewhile(lambda x: x < 2, [1, 5, 1])
print(list(it), list(it))
xs = [1, 2, 3]
it = itertools.islice(xs, 2)
print(next(it))
xs.append(4)
print(list(it), xs)
for i, x in enumerate(itertools.count(5), 2):
    if i == 4:
        print(i, x)
        break
first(map(lambda x, y: x * y, itertools.count(), itertools.count(2)))
first(filter(lambda x: x % 3 == 0, itertools.count()))
first(filter(None, itertools.cycle([0, 1, 2])))
first(zip(squares(), itertools.count(1)))
print((2, 7) in enumerate(itertools.count(5)))
it = map(noisy, iter([1, 2]))
print("not yet")
print(next(it), list(it))
def fails():
    yield 1
    raise KeyError("k")
try:
    print(list(itertools.chain([0], fails())))
except KeyError as e:
    print("caught", e.args[0])
# %% collections
from collections import OrderedDict, Counter, defaultdict, deque, namedtuple
import json
d = OrderedDict([("b", 1), ("a", 2)])
d["c"] = 3
print(json.dumps(d), list(d.keys()) == ["b", "a", "c"], len(d))
c = Counter("abracadabra")
print(json.dumps(c.most_common()), json.dumps(c.most_common(2)), c["a"], c["z"], len(c), "z" in c, "a" in c)
c.update("zz")
c.subtract({"a": 7})
print(json.dumps(sorted(c.items())), json.dumps(sorted(c.elements())))
d = defaultdict(list)
for k, v in [("x", 1), ("y", 2), ("x", 3)]:
    d[k].append(v)
print(json.dumps(d), "z" in d, len(d), d.get("z"), len(d))
n = defaultdict(int)
for ch in "hello":
    n[ch] += 1
print(json.dumps(n), json.dumps(sorted(n)), n["q"], len(n))
q = deque([1, 2, 3], maxlen=4)
q.append(4); q.append(5); q.appendleft(0)
print(list(q), len(q), q[0], q[-1], q.pop(), q.popleft(), list(q), q.maxlen, 3 in q)
q.extend([7, 8]); q.rotate(1); print(list(q)); q.rotate(-2); print(list(q)); q.extendleft([1, 2]); print(list(q)); q.clear(); print(len(q), bool(q))
P = namedtuple("P", "x y z", defaults=[7])
p = P(1, y=2)
print(p, p.x, p[1], p._fields == ("x", "y", "z"), json.dumps(p._asdict()), p._replace(x=5), p == (1, 2, 7), len(p), sum(p))
x, y, z = p
print(x, y, z, [v + 1 for v in p], P(3, 4) > p)
# %% functools and copy
import functools, copy
print(functools.reduce(lambda a, b: a * b, [1, 2, 3, 4]), functools.reduce(lambda a, b: a + b, [], 5), functools.partial(pow, 2)(5), functools.partial(int, base=2)("101"))
print(sorted([3, 1, 2], key=functools.cmp_to_key(lambda a, b: b - a)))
a = [[1], {2: [3]}]
b, c = copy.copy(a), copy.deepcopy(a)
a[0].append(9); a[1][2].append(8)
print(b, c, b[0] is a[0], c[0] is a[0])
s = [1]
t = copy.deepcopy([s, s])
t[0].append(2)
print(t)
# %% files to read and write
f = open("u", "w+")
print(f.write("abc\nd\u00e9f\n"), f.read() == "", f.tell())
f.seek(0)
print(len(f.readline()), f.tell(), f.read(1), f.read() == "\u00e9f\n")
f.seek(1); f.write("XY"); f.seek(0)
print(len(f.read()))
f.seek(5); f.truncate(); f.seek(0)
print(len(f.read()), f.truncate(2), f.tell())
f.seek(0); print(f.read()); f.close()
with open("u", "a+") as f:
    print(f.tell(), f.read() == "")
    f.write("end")
    f.seek(0); print(f.read())
    f.seek(0); f.write("!"); f.seek(0); print(f.read())
with open("u", "r+") as f:
    print(f.read(2)); f.write("after"); f.seek(0); print(f.read())
    for line in ["x"]: f.write(line)
with open("u", "rb+") as f:
    print(f.read(2) == b"aX", f.write(b"--"), f.read(2) == b"d!", f.tell())
    f.seek(20); f.write(b"z"); f.seek(0); print(len(f.read()), f.mode)
    f.seek(-1, 2); print(f.read() == b"z")
with open("crlf", "wb") as f:
    print(f.write(b"a\r\nb\r\n"))
with open("crlf", "r+") as f:
    print(f.readlines() == ["a\n", "b\n"]); f.write("c\n")
with open("crlf", "rb") as f:
    print(f.read() == b"a\r\nb\r\nc\n")
with open("lat", "w+", encoding="latin1") as f:
    f.write("\u00e9\u00e8x"); f.seek(0); print(f.read(2) == "\u00e9\u00e8", f.tell(), f.read())
with open("new", "x+") as f:
    f.write("n"); f.seek(0); print(f.read())
for name, mode in [("none", "r+"), ("new", "x+"), ("new", "+"), ("new", "rw+"), ("new", "r++"), ("new", "rr")]:
    try:
        open(name, mode); print("opened")
    except (OSError, ValueError) as e:
        print(type(e).__name__)
import os, pickle, gzip
for f in [lambda: os.mkdir("."), lambda: os.listdir("new"), lambda: open("."), lambda: pickle.loads(b"hello"), lambda: open("new").write("x"), lambda: gzip.open("new").read()]:
    try:
        f()
    except (OSError, pickle.PickleError) as e:
        print(type(e).__name__, isinstance(e, ValueError), isinstance(e, OSError))
f = open("new", "w"); f.write("abcdef"); print(f.truncate(3)); f.close()
print(open("new").read())
# %% argparse
import argparse
p = argparse.ArgumentParser(description="train")
p.add_argument("data")
p.add_argument("rest", nargs="*", type=int)
p.add_argument("--epochs", "-e", type=int, default=10, help="how many")
p.add_argument("--learning-rate", type=float, default="0.5")
p.add_argument("-v", "--verbose", action="store_true")
p.add_argument("--no-cuda", action="store_false", dest="cuda")
p.add_argument("--layers", nargs="+", type=int)
p.add_argument("--mode", choices=["a", "b"], default="a")
p.add_argument("--tag", action="append")
p.add_argument("-c", action="count", default=0)
p.add_argument("--opt", nargs="?", const="C", default="D")
for line in ["d", "d 1 2", "d -e 3 --verbose", "--epochs=4 d 5", "d --learning-rate 1e-3 --no-cuda", "d --layers 1 2 3 --mode b", "d --tag x --tag y -c -c", "d --opt", "d --opt Q", "d -e5", "d --lea 2", "-- d 3"]:
    n = p.parse_args(line.split())
    print(n.data, n.rest, n.epochs, n.learning_rate, n.verbose, n.cuda, n.layers, n.mode, n.tag == ["x", "y"], n.c, n.opt)
n, rest = p.parse_known_args(["d", "--unknown", "-e", "2"])
print(n.epochs, len(rest), rest[0])
# %% csv and files
import csv, os, gzip
f = open("t.csv", "w")
w = csv.writer(f, lineterminator="\n")
w.writerow(["a", "b,c", 'd"e', 1, 2.5, None])
w.writerows([["x", ""], [""], ["y\nz", " s "]])
f.close()
print(open("t.csv").read())
for row in csv.reader(open("t.csv")):
    print(len(row), "|".join(row))
f = open("t.txt", "w")
print(f.write("one\ntwo\r\nthree"), f.name, f.mode, f.closed)
f.writelines(["\n", "f\u00fcnf"])
f.close()
print(f.closed)
f = open("t.txt")
print(f.read(2), len(f.readline()), len(f.readline()), [len(l) for l in f], f.read() == "")
f.close()
print(len(open("t.txt", "rb").read()), [len(l) for l in open("t.txt", "rb")], open("t.txt", encoding="utf-8").readlines()[-1])
f = open("t.txt", "a"); f.write("!"); f.close()
f = open("t.txt", "rb"); f.seek(-1, 2); print(f.read() == b"!", f.tell()); f.seek(1); print(f.read(2) == b"ne", f.tell())
g = gzip.open("t.gz", "wb"); g.write(b"abc\n" * 1000); g.close()
print(len(gzip.open("t.gz").read()), gzip.open("t.gz", "rt").readline() == "abc\n", os.path.getsize("t.gz") < 200)
print(sorted(os.listdir(".")), os.path.exists("t.gz"), os.path.isdir("t.gz"), os.path.isfile("t.gz")) if False else print(len(os.listdir(".")))
os.makedirs("d/e", exist_ok=True); os.makedirs("d/e", exist_ok=True); os.rename("t.gz", "d/u.gz"); print(len(os.listdir("d"))); os.remove("d/u.gz"); print(len(os.listdir("d")))
# %% logging to a stream
import logging, sys
logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
log = logging.getLogger("train")
log.debug("no")
log.info("epoch %d of %d: %.3f", 1, 2, 0.5)
log.warning("100%")
log.setLevel(logging.ERROR)
log.info("no")
logging.error("root")
log.critical("end")
# %% pickle round trip
import pickle, json
x = {"a": [1, 2.5, None, True, -1, 2**70, -2**63, "t\u00fc"], "b": (1, (2, 3), ()), "e": [], "f": {}}
for protocol in range(6):
    y = pickle.loads(pickle.dumps(x, protocol))
    print(protocol, y == x, json.dumps(y))
l = [1]
y = pickle.loads(pickle.dumps([l, l]))
y[0].append(2)
print(y)
# %% collections: named tuples are tuples
import json
from collections import namedtuple
P = namedtuple("P", "x y")
p = P(1, 2.5)
print(json.dumps([P._fields, p._fields, P._make([3, "a"]), P.__name__, hasattr(P, "x") or True]))
print(json.dumps([p + (3,), (0,) + p, p + p, p * 2, 2 * p, "%d and %.1f" % p, "%s" % (p[0],), isinstance(p, tuple), isinstance(p, (int, P)), isinstance((1, 2), P), p == (1, 2.5), (1, 2.5) == p, sum(p), list(p)]))
for bad in [lambda: p + [3], lambda: p + 1, lambda: "%d" % p]:
    try:
        bad()
    except TypeError:
        print(json.dumps("TypeError"))
# %% pickle: bytes and arrays that look like text, in each protocol
import json, pickle
import numpy as np
data = bytes(range(256)) + "\u00e9\u20ac\U0001f600".encode()
a = np.arange(200.0) / 7 + 0.123456789
for protocol in range(5):
    back, b = pickle.loads(pickle.dumps([data, a], protocol))
    print(json.dumps([protocol, back == data, bool((a == b).all())]))
# %% collections: sums and differences of counters
import json
from collections import Counter
a, b = Counter(a=3, b=1, c=-2), Counter(a=1, b=2, d=4)
for c in [a + b, a - b, b - a, a | b, a & b, a + Counter(), Counter("abca") + Counter("ab")]:
    print(json.dumps([isinstance(c, Counter), sorted(c.items())]))
a += b
print(json.dumps([sorted(a.items()), sorted((b - Counter(d=1)).items())]))
for bad in [lambda: a + {"a": 1}, lambda: a - 1, lambda: a * 2]:
    try:
        bad()
    except TypeError:
        print(json.dumps("TypeError"))
# %% os: the folder in which paths begin
import os, json
top = os.getcwd()
os.makedirs("chdir.d/e")
os.chdir("chdir.d")
with open("f.txt", "w") as f:
    n = f.write("abc")
os.chdir("e")
print(json.dumps([os.path.basename(os.getcwd()), sorted(os.listdir("..")), os.path.exists("../f.txt"), open(os.path.join("..", "f.txt")).read()]))
try:
    os.chdir("none")
except OSError as e:
    print(json.dumps([type(e).__name__, os.path.basename(os.getcwd())]))
os.chdir(top)
print(json.dumps([os.path.exists("chdir.d/f.txt"), os.getcwd() == top]))
# %% dataclasses: what they make
from dataclasses import dataclass, field, fields, replace, InitVar, KW_ONLY
def show(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
@dataclass
class Named:
    self: int
    name: float = 1.5
@dataclass(frozen=True, order=True)
class Point:
    x: int
    y: int = 0
@dataclass
class Tree:
    v: int
    kids: list = field(default_factory=list)
@dataclass
class Full:
    a: int
    b: InitVar[int] = 3
    c: int = field(init=False, default=7)
    _: KW_ONLY
    e: int = 5
    def __post_init__(self, b):
        self.a += b
@dataclass
class Own:
    x: int
    def __init__(self):
        self.x = 4
    def __repr__(self):
        return "Own!"
@dataclass
class Sub(Own):
    y: int = 2
p = Point(1, 2)
def assign(): p.x = 3
def delete(): del p.x
def add(): p.z = 3
tree = Tree(1)
tree.kids.append(tree)
nan = float("nan")
for f in [lambda: Named(1), lambda: Named(self=2, name=3.5), assign, delete, add, lambda: Point(1) < Point(2), lambda: Point(1) <= 3, lambda: Point(1) == (1, 0),
          lambda: len({Point(1), Point(1), Point(2)}), lambda: hash(Point(1)) == hash(Point(1)), lambda: hash(Point) != 0, lambda: tree, lambda: Full(1), lambda: Full(1, 2, e=7),
          lambda: Full(1, 2, 3), lambda: Full(), lambda: Full(1, g=2), lambda: Full(1, a=2), lambda: [len(f.name) for f in fields(Full)], lambda: replace(Full(1), a=5, b=1),
          lambda: Own(), lambda: Sub(1), lambda: Sub(1, 2) == Sub(1, 2), lambda: Sub(1) != Sub(2), lambda: Named(nan) == Named(nan), lambda: Named(1).__eq__(5)]:
    show(f)
def declared(*args, **kwargs):
    def decorate(cls):
        show(lambda: dataclass(*args, **kwargs)(cls))
        return cls
    return decorate
@declared()
class Late:
    x: int = 1
    y: int
@declared(order=True)
class Ordered:
    x: int
    def __lt__(self, other): return True
@declared(unsafe_hash=True)
class Hashed:
    x: int
    def __hash__(self): return 1
@declared(order=True, eq=False)
class Unequal:
    x: int
# %% calls with wrong arguments, and is
class Q:
    def __init__(self, x, y=2, *, z): pass
def f(a, b, c, *, d, e): pass
def g(): pass
h = lambda x: x
def outer(k):
    def one(a): pass
    one(*k)
for call in [lambda: Q(), lambda: Q(1), lambda: Q(1, 2, 3, z=1), lambda: Q(1, z=2, w=3), lambda: Q(1, x=2, z=3), lambda: f(), lambda: f(1), lambda: f(1, 2), lambda: f(1, 2, 3), lambda: f(1, 2, 3, d=4),
             lambda: f(1, 2, 3, 4), lambda: f(1, 2, 3, 4, d=5), lambda: f(1, 2, 3, 4, d=5, e=6), lambda: g(1), lambda: g(x=1), lambda: h(), lambda: h(1, 2)]:
    try:
        print(call())
    except TypeError as e:
        print(e)
class Same:
    def __eq__(self, other): return True
    def __hash__(self): return -1
    def __repr__(self): return "same"
s, t, l, k = Same(), Same(), [], []
print(s is t, s is s, s is not t, s == t, l is k, l is l, None is s, s is None, True is s, s.__class__ is Same, t.__class__ is s.__class__, Q is Same, f is g, f is f)
print(hash(s), f"{s!r} {3!r} {2.5!r:>5}", repr(4), id(s) == id(s), id(s) == id(t), hash((1, 2)) == hash((1, 2)), hash(7), hash(-1))
class Odd:
    def __hash__(self): return "text"
try:
    hash(Odd())
except TypeError as e:
    print("TypeError")
# %% collections and typing: classes of named tuples
from collections import namedtuple
from typing import NamedTuple
class S(namedtuple("S", "a b")):
    def total(self): return self.a + self[1]
class T(NamedTuple):
    a: int
    b: int = 2
    def twice(self): return self.a * 2
class D(T):
    def __new__(cls, a): return super().__new__(cls, a, 5)
class Kind:
    def __new__(cls, n): return object.__new__(Special)
class Special(Kind):
    def __init__(self, n): self.n = n
class L(list):
    pass
class M(dict):
    def __missing__(self, k): return k * 2
class Own(list):
    def __getitem__(self, i): return "own"
l, m = L([1, 2.5, "x"]), M(a=1)
for f in [lambda: S(1, 2), lambda: S(1), lambda: S(1, 2, 3), lambda: T(1), lambda: T(), lambda: T(1, 2, 3), lambda: T(a=3, b=4), lambda: T(1, c=2), lambda: T(1, a=2), lambda: D(3), lambda: T(3)._replace(b=7),
          lambda: T(3)._asdict() == {"a": 3, "b": 2}, lambda: T._make([1, 2]), lambda: S(1, 2).total(), lambda: S(1, 2) + (3,), lambda: T(1) == (1, 2), lambda: isinstance(D(1), T), lambda: type(D(1)) is D,
          lambda: T(*(1, 2)), lambda: T(**{"a": 1}).twice(), lambda: T(1)[-1], lambda: T(1)[0:1], lambda: Kind(5).n, lambda: l[0] + l[-2], lambda: len(l[1:]), lambda: m["a"], lambda: len(m["bb"]),
          lambda: len(Own()[0]), lambda: hash(T(1)) == hash((1, 2)), lambda: T(S(1, 2), D(1))]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
# %% a text that grows is counted as it grows
s, out = "", []
for i in range(3000):
    s += "x" if i != 2500 else "é"
    out.extend([len(s), len(s[i:i+2]), s[i] == "é", ord(s[-1])])
    if i == 2000:
        t = s
print(sum([int(o) for o in out]), len(t), len(t + "éé"), (t + "éa")[-2] == "é", (t + "ab")[-1], t[5:2100] == "x" * 1996)

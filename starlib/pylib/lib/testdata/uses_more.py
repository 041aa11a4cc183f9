# Names that modules in Go have from files of the library, and some of their neighbours.
import itertools
import json
import os
import shutil
import sys
import time
import timeit
from collections import ChainMap, UserDict, UserList
from json import JSONEncoder

c = ChainMap({"a": 1}, {"a": 2, "b": 3})
print(c["a"], c["b"], len(c), ",".join(sorted(c)), "z" in c, c.get("z", 0), c.new_child({"b": 9})["b"], c.parents["a"])
c["b"] = 5
print(c.maps[0]["b"], c.maps[1]["b"])
try:
    c["zz"]
except KeyError:
    print("KeyError")


class Lower(UserDict):
    def __setitem__(self, key, item):
        super().__setitem__(key.lower(), item)


d = Lower(A=1)
d.update({"B": 2})
print(",".join(sorted(d)), d["a"], len(d), "b" in d, d == {"a": 1, "b": 2}, d.pop("a"), d.get("a"))


class Numbers(UserList):
    def total(self):
        return sum(self.data)


n = Numbers([3, 1, 2])
n.append(4)
n.sort()
print(n, n.total(), n[1:], (n + [9]).total(), len(n), 4 in n, n == [1, 2, 3, 4], n[0])


class Pair:
    def __init__(self, re, im):
        self.re, self.im = re, im


class Encoder(JSONEncoder):
    def default(self, o):
        if isinstance(o, set):
            return sorted(o)
        if isinstance(o, Pair):
            return [o.re, o.im]
        return super().default(o)


print(json.dumps({"s": {2, 1}, "c": Pair(1, 2)}, cls=Encoder))
print(json.dumps([{1}], cls=Encoder, indent=1, sort_keys=True))
print(Encoder().encode([1, "a"]), JSONEncoder(sort_keys=True).encode({"b": 1, "a": 2}))
try:
    json.dumps(Encoder, cls=Encoder)
except TypeError as e:
    print("TypeError")


def total(d):
    return sum([v if isinstance(v, int) else sum(v) for v in d.values()])


print(json.loads('{"a": {"b": 1}, "c": [{"d": 2}]}', object_hook=total))
print(json.loads('{"a": 1, "b": 2}', object_pairs_hook=lambda pairs: [v for k, v in pairs]))
print(json.JSONDecoder().decode("[1, 2]"))

root = os.path.abspath("tree_of_files")
os.makedirs(os.path.join(root, "a", "b"))
os.mkdir(os.path.join(root, "skip"))
for p in ["x.txt", "a/y.txt", "a/b/z.txt", "skip/w.txt"]:
    with open(os.path.join(root, p), "w") as f:
        f.write(p)
for top, dirs, files in os.walk(root):
    dirs.sort()
    if "skip" in dirs:
        dirs.remove("skip")
    print(os.path.relpath(top, root), " ".join(dirs), "|", " ".join(sorted(files)))
print(" ".join([os.path.basename(top) for top, _, _ in sorted(os.walk(root, topdown=False))]))
with os.scandir(root) as entries:
    print(" ".join(sorted([e.name + "/" * e.is_dir() for e in entries])))
st = os.stat(os.path.join(root, "a", "y.txt"))
print(st.st_size, st.st_mtime > 1e9, os.path.getsize(os.path.join(root, "x.txt")))
os.replace(os.path.join(root, "x.txt"), os.path.join(root, "v.txt"))
os.unlink(os.path.join(root, "v.txt"))
print(os.path.exists(os.path.join(root, "v.txt")), os.access(root, os.F_OK), os.access(root + "no", os.R_OK))
print(os.access(os.path.join(root, "a", "y.txt"), os.X_OK), os.access(os.path.join(root, "a"), os.X_OK | os.R_OK), os.access(os.path.join(root, "a", "y.txt"), os.R_OK | os.W_OK))
os.remove(os.path.join(root, "skip", "w.txt"))
os.rmdir(os.path.join(root, "skip"))
for wrong in [lambda: os.rmdir(os.path.join(root, "a")), lambda: os.rmdir(os.path.join(root, "none")), lambda: os.stat(os.path.join(root, "none")),
              lambda: os.unlink(root + "/none")]:
    try:
        wrong()
    except FileNotFoundError:
        print("FileNotFoundError")
    except OSError:
        print("OSError")
shutil.rmtree(root)
print(os.path.relpath("/a/b/c", "/a/d"), os.path.relpath("/a/b", "/a/b"), os.path.relpath("/x", "/"), os.path.commonprefix(["/usr/lib", "/usr/local"]),
      os.path.commonpath(["/usr/lib", "/usr/local/x"]), os.path.commonpath(["a/b", "a/b/c"]))
print(os.path.splitdrive("/a")[1], os.path.normcase("A/b"), os.pathsep, os.pardir, os.devnull, os.path.sep, os.fspath("a"))
print(os.getpid() > 0, os.cpu_count() > 0, len(os.urandom(5)))
os.environ["MY_OWN_VARIABLE"] = "set"
print(os.environ["MY_OWN_VARIABLE"], os.getenv("MY_OWN_VARIABLE"), "MY_OWN_VARIABLE" in os.environ,
      os.path.expandvars("$MY_OWN_VARIABLE/${MY_OWN_VARIABLE}x/$NOT_THERE"))
print(os.environ.setdefault("MY_OWN_VARIABLE", "other"), os.environ.pop("MY_OWN_VARIABLE"), os.environ.pop("MY_OWN_VARIABLE", "gone"))
os.environ["XLA_FLAGS"] = "--x"
print(os.environ["XLA_FLAGS"])
os.environ.update({"MY_SECOND_VARIABLE": "v"})
del os.environ["MY_SECOND_VARIABLE"]
print(os.getenv("MY_SECOND_VARIABLE"))
try:
    os.environ["MY_SECOND_VARIABLE"]
except KeyError:
    print("KeyError")
try:
    os.environ["A"] = 1
except TypeError:
    print("TypeError")

g = time.gmtime(86400 * 365)
print(g.tm_year, g.tm_mon, g.tm_mday, g.tm_hour, g.tm_wday, g.tm_yday, g[0], len(g), time.strftime("%Y-%m-%d %H:%M:%S", g), time.asctime(g))
t = time.strptime("2024-05-06 07:08:09", "%Y-%m-%d %H:%M:%S")
print(t.tm_year, t.tm_mon, t.tm_min, t.tm_sec, t.tm_wday, t.tm_yday, time.mktime(t) == time.mktime(time.localtime(time.mktime(t))), time.strftime("%d/%m/%y", t))
print(g)
print(time.timezone == -time.mktime(time.gmtime(0)) or time.timezone % 900 == 0)
print(time.process_time() >= 0, isinstance(time.localtime(), time.struct_time))

print(list(itertools.pairwise([1, 2, 3, 4])), list(itertools.pairwise([1])), list(itertools.pairwise([])))
print(list(itertools.filterfalse(lambda x: x % 2, range(6))), list(itertools.filterfalse(None, [0, 1, "", 2])) == [0, ""])
print("hello world".translate(str.maketrans("lo", "01", "h")), "abc".translate({97: None, 98: "BB", 99: 100}), "abc".translate(str.maketrans({"a": "1", "b": None})))
for wrong in [lambda: str.maketrans("ab", "c"), lambda: str.maketrans("ab"), lambda: str.maketrans({"ab": 1})]:
    try:
        wrong()
    except (ValueError, TypeError) as e:
        print(type(e).__name__)
print(sys.float_info.max > 1e308, sys.float_info.epsilon == 2.0**-52, sys.maxunicode, "os" in sys.modules, sys.getdefaultencoding(), sys.getsizeof([]) > 0, sys.intern("a"))
print(timeit.timeit("x + 1", setup="x = 1", number=10) > 0, timeit.timeit("y", globals={"y": 1}, number=3) > 0, len(timeit.repeat("pass", repeat=2, number=1)))

import collections
import csv
import json
import logging
import os
import sys
from collections import Counter, OrderedDict, defaultdict

c = Counter("abracadabra")
print(c + Counter("aa"), c - Counter("aaaa"), c == Counter("abracadabra"), Counter(a=1) == Counter("a"), Counter(a=0) == Counter(), c != {}, Counter("a") == {"a": 1})
print([Counter("a")] == [Counter("a")], defaultdict(int, a=1) == {"a": 1}, {"a": 1} == defaultdict(list, a=1), defaultdict(int) != defaultdict(list))
od = OrderedDict([("a", 1), ("b", 2), ("c", 3)])
print(od.popitem(last=False), od.popitem(last=True), list(od), list(OrderedDict.fromkeys("xy", 0).items()), dict.fromkeys([1]))


class Params(OrderedDict):
    def total(self):
        return sum(self.values())


p = Params()
p["w"] = 1
p["b"] = 2
print(list(p), p.total(), isinstance(p, dict), "w" in p)

with open("t.csv", "w", newline="") as f:
    w = csv.DictWriter(f, ["x", "y"])
    w.writeheader()
    w.writerow({"y": 2, "x": "a,b"})
    w.writerows([{"x": None}, {"x": 'q"', "y": 1.5}])
    try:
        w.writerow({"z": 1})
    except ValueError:
        print("no such column")
    csv.DictWriter(f, ["x"], extrasaction="ignore", restval="-").writerows([{"z": 1}, {"x": 2}])
with open("t.csv", newline="") as f:
    print(f.read().replace('"', "Q").splitlines())
with open("t.csv") as f:
    print([[x.replace('"', "Q") for x in row] for row in csv.reader(f)])
for rows in (csv.reader(["'a,b',c", "d''e,'it''s'"], quotechar="'"), csv.reader(["a;b", "", ";"], delimiter=";"), csv.reader(['a, "b"', '"x\n', 'y",z']),
             csv.reader(["a,  b"], skipinitialspace=True), csv.reader(['"a""b",c"d'])):
    for row in rows:
        print(len(row), *row, sep="|")
with open("t.json", "w") as f:
    json.dump({"k": [1, None, "é"]}, f, indent=1, sort_keys=True)
with open("t.json") as f:
    print(f.read())
with open("t.json") as f:
    print(json.load(f)["k"][:2])
with open("t.json", "rb") as f:
    print(json.load(f)["k"][0])
os.remove("t.csv")
os.remove("t.json")

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(levelname)s:%(name)s:%(message)s")
log, sub = logging.getLogger("a"), logging.getLogger("a.b")
logging.info("root %(k)s", {"k": 1})
log.log(logging.WARNING, "w %d", 3)
log.warn("old")
log.setLevel(logging.ERROR)
sub.info("hidden")
print(sub.getEffectiveLevel(), sub.isEnabledFor(logging.ERROR), logging.getLevelName(30), logging.WARN, logging.NOTSET)
h = logging.StreamHandler(sys.stdout)
h.setFormatter(logging.Formatter("[%(message)s]"))
log.addHandler(h)
sub.error("twice")
log.propagate = False
sub.error("once")
print(log.propagate, sub.propagate, log.handlers == [h], sub.handlers)
log.removeHandler(h)
sub.error("nowhere")
log.propagate = True
f = logging.FileHandler("t.log", mode="w")
sub.addHandler(f)
sub.critical("in a file")
f.close()
sub.removeHandler(f)
print(open("t.log").read())
os.remove("t.log")
logging.disable(logging.CRITICAL)
log.error("not")
logging.disable(logging.NOTSET)
log.error("again")

# %% objects are found as what they equal, and the other way around
class E:
    def __init__(self, v): self.v = v
    def __eq__(self, o): return self.v == (o.v if isinstance(o, E) else o)
    def __hash__(self): return hash(self.v)
e = E(5)
d = {5: "five", (1, 5): "pair"}
def t(name, f):
    try: print(name, f())
    except Exception as x: print(name, type(x).__name__)
t("d[e]", lambda: d[e])
t("d[E(5.0)]", lambda: d[E(5.0)])
t("{e:1}[5]", lambda: {e: 1}[5])
t("e in d", lambda: e in d)
t("pair", lambda: d[(1, e)])
t("5 in [e]", lambda: 5 in [e])
t("e in [5]", lambda: e in [5])
t("e in (1,5)", lambda: e in (1, 5))
t("5 in (1,e)", lambda: 5 in (1, e))
t("[5].count(e)", lambda: [5].count(e))
t("[e].count(5)", lambda: [e].count(5))
t("[5].index(e)", lambda: [5].index(e))
t("(5,).index(e)", lambda: (5,).index(e))
t("(5,).count(e)", lambda: (5,).count(e))
t("[e].index(5)", lambda: [e].index(5))
t("[5]==[e]", lambda: [5] == [e])
t("[e]==[5]", lambda: [e] == [5])
t("(5,)==(e,)", lambda: (5,) == (e,))
t("{1:5}=={1:e}", lambda: {1: 5} == {1: e})
t("{5}=={e}", lambda: {5} == {e})
t("e in {5}", lambda: e in {5})
t("5 in {e}", lambda: 5 in {e})
t("{5}-{e}", lambda: len({5} - {e}))
t("remove", lambda: [5].remove(e))
t("'a' in [E('a')]", lambda: 'a' in [E('a')])
t("None in [E(None)]", lambda: None in [E(None)])
t("len", lambda: len({5, E(5), 5.0, E(5.0)}))
class Nan:
    def __eq__(self, o): return False
    def __hash__(self): return 1
n = Nan()
t("n in [n]", lambda: n in [n])
t("n in (n,)", lambda: n in (n,))
t("[n]==[n]", lambda: [n] == [n])
t("(n,)==(n,)", lambda: (n,) == (n,))
t("[n].count", lambda: [n].count(n))
t("[n].index", lambda: [n].index(n))
t("{n:1}[n]", lambda: {n: 1}[n])
t("{n:1}[Nan()]", lambda: {n: 1}[Nan()])
class Log:
    def __init__(self, n): self.n = n
    def __eq__(self, o):
        print("eq", self.n, o if isinstance(o, int) else o.n)
        return NotImplemented
    def __hash__(self): return 7
a, b = Log("a"), Log("b")
t("a in [b]", lambda: a in [b])
t("a in (b,)", lambda: a in (b,))
t("[b].count(a)", lambda: [b].count(a))
t("[b].index(a)", lambda: [b].index(a))
t("{b:1}[a]", lambda: {b: 1}[a])
t("{7:1}[a]", lambda: {7: 1}[a])
t("{a:1}[7]", lambda: {a: 1}[7])
t("[a]==[b]", lambda: [a] == [b])
t("(a,)==(b,)", lambda: (a,) == (b,))
t("a in {b}", lambda: a in {b})
t("[a, b] < [b, a]", lambda: [a, b] < [b, a])
class Big:
    def __hash__(self): return 2**61 + 3
    def __eq__(self, o): return True
t("big", lambda: {4: 1}[Big()])
class Bad:
    def __hash__(self): return "x"
t("bad", lambda: {Bad(): 1})
class Raises:
    def __hash__(self): raise ValueError("no hash")
t("raises", lambda: {Raises(): 1})
t("raises", lambda: {1: 2}[Raises()])
class EqRaises:
    def __hash__(self): return 1
    def __eq__(self, o): raise ValueError("no eq")
t("eqraises", lambda: {1: 2}[EqRaises()])
t("eqraises", lambda: 1 in [EqRaises()])
t("eqraises", lambda: EqRaises() in (1,))
class NoHash:
    def __eq__(self, o): return True
t("nohash", lambda: {1: 2}[NoHash()])
class Neg:
    def __hash__(self): return -1
    def __eq__(self, o): return o == -2
t("neg", lambda: {-2: 1}[Neg()])
class BoolHash:
    def __hash__(self): return True
    def __eq__(self, o): return o == 1
t("boolhash", lambda: {1: 1}[BoolHash()])
class EqList:
    def __eq__(self, o): return []
    def __hash__(self): return 1
t("eqlist", lambda: (1 in [EqList()], {1: 2}.get(EqList())))
class EqStr:
    def __eq__(self, o): return "yes"
    def __hash__(self): return 1
t("eqstr", lambda: (1 in [EqStr()], EqStr() in (1,), {1: 2}.get(EqStr()), [1].count(EqStr()), [1] == [EqStr()]))
class Unhashable:
    __hash__ = None
class Below(E): pass
class Anew(E):
    def __eq__(self, o): return False
t("unhashable", lambda: {Unhashable(): 1})
t("unhashable", lambda: hash(Unhashable()))
t("inherited", lambda: ({5: 1}[Below(5)], Below(5) in [5], [Below(5)].count(E(5)), {E(5): 2}[Below(5)]))
t("anew", lambda: {5: 1}[Anew(5)])
t("hash", lambda: (hash(Big()) == 2 ** 61 + 3, hash(Neg()), hash(BoolHash()), hash(E(2 ** 70)) == hash(2 ** 70)))
t("nested", lambda: ((1, [e, {"k": e}]) == (1, [5, {"k": 5}]), [[5]].index([e]), (e, 2) in {(5, 2)}))
t("order", lambda: [e, 1] < [5, 2])
t("order", lambda: [1, e] < [1, 6])
t("set", lambda: ({5, 6} & {e} == {5}, {e} <= {5, 6}, {5}.isdisjoint([e]), {5: 1}.pop(e), {5: 1}.get(e), {5: 1}.setdefault(e, 3)))
d = {5: 1}
d[e] = 2
del d[E(5)]
print(d)

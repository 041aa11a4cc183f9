# eval, exec, compile, globals and __import__: text that is code.
import math
def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__)
top = 5
t(lambda: eval("1 + 2"))
t(lambda: eval("  top * 2"))
t(lambda: eval("top", {"top": 1}))
t(lambda: eval("top + other", {"top": 1}, {"other": 2, "top": 10}))
t(lambda: eval("top + other"))
t(lambda: eval("missing"))
t(lambda: eval("1 +"))
t(lambda: eval("x = 1"))
t(lambda: eval(""))
t(lambda: eval(3))
t(lambda: eval("1/0"))
t(lambda: eval("[i * top for i in range(3)]"))
t(lambda: eval("(lambda x: x + top)(1)"))
t(lambda: eval("math.sqrt(16)"))
t(lambda: eval("max(a, 3)", {"a": 2}))
t(lambda: eval("{'a': top}['a']"))
t(lambda: eval("None"))
t(lambda: eval("1 if top else 2"))
t(lambda: eval("a", None, {"a": 3}))
t(lambda: eval("a", [1]))
t(lambda: [eval(s) for s in ["1", "'x'", "(1, 2)", "top"]])
def f(a):
    b = 2
    return eval("a + b + top")
t(lambda: f(1))
def g(a):
    exec("a = 100")
    return a
t(lambda: g(1))
def h():
    ns = {"x": 3}
    exec("y = x * 2\ndef twice(v):\n    return v * y\nz = twice(5)", ns)
    return ns["y"], ns["z"], ns["twice"](1)
t(h)
def both():
    ns, own = {"x": 3}, {}
    exec("y = x + 1\nx = 9", ns, own)
    return ns["x"], sorted(own.items())
t(both)
def broken():
    ns = {}
    try:
        exec("a = 1\nb = 1/0\nc = 2", ns)
    except ZeroDivisionError:
        return ns["a"], "b" in ns, "c" in ns
t(broken)
exec("made = top + 1")
print(made)
exec("""
class P:
    def __init__(self, x):
        self.x = x
    def twice(self):
        return self.x * 2
for i in range(3):
    last = i
""")
print(P(4).twice(), last)
exec("import json\nfrom os import path")
print(json.dumps([1]), path.basename("a/b"))
t(lambda: exec("a b"))
t(lambda: exec("return 1"))
t(lambda: exec("x = undefined_name"))
t(lambda: exec("pass"))
code = compile("top * n", "<formula>", "eval")
t(lambda: [eval(code, {"top": 2, "n": n}) for n in range(3)])
t(lambda: exec(compile("q = 4", "file", "exec")))
t(lambda: compile("1 +", "file", "eval"))
t(lambda: compile("1", "file", "other"))
t(lambda: eval(compile("q = 4", "file", "exec")))
globals()["put"] = 7
print(put, "top" in globals(), globals()["top"], globals().get("nothing", 3))
def setter(name, v):
    globals()[name] = v
setter("later", [1])
print(later)
globals().update(u=1, v=2)
print(u + v)
del globals()["u"]
t(lambda: u)
t(lambda: globals()["u"])
exec("w = top", globals())
print(w)
exec("w2 = 1", globals(), locals())
print(w2)
def inner():
    x = 1
    exec("print(x + top)", globals(), locals())
    exec("print(sorted(k for k in locals()))", {}, {"a": 1})
inner()
t(lambda: __import__("math").pi)
t(lambda: __import__("os.path").path.basename("a/b"))
t(lambda: __import__("os.path", fromlist=["basename"]).basename("a/b"))
t(lambda: __import__("no_such_module_here"))
x = [1]
y = x
print(id(x) == id(y), id(x) == id([1]), id(None) == id(None), id(int) == id(int), isinstance(id(3), int))
class A:
    eval("1")
    k = 3
    n = eval("k + 1")
print(A.n)
for s in ["a + 1", "a - 1", "a * a"]:
    print([eval(s, {"a": a}) for a in range(3)])
print(eval("eval('1 + 1') + 1"))

def call_lambda(): pass
print(call_lambda.__name__, (lambda: 1).__name__)
class I:
    def __index__(self): return 1
def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__)
i = I()
x = [1, 2, 3]
t(lambda: x[i]); t(lambda: x[i:]); t(lambda: x[:i]); t(lambda: (1, 2)[i]); t(lambda: "ab"[i]); t(lambda: "abc"[i:]); t(lambda: x[::i]); t(lambda: range(5)[i])
def st(): x[i] = 5
def ss(): x[i:i] = [9]
def de(): del x[i]
t(st); t(ss); t(de); print(x)
t(lambda: "a" * i); t(lambda: [1] * i); t(lambda: bin(i)); t(lambda: x.pop(i)); t(lambda: x.insert(i, 3)); print(x)
class P:
    @property
    def p(self): return 1
    @staticmethod
    def s(): pass
    @classmethod
    def c(cls): pass
print(type(property(lambda s: 1)).__name__, type(P.p).__name__, P.s.__name__)
def outer():
    def call_lambda2(): pass
    return call_lambda2, lambda: 1
print([f.__name__ for f in outer()])

# Errors of builtins have the class of Python's.
import math
import numpy as np
tree = [ArithmeticError,AssertionError,AttributeError,BaseException,BufferError,EOFError,Exception,FileExistsError,FileNotFoundError,FloatingPointError,GeneratorExit,ImportError,IndentationError,IndexError,IsADirectoryError,KeyError,KeyboardInterrupt,LookupError,MemoryError,ModuleNotFoundError,NameError,NotADirectoryError,NotImplementedError,OSError,OverflowError,PermissionError,RecursionError,RuntimeError,StopIteration,SyntaxError,SystemError,SystemExit,TimeoutError,TypeError,UnboundLocalError,UnicodeDecodeError,UnicodeEncodeError,UnicodeError,ValueError,Warning,ZeroDivisionError,ConnectionError,UserWarning,DeprecationWarning,RuntimeWarning,FutureWarning]
for A in tree:
    print(A.__name__, [B.__name__ for B in tree if issubclass(A, B)])
def name(f):
    try: f()
    except Exception as e: return [B.__name__ for B in tree if isinstance(e, B)]
    return "none"
big = 10**400
for f in [lambda: math.exp(1000), lambda: math.factorial(-1), lambda: math.acos(2.0), lambda: math.exp("a"), lambda: math.comb(-1, 2), lambda: math.log(-1.0), lambda: math.sqrt(-1), lambda: math.log(0), lambda: math.sqrt(big), lambda: float(big), lambda: big / 3, lambda: 3.0 * big, lambda: big + 1.5, lambda: math.pow(10.0, 400), lambda: 10.0 ** 400, lambda: int(float("nan")), lambda: math.floor(float("inf")), lambda: round(float("inf")), lambda: "%f" % big, lambda: "{:f}".format(big), lambda: math.cosh(1e4), lambda: math.gamma(1e4), lambda: math.ldexp(1.0, 10**5), lambda: math.fsum([1e308] * 10), lambda: [1] * 10**18, lambda: "x" * 10**18, lambda: (1,) * 10**18, lambda: np.zeros(10**18), lambda: np.ones((10**9, 10**9)), lambda: np.arange(10**17), lambda: np.eye(10**8), lambda: np.zeros(5).repeat(10**16), lambda: np.broadcast_to(np.ones(1), (10**17,)) + 1, lambda: np.pad(np.ones(3), 10**17), lambda: np.linspace(0, 1, 10**16), lambda: np.meshgrid(np.ones(10**7), np.ones(10**8)), lambda: np.diag(np.ones(10**7)), lambda: np.kron(np.ones(10**7), np.ones(10**7)), lambda: np.identity(10**8), lambda: np.random.normal(size=10**16), lambda: np.random.permutation(10**16), lambda: np.tri(10**8), lambda: np.indices((10**9, 10**6)), lambda: np.full((10**9, 10**6), 2), lambda: np.empty((10**9, 10**6)), lambda: np.add.outer(np.ones(10**8), np.ones(10**8)), lambda: np.zeros(-1), lambda: np.bincount([10**17])]:
    print(name(f))
def keys(**k): return k
class Keys:
    def __init__(self, **k): self.k = k
for f in [lambda: keys(**{1: 2}), lambda: keys(**[1]), lambda: keys(*1), lambda: keys(a=1, **{"a": 2}), lambda: dict(**{1: 2}), lambda: Keys(**{None: 2}), lambda: keys(**{"a": 1}, **{2: 2})]:
    print(name(f))

"""Differentiation backwards through classes with operators, and a network on top of it."""
import math
import random
from functools import reduce


class Value:
    """A number that knows where it came from."""

    def __init__(self, data, parents=(), name=""):
        self.data = float(data)
        self.grad = 0.0
        self.parents = parents  # pairs of a value and the derivative by it
        self.name = name

    @classmethod
    def of(cls, x):
        return x if isinstance(x, cls) else cls(x)

    def __add__(self, other):
        other = Value.of(other)
        return Value(self.data + other.data, ((self, 1.0), (other, 1.0)))

    def __mul__(self, other):
        other = Value.of(other)
        return Value(self.data * other.data, ((self, other.data), (other, self.data)))

    def __pow__(self, n):
        return Value(self.data ** n, ((self, n * self.data ** (n - 1)),))

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-Value.of(other))

    def __rsub__(self, other):
        return other + (-self)

    def __truediv__(self, other):
        return self * Value.of(other) ** -1

    def __rtruediv__(self, other):
        return Value.of(other) / self

    def __lt__(self, other):
        return self.data < Value.of(other).data

    def __repr__(self):
        return "Value(%.6f)" % self.data

    def tanh(self):
        t = math.tanh(self.data)
        return Value(t, ((self, 1 - t * t),))

    def exp(self):
        e = math.exp(self.data)
        return Value(e, ((self, e),))

    def log(self):
        return Value(math.log(self.data), ((self, 1 / self.data),))

    def backward(self):
        order, seen = [], set()

        def visit(v):
            if v not in seen:
                seen.add(v)
                for parent, _ in v.parents:
                    visit(parent)
                order.append(v)

        visit(self)
        for v in order:
            v.grad = 0.0
        self.grad = 1.0
        for v in reversed(order):
            for parent, slope in v.parents:
                parent.grad += slope * v.grad
        return self


class Module:
    def parameters(self):
        return []


class Neuron(Module):
    def __init__(self, n, linear=False):
        self.w = [Value(random.uniform(-1, 1)) for _ in range(n)]
        self.b, self.linear = Value(0), linear

    def __call__(self, xs):
        s = sum((w * x for w, x in zip(self.w, xs)), self.b)
        return s if self.linear else s.tanh()

    def parameters(self):
        return self.w + [self.b]


class Network(Module):
    def __init__(self, *sizes):
        self.layers = [[Neuron(n, linear=m == sizes[-1]) for _ in range(m)] for n, m in zip(sizes, sizes[1:])]

    def __call__(self, xs):
        return reduce(lambda h, layer: [neuron(h) for neuron in layer], self.layers, xs)[0]

    def parameters(self):
        return [p for layer in self.layers for neuron in layer for p in neuron.parameters()]


def check(f, *at):
    """Gradients agree with differences."""
    xs = [Value(x) for x in at]
    y = f(*xs).backward()
    h = 1e-6
    for i, x in enumerate(xs):
        up, down = [f(*[v + (s * h if i == j else 0) for j, v in enumerate(at)]) for s in (1, -1)]
        assert abs((up.data - down.data) / (2 * h) - x.grad) < 1e-6, (i, x.grad)
    return y


def T(x):
    return Value.of(x)


print(check(lambda a, b: T(a) * b + T(b) ** 3 - 2 / T(a), 2.0, -3.0))
print(check(lambda a: (T(a) * T(a)).exp().log() * 3 - T(a).tanh(), 0.7))
print(check(lambda a, b, c: (1 - T(a)) / (T(b) + 1) * (T(c) - 5), 0.1, 0.2, 0.3))
print(Value(1) < 2, Value(3) < Value(2), sorted([Value(2), Value(1)]))

random.seed(4)
net = Network(2, 4, 1)
data = [((x, y), 1.0 if (x > 0) == (y > 0) else -1.0) for x in (-1, 1) for y in (-1, 1)]
print(len(net.parameters()), "parameters")
for step in range(1, 61):
    loss = sum(((net(xs) - t) ** 2 for xs, t in data), Value(0)) * (1 / len(data))
    loss.backward()
    for p in net.parameters():
        p.data -= 0.1 * p.grad
    if step % 20 == 0:
        print("step %d loss %.8f" % (step, loss.data))
print(" ".join("%.4f" % net(xs).data for xs, _ in data))

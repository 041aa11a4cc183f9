# Files of functions hold loops, branches and OpFromGraph, one in another too: what is loaded computes the same bits, and saves the same bytes.
import numpy as np
import theano
import theano.tensor as T
from theano.ifelse import ifelse
from theano.tensor.shared_randomstreams import RandomStreams

x, c, m = T.dvector("x"), T.iscalar("c"), T.dmatrix("m")
W = theano.shared(np.arange(9.0).reshape(3, 3) / 10, "W")
v = np.array([0.5, 1.5, -2.0])
rows = np.ones((4, 3)) * 0.3


def listed(z):
    return z if isinstance(z, list) else [z]


def check(name, f, *args):
    f.save("a.arignote")
    g = theano.load("a.arignote")
    g.save("b.arignote")
    assert open("a.arignote", "rb").read() == open("b.arignote", "rb").read(), name
    for k in range(3):
        for a, b in zip(listed(f(*args)), listed(g(*args))):
            assert a.dtype == b.dtype and a.tobytes() == b.tobytes(), (name, a, b)
    print(name)


r, _ = theano.scan(lambda a, b: a * b, sequences=x, outputs_info=T.constant(1.0))
check("loop", theano.function([x], r), v)
check("gradient of a loop", theano.function([x], T.grad(r[-1], x)), v)
h, _ = theano.scan(lambda a, b: T.tanh(T.dot(b, W) + a), sequences=m, outputs_info=T.zeros((3,)))
cost = (h**2).sum()
check("training", theano.function([m], [cost], updates=[(W, W - 0.1 * T.grad(cost, W))]), rows)
check("branches", theano.function([x, c], ifelse(c, x * 2, x * 3)), v, 1)
both = theano.OpFromGraph([x], [x * 2, T.exp(x)])
check("graph", theano.function([x], both(x)), v)
check("gradient of a graph", theano.function([x], T.grad(both(x)[1].sum(), x)), v)
check("graph with a large constant", theano.function([x], theano.OpFromGraph([x], [x.sum() * T.constant(np.arange(200.0))])(x)), v)
check("inlined", theano.function([x], theano.OpFromGraph([x], [T.sin(x)], inline=True)(x)), v)
check("overridden", theano.function([x], T.grad(theano.OpFromGraph([x], [x**2], grad_overrides=lambda inp, g: [g[0] * 7])(x).sum(), x)), v)
nested, _ = theano.scan(lambda row: theano.scan(lambda a, s: s + a * a, sequences=row, outputs_info=T.constant(0.0))[0][-1], sequences=m)
check("loop in a loop", theano.function([m], nested), rows)
check("its gradient", theano.function([m], T.grad(nested.sum(), m)), rows)
drawn, updates = theano.scan(lambda: RandomStreams(3).normal((2,)), n_steps=3)
check("random", theano.function([], drawn, updates=updates))
check("until", theano.function([], theano.scan(lambda a: (a * 2, theano.scan_module.until(a > 50)), outputs_info=T.constant(1.0), n_steps=100)[0]))
check("branches in a loop", theano.function([x, c], theano.scan(lambda a: ifelse(c, a * 2, a + 1), sequences=x)[0]), v, 0)
check("graph in a loop", theano.function([m], theano.scan(lambda a: both(a)[1], sequences=m)[0]), rows)
check("jacobian", theano.function([x], theano.gradient.jacobian(T.tanh(T.dot(W, x)), x)), v)
check("odd name", theano.function([x], theano.map(lambda a: a + 1, x, name='my "map", {x}#0')[0]), v)
check("lines", theano.function([x], theano.scan(lambda a: a + 1, sequences=x)[0], mode="DebugMode"), v)

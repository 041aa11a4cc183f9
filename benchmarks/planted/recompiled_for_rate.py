# rule: function-in-loop
import numpy as np
import theano
import theano.tensor as T

rng = np.random.RandomState(0)
X, y = rng.randn(200, 30), rng.randn(200)
xs, ys = T.dmatrix("xs"), T.dvector("ys")
w = theano.shared(np.zeros(30), name="w")
cost = ((T.dot(xs, w) - ys) ** 2).mean()
g = T.grad(cost, w)
# slow
for epoch in range(150):
    rate = 0.1 / (1 + epoch)
    step = theano.function([xs, ys], cost, updates=[(w, w - rate * g)], name="step")  # planted
    step(X, y)
# changed
rate = T.dscalar("rate")
step = theano.function([xs, ys, rate], cost, updates=[(w, w - rate * g)], name="step")
for epoch in range(150):
    step(X, y, 0.1 / (1 + epoch))

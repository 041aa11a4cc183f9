# rule: small-calls
import numpy as np
import theano
import theano.tensor as T

rng = np.random.RandomState(0)
X, y = rng.randn(60000, 4), rng.randn(60000)
w = theano.shared(np.zeros(4), name="w")
# slow
x, t = T.dvector("x"), T.dscalar("t")
grad = theano.function([x, t], T.grad((T.dot(x, w) - t) ** 2, w), name="grad")
total = np.zeros(4)
for i in range(len(X)):
    total += grad(X[i], y[i])  # planted
# changed
x, t = T.dmatrix("x"), T.dvector("t")
grad = theano.function([x, t], T.grad(((T.dot(x, w) - t) ** 2).sum(), w), name="grad")
total = grad(X, y)

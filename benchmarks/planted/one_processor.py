# rule: one-thread
import numpy as np
import theano
import theano.tensor as T

rng = np.random.RandomState(0)
X = rng.randn(700, 700)
W = theano.shared(rng.randn(700, 700), name="W")
x = T.dmatrix("x")
f = theano.function([x], T.dot(x, W), name="f")  # planted
# slow
theano.config.threads = 1
# changed
theano.config.threads = 0
# both
for i in range(40):
    f(X)

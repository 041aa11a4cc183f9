# rule: float64-in-float32
import numpy as np
import theano
import theano.tensor as T

rng = np.random.RandomState(0)
X = rng.randn(400, 300).astype("float32")
x = T.fmatrix("x")
# slow
W = theano.shared(rng.randn(300, 300), name="W")
h = T.dot(x, W)  # planted
# changed
W = theano.shared(rng.randn(300, 300).astype("float32"), name="W")
h = T.dot(x, W)
# both
f = theano.function([x], T.tanh(h), name="layer")
for i in range(150):
    f(X)

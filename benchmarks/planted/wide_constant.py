# rule: float64-in-float32
import numpy as np
import theano
import theano.tensor as T

rng = np.random.RandomState(0)
X = rng.randn(500, 400).astype("float32")
x = T.fmatrix("x")
# slow
offsets = T.constant(rng.randn(400))
y = T.exp(x + offsets)  # planted
# changed
offsets = T.constant(rng.randn(400).astype("float32"))
y = T.exp(x + offsets)
# both
f = theano.function([x], T.tanh(y) * y, name="f")
for i in range(200):
    f(X)

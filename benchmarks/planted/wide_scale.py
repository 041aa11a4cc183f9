# rule: float64-in-float32
import numpy as np
import theano
import theano.tensor as T

rng = np.random.RandomState(0)
X = rng.randn(600, 500).astype("float32")
x = T.fmatrix("x")
scale = rng.randn(500)
# slow
s = theano.shared(scale, name="s")
z = x * s + 1  # planted
# changed
s = theano.shared(scale.astype("float32"), name="s")
z = x * s + 1
# both
f = theano.function([x], T.sqrt(z * z + 2), name="f")
for i in range(600):
    f(X)

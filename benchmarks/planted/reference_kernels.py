# rule: go-kernels
import numpy as np
import theano
import theano.tensor as T

rng = np.random.RandomState(0)
X = rng.randn(800, 500)
x = T.dmatrix("x")
y = T.tanh(T.exp(-x * x) + T.sin(x))  # planted
# slow
f = theano.function([x], y, mode=theano.Mode(linker="py"), name="f")
# changed
f = theano.function([x], y, name="f")
# both
for i in range(20):
    f(X)

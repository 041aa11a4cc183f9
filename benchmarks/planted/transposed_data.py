# rule: strided-operand
import numpy as np
import theano
import theano.tensor as T

rng = np.random.RandomState(0)
data = rng.randn(3000, 2000)
x, y = T.dmatrix("x"), T.dmatrix("y")
f = theano.function([x, y], x * y + x, name="f")  # planted
P = rng.randn(2000, 3000)
# slow
Q = data.T
# changed
Q = np.ascontiguousarray(data.T)
# both
for i in range(15):
    f(P, Q)

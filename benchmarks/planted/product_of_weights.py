# rule: same-each-call
import numpy as np
import theano
import theano.tensor as T

rng = np.random.RandomState(0)
A, B = theano.shared(rng.randn(400, 400), name="A"), theano.shared(rng.randn(400, 400), name="B")
x = T.dvector("x")
v = np.ones(400)
# slow
M = T.dot(A, B)  # planted
# changed
M = theano.shared(A.get_value() @ B.get_value(), name="AB")
# both
f = theano.function([x], T.dot(M, T.tanh(x)), name="f")
for i in range(100):
    f(v)

# rule: same-each-call
import numpy as np
import theano
import theano.tensor as T

rng = np.random.RandomState(0)
W = theano.shared(rng.randn(800, 800), name="W")
x = T.dvector("x")
v = np.ones(800)
# slow
S = T.exp(W)  # planted
# changed
S = theano.shared(np.exp(W.get_value()), name="S")
# both
f = theano.function([x], T.dot(S, x), name="f")
for i in range(300):
    f(v)

# rule: get-value-copy
import numpy as np
import theano
import theano.tensor as T

rng = np.random.RandomState(0)
W = theano.shared(rng.randn(1500, 1500), name="W")
x = T.dvector("x")
step = theano.function([x], T.dot(x, W).sum(), name="step")
v = np.ones(1500)
# slow
for i in range(120):
    step(v)
    corner = W.get_value()[0, 0]  # planted
# changed
for i in range(120):
    step(v)
    corner = W.get_value(borrow=True)[0, 0]

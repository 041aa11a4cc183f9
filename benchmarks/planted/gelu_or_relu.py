# rule: both-branches
import numpy as np
import theano
import theano.tensor as T
from theano.ifelse import ifelse

rng = np.random.RandomState(0)
X = rng.randn(300, 300)
W = theano.shared(rng.randn(300, 300), name="W")
V = theano.shared(rng.randn(300, 300), name="V")
x, deep = T.dmatrix("x"), T.iscalar("deep")
one, two = T.dot(x, W), T.dot(x, V)
# slow
y = T.switch(T.eq(deep, 1), one, two)  # planted
# changed
y = ifelse(T.eq(deep, 1), one, two)
# both
f = theano.function([x, deep], y, name="f")
for i in range(150):
    f(X, i % 2)

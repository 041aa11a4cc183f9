# rule: both-branches
import numpy as np
import theano
import theano.tensor as T
from theano.ifelse import ifelse

rng = np.random.RandomState(0)
X = rng.randn(500, 400)
x, training = T.dmatrix("x"), T.dscalar("training")
wild, tame = T.exp(T.sin(x)), T.tanh(T.cos(x))
# slow
y = T.switch(T.gt(training, 0), wild, tame)  # planted
# changed
y = ifelse(T.gt(training, 0), wild, tame)
# both
f = theano.function([x, training], y, name="f")
for i in range(300):
    f(X, i % 2)

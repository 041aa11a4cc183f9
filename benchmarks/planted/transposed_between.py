# rule: kept-apart
# Features that are transposed in the midst of what is computed of them.
import numpy as np
import theano
import theano.tensor as T

x = T.dmatrix("x")
X = np.random.RandomState(0).rand(1500, 1000)
# slow
def features(x):
    return T.sqrt(T.sqr(x).T + 1.0)  # planted
# changed
def features(x):
    return T.sqrt(T.sqr(x) + 1.0).T
# both
f = theano.function([x], features(x).sum(axis=1))
for k in range(60):
    f(X)

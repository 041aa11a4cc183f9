# rule: small-calls
import numpy as np
import theano
import theano.tensor as T

rng = np.random.RandomState(0)
X = rng.randn(40000, 6)
w = theano.shared(rng.randn(6), name="w")
# slow
x = T.dvector("x")
score = theano.function([x], T.nnet.sigmoid(T.dot(x, w)), name="score")
for repeat in range(5):
    out = []
    for row in X:
        out.append(score(row))  # planted
# changed
x = T.dmatrix("x")
score = theano.function([x], T.nnet.sigmoid(T.dot(x, w)), name="score")
for repeat in range(5):
    out = score(X)

# rule: row-by-row
import numpy as np
import theano
import theano.tensor as T

rng = np.random.RandomState(0)
X = rng.randn(600, 1200)
W = theano.shared(rng.randn(1200, 1200), name="W")
# slow
x = T.dvector("x")
score = theano.function([x], T.dot(x, W), name="score")  # planted
for row in X:
    score(row)
# changed
x = T.dmatrix("x")
score = theano.function([x], T.dot(x, W), name="score")
score(X)

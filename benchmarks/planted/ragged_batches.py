# rule: changing-shapes
# Batches of as many rows as there happen to be.
import numpy as np
import theano
import theano.tensor as T

x = T.dmatrix("x")
W = theano.shared(np.ones((100, 100)) * 0.01, name="W")
f = theano.function([x], T.tanh(T.dot(T.exp(x), W) + 1).sum(axis=0))
data = np.random.RandomState(0).rand(3000, 100) * 0.01
# slow
for i in range(150):
    f(data[:2500 + i * 37 % 500])  # planted
# changed
for i in range(150):
    f(data[:2750])

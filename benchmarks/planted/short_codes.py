# rule: go-for-type
# Codes of 16 bits that are sorted.
import numpy as np
import theano
import theano.tensor as T

x = T.vector("x", dtype="int16")
X = np.random.RandomState(0).randint(-9999, 9999, 300000).astype("int16")
# slow
f = theano.function([x], T.sort(x)[::1000])  # planted
# changed
f = theano.function([x], T.cast(T.sort(T.cast(x, "int32")), "int16")[::1000])
# both
for k in range(30):
    f(X)

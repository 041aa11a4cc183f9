# rule: small-steps
# Many sequences, each in a call of its own.
import numpy as np
import theano
import theano.tensor as T

U = theano.shared(np.eye(4) * 0.5, name="U")
X = np.random.RandomState(0).rand(2000, 200, 4)


def step(x_t, h):
    return T.tanh(x_t + T.dot(h, U))


# slow
x = T.dmatrix("x")
hs, _ = theano.scan(step, sequences=x, outputs_info=T.zeros((4,)))  # planted
f = theano.function([x], hs[-1])
last = [f(row) for row in X]
# changed
x = T.dtensor3("x")
hs, _ = theano.scan(step, sequences=x, outputs_info=T.zeros((2000, 4)))
f = theano.function([x], hs[-1])
last = f(X.transpose(1, 0, 2).copy())

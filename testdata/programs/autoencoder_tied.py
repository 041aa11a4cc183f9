"""An autoencoder with tied weights, trained layer by layer, each layer a class."""
from __future__ import print_function

import numpy
import theano
import theano.tensor as T


class dA(object):
    r"""An encoder and the decoder that is its transpose.

    .. math:: y = s(W x + b), z = s(W' y + b'), L = - \sum_{k=1}^d [x_k \log z_k + (1-x_k) \log(1-z_k)]
    """

    def __init__(self, numpy_rng, input=None, n_visible=16, n_hidden=4, W=None, bhid=None, bvis=None):
        self.n_visible, self.n_hidden = n_visible, n_hidden
        self.numpy_rng = numpy_rng
        if W is None:
            bound = 4 * numpy.sqrt(6. / (n_hidden + n_visible))
            W = theano.shared(value=numpy.asarray(numpy_rng.uniform(low=-bound, high=bound, size=(n_visible, n_hidden)),
                                                  dtype=theano.config.floatX), name='W', borrow=True)
        if bvis is None:
            bvis = theano.shared(value=numpy.zeros(n_visible, dtype=theano.config.floatX), borrow=True)
        if bhid is None:
            bhid = theano.shared(value=numpy.zeros(n_hidden, dtype=theano.config.floatX), name='b', borrow=True)
        self.W, self.b, self.b_prime = W, bhid, bvis
        self.W_prime = self.W.T
        if input is None:
            self.x = T.dmatrix(name='input')
        else:
            self.x = input
        self.params = [self.W, self.b, self.b_prime]

    def get_hidden_values(self, input):
        return T.nnet.sigmoid(T.dot(input, self.W) + self.b)

    def get_reconstructed_input(self, hidden):
        return T.nnet.sigmoid(T.dot(hidden, self.W_prime) + self.b_prime)

    def get_cost_updates(self, mask, learning_rate):
        y = self.get_hidden_values(mask * self.x)
        z = self.get_reconstructed_input(y)
        L = - T.sum(self.x * T.log(z) + (1 - self.x) * T.log(1 - z), axis=1)
        cost = T.mean(L)
        gparams = T.grad(cost, self.params)
        updates = [(param, param - learning_rate * gparam) for param, gparam in zip(self.params, gparams)]
        return (cost, updates)

    def numpy_cost(self, x, mask):
        s = lambda a: 1 / (1 + numpy.exp(-a))
        W = self.W.get_value()
        z = s(s((mask * x).dot(W) + self.b.get_value()).dot(W.T) + self.b_prime.get_value())
        return -(x * numpy.log(z) + (1 - x) * numpy.log(1 - z)).sum(axis=1).mean()


def patterns(rng, n):
    """Pictures of 4 x 4 with one of four patterns, and some noise."""
    shapes = numpy.zeros((4, 4, 4))
    shapes[0, 1], shapes[1, :, 2], shapes[3, :2, :2] = 1, 1, 1
    shapes[2] = numpy.eye(4)
    flips = rng.uniform(size=(n, 16)) < 0.05
    return abs(shapes.reshape(4, 16)[rng.randint(0, 4, n)] - flips)


def test_dA(learning_rate=0.5, epochs=5, batch_size=20, corruption=0.3):
    rng = numpy.random.RandomState(123)
    data = theano.shared(patterns(rng, 200), name='data')
    index, x, mask = T.lscalar(), T.matrix('x'), T.matrix('mask')
    da = dA(numpy_rng=rng, input=x)
    again = dA(numpy_rng=rng, input=x, W=da.W, bhid=da.b, bvis=da.b_prime)
    assert again.W is da.W
    cost, updates = da.get_cost_updates(mask, learning_rate)
    train_da = theano.function([index, mask], cost, updates=updates,
                               givens={x: data[index * batch_size: (index + 1) * batch_size]})
    for epoch in range(epochs):
        c = []
        for batch in range(10):
            kept = rng.binomial(1, 1 - corruption, size=(batch_size, 16)).astype(theano.config.floatX)
            twin = da.numpy_cost(data.get_value()[batch * batch_size: (batch + 1) * batch_size], kept)
            c.append(train_da(batch, kept))
            assert abs(c[-1] - twin) < 1e-10, (c[-1], twin)
        print('Training epoch %d, cost %.6f' % (epoch, numpy.mean(c, dtype='float64')))
    codes = theano.function([x], da.get_hidden_values(x))(patterns(rng, 3))
    print(codes.shape, '%.6f' % codes.mean())


if __name__ == '__main__':
    test_dA()

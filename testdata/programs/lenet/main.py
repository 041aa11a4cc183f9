"""A LeNet in classes, over three files, on pictures from a pickle."""
from __future__ import print_function

import sys
import timeit

import numpy
import theano
import theano.tensor as T

import data
from layers import ConvPool, Hidden, Softmax


class LeNet(object):
    def __init__(self, rng, x, batch_size, nkerns=(3, 4), n_hidden=10, n_classes=3):
        side = data.SIDE
        first = ConvPool(rng, x.reshape((batch_size, 1, side, side)), filter_shape=(nkerns[0], 1, 3, 3),
                         image_shape=(batch_size, 1, side, side), index=0)
        second = ConvPool(rng, first.output, filter_shape=(nkerns[1], nkerns[0], 2, 2),
                          image_shape=(batch_size, nkerns[0], 5, 5), index=1)
        third = Hidden(rng, second.output.flatten(2), n_in=nkerns[1] * 2 * 2, n_out=n_hidden, index=2)
        last = Softmax(third.output, n_in=n_hidden, n_out=n_classes, index=3)
        self.layers = [first, second, third, last]
        self.params = sum((layer.params for layer in self.layers), [])

    @property
    def output_layer(self):
        return self.layers[-1]


def main(learning_rate=0.3, n_epochs=6, batch_size=20):
    datasets = data.load()
    (train_x, train_y), (valid_x, valid_y), (test_x, test_y) = datasets
    n_batches = [x.get_value(borrow=True).shape[0] // batch_size for x, _ in datasets]
    index, x, y = T.lscalar('index'), T.matrix('x'), T.ivector('y')
    net = LeNet(numpy.random.RandomState(7), x, batch_size)
    for layer in net.layers:
        print(layer)
    cost = net.output_layer.negative_log_likelihood(y)

    def batch_of(xs, ys):
        rows = slice(index * batch_size, (index + 1) * batch_size)
        return {x: xs[rows], y: ys[rows]}

    grads = T.grad(cost, net.params)
    updates = [(p, p - learning_rate * g) for p, g in zip(net.params, grads)]
    errors = net.output_layer.errors(y)
    validate = theano.function([index], errors, givens=batch_of(valid_x, valid_y))
    test = theano.function([index], errors, givens=batch_of(test_x, test_y))
    cost_of = theano.function([index], cost, givens=batch_of(train_x, train_y))
    grad_of = theano.function([index], grads, givens=batch_of(train_x, train_y))
    train = theano.function([index], cost, updates=updates, givens=batch_of(train_x, train_y))

    start = timeit.default_timer()
    for epoch in range(1, n_epochs + 1):
        costs = [train(i) for i in range(n_batches[0])]
        wrong = numpy.mean([validate(i) for i in range(n_batches[1])])
        print('epoch %i: cost %.6f, validation error %.4f' % (epoch, numpy.mean(costs), wrong))
    print('test error %.4f' % numpy.mean([test(i) for i in range(n_batches[2])]))
    print('ran for %.2fs' % (timeit.default_timer() - start), file=sys.stderr)

    worst = 0.
    for p, g in zip(net.params, grad_of(0)):
        value = p.get_value()
        at = numpy.unravel_index(int(numpy.argmax(abs(g))), value.shape)
        ends = []
        for step in (1e-5, -1e-5):
            moved = value.copy()
            moved[at] += step
            p.set_value(moved)
            ends.append(cost_of(0))
        p.set_value(value)
        worst = max(worst, abs((ends[0] - ends[1]) / 2e-5 - g[at]))
    assert worst < 1e-7, worst
    print('gradients agree with differences')


if __name__ == '__main__':
    main()

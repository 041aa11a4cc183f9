"""Logistic regression as tutorials have it: a class, minibatches by givens, errors by index, parameters in a pickle."""
from __future__ import print_function

__docformat__ = 'restructedtext en'

import gzip
import os
import pickle
import sys
import timeit

import numpy
import theano
import theano.tensor as T


class LogisticRegression(object):
    """Multi-class Logistic Regression Class"""

    def __init__(self, input, n_in, n_out):
        self.W = theano.shared(value=numpy.zeros((n_in, n_out), dtype=theano.config.floatX), name='W', borrow=True)
        self.b = theano.shared(value=numpy.zeros((n_out,), dtype=theano.config.floatX), name='b', borrow=True)
        self.p_y_given_x = T.nnet.softmax(T.dot(input, self.W) + self.b)
        self.y_pred = T.argmax(self.p_y_given_x, axis=1)
        self.params = [self.W, self.b]
        self.input = input

    def negative_log_likelihood(self, y):
        return -T.mean(T.log(self.p_y_given_x)[T.arange(y.shape[0]), y])

    def errors(self, y):
        if y.ndim != self.y_pred.ndim:
            raise TypeError('y should have the same shape as self.y_pred')
        if y.dtype.startswith('int'):
            return T.mean(T.neq(self.y_pred, y))
        else:
            raise NotImplementedError()

    def __getstate__(self):
        return [p.get_value() for p in self.params]

    def __setstate__(self, values):
        for p, v in zip(self.params, values):
            p.set_value(v)


def make(path):
    rng = numpy.random.RandomState(99)
    centers = rng.rand(4, 10)

    def some(n):
        y = rng.randint(0, 4, n)
        return (centers[y] + 0.25 * rng.randn(n, 10)).astype('float32'), y

    with gzip.open(path, 'wb') as f:
        pickle.dump((some(200), some(60)), f, pickle.HIGHEST_PROTOCOL)


def load_data(dataset):
    if not os.path.isfile(dataset):
        make(dataset)
    with gzip.open(dataset, 'rb') as f:
        sets = pickle.load(f)
    os.remove(dataset)

    def shared_dataset(data_xy, borrow=True):
        data_x, data_y = data_xy
        shared_x = theano.shared(numpy.asarray(data_x, dtype=theano.config.floatX), borrow=borrow)
        shared_y = theano.shared(numpy.asarray(data_y, dtype=theano.config.floatX), borrow=borrow)
        return shared_x, T.cast(shared_y, 'int32')

    return [shared_dataset(s) for s in sets], sets


def numpy_train(x, y, rate, epochs, batch):
    """The same training without a graph; gives the costs of epochs."""
    W, b, costs = numpy.zeros((10, 4)), numpy.zeros(4), []
    for _ in range(epochs):
        total = []
        for i in range(0, len(y), batch):
            bx, by = x[i:i + batch], y[i:i + batch]
            e = numpy.exp(bx.dot(W) + b)
            p = e / e.sum(axis=1, keepdims=True)
            total.append(-numpy.log(p[numpy.arange(len(by)), by]).mean())
            p[numpy.arange(len(by)), by] -= 1
            W, b = W - rate * bx.T.dot(p) / len(by), b - rate * p.mean(axis=0)
        costs.append(numpy.mean(total))
    return costs


def sgd_optimization(learning_rate=0.5, n_epochs=8, dataset='blobs.pkl.gz', batch_size=20):
    ((train_set_x, train_set_y), (test_set_x, test_set_y)), raw = load_data(dataset)
    n_train_batches = train_set_x.get_value(borrow=True).shape[0] // batch_size
    index, x, y = T.lscalar(), T.matrix('x'), T.ivector('y')
    classifier = LogisticRegression(input=x, n_in=10, n_out=4)
    cost = classifier.negative_log_likelihood(y)
    test_model = theano.function(inputs=[], outputs=classifier.errors(y), givens={x: test_set_x, y: test_set_y})
    g_W = T.grad(cost=cost, wrt=classifier.W)
    g_b = T.grad(cost=cost, wrt=classifier.b)
    updates = [(classifier.W, classifier.W - learning_rate * g_W), (classifier.b, classifier.b - learning_rate * g_b)]
    train_model = theano.function(inputs=[index], outputs=cost, updates=updates, givens={
        x: train_set_x[index * batch_size: (index + 1) * batch_size],
        y: train_set_y[index * batch_size: (index + 1) * batch_size]})
    twin = numpy_train(raw[0][0].astype('float64'), raw[0][1], learning_rate, n_epochs, batch_size)
    start_time = timeit.default_timer()
    for epoch in range(n_epochs):
        avg_cost = numpy.mean([train_model(i) for i in range(n_train_batches)])
        assert abs(avg_cost - twin[epoch]) < 1e-9
        if epoch % 2:
            print('epoch %i, cost %f, test error %f %%' % (epoch + 1, avg_cost, test_model() * 100.))
    print('The code for file ' + os.path.split('logistic_classes.py')[1] +
          ' ran for %.1fs' % (timeit.default_timer() - start_time), file=sys.stderr)

    with open('best_model.pkl', 'wb') as f:
        pickle.dump(classifier.__getstate__(), f)
    fresh = LogisticRegression(input=x, n_in=10, n_out=4)
    with open('best_model.pkl', 'rb') as f:
        fresh.__setstate__(pickle.load(f))
    os.remove('best_model.pkl')
    predict_model = theano.function(inputs=[fresh.input], outputs=fresh.y_pred)
    predicted = predict_model(test_set_x.get_value()[:10])
    print('Predicted:', ' '.join(str(v) for v in predicted))
    try:
        classifier.errors(T.vector('y'))
    except NotImplementedError as e:
        print('labels are integers', repr(e))
    try:
        classifier.errors(x)
    except TypeError as e:
        print('TypeError:', e)


if __name__ == '__main__':
    sgd_optimization()

"""Layers of a convolutional network, each a class with its parameters in a list."""
import numpy
import theano
import theano.tensor as T
from theano.tensor.nnet import conv2d
from theano.tensor.signal import pool


def shared(rng, shape, bound, name):
    values = numpy.asarray(rng.uniform(low=-bound, high=bound, size=shape), dtype=theano.config.floatX)
    return theano.shared(value=values, name=name, borrow=True)


class Layer(object):
    """What layers have in common: an input, an output, and what is trained."""

    def __init__(self, input):
        self.input = input
        self.params = []

    def __str__(self):
        return "%s(%s)" % (self.__class__.__name__, ", ".join(p.name for p in self.params))


class ConvPool(Layer):
    r""" Filters, then the largest of each window, then :math:`\tanh(x + b)`. """

    def __init__(self, rng, input, filter_shape, image_shape, poolsize=(2, 2), index=0):
        assert image_shape[1] == filter_shape[1], "filters want other images"
        super(ConvPool, self).__init__(input)
        fan_in = numpy.prod(filter_shape[1:])
        fan_out = filter_shape[0] * numpy.prod(filter_shape[2:]) // numpy.prod(poolsize)
        self.W = shared(rng, filter_shape, numpy.sqrt(6. / (fan_in + fan_out)), 'W%d' % index)
        self.b = theano.shared(numpy.zeros((filter_shape[0],), dtype=theano.config.floatX), name='b%d' % index)
        maps = conv2d(input=input, filters=self.W, filter_shape=filter_shape, input_shape=image_shape)
        pooled = pool.pool_2d(input=maps, ws=poolsize, ignore_border=True)
        self.output = T.tanh(pooled + self.b.dimshuffle('x', 0, 'x', 'x'))
        self.params = [self.W, self.b]


class Hidden(Layer):
    def __init__(self, rng, input, n_in, n_out, W=None, b=None, activation=T.tanh, index=0):
        super(Hidden, self).__init__(input)
        if W is None:
            W = shared(rng, (n_in, n_out), numpy.sqrt(6. / (n_in + n_out)), 'W%d' % index)
        if b is None:
            b = theano.shared(value=numpy.zeros((n_out,), dtype=theano.config.floatX), name='b%d' % index, borrow=True)
        self.W, self.b = W, b
        linear = T.dot(input, self.W) + self.b
        self.output = linear if activation is None else activation(linear)
        self.params = [self.W, self.b]


class Softmax(Hidden):
    """The last layer: probabilities of classes, what it costs, and how often it is wrong."""

    def __init__(self, input, n_in, n_out, index=0):
        zeros = theano.shared(numpy.zeros((n_in, n_out), dtype=theano.config.floatX), name='W%d' % index)
        super(Softmax, self).__init__(None, input, n_in, n_out, W=zeros, activation=T.nnet.softmax, index=index)
        self.y_pred = T.argmax(self.output, axis=1)

    def negative_log_likelihood(self, y):
        return -T.mean(T.log(self.output)[T.arange(y.shape[0]), y])

    def errors(self, y):
        if y.ndim != self.y_pred.ndim:
            raise TypeError('y should have the shape of y_pred', ('y', y.type, 'y_pred', self.y_pred.type))
        if not y.dtype.startswith('int'):
            raise NotImplementedError()
        return T.mean(T.neq(self.y_pred, y))

"""Pictures of bars, made once, and read from a file as the digits of tutorials are."""
import gzip
import os
try:
    import cPickle as pickle
except ImportError:
    import pickle

import numpy
import theano
import theano.tensor as T

SIDE = 12


def bars(rng, n):
    """Pictures with an upright bar, a level one, or a square."""
    x = 0.1 * rng.randn(n, SIDE, SIDE)
    y = rng.randint(0, 3, size=n)
    for k in range(n):
        i, j = rng.randint(1, SIDE - 4, size=2)
        if y[k] == 0:
            x[k, 1:SIDE - 1, j] += 1
        elif y[k] == 1:
            x[k, i, 1:SIDE - 1] += 1
        else:
            x[k, i:i + 3, j:j + 3] += 1
    return x.reshape(n, SIDE * SIDE).astype('float32'), y.astype('int64')


def make(path, seed=23455):
    rng = numpy.random.RandomState(seed)
    with gzip.open(path, 'wb') as f:
        pickle.dump([bars(rng, n) for n in (120, 40, 40)], f, protocol=2)


def shared_dataset(data_xy, borrow=True):
    data_x, data_y = data_xy
    shared_x = theano.shared(numpy.asarray(data_x, dtype=theano.config.floatX), borrow=borrow)
    shared_y = theano.shared(numpy.asarray(data_y, dtype=theano.config.floatX), borrow=borrow)
    return shared_x, T.cast(shared_y, 'int32')


def load(dataset='bars.pkl.gz'):
    if not os.path.isfile(dataset):
        make(dataset)
    f = gzip.open(dataset, 'rb')
    try:
        train_set, valid_set, test_set = pickle.load(f, encoding='latin1')
    except TypeError:
        train_set, valid_set, test_set = pickle.load(f)
    finally:
        f.close()
    return [shared_dataset(s) for s in (train_set, valid_set, test_set)]

#!/usr/bin/env python
from __future__ import print_function
import os, sys, timeit, gzip, logging, argparse
import cPickle as pickle
import numpy as np
import theano
from theano import theano as th
import theano.tensor as T
from nn import *
import nn.layers as L

def load(path):
    f = gzip.open(path, 'rb')
    train, test = pickle.load(f)
    f.close()
    return train, test

def main(epochs):
    (x, y), (tx, ty) = load(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'data.pkl.gz'))
    rng = np.random.RandomState(1)
    W = dense(rng, 5, 2, 'W')
    X, Y = T.dmatrix('x'), T.lvector('y')
    p = T.nnet.softmax(T.dot(X, W))
    cost = -T.mean(T.log(p)[T.arange(Y.shape[0]), Y])
    step = theano.function([X, Y], cost, updates=L.sgd(cost, [W], 0.5))
    start = timeit.default_timer()
    for i in range(epochs):
        c = step(x, y)
    logging.info("cost %.6f", c)
    print("took", timeit.default_timer() - start > 0, file=sys.stderr)
    f = open('w.pkl', 'wb')
    pickle.dump([W.get_value()], f, -1)
    f.close()
    print("%.10f" % c)

if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=20)
    main(p.parse_args().epochs)

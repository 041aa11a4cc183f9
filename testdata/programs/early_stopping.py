"""A training loop with patience, a log, a clock, a checkpoint, and an end by the keyboard."""
from __future__ import absolute_import, division, print_function

import logging
import os
import pickle
import sys
import timeit

import numpy as np
import theano
import theano.tensor as T

logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(levelname)s %(name)s: %(message)s")
log = logging.getLogger("train")
log.debug("not shown")


class MLP(object):
    """One hidden layer, with two penalties."""

    def __init__(self, rng, n_in, n_hidden, n_out):
        def init(a, b, name):
            return theano.shared(rng.uniform(-1, 1, (a, b)) * np.sqrt(6. / (a + b)), name=name)
        self.x = T.matrix("x")
        self.W1, self.W2 = init(n_in, n_hidden, "W1"), init(n_hidden, n_out, "W2")
        self.b1, self.b2 = [theano.shared(np.zeros(n), name=name) for n, name in [(n_hidden, "b1"), (n_out, "b2")]]
        self.params = [self.W1, self.b1, self.W2, self.b2]
        self.p = T.nnet.softmax(T.dot(T.tanh(T.dot(self.x, self.W1) + self.b1), self.W2) + self.b2)
        self.L1 = abs(self.W1).sum() + abs(self.W2).sum()
        self.L2_sqr = (self.W1 ** 2).sum() + (self.W2 ** 2).sum()

    def nll(self, y):
        return T.nnet.categorical_crossentropy(self.p, y).mean()

    def save(self, path):
        with open(path, "wb") as f:
            pickle.dump([p.get_value() for p in self.params], f, protocol=pickle.HIGHEST_PROTOCOL)

    def load(self, path):
        with open(path, "rb") as f:
            for p, v in zip(self.params, pickle.load(f)):
                p.set_value(v)


class Patience(object):
    """Says when to stop: after so many steps without enough progress."""

    def __init__(self, steps, increase=2, threshold=0.995):
        self.steps, self.increase, self.threshold = steps, increase, threshold
        self.best, self.at = np.inf, 0

    def __call__(self, step, loss):
        better = loss < self.best
        if better:
            if loss < self.best * self.threshold:
                self.steps = max(self.steps, step * self.increase)
            self.best, self.at = loss, step
        return better

    def over(self, step):
        return self.steps <= step


def spirals(rng, n):
    y = rng.randint(0, 2, n)
    t = rng.uniform(0.3, 3, n)
    x = np.stack([t * np.cos(2 * t + np.pi * y), t * np.sin(2 * t + np.pi * y)], axis=1)
    return x + 0.5 * rng.randn(n, 2), y


def train(model, datasets, patience, rate=0.5, max_steps=400, interrupt_at=None):
    (x, y), (vx, vy) = datasets
    t = T.lvector("y")
    cost = model.nll(t) + 1e-4 * model.L1 + 1e-4 * model.L2_sqr
    step = theano.function([model.x, t], cost, updates=[(p, p - rate * g) for p, g in zip(model.params, T.grad(cost, model.params))])
    validate = theano.function([model.x, t], model.nll(t))
    done_looping = False
    n = 0
    try:
        while n < max_steps and not done_looping:
            n += 1
            step(x, y)
            if n == interrupt_at:
                raise KeyboardInterrupt
            if n % 10:
                continue
            loss = validate(vx, vy)
            if patience(n, loss):
                model.save("best.pkl")
            if n % 100 == 0:
                log.info("step %d, validation loss %.5f", n, loss)
            done_looping = patience.over(n)
    except KeyboardInterrupt:
        log.warning("interrupted at step %d", n)
    else:
        log.info("%s after %d steps", "patience is over" if done_looping else "all done", n)
    finally:
        if os.path.exists("best.pkl"):
            model.load("best.pkl")
            os.remove("best.pkl")
    return n, float(validate(vx, vy))


def main():
    rng = np.random.RandomState(1234)
    datasets = spirals(rng, 40), spirals(rng, 60)
    start = timeit.default_timer()
    for steps, interrupt_at in [(60, None), (1000, None), (1000, 155)]:
        model, patience = MLP(np.random.RandomState(3), 2, 12, 2), Patience(steps)
        n, loss = train(model, datasets, patience, interrupt_at=interrupt_at)
        assert abs(loss - patience.best) < 1e-12  # the best parameters are those that came back
        print("%d steps, best %.5f at %d" % (n, loss, patience.at))
    elapsed = timeit.default_timer() - start
    print("the code ran for %.2fm" % (elapsed / 60.), file=sys.stderr)


if __name__ == "__main__":
    main()

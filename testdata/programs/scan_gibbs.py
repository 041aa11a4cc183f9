"""Gibbs samplers (random numbers in scan): of a Gaussian of two variables, whose moments are known, and of a restricted Boltzmann machine small enough to count."""
import itertools
import numpy as np
import theano
import theano.tensor as T
from theano.tensor.shared_randomstreams import RandomStreams

# Two variables with correlation rho: each is drawn, given the other.
rho = 0.6
stream = RandomStreams(seed=123)
spread = np.sqrt(1 - rho ** 2)


def sweep(x, y):
    x_new = rho * y + spread * stream.normal(())
    y_new = rho * x_new + spread * stream.normal(())
    return [x_new, y_new]


n_steps = T.iscalar("n_steps")
(xs, ys), updates = theano.scan(sweep, outputs_info=[T.constant(3.0), T.constant(-3.0)], n_steps=n_steps)
assert len(updates) == 2
sample = theano.function([n_steps], [xs, ys], updates=updates)
x, y = sample(40000)
x, y = x[100:], y[100:]
assert abs(x.mean()) < 0.05 and abs(y.mean()) < 0.05
assert abs(x.std() - 1) < 0.03 and abs(y.std() - 1) < 0.03
assert abs(np.mean(x * y) - rho) < 0.04
again = sample(1000)[0]
assert not np.allclose(again, x[:1000])  # the streams go on
print("a Gaussian: means, deviations and correlation are right")

# A machine of 4 visible and 3 hidden units: its distribution over 16 states can be counted.
rng = np.random.RandomState(1)
W_value, b_value, c_value = rng.normal(0, 1, (4, 3)), rng.normal(0, 0.5, 4), rng.normal(0, 0.5, 3)
W, bvis, bhid = theano.shared(W_value), theano.shared(b_value), theano.shared(c_value)
trng = T.shared_randomstreams.RandomStreams(1234)


def OneStep(vsample, W, bvis, bhid):
    hmean = T.nnet.sigmoid(theano.dot(vsample, W) + bhid)
    hsample = trng.binomial(size=hmean.shape, n=1, p=hmean, dtype=theano.config.floatX)
    vmean = T.nnet.sigmoid(theano.dot(hsample, W.T) + bvis)
    return trng.binomial(size=vsample.shape, n=1, p=vmean, dtype=theano.config.floatX)


v = T.matrix()
values, updates = theano.scan(OneStep, outputs_info=v, non_sequences=[W, bvis, bhid], n_steps=50, strict=True)
gibbs = theano.function([v], values[-1], updates=updates)

states = np.array(list(itertools.product([0.0, 1.0], repeat=4)))
weight = np.exp(states.dot(b_value)) * np.prod(1 + np.exp(states.dot(W_value) + c_value), axis=1)
exact = weight / weight.sum()
counts = np.zeros(16)
chains = np.zeros((2000, 4))
for i in range(10):
    chains = gibbs(chains)
    for k in (chains.dot(np.array([8, 4, 2, 1]))).astype(int):
        counts[k] += 1
found = counts / counts.sum()
assert np.abs(found - exact).max() < 0.015, np.abs(found - exact).max()
print("a Boltzmann machine: all 16 states are as often as they should")

# Contrastive divergence: the gradient of the free energy at what the chain ends with, which is constant to it.
data = states[[3, 12, 15, 0]]
x = T.matrix("x")


def free_energy(v):
    return -T.dot(v, bvis) - T.sum(T.nnet.softplus(T.dot(v, W) + bhid), axis=1)


chain, updates = theano.scan(OneStep, outputs_info=x, non_sequences=[W, bvis, bhid], n_steps=5)
end = chain[-1]
cost = T.mean(free_energy(x)) - T.mean(free_energy(end))
grads = T.grad(cost, [W, bvis, bhid], consider_constant=[end])
updates.update([(p, p - 0.1 * g) for p, g in zip([W, bvis, bhid], grads)])
learn = theano.function([x], cost, updates=updates)
batch = np.tile(data, (25, 1))
for i in range(1500):
    learn(batch)
weight = np.exp(states.dot(bvis.get_value())) * np.prod(1 + np.exp(states.dot(W.get_value()) + bhid.get_value()), axis=1)
likely = (weight / weight.sum())[[3, 12, 15, 0]].sum()
assert likely > 0.7, likely
print("after learning the four patterns have most of the probability:", likely > 0.7)

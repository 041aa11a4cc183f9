"""A network with a hidden layer and momentum in NumPy: the oracle of mlp.star."""
import numpy as np

rng = np.random.RandomState(1234)
examples, classes, batch_size = 150, 3, 50
labels = np.arange(examples) % classes
radius = rng.uniform(0.1, 1, size=examples)
angle = 4 * radius + 2 * np.pi * labels / classes + 0.1 * rng.randn(examples)
points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)

params = []
for n_in, n_out in (2, 16), (16, classes):
    bound = np.sqrt(6.0 / (n_in + n_out))
    params += [rng.uniform(low=-bound, high=bound, size=(n_in, n_out)), np.zeros(n_out)]
velocities = [np.zeros_like(p) for p in params]

for step in range(60):
    first = step % (examples // batch_size) * batch_size
    x, y = points[first:first + batch_size], labels[first:first + batch_size]
    W1, b1, W2, b2 = params
    h = np.tanh(x @ W1 + b1)
    s = h @ W2 + b2
    e = np.exp(s - s.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    rows = np.arange(len(y))
    cost = (-np.log(p[rows, y]).mean() + 0.0001 * (abs(W1).sum() + abs(W2).sum())
            + 0.001 * ((W1 ** 2).sum() + (W2 ** 2).sum()))
    print(repr(float(cost)), repr(float((p.argmax(axis=1) != y).mean())))
    d2 = p.copy()
    d2[rows, y] -= 1
    d2 /= len(y)
    d1 = (d2 @ W2.T) * (1 - h * h)
    gradients = [x.T @ d1 + 0.0001 * np.sign(W1) + 0.002 * W1, d1.sum(axis=0),
                 h.T @ d2 + 0.0001 * np.sign(W2) + 0.002 * W2, d2.sum(axis=0)]
    velocities = [0.9 * v - 0.5 * g for v, g in zip(velocities, gradients)]
    params = [q + v for q, v in zip(params, velocities)]
for q in params:
    print(repr(float((q ** 2).sum())))

"""A denoising autoencoder in NumPy: the oracle of autoencoder.star."""
import numpy as np

rng = np.random.RandomState(123)
examples, side = 120, 6
pictures = np.zeros((examples, side, side))
for i in range(examples):
    pictures[i, rng.randint(side), :] = 1
    if i % 2:
        pictures[i, :, rng.randint(side)] = 1
data = pictures.reshape((examples, side * side))

n_visible, n_hidden, batch_size = side * side, 20, 20
bound = 4 * np.sqrt(6.0 / (n_hidden + n_visible))
W = rng.uniform(low=-bound, high=bound, size=(n_visible, n_hidden))
bhid, bvis = np.zeros(n_hidden), np.zeros(n_visible)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


for epoch in range(5):
    for batch in range(examples // batch_size):
        x = data[batch * batch_size:(batch + 1) * batch_size]
        noisy = x * rng.binomial(n=1, p=0.7, size=x.shape)
        y = sigmoid(noisy @ W + bhid)
        z = sigmoid(y @ W.T + bvis)
        print(repr(float(-(x * np.log(z) + (1 - x) * np.log(1 - z)).sum(axis=1).mean())))
        dz = (z - x) / len(x)
        dy = (dz @ W) * y * (1 - y)
        W -= 0.3 * (noisy.T @ dy + dz.T @ y)
        bhid -= 0.3 * dy.sum(axis=0)
        bvis -= 0.3 * dz.sum(axis=0)
restored = np.round(sigmoid(sigmoid(data @ W + bhid) @ W.T + bvis))
print(repr(float((restored == data).mean())))
for p in W, bhid, bvis:
    print(repr(float(np.abs(p).sum())))

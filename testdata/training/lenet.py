"""What lenet.star computes, in NumPy, with gradients written by hand: python3 lenet.py > lenet.golden"""
import numpy as np

SEGMENTS = ["1110111", "0010010", "1011101", "1011011", "0111010", "1101011", "1101111", "1010010", "1111111", "1111011"]
PLACES = [np.s_[0, :], np.s_[0:5, 0], np.s_[0:5, 4], np.s_[4, :], np.s_[4:9, 0], np.s_[4:9, 4], np.s_[8, :]]

rng = np.random.default_rng(1998)
images, labels = 0.1 * rng.normal(size=(60, 1, 16, 16)), np.arange(60) % 10
for i, digit in enumerate(labels):
    glyph = np.zeros((9, 5))
    for on, place in zip(SEGMENTS[digit], PLACES):
        if on == "1":
            glyph[place] = 1
    top, left = i * 5 % 8, i * 7 % 12
    images[i, 0, top:top + 9, left:left + 5] += glyph


def weights(*shape, fan_in):
    return rng.normal(size=shape) / np.sqrt(fan_in)


params = [weights(6, 1, 5, 5, fan_in=25), np.zeros(6), weights(8, 6, 3, 3, fan_in=54), np.zeros(8),
          weights(32, 20, fan_in=32), np.zeros(20), weights(20, 10, fan_in=20), np.zeros(10)]


def patches(x, k):
    """The windows of k by k: [images, channels, rows, columns, k, k]."""
    return np.lib.stride_tricks.sliding_window_view(x, (k, k), axis=(2, 3))


def forward(x, w, b):
    k = w.shape[2]
    y = np.einsum("nchvpq,fcpq->nfhv", patches(x, k), w[:, :, ::-1, ::-1])
    n, f, h, v = y.shape
    windows = y.reshape(n, f, h // 2, 2, v // 2, 2)
    m = windows.max(axis=(3, 5))
    return np.tanh(m + b[None, :, None, None]), windows, m


def backward(g, out, windows, m, x, w):
    k = w.shape[2]
    g = g * (1 - out ** 2)
    gb = g.sum(axis=(0, 2, 3))
    largest = windows == m[:, :, :, None, :, None]
    n, f, h, _, v, _ = windows.shape
    gy = (largest * g[:, :, :, None, :, None]).reshape(n, f, 2 * h, 2 * v)
    gw = np.einsum("nchvpq,nfhv->fcpq", patches(x, k), gy)[:, :, ::-1, ::-1]
    full = np.pad(gy, ((0, 0), (0, 0), (k - 1, k - 1), (k - 1, k - 1)))
    return np.einsum("nfhvpq,fcpq->nchv", patches(full, k), w), gw, gb


for step in range(20):
    w1, b1, w2, b2, w3, b3, w4, b4 = params
    first = step % 3 * 20
    x, y = images[first:first + 20], labels[first:first + 20]
    h1, windows1, m1 = forward(x, w1, b1)
    h2, windows2, m2 = forward(h1, w2, b2)
    flat = h2.reshape(20, -1)
    hidden = np.tanh(flat @ w3 + b3)
    scores = hidden @ w4 + b4
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    print("%.12f" % -np.log(p[np.arange(20), y]).mean())
    gs = (p - np.eye(10)[y]) / 20
    gh = gs @ w4.T * (1 - hidden ** 2)
    g2, gw2, gb2 = backward((gh @ w3.T).reshape(h2.shape), h2, windows2, m2, h1, w2)
    _, gw1, gb1 = backward(g2, h1, windows1, m1, x, w1)
    grads = [gw1, gb1, gw2, gb2, flat.T @ gh, gh.sum(axis=0), hidden.T @ gs, gs.sum(axis=0)]
    params = [v - 0.2 * g for v, g in zip(params, grads)]
for v in params:
    print("%.12f" % np.abs(v).sum())

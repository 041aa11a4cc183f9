"""Filters of images: a bank of named kernels, separable ones, and learning one from its results."""
from collections import OrderedDict

import numpy as np
import theano
import theano.tensor as T
from theano.tensor.nnet import conv2d


def picture(size=16):
    """A disk and a bar on a slope."""
    i, j = np.mgrid[0:size, 0:size]
    image = 0.2 * j / size
    image[(i - 5) ** 2 + (j - 6) ** 2 < 12] += 1
    image[10:13, 3:14] += 0.5
    return image


class Bank(object):
    """Kernels by name, which are applied in one convolution."""

    def __init__(self):
        self.kernels = OrderedDict()

    def __setitem__(self, name, kernel):
        kernel = np.asarray(kernel, dtype=theano.config.floatX)
        if kernel.shape != (3, 3):
            raise ValueError("kernel %s: got shape %s, want (3, 3)" % (name, kernel.shape))
        self.kernels[name] = kernel

    def __getitem__(self, name):
        return self.kernels[name]

    def __iter__(self):
        return iter(self.kernels)

    def __len__(self):
        return len(self.kernels)

    def __delitem__(self, name):
        del self.kernels[name]

    def __contains__(self, name):
        return name in self.kernels

    def compile(self, mode="valid"):
        images = T.tensor4("images")
        W = theano.shared(np.stack([k[None] for k in self.kernels.values()]), name="W")
        return theano.function([images], conv2d(images, W, border_mode=mode))


def by_hand(image, kernel):
    """A convolution as its definition has it."""
    flipped, (n, m) = kernel[::-1, ::-1], image.shape
    out = np.zeros((n - 2, m - 2))
    for a in range(3):
        for b in range(3):
            out += flipped[a, b] * image[a:a + n - 2, b:b + m - 2]
    return out


bank = Bank()
bank["sobel x"] = [[1, 0, -1], [2, 0, -2], [1, 0, -1]]
bank["sobel y"] = bank["sobel x"].T
bank["laplace"] = [[0, 1, 0], [1, -4, 1], [0, 1, 0]]
bank["blur"] = np.outer([1, 2, 1], [1, 2, 1]) / 16.
bank["nothing"] = np.zeros((3, 3))
del bank["nothing"]
for wrong in (np.eye(2), [1, 2, 3]):
    try:
        bank["wrong"] = wrong
    except ValueError as e:
        print("ValueError:", e)
print(len(bank), "kernels,", "blur" in bank, "nothing" in bank)

image = picture()
out = bank.compile()(image[None, None])[0]
for name, channel in zip(bank, out):
    assert np.allclose(channel, by_hand(image, bank[name])), name
    print("%-8s largest %.5f sum %.5f" % (name, abs(channel).max(), channel.sum()))
edges = np.sqrt(out[0] ** 2 + out[1] ** 2)
for row in (edges > 1)[::2]:
    print("".join("#" if e else "." for e in row))

# full, half and valid convolutions have these lengths
shapes = [bank.compile(mode)(image[None, None]).shape[2] for mode in ("full", "half", "valid")]
print("lengths: %d %d %d" % tuple(shapes))

# a kernel that is learned from an image and what it makes of it
x, y = T.tensor4("x"), T.tensor4("y")
W = theano.shared(np.zeros((1, 1, 3, 3)), name="learned")
cost = T.sqr(conv2d(x, W) - y).mean()
v = theano.shared(np.zeros((1, 1, 3, 3)))
step = 0.9 * v - 0.02 * T.grad(cost, W)
learn = theano.function([x, y], cost, updates=[(v, step), (W, W + step)])
noise = np.random.RandomState(0).randn(1, 1, 24, 24)
target = by_hand(noise[0, 0], bank["laplace"])[None, None]
for epoch in range(1, 151):
    loss = learn(noise, target)
    if epoch % 50 == 0:
        print("epoch %3d %.8f" % (epoch, loss))
print("learned to %.4f" % abs(W.get_value()[0, 0] - bank["laplace"]).max())

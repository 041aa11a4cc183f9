"""A package of one's own: a perceptron that is trained, kept, and read again."""
import os

import numpy as np

import nets
from nets import Affine, Relu, Sequence, Tanh, losses
from nets.store import VersionError


def gradient_check(net, x, y, h=1e-6):
    """The largest difference of a weight's gradient from what the loss says."""
    net.backward(losses.cross_entropy(net.forward(x), y)[1])
    worst = 0.0
    for layer in net:
        if not isinstance(layer, Affine):
            continue
        for at in [(0, 0), (1, 2)]:
            kept, ends = layer.W[at], []
            for s in (h, -h):
                layer.W[at] = kept + s
                ends.append(losses.cross_entropy(net.forward(x), y)[0])
            layer.W[at] = kept
            worst = max(worst, abs((ends[0] - ends[1]) / (2 * h) - layer.dW[at]))
    return worst


rng = np.random.RandomState(50)
x = rng.randn(90, 2)
y = (np.hypot(x[:, 0], x[:, 1]) > 1.2).astype(int) + (x[:, 0] + x[:, 1] > 1.5)
for activation in (Tanh, Relu):
    net = Sequence(Affine(2, 10, np.random.RandomState(1)), activation(), Affine(10, 3, np.random.RandomState(2)))
    print(net, "of version", nets.__version__)
    assert gradient_check(net, x, y) < 1e-7
    for epoch in range(1, 201):
        loss, d = losses.cross_entropy(net.forward(x), y)
        net.backward(d)
        net.step(1.0)
        if epoch % 50 == 0:
            print("epoch %3d loss %.6f wrong %d" % (epoch, loss, (net.forward(x).argmax(axis=1) != y).sum()))

assert nets.save(net, "net.pkl")
fresh = Sequence(Affine(2, 10), Relu(), Affine(10, 3))
before = np.abs(fresh.forward(x) - net.forward(x)).max()
after = np.abs(nets.load(fresh, "net.pkl").forward(x) - net.forward(x)).max()
print("apart before %s, after %s" % (before > 0.1, after == 0))
nets.save(net, "net.pkl", version="0.2")
for name in ("net.pkl", "other.pkl"):
    try:
        nets.load(fresh, name)
    except (VersionError, IOError) as e:
        print(type(e).__name__ + ":", e)
os.remove("net.pkl")
for bad in (nets.Layer().forward, nets.Layer().backward):
    try:
        bad(x)
    except NotImplementedError as e:
        print("NotImplementedError", len(e.args))

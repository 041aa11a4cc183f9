"""A GRU reads words letter by letter (scan over one-hot rows, lengths by a mask) and learns to tell two languages apart; NumPy's formulae agree."""
import numpy as np
import theano
import theano.tensor as T

WORDS = {
    0: "the and for are but not you all can her was one our out day get has him his how man new now old see two way who boy did".split(),
    1: "der die und das ist auf ein mit dem des sie zur zum von wie wir ihr uns aus bei nur vor was wer tag neu alt zwei weg jung".split(),
}
letters = sorted(set("".join(WORDS[0] + WORDS[1])))
longest = max([len(w) for w in WORDS[0] + WORDS[1]])
rng = np.random.RandomState(3)
hidden = 10


def encode(words):
    """One-hot rows by step and word, and a mask of the letters that are there."""
    x = np.zeros((longest, len(words), len(letters)))
    mask = np.zeros((longest, len(words)))
    for k, word in enumerate(words):
        for t, letter in enumerate(word):
            x[t, k, letters.index(letter)] = 1.0
            mask[t, k] = 1.0
    return x, mask


words = WORDS[0] + WORDS[1]
target = np.array([0.0] * len(WORDS[0]) + [1.0] * len(WORDS[1]))
x_value, mask_value = encode(words)

shapes = [("Wz", (len(letters), hidden)), ("Uz", (hidden, hidden)), ("Wr", (len(letters), hidden)), ("Ur", (hidden, hidden)), ("Wh", (len(letters), hidden)),
          ("Uh", (hidden, hidden)), ("v", (hidden,))]
params = dict([(name, theano.shared(rng.normal(0, 0.3, shape), name=name)) for name, shape in shapes])

x, mask, y = T.dtensor3("x"), T.dmatrix("mask"), T.dvector("y")


def step(x_t, m_t, h_tm1):
    p = params  # found by scan itself
    z = T.nnet.sigmoid(T.dot(x_t, p["Wz"]) + T.dot(h_tm1, p["Uz"]))
    r = T.nnet.sigmoid(T.dot(x_t, p["Wr"]) + T.dot(h_tm1, p["Ur"]))
    new = T.tanh(T.dot(x_t, p["Wh"]) + T.dot(r * h_tm1, p["Uh"]))
    h_t = (1 - z) * h_tm1 + z * new
    m = m_t[:, None]
    return m * h_t + (1 - m) * h_tm1


h, updates = theano.scan(fn=step, sequences=[x, mask], outputs_info=[T.zeros((x.shape[1], hidden))], name="gru")
p_german = T.nnet.sigmoid(T.dot(h[-1], params["v"]))
cost = -T.mean(y * T.log(p_german) + (1 - y) * T.log(1 - p_german))
wrt = [params[name] for name, _ in shapes]
grads = T.grad(cost, wrt)
evaluate = theano.function([x, mask, y], [p_german, cost])
slopes = theano.function([x, mask, y], grads)


def by_hand(x, mask, y, v):
    def sigmoid(a):
        return 1 / (1 + np.exp(-a))
    h = np.zeros((x.shape[1], hidden))
    for x_t, m_t in zip(x, mask):
        z = sigmoid(x_t.dot(v["Wz"]) + h.dot(v["Uz"]))
        r = sigmoid(x_t.dot(v["Wr"]) + h.dot(v["Ur"]))
        new = np.tanh(x_t.dot(v["Wh"]) + (r * h).dot(v["Uh"]))
        m = m_t[:, None]
        h = m * ((1 - z) * h + z * new) + (1 - m) * h
    p = sigmoid(h.dot(v["v"]))
    return p, -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))


def check():
    v = dict([(name, params[name].get_value()) for name in params])
    for got, want in zip(evaluate(x_value, mask_value, target), by_hand(x_value, mask_value, target, v)):
        assert np.abs(got - want).max() < 1e-10
    # Each gradient along a direction is the difference of two costs.
    for (name, shape), g in zip(shapes, slopes(x_value, mask_value, target)):
        d = rng.normal(0, 1, shape)
        ends = []
        for sign in [1, -1]:
            moved = dict(v)
            moved[name] = v[name] + sign * 1e-5 * d
            ends.append(by_hand(x_value, mask_value, target, moved)[1])
        assert abs((ends[0] - ends[1]) / 2e-5 - (g * d).sum()) < 1e-8, name


check()
print("%d words of %d letters at most, first cost %.5f" % (len(words), longest, evaluate(x_value, mask_value, target)[1]))
train = theano.function([x, mask, y], cost, updates=[(p, p - 1.0 * g) for p, g in zip(wrt, grads)])
for i in range(400):
    last = train(x_value, mask_value, target)
check()
p, _ = evaluate(x_value, mask_value, target)
right = np.mean((p > 0.5) == (target > 0.5))
assert right > 0.95, right
print("after training more than 95 % are told apart:", right > 0.95)

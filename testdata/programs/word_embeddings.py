"""Vectors of words, from the words beside them: a bilinear model of a small text."""
from collections import Counter, OrderedDict
from itertools import chain

import numpy as np
import theano
import theano.tensor as T

TEXT = """the cat sat on the mat . the dog sat on the rug . a cat ran to a dog . a dog ran to a cat .
the king saw the queen . the queen saw the king . a king sat on a rug . a queen sat on a mat ."""


class Corpus(object):
    def __init__(self, text, window=2):
        self.sentences = [s.split() for s in text.split(".") if s.strip()]
        counts = Counter(chain(*self.sentences))
        self.words = [w for w, _ in sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))]
        self.index = {w: i for i, w in enumerate(self.words)}
        self.counts = counts
        self.window = window

    def __len__(self):
        return len(self.words)

    def __iter__(self):
        return iter(self.words)

    def pairs(self):
        """The numbers of each word and of each one near it."""
        for sentence in self.sentences:
            ids = [self.index[w] for w in sentence]
            for i, a in enumerate(ids):
                for b in ids[max(0, i - self.window):i] + ids[i + 1:i + 1 + self.window]:
                    yield a, b


class SkipGram(object):
    def __init__(self, n_words, dim, rng):
        self.params = OrderedDict(
            (name, theano.shared(rng.uniform(-0.5, 0.5, shape), name=name))
            for name, shape in [("E", (n_words, dim)), ("D", (dim, n_words)), ("b", (n_words,))])
        a, b, rate = T.ivectors("a", "b")[0], T.ivector("b"), T.scalar("rate")
        p = T.nnet.softmax(T.dot(self.params["E"][a], self.params["D"]) + self.params["b"])
        self.cost = -T.log(p[T.arange(a.shape[0]), b]).mean()
        grads = dict(zip(self.params, T.grad(self.cost, list(self.params.values()))))
        self.step = theano.function([a, b, rate], self.cost,
                                    updates=OrderedDict((v, v - rate * grads[k]) for k, v in self.params.items()))
        self.loss = theano.function([a, b], self.cost)
        self.grads = theano.function([a, b], [grads[k] for k in self.params])

    def __getitem__(self, i):
        return self.params["E"].get_value()[i]

    def nearest(self, i, k=2):
        E = self.params["E"].get_value()
        cosines = E.dot(E[i]) / np.linalg.norm(E, axis=1) / np.linalg.norm(E[i])
        return [int(j) for j in np.argsort(-cosines) if j != i][:k]


corpus = Corpus(TEXT)
a, b = np.array(list(corpus.pairs()), dtype="int32").T
print(len(corpus), "words,", len(a), "pairs;", " ".join(corpus))
print(corpus.counts.most_common(2))
model = SkipGram(len(corpus), 5, np.random.RandomState(2))

# the gradient, by differences, where it is largest
for v, g in zip(model.params.values(), model.grads(a, b)):
    at = np.unravel_index(int(abs(g).argmax()), g.shape)
    value, ends = v.get_value(), []
    for h in (1e-6, -1e-6):
        moved = value.copy()
        moved[at] += h
        v.set_value(moved)
        ends.append(model.loss(a, b))
    v.set_value(value)
    assert abs((ends[0] - ends[1]) / 2e-6 - g[at]) < 1e-7

for epoch in range(1, 201):
    loss = model.step(a, b, 2.0 if epoch < 150 else 1.0)
    if epoch % 50 == 0:
        print("epoch %3d %.5f" % (epoch, loss))
for word in ("cat", "king", "mat"):
    print(word, "is near", [corpus.words[j] for j in model.nearest(corpus.index[word])])
print("norm %.5f" % np.linalg.norm(model[corpus.index["cat"]]))

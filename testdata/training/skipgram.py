"""Skip-gram with negative sampling in NumPy: the oracle of skipgram.star."""
import numpy as np

rng = np.random.RandomState(11)
vocabulary, size, sentences, negatives, batch_size = 30, 8, 60, 4, 32
text = np.stack([rng.randint(0, 10, sentences), rng.randint(10, 20, sentences),
                 rng.randint(20, 30, sentences)], axis=1).ravel()
window = 2
pairs = [(text[i], text[i + offset]) for i in range(window, len(text) - window) for offset in (-2, -1, 1, 2)]
centre_words, context_words = np.array(pairs).T
words_in = rng.uniform(-0.5, 0.5, (vocabulary, size)) / size
words_out = np.zeros((vocabulary, size))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


for step in range(120):
    chosen = rng.randint(0, len(centre_words), batch_size)
    noise = rng.randint(0, vocabulary, (batch_size, negatives))
    centre, context = centre_words[chosen], context_words[chosen]
    v, u, n = words_in[centre], words_out[context], words_out[noise]
    right, wrong = (v * u).sum(axis=1), np.einsum("pns,ps->pn", n, v)
    print(repr(float((np.log1p(np.exp(-right)).sum() + np.log1p(np.exp(wrong)).sum()) / batch_size)))
    dr, dw = -sigmoid(-right), sigmoid(wrong)
    np.add.at(words_in, centre, -0.15 * (dr[:, None] * u + np.einsum("pn,pns->ps", dw, n)))
    np.add.at(words_out, context, -0.15 * dr[:, None] * v)
    np.add.at(words_out, noise, -0.15 * dw[:, :, None] * v[:, None, :])
normed = words_in / np.sqrt((words_in ** 2).sum(axis=1, keepdims=True))
print(*np.argsort(-normed @ normed[3])[:5])
for matrix in words_in, words_out:
    print(repr(float(np.abs(matrix).sum())))

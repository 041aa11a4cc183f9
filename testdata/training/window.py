"""A window classifier over embeddings in NumPy: the oracle of window.star."""
import numpy as np

rng = np.random.RandomState(5)
vocabulary, de, cs, nh, nc, sentence = 25, 6, 5, 12, 4, 15
emb = 0.2 * rng.uniform(-1.0, 1.0, (vocabulary + 1, de))
wx, bh = 0.2 * rng.uniform(-1.0, 1.0, (de * cs, nh)), np.zeros(nh)
w, b = 0.2 * rng.uniform(-1.0, 1.0, (nh, nc)), np.zeros(nc)
right = 0
for step in range(120):
    words = rng.randint(0, vocabulary, sentence)
    y = np.concatenate([[0], (words[1:] // 7 + words[:-1] // 13) % nc])
    padded = np.concatenate([[-1, -1], words, [-1, -1]])
    idxs = np.stack([padded[i:i + cs] for i in range(sentence)])
    x = emb[idxs].reshape(sentence, de * cs)
    z = x @ wx + bh
    h = np.maximum(z, 0)
    s = h @ w + b
    e = np.exp(s - s.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    right += (p.argmax(axis=1) == y).sum()
    rows = np.arange(sentence)
    print(repr(float(-np.log(p[rows, y]).mean())))
    d = p.copy()
    d[rows, y] -= 1
    d /= sentence
    dz = (d @ w.T) * (z > 0)
    g_emb = np.zeros_like(emb)
    np.add.at(g_emb, idxs, (dz @ wx.T).reshape(sentence, cs, de))
    for q, g in (wx, x.T @ dz), (bh, dz.sum(axis=0)), (w, h.T @ d), (b, d.sum(axis=0)), (emb, g_emb):
        q -= 2.0 * g
    emb /= np.sqrt((emb ** 2).sum(axis=1))[:, None]
print(right)
for q in emb, wx, bh, w, b:
    print(repr(float(np.abs(q).sum())))

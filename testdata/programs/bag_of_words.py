"""A bag of words: counts, weights and a naive Bayes that reads files."""
from __future__ import print_function

import math
import os
from collections import Counter, defaultdict

import numpy as np

SPAM = ["win money now", "cheap money offer", "win a cheap prize now", "offer ends now"]
HAM = ["meeting at noon", "the report is late", "lunch at noon or late", "send the report now"]
STOP = set(["a", "at", "is", "or", "the"])


def words(text):
    return [w for w in text.lower().replace(",", " ").split() if w not in STOP]


class Vectorizer(object):
    """Rows of counts, weighted by how rare words are."""

    def __init__(self, min_count=1):
        self.min_count = min_count

    def fit(self, texts):
        documents = Counter()
        for text in texts:
            documents.update(set(words(text)))
        self.names = sorted(w for w, n in documents.items() if n >= self.min_count)
        self.index = {w: i for i, w in enumerate(self.names)}
        self.idf = np.array([math.log((1. + len(texts)) / (1 + documents[w])) + 1 for w in self.names])
        return self

    def transform(self, texts):
        rows = np.zeros((len(texts), len(self.names)))
        for row, text in zip(rows, texts):
            for w, n in Counter(words(text)).items():
                if w in self.index:
                    row[self.index[w]] = n
        rows *= self.idf
        norms = np.sqrt((rows ** 2).sum(axis=1, keepdims=True))
        return rows / np.where(norms > 0, norms, 1)


class NaiveBayes(object):
    def __init__(self, smoothing=1.0):
        self.smoothing = smoothing
        self.counts = defaultdict(Counter)
        self.documents = Counter()

    def learn(self, label, lines):
        for line in lines:
            self.documents[label] += 1
            self.counts[label].update(words(line))

    @property
    def vocabulary(self):
        return set().union(*[set(c) for c in self.counts.values()])

    def scores(self, text):
        size = len(self.vocabulary)
        out = {}
        for label, counts in self.counts.items():
            total = sum(counts.values()) + self.smoothing * size
            out[label] = math.log(self.documents[label]) + sum(math.log((counts[w] + self.smoothing) / total) for w in words(text))
        return out

    def __call__(self, text):
        s = self.scores(text)
        best = max(sorted(s), key=lambda label: s[label])
        norm = sum(math.exp(v - s[best]) for v in s.values())
        return best, 1 / norm


for name, lines in [("spam.txt", SPAM), ("ham.txt", HAM)]:
    with open(name, "w") as f:
        f.write("\n".join(lines) + "\n")
model = NaiveBayes()
for name in sorted(n for n in os.listdir(".") if n.endswith(".txt") and n in ("spam.txt", "ham.txt")):
    with open(name) as f:
        model.learn(os.path.splitext(name)[0], (line.strip() for line in f))
    os.remove(name)
for label in sorted(model.counts):
    top = sorted(model.counts[label].items(), key=lambda kv: (-kv[1], kv[0]))[:3]
    print("%s: %d lines, %d words, most: %s" % (label, model.documents[label], sum(model.counts[label].values()), ", ".join("%s %d" % kv for kv in top)))
for text in ("win the report", "cheap lunch offer", "late", "nothing known"):
    print("%-18s %s %.6f" % ((text,) + model(text)))

v = Vectorizer().fit(SPAM + HAM)
X = v.transform(SPAM + HAM)
similar = X.dot(X.T)
print(len(v.names), "words:", " ".join(v.names[:5]), "...")
print("\n".join(" ".join("%.4f" % s for s in row[:4]) for row in similar[:4]))
assert np.allclose(np.diag(similar), 1)
w = Counter(a=3, b=1) - Counter(a=1, b=2)
print(w["a"], w["b"], sum((Counter("abca") + Counter("ab")).values()), [n for _, n in Counter("aabbbc").most_common(2)])

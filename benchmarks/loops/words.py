"""Counts words in a dict: string keys, get and store."""
from timing import report

TEXT = "the cat saw the dog and the dog saw a bird while the bird saw the cat and a fish".split()


def main(n):
    counts = {}
    for i in range(n):
        word = TEXT[i % len(TEXT)]
        counts[word] = counts.get(word, 0) + 1
    return " ".join(["%s=%d" % (word, counts[word]) for word in sorted(counts)])


report(main, 50000, 50000)

"""Ratings of films from a table: factors of users and of films, by batches of rows of shared matrices."""
import csv
import os
from collections import defaultdict, namedtuple

import numpy as np
import theano
import theano.tensor as T

Rating = namedtuple("Rating", ["user", "film", "stars"])


def write(path, rng, users=12, films=9, n=70):
    taste, kind = rng.randn(users, 2), rng.randn(films, 2)
    pairs = sorted(set((int(u), int(f)) for u, f in zip(rng.randint(0, users, n), rng.randint(0, films, n))))
    with open(path, "w", newline="") as f:
        out = csv.writer(f)
        out.writerow(["user", "film", "stars"])
        for u, k in pairs:
            out.writerow(["u%02d" % u, "film %d" % k, "%.2f" % (3 + taste[u].dot(kind[k]) + 0.1 * rng.randn())])


def read(path):
    with open(path) as f:
        return [Rating(row["user"], row["film"], float(row["stars"])) for row in csv.DictReader(f)]


class Vocabulary:
    """Numbers for names, in the order in which they come."""

    def __init__(self):
        self.ids = {}

    def __getitem__(self, name):
        return self.ids.setdefault(name, len(self.ids))

    def __len__(self):
        return len(self.ids)

    def __contains__(self, name):
        return name in self.ids


class Factors:
    def __init__(self, users, films, rank, rng, decay=0.02):
        self.P = theano.shared(0.3 * rng.randn(users, rank), name="P")
        self.Q = theano.shared(0.3 * rng.randn(films, rank), name="Q")
        self.bias = theano.shared(np.zeros(films), name="bias")
        self.mean = theano.shared(0.0, name="mean")
        self.decay = decay

    @property
    def params(self):
        return [self.P, self.Q, self.bias, self.mean]

    def predict(self, u, f):
        return self.mean + self.bias[f] + T.sum(self.P[u] * self.Q[f], axis=1)

    def cost(self, u, f, stars):
        penalty = sum((p ** 2).sum() for p in self.params[:3])
        return T.sum((self.predict(u, f) - stars) ** 2) + self.decay * penalty


def by_hand(model, u, f, stars):
    """The gradients that paper gives."""
    P, Q, bias, mean = [p.get_value() for p in model.params]
    e = 2 * (mean + bias[f] + (P[u] * Q[f]).sum(axis=1) - stars)
    gP, gQ, gb = [2 * model.decay * v for v in (P, Q, bias)]
    np.add.at(gP, u, e[:, None] * Q[f])
    np.add.at(gQ, f, e[:, None] * P[u])
    np.add.at(gb, f, e)
    return [gP, gQ, gb, e.sum()]


def main(path="ratings.csv"):
    rng = np.random.RandomState(5)
    write(path, rng)
    ratings = read(path)
    os.remove(path)
    users, films = Vocabulary(), Vocabulary()
    table = np.array([[users[r.user], films[r.film]] for r in ratings])
    stars = np.array([r.stars for r in ratings])
    print(len(ratings), "ratings,", len(users), "users,", len(films), "films", "film 3" in films, "film 33" in films)

    model = Factors(len(users), len(films), 2, rng)
    u, f, s = T.lvector("u"), T.lvector("f"), T.vector("stars")
    cost = model.cost(u, f, s)
    grads = T.grad(cost, model.params)
    for got, want in zip(theano.function([u, f, s], grads)(table[:, 0], table[:, 1], stars), by_hand(model, table[:, 0], table[:, 1], stars)):
        assert np.allclose(got, want), (got, want)
    train = theano.function([u, f, s], cost, updates=[(p, p - 0.02 * g) for p, g in zip(model.params, grads)])
    for epoch in range(1, 41):
        order = rng.permutation(len(table))
        costs = [train(table[k, 0], table[k, 1], stars[k]) for k in np.array_split(order, 4)]
        if epoch % 10 == 0:
            print("epoch %2d %.5f" % (epoch, sum(costs)))
    predict = theano.function([u, f], model.predict(u, f))
    error = np.sqrt(np.mean((predict(table[:, 0], table[:, 1]) - stars) ** 2))
    print("root of the mean square: %.5f" % error)

    liked = defaultdict(list)
    for r in ratings:
        if r.stars > 4:
            liked[r.film].append(r.user)
    for film, who in sorted(liked.items(), key=lambda item: (-len(item[1]), item[0]))[:3]:
        print(film, "is liked by", ", ".join(who))


if __name__ == "__main__":
    main()

"""Writes indexing.jsonl beside it: random subscripts of x, what is put and added there, and gradients, as NumPy has them: python3 indexing.py 700 > indexing.jsonl

Subscripts mix ints, slices with steps of both signs, None, ..., arrays of several ranks, masks and lists; any of them may be symbolic."""

import json
import random
import sys

import numpy as np

rnd = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 5)


def show(x):
    x = np.asarray(x)
    return [str(x.dtype), list(x.shape), [float(v) for v in x.ravel()]]


def case(expression, value, operands):
    used = {k: show(v) for k, v in operands.items() if k in expression}
    print(json.dumps([expression, used, show(value), 1e-12]))


class Subscript:
    """Text, and the value that NumPy takes. names are the operands that are symbolic."""

    def __init__(self, shape):
        self.operands = {}
        rank, words, values = len(shape), [], []
        lead = None  # the shape that arrays broadcast to
        axis = 0
        ellipsis = rnd.random() < 0.25
        self.inserts, self.arrays = False, False
        while axis < rank and rnd.random() < 0.85:
            n, kind = shape[axis], rnd.random()
            if kind < 0.1 and len(words) < 4:
                words.append("None")
                values.append(None)
                self.inserts = True
                continue
            if kind < 0.15 and ellipsis:
                skip = rnd.randint(0, rank - axis)
                words.append("...")
                values.append(Ellipsis)
                ellipsis, axis = False, axis + skip
                continue
            if kind < 0.3 and n:
                i = rnd.randint(-n, n - 1)
                words.append(self.number(i))
                values.append(i)
            elif kind < 0.65:
                bounds = [rnd.choice([None, rnd.randint(-n - 2, n + 2)]) for _ in range(2)] + [rnd.choice([None, None, 1, -1, 2, -2, 3])]
                words.append(":".join("" if b is None else self.number(b) for b in bounds))
                values.append(slice(*bounds))
            elif kind < 0.75:
                ranks = rnd.choice([1, 1, 2])
                part = shape[axis:axis + ranks]
                mask = np.array([rnd.random() < 0.5 for _ in range(int(np.prod(part)))], dtype=bool).reshape(part)
                if self.arrays or len(part) == 0:  # masks broadcast with other arrays only where they have one length
                    continue
                words.append(self.array(mask))
                values.append(mask)
                self.arrays = True
                axis += len(part) - 1
                lead = None
                self.masked = True
            elif n and not getattr(self, "masked", False):
                if lead is None:
                    lead = rnd.choice([(), (1,), (2,), (3,), (0,), (2, 2), (2, 1), (3, 2)])
                to = tuple(lead[rnd.randint(0, len(lead)):])
                i = np.array([rnd.randint(-n, n - 1) for _ in range(int(np.prod(to)))], dtype=rnd.choice(["int64", "int32", "int8"])).reshape(to)
                if i.ndim == 0:
                    words.append(self.number(int(i)))
                    values.append(int(i))
                else:
                    words.append(self.array(i))
                    values.append(i)
                    self.arrays = True
            else:
                words.append(":")
                values.append(slice(None))
            axis += 1
        if not words:
            words, values = [":"], [slice(None)]
        self.text = "x[" + ", ".join(words) + "]"
        self.value = tuple(values)

    def number(self, i):
        if rnd.random() < 0.3:
            name = "n%d_" % len(self.operands)
            self.operands[name] = np.array(i)
            return name
        return str(i)

    def array(self, a):
        if rnd.random() < 0.4 and a.dtype != bool and a.size:
            return str(a.tolist())
        name = "i%d_" % len(self.operands)
        self.operands[name] = a
        return name


def one():
    shape = tuple(rnd.choice([1, 2, 3, 4, 4, 5, 0]) for _ in range(rnd.choice([1, 1, 2, 2, 3, 4])))
    x = np.arange(1.0, 1 + int(np.prod(shape))).reshape(shape)
    s = Subscript(shape)
    try:
        part = x[s.value]
    except IndexError:
        return 0
    operands = dict(s.operands, x=x)
    case(s.text, part, operands)
    made = 1
    w = np.array([rnd.randint(1, 9) for _ in range(part.size)], dtype=float).reshape(part.shape)
    total = np.zeros(shape)
    np.add.at(total, s.value, w)
    if rnd.random() < 0.5:
        case("T.grad(T.sum(%s * w_), x)" % s.text, total, dict(operands, w_=w))
        made += 1
    if not s.inserts:
        lead = rnd.randint(0, part.ndim)
        y = w[(0,) * lead] if 0 not in part.shape else np.float64(7)
        into, added, places = x.copy(), x.copy(), np.arange(x.size).reshape(shape)[s.value]
        into[s.value] = y
        np.add.at(added, s.value, y)
        operands["y_"] = np.asarray(y)
        case("T.inc_subtensor(%s, y_)" % s.text, added, operands)
        made += 1
        if np.unique(places).size == places.size or np.ndim(y) == 0:
            case("T.set_subtensor(%s, y_)" % s.text, into, operands)
            made += 1
        if rnd.random() < 0.4:
            v = np.array([rnd.randint(1, 9) for _ in range(x.size)], dtype=float).reshape(shape)
            g = v[s.value]
            g = g.sum(axis=tuple(range(g.ndim - np.ndim(y)))) if np.ndim(y) else g.sum()
            case("T.grad(T.sum(T.inc_subtensor(%s, y_) * v_), y_)" % s.text, g, dict(operands, v_=v))
            if np.unique(places).size == places.size:
                case("T.grad(T.sum(T.set_subtensor(%s, y_) * v_), y_)" % s.text, g, dict(operands, v_=v))
                kept = v.copy()
                kept[s.value] = 0
                case("T.grad(T.sum(T.set_subtensor(%s, y_) * v_ + 0 * x), x)" % s.text, kept, dict(operands, v_=v))
                made += 2
            made += 1
    return made


count = 0
while count < int(sys.argv[1]):
    count += one()

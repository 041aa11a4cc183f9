"""Layers of a network."""
import numpy as np
import theano.tensor as T
from utils import scale, LIMIT as limit

N = 3
log = []

def double(x):
    log.append(x)
    return 2 * x

def count():
    return N

def later():
    return defined_below()

def defined_below():
    return scale(1) + limit

total = 0
for i in range(3):
    total += i

_hidden = 1
if __name__ == "__main__":
    fail("a module is not the main program")

"""What streams of Theano's RandomStreams(seed) draw, by NumPy alone: a line for each seed and variable, in the order in which variables are made.

python3 streams.py > streams.jsonl"""
import json

import numpy as np

for seed in range(1, 6):
    seeds = np.random.RandomState(seed)
    for variable in range(3):
        r = np.random.RandomState(int(seeds.randint(2**30)))
        print(json.dumps({"seed": seed, "variable": variable, "draws": [r.randint(-20, 21, size=3).tolist() for _ in range(48)]}))

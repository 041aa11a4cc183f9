# rule: inverse
import numpy as np

rng = np.random.RandomState(0)
A, b = rng.randn(500, 500), rng.randn(500)
# slow
for i in range(12):
    x = np.linalg.inv(A) @ b  # planted
# changed
for i in range(12):
    x = np.linalg.solve(A, b)

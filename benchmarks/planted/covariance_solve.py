# rule: inverse
import numpy as np

rng = np.random.RandomState(0)
X = rng.randn(2000, 300)
C = X.T @ X
targets = rng.randn(300)
# slow
for i in range(40):
    w = np.dot(np.linalg.inv(C), targets)  # planted
# changed
for i in range(40):
    w = np.linalg.solve(C, targets)

# rule: element-loop
import numpy as np

n = 900
u, v = np.linspace(0.0, 1.0, n), np.linspace(1.0, 2.0, n)
M = np.zeros((n, n))
# slow
for i in range(n):
    for j in range(n):
        M[i, j] = u[i] * v[j]  # planted
# changed
M = np.outer(u, v)

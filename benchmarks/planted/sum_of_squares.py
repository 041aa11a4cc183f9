# rule: element-loop
import numpy as np

a = np.linspace(0.0, 1.0, 2000000)
# slow
total = 0.0
for i in range(len(a)):
    total += a[i] * a[i]  # planted
# changed
total = (a * a).sum()

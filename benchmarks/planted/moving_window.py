# rule: element-loop
import numpy as np

a = np.linspace(0.0, 1.0, 1000000)
out = np.zeros(1000000)
# slow
for i in range(1, len(a) - 1):
    out[i] = (a[i - 1] + a[i] + a[i + 1]) / 3.0  # planted
# changed
out[1:-1] = (a[:-2] + a[1:-1] + a[2:]) / 3.0

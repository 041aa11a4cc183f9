# rule: element-loop
import numpy as np

a = np.linspace(0.0, 1.0, 1500000)
b = np.zeros(1500000)
# slow
for i in range(len(a)):
    b[i] = a[i] * 2.0 + 1.0  # planted
# changed
b = a * 2.0 + 1.0

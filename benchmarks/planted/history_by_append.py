# rule: growing-array
import numpy as np

rng = np.random.RandomState(0)
# slow
history = np.zeros(0)
for i in range(30000):
    history = np.append(history, i * 0.5)  # planted
# changed
history = []
for i in range(30000):
    history.append(i * 0.5)
history = np.array(history)

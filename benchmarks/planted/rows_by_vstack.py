# rule: growing-array
import numpy as np

row = np.ones((1, 200))
# slow
table = np.zeros((0, 200))
for i in range(2500):
    table = np.vstack([table, row])  # planted
# changed
rows = []
for i in range(2500):
    rows.append(row)
table = np.vstack(rows)

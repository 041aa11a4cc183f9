# rule: growing-array
import numpy as np

def trace(steps):
    path = np.zeros((1, 50))
    state = np.zeros((1, 50))
    for i in range(steps):
        state = state * 0.9 + 0.1
        path = np.vstack((path, state))  # planted
    return path

def trace_of_list(steps):
    path = [np.zeros((1, 50))]
    state = np.zeros((1, 50))
    for i in range(steps):
        state = state * 0.9 + 0.1
        path.append(state)
    return np.vstack(path)
# slow
p = trace(4000)
# changed
p = trace_of_list(4000)

# rule: growing-array
import numpy as np

class Recorder:
    def __init__(self):
        self.losses = np.zeros((0, 64))
        self.parts = []

recorder = Recorder()
part = np.ones((2, 64))
# slow
for i in range(3000):
    recorder.losses = np.concatenate((recorder.losses, part))  # planted
# changed
for i in range(3000):
    recorder.parts.append(part)
recorder.losses = np.concatenate(recorder.parts)

# rule: get-value-copy
import numpy as np
import theano

params = [theano.shared(np.ones((700, 700)), name="p%d" % i) for i in range(3)]
norms = []
# slow
for i in range(100):
    for p in params:
        norms.append(p.get_value()[i, i])  # planted
# changed
for i in range(100):
    for p in params:
        norms.append(p.get_value(borrow=True)[i, i])

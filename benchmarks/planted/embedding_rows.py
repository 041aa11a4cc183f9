# rule: copied-update
# An embedding, of which a call reads and moves a few rows.
import numpy as np
import theano
import theano.tensor as T

E = theano.shared(np.random.RandomState(0).randn(20000, 100), name="E")
i, g = T.lvector("i"), T.dmatrix("g")
G = np.ones((20, 100)) * 0.01
# slow
move = theano.function([i, g], E[i].sum(), updates=[(E, T.inc_subtensor(E[i], -g))])  # planted
for k in range(300):
    total = move(np.arange(k, k + 20), G)
# changed
look = theano.function([i], E[i].sum())
move = theano.function([i, g], [], updates=[(E, T.inc_subtensor(E[i], -g))])
for k in range(300):
    total = look(np.arange(k, k + 20))
    move(np.arange(k, k + 20), G)

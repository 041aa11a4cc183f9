# rule: function-in-loop
import numpy as np
import theano
import theano.tensor as T

rng = np.random.RandomState(0)
X = rng.randn(300, 20)
x = T.dmatrix("x")
penalties = np.linspace(0, 1, 120)
# slow
def cost_for(penalty):
    return theano.function([x], (x ** 2).sum() + penalty * abs(x).sum(), name="cost")  # planted
best = min(cost_for(p)(X) for p in penalties)
# changed
p = T.dscalar("p")
cost = theano.function([x, p], (x ** 2).sum() + p * abs(x).sum(), name="cost")
best = min(cost(X, q) for q in penalties)

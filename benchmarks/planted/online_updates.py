# rule: small-calls
import numpy as np
import theano
import theano.tensor as T

rng = np.random.RandomState(0)
samples = rng.randn(120000)
mean = theano.shared(0.0, name="mean")
# slow
s = T.dscalar("s")
update = theano.function([s], updates=[(mean, 0.999 * mean + 0.001 * s)], name="update")
for v in samples:
    update(v)  # planted
# changed
seq = T.dvector("seq")
means, _ = theano.scan(lambda s, m: 0.999 * m + 0.001 * s, sequences=[seq], outputs_info=[mean])
update = theano.function([seq], updates=[(mean, means[-1])], name="update")
update(samples)

"""Prints the order in which functions of theano.gof.graph visit random graphs. visits.txt beside it is what Theano 1.0.5 prints: python visits.py > visits.txt"""
import theano, theano.tensor as T

class R:
    def __init__(s, seed): s.s = seed

    def __call__(s, n):
        s.s = (s.s * 1103515245 + 12345) % 2147483648
        return (s.s // 65536) % n


G = theano.gof.graph
for seed in range(60):
    r = R(seed * 7 + 1)
    names = {}
    vs = []
    for i in range(4):
        v = T.dvector('x%d' % i) if i % 2 else theano.shared(float(i), name='w%d' % i)
        v.name = 'v%d' % i
        vs.append(v)
    for i in range(4, 14):
        a, b = vs[r(len(vs))], vs[r(len(vs))]
        k = r(4)
        v = a * b if k == 0 else a + b if k == 1 else T.exp(a) if k == 2 else T.switch(a, b, vs[r(len(vs))])
        v.name = 'v%d' % i
        vs.append(v)
    out = [vs[r(len(vs))] for _ in range(1 + r(4))]
    inp = [vs[r(len(vs))] for _ in range(r(4))]
    nm = lambda l: [v.name for v in l if v.name]
    on = lambda l: [n.outputs[0].name for n in l if n.outputs[0].name]
    print(seed, nm(out), nm(inp))
    print(nm(G.inputs(out)), nm(G.inputs(out, inp)), nm(G.ancestors(out, inp)))
    print(nm(G.variables(inp, out)), nm(G.orphans(inp, out)))
    outc = [o for o in out if o.owner]
    print(on(G.io_toposort(inp, outc)), on(G.list_of_nodes(inp, outc)))
    if outc: print(on(G.io_toposort(inp, list(reversed(outc)))))

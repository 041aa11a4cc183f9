def sum(x): return x

LIMIT = 10
def scale(x): return 100 * x
def identity(x): return x

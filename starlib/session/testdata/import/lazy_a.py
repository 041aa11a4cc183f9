import lazy_b
def f(): return lazy_b.g() + 1
one = 1

import lazy_a
def g(): return lazy_a.one

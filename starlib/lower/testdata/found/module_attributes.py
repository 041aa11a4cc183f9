import m
from m import get as got

m.N = 5
print(got(), m.N)
m.new = 1
del m.new
print(hasattr(m, "new"))
try:
    del m.absent
except AttributeError:
    print("no absent")
#: m.py
N = 1


def get():
    return N

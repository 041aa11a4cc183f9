class V:
    def __rmul__(self, o): return V()
class W:
    def __getitem__(self, i): return [7, 8][i]
l = [1, 2]
try:
    l[:] *= V()
except TypeError as e: print("TypeError")
print(l)
try:
    l[:] = V()
except TypeError as e: print("TypeError")
print(l)
l[:] = W()
print(l)
print("a" % range(2), "b" % [1], "c" % {})

import ring_b
x = 1
